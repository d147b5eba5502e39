import { randomCharacters, readCharacters } from '#lib/crockford.ts'
import { DAY_MS, HOUR_MS, type Instant, later, millis, SECOND_MS } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import type { Next, TicketStatus } from './schema.ts'

export type TicketRow = Row<'support.tickets'>

/** The facts from which the status of a ticket follows. */
export type Facts = Pick<
  TicketRow,
  | 'waitingSince'
  | 'firstRespondedAt'
  | 'onHoldAt'
  | 'holdUntil'
  | 'closedAt'
  | 'closedBy'
  | 'closingNoticeAt'
  | 'lastMessageAt'
  | 'lastActivityAt'
>

/** Never stored: the status follows from what happened (T1). */
export function statusOf({
  closedAt,
  onHoldAt,
  waitingSince,
}: Pick<Facts, 'closedAt' | 'onHoldAt' | 'waitingSince'>): TicketStatus {
  if (closedAt) return 'closed'
  if (onHoldAt) return 'on_hold'
  return waitingSince ? 'open' : 'answered'
}

/** Something that happens to a ticket. */
export type TicketEvent =
  | { kind: 'customer_message' }
  | { kind: 'staff_reply'; next: Next; holdUntil: Instant | null }
  | { kind: 'note' }
  | { kind: 'held'; until: Instant | null }
  | { kind: 'closing_announced' }
  | { kind: 'closed'; by: NonNullable<Facts['closedBy']> }
  | { kind: 'reopened' }

const NOT_HELD = { onHoldAt: null, holdUntil: null }
const NOT_CLOSED = { closedAt: null, closedBy: null }
const NOT_CLOSING = { closingNoticeAt: null }

/** The facts of a ticket that was just opened by a customer, or by staff who wrote to one. */
export function firstFacts(by: 'customer' | 'staff', now: Instant): Facts {
  return {
    ...NOT_HELD,
    ...NOT_CLOSED,
    ...NOT_CLOSING,
    waitingSince: by === 'customer' ? now : null,
    firstRespondedAt: by === 'staff' ? now : null,
    ...{ lastMessageAt: now, lastActivityAt: now },
  }
}

/**
 * The facts of a ticket after an event: nothing else changes them (T2). The caller has checked that the event is
 * allowed.
 */
export function factsAfter(facts: Facts, event: TicketEvent, now: Instant): Facts {
  const waitingSince = facts.waitingSince ?? now
  const active = { ...facts, lastActivityAt: now, ...NOT_CLOSING }
  switch (event.kind) {
    case 'note':
      return { ...active, closingNoticeAt: facts.closingNoticeAt }
    case 'closing_announced':
      // No activity: the ticket keeps its place in the lists of staff.
      return { ...facts, closingNoticeAt: now }
    case 'customer_message':
      return { ...active, ...NOT_HELD, ...NOT_CLOSED, waitingSince, lastMessageAt: now }
    case 'staff_reply': {
      const firstRespondedAt = facts.firstRespondedAt ?? now
      return afterReply({ ...active, firstRespondedAt, lastMessageAt: now }, event, now)
    }
    case 'held':
      return { ...active, onHoldAt: now, holdUntil: event.until }
    case 'closed':
      return closed(active, event.by, now)
    case 'reopened':
      return { ...active, ...NOT_HELD, ...NOT_CLOSED, waitingSince }
  }
}

type Reply = Extract<TicketEvent, { kind: 'staff_reply' }>

/** An answer to a closed ticket leaves it closed, unless its author chooses `open` or `hold`. */
function afterReply(facts: Facts, { next, holdUntil }: Reply, now: Instant): Facts {
  if (next === 'close') return closed(facts, 'staff', now)
  if (next === 'answered') return { ...facts, ...NOT_HELD, waitingSince: null }
  if (next === 'open') {
    return { ...facts, ...NOT_HELD, ...NOT_CLOSED, waitingSince: facts.waitingSince ?? now }
  }
  return { ...facts, ...NOT_CLOSED, waitingSince: null, onHoldAt: now, holdUntil }
}

function closed(facts: Facts, by: NonNullable<Facts['closedBy']>, now: Instant): Facts {
  return { ...facts, ...NOT_HELD, waitingSince: null, closedAt: now, closedBy: by }
}

/** After how many days an answered ticket is closed, and how many days before that its customer is reminded. */
export type AutoClose = { readonly autoCloseDays: number; readonly autoCloseNoticeDays: number }

/**
 * When an answered ticket of whose closing its customer was reminded is closed (T5): the days after the last message,
 * and never earlier than the whole time of the reminder, however late it was sent. Null for a ticket without a reminder.
 */
export function closesAt(
  { lastMessageAt, closingNoticeAt }: Pick<Facts, 'lastMessageAt' | 'closingNoticeAt'>,
  { autoCloseDays, autoCloseNoticeDays }: AutoClose,
): Instant | null {
  if (closingNoticeAt === null || autoCloseDays === 0) return null
  const planned = later(lastMessageAt, autoCloseDays * DAY_MS)
  const announced = later(closingNoticeAt, autoCloseNoticeDays * DAY_MS)
  return planned > announced ? planned : announced
}

/** Whether a customer's message, or wish, still reopens a closed ticket (T4). */
export function mayReopen(
  { closedAt }: Pick<Facts, 'closedAt'>,
  reopenDays: number,
  now: Instant,
): boolean {
  return closedAt !== null && now <= later(closedAt, reopenDays * DAY_MS)
}

/** How much one person may write (T20), so that no account can flood the staff. */
export const LIMITS = {
  ticketsAnHour: 5,
  ticketsADay: 20,
  open: 20,
  /** With an address that was never confirmed. */
  openUnconfirmed: 2,
  messagesAnHour: 60,
  messagesAnHourOnTicket: 30,
} as const

export type Window = { readonly most: number; readonly ms: number }

export const TICKET_WINDOWS: readonly Window[] = [
  { most: LIMITS.ticketsAnHour, ms: HOUR_MS },
  { most: LIMITS.ticketsADay, ms: DAY_MS },
]

/**
 * The seconds until one more is allowed, from the times of the last ones, newest first; null if it is allowed now.
 */
export function secondsUntilAllowed(
  times: readonly Instant[],
  windows: readonly Window[],
  now: Instant,
): number | null {
  const waits = windows.flatMap(({ most, ms }) => {
    const oldest = times[most - 1]
    const waitMs = oldest === undefined ? 0 : millis(oldest) + ms - millis(now)
    return waitMs > 0 ? Math.ceil(waitMs / SECOND_MS) : []
  })
  return waits.length > 0 ? Math.max(...waits) : null
}

const NUMBER_LENGTH = 8

/** A number for people to name a ticket by: 40 random bits. It grants no access. */
export function newNumber(): string {
  return `T-${randomCharacters(NUMBER_LENGTH)}`
}

/** A number as people type it: with or without `T-`, in any case, O for 0 and I or L for 1. */
export function numberIn(typed: string): string {
  const letters = typed
    .trim()
    .toUpperCase()
    .replace(/^T-?(?=.{8}$)/, '')
  return `T-${readCharacters(letters)}`
}
