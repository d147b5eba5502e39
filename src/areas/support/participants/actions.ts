import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { findUserByEmail, isProven, userStatusOf } from '#users'
import { recordChange } from '../tickets/changes.ts'
import { lockSeen } from '../tickets/locking.ts'
import type { Staff } from '../tickets/queries.ts'
import { insertParticipant, listParticipants, removeParticipant } from './queries.ts'

/**
 * Staff add a person to a ticket by the confirmed address of an account: from now on the person reads and writes on it.
 * An existing participant stays as they are. Throws 404 for a ticket that the caller does not see and an unknown
 * address.
 */
export async function addParticipant(
  tx: Tx,
  staff: Staff,
  { ticketId, address }: { ticketId: string; address: string },
  now: Instant,
): Promise<void> {
  const { ticket } = await lockSeen(tx, staff, ticketId)
  const { tenantId } = staff
  const user = await findUserByEmail(tx, { tenantId, email: address.toLowerCase() })
  if (!user || !isProven(user) || userStatusOf(user) !== 'active') throw notFound('User')
  const people = await listParticipants(tx, ticket)
  if (people.some(({ userId }) => userId === user.id)) return
  const row = { tenantId, id: newId(), ticketId, userId: user.id, addedBy: staff.userId }
  const open = { mutedAt: null, removedAt: null, createdAt: now }
  await insertParticipant(tx, { ...row, ...open, role: 'copied' })
  const change = { kind: 'participant_added', actorId: staff.userId, after: user.id } as const
  await recordChange(tx, ticket, change, now)
}

/** Staff remove a person whom they added; the customer cannot be removed. Throws 404. */
export async function dropParticipant(
  tx: Tx,
  staff: Staff,
  { ticketId, participantId }: { ticketId: string; participantId: string },
  now: Instant,
): Promise<void> {
  const { ticket } = await lockSeen(tx, staff, ticketId)
  const removed = await removeParticipant(tx, ticket, participantId, now)
  if (!removed) throw notFound('Participant')
  const { userId: before } = removed
  const change = { kind: 'participant_removed', actorId: staff.userId, before } as const
  await recordChange(tx, ticket, change, now)
}
