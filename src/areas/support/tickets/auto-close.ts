import { DAY_MS, dayOf, type Instant, later } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { ticketClosed } from '../events.ts'
import { tellOfComingClosing } from '../notices.ts'
import { factsOf } from './actions.ts'
import { recordChange } from './changes.ts'
import { happen } from './locking.ts'
import { lockAnswered } from './queries.ts'
import { type AutoClose, closesAt } from './rules.ts'

type Batch = AutoClose & { readonly tenantId: string; readonly limit: number }

/** Reminds the customers of answered tickets that will be closed soon (T5), each once. Returns how many tickets. */
export async function announceClosings(
  tx: Tx,
  { tenantId, limit, ...terms }: Batch,
  now: Instant,
): Promise<number> {
  const { autoCloseDays, autoCloseNoticeDays } = terms
  const quietDays = Math.max(0, autoCloseDays - autoCloseNoticeDays)
  const writtenBefore = later(now, -quietDays * DAY_MS)
  const tickets = await lockAnswered(tx, tenantId, { writtenBefore, announcedBefore: null, limit })
  for (const ticket of tickets) {
    const announced = await happen(tx, ticket, { kind: 'closing_announced' }, now)
    const closesOn = dayOf(closesAt(announced, terms) ?? now)
    await tellOfComingClosing(tx, ticket, closesOn, now)
  }
  return tickets.length
}

/**
 * Closes answered tickets without a message for the days of the setting (T5); where customers are reminded, only those
 * whose reminder is old enough. Returns how many.
 */
export async function closeAnswered(
  tx: Tx,
  { tenantId, limit, autoCloseDays, autoCloseNoticeDays }: Batch,
  now: Instant,
): Promise<number> {
  const tickets = await lockAnswered(tx, tenantId, {
    writtenBefore: later(now, -autoCloseDays * DAY_MS),
    ...(autoCloseNoticeDays > 0 && { announcedBefore: later(now, -autoCloseNoticeDays * DAY_MS) }),
    limit,
  })
  for (const ticket of tickets) {
    await happen(tx, ticket, { kind: 'closed', by: 'auto' }, now)
    await recordChange(tx, ticket, { kind: 'closed', actorId: null }, now)
    const facts = await factsOf(tx, ticket, null)
    await emit(tx, ticketClosed, { ...facts, by: 'auto', withReply: false })
  }
  return tickets.length
}
