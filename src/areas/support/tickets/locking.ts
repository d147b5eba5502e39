import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { groupIdsOf } from '#rbac'
import { findDepartment } from '../departments/queries.ts'
import { type DepartmentRow, isSeenBy } from '../departments/rules.ts'
import { lockTicket, type Staff, updateTicket } from './queries.ts'
import { factsAfter, type TicketEvent, type TicketRow } from './rules.ts'

/** A member of staff with the groups that decide which departments they see. */
export async function staffOf(db: Db, { tenantId, userId }: UserKey): Promise<Staff> {
  return { tenantId, userId, groupIds: await groupIdsOf(db, { tenantId, userId }) }
}

/** A department that a member of staff sees, archived ones included. Throws 404. */
export async function seenDepartment(db: Db, staff: Staff, id: string): Promise<DepartmentRow> {
  const department = await findDepartment(db, { tenantId: staff.tenantId, id })
  if (!department || !isSeenBy(department, staff.groupIds)) throw notFound('Department')
  return department
}

/** Locks a ticket that a member of staff sees, with its department. Throws 404. */
export async function lockSeen(
  tx: Tx,
  staff: Staff,
  id: string,
): Promise<{ ticket: TicketRow; department: DepartmentRow }> {
  const ticket = await lockTicket(tx, { tenantId: staff.tenantId, id })
  const department = ticket && (await findDepartment(tx, { ...staff, id: ticket.departmentId }))
  if (!ticket || !department || !isSeenBy(department, staff.groupIds)) throw notFound('Ticket')
  return { ticket, department }
}

/** Writes the facts of a locked ticket after an event (T2), and returns the changed ticket. */
export async function happen(
  tx: Tx,
  ticket: TicketRow,
  event: TicketEvent,
  now: Instant,
): Promise<TicketRow> {
  const facts = factsAfter(ticket, event, now)
  const { waitingSince, firstRespondedAt, onHoldAt, holdUntil, closedAt, closedBy } = facts
  const { lastMessageAt, lastActivityAt, closingNoticeAt } = facts
  const change = {
    ...{ waitingSince, firstRespondedAt, onHoldAt, holdUntil, closedAt, closedBy },
    ...{ lastMessageAt, lastActivityAt, closingNoticeAt },
  }
  await updateTicket(tx, ticket, change)
  return { ...ticket, ...change }
}
