import type { Caller } from '#lib/caller.ts'
import { conflict, forbidden, notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import type { PageQuery } from '#platform/page.ts'
import { listPeopleWith, pageOfPeopleWith } from '#rbac'
import { settingsOf } from '#tenants'
import { findUsers, userStatusOf } from '#users'
import type { DepartmentRow } from '../departments/rules.ts'
import { ticketAssigned, ticketClosed, ticketReopened } from '../events.ts'
import { findRequester } from '../participants/queries.ts'
import { supportSettings } from '../settings.ts'
import { setTags } from '../tags/actions.ts'
import { tagsFrom } from '../tags/rules.ts'
import { recordChange } from './changes.ts'
import { happen, lockSeen, seenDepartment } from './locking.ts'
import { assertTheirs } from './opening.ts'
import {
  findOwnTicket,
  lockEndedHolds,
  lockNextUnassigned,
  lockTicket,
  type OwnTicketView,
  type Staff,
  updateTicket,
} from './queries.ts'
import { mayReopen, statusOf, type TicketRow } from './rules.ts'
import type { TicketChange } from './schema.ts'

/** A ticket in which the caller takes part, locked. Throws 404. */
export async function lockOwn(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<{ ticket: TicketRow; own: OwnTicketView }> {
  const ticket = await lockTicket(tx, { tenantId: caller.tenantId, id })
  const own = ticket && (await findOwnTicket(tx, caller, id))
  if (!ticket || !own) throw notFound('Ticket')
  return { ticket, own }
}

/** The customer closes their ticket; a closed one stays as it is. Throws 404, 403 for a participant. */
export async function closeOwn(tx: Tx, caller: Caller, id: string, now: Instant): Promise<void> {
  const { ticket, own } = await lockOwn(tx, caller, id)
  assertRequester(own)
  if (ticket.closedAt) return
  await happen(tx, ticket, { kind: 'closed', by: 'customer' }, now)
  const { tenantId, userId } = caller
  await recordChange(tx, ticket, { kind: 'closed', actorId: userId }, now)
  const facts = { tenantId, ticketId: id, userId, actorId: userId }
  await emit(tx, ticketClosed, { ...facts, by: 'customer', withReply: false })
}

/**
 * The customer reopens their ticket; one that is not closed stays as it is. Throws 404, 403 for a participant, 409
 * `reopen_expired` if it was closed too long ago.
 */
export async function reopenOwn(tx: Tx, caller: Caller, id: string, now: Instant): Promise<void> {
  const { ticket, own } = await lockOwn(tx, caller, id)
  assertRequester(own)
  if (!ticket.closedAt) return
  const { tenantId, userId } = caller
  const { reopenDays } = await settingsOf(tx, tenantId, supportSettings)
  if (!mayReopen(ticket, reopenDays, now)) throw reopenExpired()
  await happen(tx, ticket, { kind: 'reopened' }, now)
  await recordChange(tx, ticket, { kind: 'reopened', actorId: userId }, now)
  const facts = { tenantId, ticketId: id, userId, actorId: userId }
  await emit(tx, ticketReopened, { ...facts, by: 'customer', withReply: false })
}

export function reopenExpired() {
  return conflict('This ticket was closed too long ago. Open a new one.', 'reopen_expired')
}

function assertRequester({ role }: OwnTicketView): void {
  if (role === 'requester') return
  throw forbidden('Only the person who asked may do this.')
}

/** Staff close a ticket; a closed one stays as it is. Throws 404. */
export async function closeAsStaff(tx: Tx, staff: Staff, id: string, now: Instant): Promise<void> {
  const { ticket } = await lockSeen(tx, staff, id)
  if (ticket.closedAt) return
  await happen(tx, ticket, { kind: 'closed', by: 'staff' }, now)
  await recordChange(tx, ticket, { kind: 'closed', actorId: staff.userId }, now)
  const facts = await factsOf(tx, ticket, staff.userId)
  await emit(tx, ticketClosed, { ...facts, by: 'staff', withReply: false })
}

/** Staff open a ticket again that is closed, on hold or answered; an open one stays as it is. Throws 404. */
export async function reopenAsStaff(tx: Tx, staff: Staff, id: string, now: Instant): Promise<void> {
  const { ticket } = await lockSeen(tx, staff, id)
  if (statusOf(ticket) === 'open') return
  await happen(tx, ticket, { kind: 'reopened' }, now)
  await recordChange(tx, ticket, { kind: 'reopened', actorId: staff.userId }, now)
  if (!ticket.closedAt) return
  const facts = await factsOf(tx, ticket, staff.userId)
  await emit(tx, ticketReopened, { ...facts, by: 'staff', withReply: false })
}

/**
 * Staff put a ticket on hold, until an instant or without an end. Throws 404, 409 `ticket_closed`, 422 for an instant in
 * the past.
 */
export async function holdTicket(
  tx: Tx,
  staff: Staff,
  { id, until }: { id: string; until: Instant | null },
  now: Instant,
): Promise<void> {
  const { ticket } = await lockSeen(tx, staff, id)
  if (ticket.closedAt) throw conflict('This ticket is closed. Reopen it first.', 'ticket_closed')
  assertLater(until, now)
  await happen(tx, ticket, { kind: 'held', until }, now)
  await recordChange(tx, ticket, { kind: 'held', actorId: staff.userId, after: until }, now)
}

/** Throws 422 for an end of a hold in the past. */
export function assertLater(until: Instant | null, now: Instant): void {
  if (until === null || until > now) return
  throw unprocessable('The end of the hold is in the past.', 'hold_in_the_past')
}

/** Opens the tickets whose hold has ended, of all tenants. Returns how many. */
export async function endHolds(tx: Tx, now: Instant, limit: number): Promise<number> {
  const tickets = await lockEndedHolds(tx, now, limit)
  for (const ticket of tickets) {
    await happen(tx, ticket, { kind: 'reopened' }, now)
    await recordChange(tx, ticket, { kind: 'reopened', actorId: null }, now)
  }
  return tickets.length
}

/** Assigns a ticket to the caller, also one that another member of staff has. Throws 404. */
export async function takeTicket(tx: Tx, staff: Staff, id: string, now: Instant): Promise<void> {
  const { ticket } = await lockSeen(tx, staff, id)
  await assign(tx, ticket, { assigneeId: staff.userId, actorId: staff.userId }, now)
}

/**
 * Assigns the caller the most urgent ticket that waits for an answer and has no assignee; returns its id, or null if
 * there is none. Two members of staff who call this at the same time get different tickets.
 */
export async function takeNext(tx: Tx, staff: Staff, now: Instant): Promise<string | null> {
  const ticket = await lockNextUnassigned(tx, staff)
  if (!ticket) return null
  await assign(tx, ticket, { assigneeId: staff.userId, actorId: staff.userId }, now)
  return ticket.id
}

/**
 * Changes what staff edit of a ticket. Throws 404 for a department that the caller does not see, and for a service or
 * invoice of another customer, 422 `assignee_without_access`.
 */
export async function changeTicket(
  tx: Tx,
  staff: Staff,
  { id, change }: { id: string; change: TicketChange },
  now: Instant,
): Promise<void> {
  await changeLocked(tx, staff, { ...(await lockSeen(tx, staff, id)), change }, now)
}

type Locked = { readonly ticket: TicketRow; readonly department: DepartmentRow }

/** `changeTicket` for a ticket that the caller has locked. */
export async function changeLocked(
  tx: Tx,
  staff: Staff,
  { ticket, department, change }: Locked & { change: TicketChange },
  now: Instant,
): Promise<void> {
  const { departmentId, assigneeId, priority, tags, ...rest } = change
  const requester = { tenantId: staff.tenantId, userId: await findRequester(tx, ticket) }
  await assertTheirs(tx, requester, rest)
  const moved = await movedTo(tx, staff, { department, departmentId })
  if (moved.id !== ticket.departmentId) {
    const values = { before: ticket.departmentId, after: moved.id }
    await recordChange(tx, ticket, { kind: 'department', actorId: staff.userId, ...values }, now)
  }
  if (priority && priority !== ticket.priority) {
    const values = { before: ticket.priority, after: priority }
    await recordChange(tx, ticket, { kind: 'priority', actorId: staff.userId, ...values }, now)
  }
  const actorId = staff.userId
  if (tags) await setTags(tx, ticket, { tags: tagsFrom(tags), actorId }, now)
  const values = { ...rest, departmentId: moved.id, ...(priority && { priority }) }
  await updateTicket(tx, ticket, { ...values, lastActivityAt: now })
  const wanted = assigneeId === undefined ? ticket.assigneeId : assigneeId
  if (assigneeId) await assertAssignable(tx, moved, assigneeId)
  const mayStay = wanted !== null && (await mayHave(tx, moved, wanted))
  // An assignee who does not see the new department loses the ticket.
  await assign(tx, ticket, { assigneeId: mayStay ? wanted : null, actorId: staff.userId }, now)
}

async function movedTo(
  tx: Tx,
  staff: Staff,
  { department, departmentId }: { department: DepartmentRow; departmentId: string | undefined },
): Promise<DepartmentRow> {
  if (departmentId === undefined || departmentId === department.id) return department
  const wanted = await seenDepartment(tx, staff, departmentId)
  if (wanted.archivedAt) throw notFound('Department')
  return wanted
}

/** The members of staff who work on the tickets of a department, by their ids. */
export async function listAssignable(
  db: Db,
  { tenantId, groupIds }: Pick<DepartmentRow, 'tenantId' | 'groupIds'>,
) {
  const ids = await listPeopleWith(db, tenantId, { permission: 'tickets:write', groupIds })
  const people = await findUsers(db, tenantId, ids)
  return people.filter((person) => userStatusOf(person) === 'active')
}

/** A page of the members of staff who may be assigned, by their ids; suspended ones are left out. */
export async function pageOfAssignable(
  db: Db,
  { tenantId, groupIds }: Pick<DepartmentRow, 'tenantId' | 'groupIds'>,
  page: PageQuery,
) {
  const wanted = { permission: 'tickets:write', groupIds }
  const { data, nextCursor } = await pageOfPeopleWith(db, tenantId, wanted, page)
  const ids = data.map(({ id }) => id)
  const people = new Map((await findUsers(db, tenantId, ids)).map((it) => [it.id, it]))
  const ordered = ids.flatMap((id) => people.get(id) ?? [])
  return { data: ordered.filter((it) => userStatusOf(it) === 'active'), nextCursor }
}

/** Throws 422 `assignee_without_access` for a person who does not work on the tickets of a department. */
export async function assertAssignable(
  tx: Tx,
  department: Pick<DepartmentRow, 'tenantId' | 'groupIds'>,
  userId: string,
): Promise<void> {
  if (await mayHave(tx, department, userId)) return
  const message = 'This member of staff does not work on tickets of this department.'
  throw unprocessable(message, 'assignee_without_access')
}

async function mayHave(
  db: Db,
  department: Pick<DepartmentRow, 'tenantId' | 'groupIds'>,
  userId: string,
): Promise<boolean> {
  const people = await listAssignable(db, department)
  return people.some(({ id }) => id === userId)
}

type Assignment = { readonly assigneeId: string | null; readonly actorId: string }

/** Assigns a locked ticket; an assignee who already has it keeps it without a notice. */
export async function assign(
  tx: Tx,
  ticket: TicketRow,
  { assigneeId, actorId }: Assignment,
  now: Instant,
): Promise<void> {
  if (assigneeId === ticket.assigneeId) return
  await updateTicket(tx, ticket, { assigneeId, lastActivityAt: now })
  const values = { before: ticket.assigneeId, after: assigneeId }
  await recordChange(tx, ticket, { kind: 'assigned', actorId, ...values }, now)
  await emit(tx, ticketAssigned, { ...(await factsOf(tx, ticket, actorId)), assigneeId })
}

/** The fields that the events of a ticket share. */
export async function factsOf(tx: Tx, ticket: TicketRow, actorId: string | null) {
  const { tenantId, id: ticketId } = ticket
  return { tenantId, ticketId, userId: await findRequester(tx, ticket), actorId }
}
