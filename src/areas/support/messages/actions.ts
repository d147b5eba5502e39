import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { badRequest, conflict } from '#lib/problem.ts'
import { HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { settingsOf } from '#tenants'
import { lockUser } from '#users'
import { attachUploads } from '../attachments/actions.ts'
import { ticketClosed, ticketReopened, ticketReplied } from '../events.ts'
import { actionsToDo, doActions } from '../saved-replies/actions.ts'
import type { ReplyActions } from '../saved-replies/rules.ts'
import { supportSettings } from '../settings.ts'
import { assertLater, assign, factsOf, lockOwn, reopenExpired } from '../tickets/actions.ts'
import { recordChange } from '../tickets/changes.ts'
import { assertMayWrite } from '../tickets/limits.ts'
import { happen, lockSeen } from '../tickets/locking.ts'
import { continueTicket } from '../tickets/opening.ts'
import type { Staff } from '../tickets/queries.ts'
import { mayReopen, type TicketRow } from '../tickets/rules.ts'
import { findLastPublic, insertMessage, type MessageRow } from './queries.ts'
import type { NewAnswer, NewMessage } from './schema.ts'

type Written = { readonly departmentId: string; readonly message: MessageRow }

/**
 * A participant writes to staff. It reopens a ticket that was closed a short time ago; later the requester gets a new
 * one that continues it (T4), with the message. Throws 404, 409 `reopen_expired` for another participant, 429 beyond the
 * limits of T20, and as `attachUploads`.
 */
export async function writeMessage(
  tx: Tx,
  caller: Caller,
  { id, ...sent }: NewMessage & { id: string },
  now: Instant,
): Promise<Written> {
  const { tenantId, userId } = caller
  // Always locked before the ticket: how much a person writes is counted under this lock.
  await lockUser(tx, { tenantId, userId })
  const { ticket, own } = await lockOwn(tx, caller, id)
  await assertMayWrite(tx, { tenantId, userId }, id, now)
  const { reopenDays } = await settingsOf(tx, tenantId, supportSettings)
  const wasClosed = ticket.closedAt !== null
  if (wasClosed && !mayReopen(ticket, reopenDays, now)) {
    if (own.role !== 'requester') throw reopenExpired()
    const next = await continueTicket(tx, caller, { before: ticket, ...sent }, now)
    return { departmentId: next.ticket.departmentId, message: next.message }
  }
  const author = { author: 'customer', authorId: userId } as const
  const written = { ...author, ...sent, kind: 'public' } as const
  const message = await write(tx, ticket, written, now)
  await happen(tx, ticket, { kind: 'customer_message' }, now)
  const facts = await factsOf(tx, ticket, userId)
  await emit(tx, ticketReplied, { ...facts, messageId: message.id, by: 'customer' })
  if (wasClosed) await reopened(tx, ticket, { actorId: userId, by: 'customer' }, now)
  return { departmentId: ticket.departmentId, message }
}

/**
 * Staff answer, or write a note for each other. An answer assigns a ticket without an assignee, and does what its saved
 * reply says. Throws 404, 409 `ticket_changed` if there is a public message that its author has not seen (T12), 422 for
 * a hold in the past, and as `actionsToDo`, `doActions` and `attachUploads`.
 */
export async function answer(
  tx: Tx,
  staff: Staff,
  { id, ...wanted }: NewAnswer & { id: string },
  now: Instant,
): Promise<MessageRow> {
  const { ticket: seen, department } = await lockSeen(tx, staff, id)
  const { kind, body, attachmentIds, savedReplyId } = wanted
  const author = { author: 'staff', authorId: staff.userId, kind } as const
  if (kind === 'note') {
    if (wanted.next !== undefined) throw badRequest('A note does not change the status.')
    if (savedReplyId) throw badRequest('A note does not do what a saved reply says.')
    const note = await write(tx, seen, { ...author, body, attachmentIds }, now)
    await happen(tx, seen, { kind: 'note' }, now)
    return note
  }
  await assertSeen(tx, seen, wanted)
  const actions = savedReplyId
    ? await actionsToDo(tx, staff, seen, { ...wanted, savedReplyId })
    : null
  const next = wanted.next ?? actions?.next ?? 'answered'
  const holdUntil = next === 'hold' ? endOfHold(wanted, actions, now) : null
  assertLater(holdUntil, now)
  const ticket = actions
    ? await doActions(tx, staff, { ticket: seen, department, actions }, now)
    : seen
  const message = await write(tx, ticket, { ...author, body, attachmentIds }, now)
  const after = await happen(tx, ticket, { kind: 'staff_reply', next, holdUntil }, now)
  const actorId = staff.userId
  const facts = await factsOf(tx, ticket, actorId)
  await emit(tx, ticketReplied, { ...facts, messageId: message.id, by: 'staff' })
  if (!ticket.closedAt && after.closedAt) {
    await recordChange(tx, ticket, { kind: 'closed', actorId }, now)
    await emit(tx, ticketClosed, { ...facts, by: 'staff', withReply: true })
  }
  if (ticket.closedAt && !after.closedAt) await reopened(tx, ticket, { actorId, by: 'staff' }, now)
  if (next === 'hold') {
    await recordChange(tx, ticket, { kind: 'held', actorId, after: holdUntil }, now)
  }
  // Whoever moves a ticket to another department with the answer hands it over.
  const isHandedOver = ticket.departmentId !== seen.departmentId
  if (!ticket.assigneeId && !isHandedOver) {
    await assign(tx, ticket, { assigneeId: actorId, actorId }, now)
  }
  return message
}

/** An answer with its own status has its own end, too. */
function endOfHold(
  { next, holdUntil }: Pick<NewAnswer, 'next' | 'holdUntil'>,
  actions: ReplyActions | null,
  now: Instant,
): Instant | null {
  if (next !== undefined || !actions?.holdHours) return holdUntil ?? null
  return later(now, actions.holdHours * HOUR_MS)
}

/**
 * T12: the display of who is present only warns; this check decides. Without `seenThrough` every message counts as
 * unseen.
 */
async function assertSeen(
  tx: Tx,
  ticket: TicketRow,
  { seenThrough = null, force = false }: NewAnswer,
): Promise<void> {
  if (force || (await findLastPublic(tx, ticket)) === seenThrough) return
  throw conflict(
    'There is a newer message on this ticket. Read it before you answer.',
    'ticket_changed',
  )
}

type By = { readonly actorId: string; readonly by: 'customer' | 'staff' }

async function reopened(tx: Tx, ticket: TicketRow, { actorId, by }: By, now: Instant) {
  await recordChange(tx, ticket, { kind: 'reopened', actorId }, now)
  await emit(tx, ticketReopened, { ...(await factsOf(tx, ticket, actorId)), by, withReply: true })
}

type Writing = Pick<MessageRow, 'kind' | 'author' | 'authorId' | 'body'> & {
  readonly attachmentIds?: readonly string[] | undefined
}

async function write(
  tx: Tx,
  { tenantId, id: ticketId }: TicketRow,
  { attachmentIds, ...wanted }: Writing,
  now: Instant,
): Promise<MessageRow> {
  const message = { ...wanted, tenantId, id: newId(), ticketId, createdAt: now }
  await insertMessage(tx, message)
  await attachUploads(tx, message, attachmentIds, now)
  return message
}
