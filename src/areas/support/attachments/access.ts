import { holds } from '#lib/caller.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { listPermissionsOf } from '#rbac'
import { findUsers, userStatusOf } from '#users'
import { staffOf } from '../tickets/locking.ts'
import { findOwnTicket, findStaffTicket } from '../tickets/queries.ts'
import type { LinkedAttachment } from './links.ts'
import { findAttached } from './queries.ts'

export type Attached = NonNullable<Awaited<ReturnType<typeof findAttached>>>

/** A file that a participant of its ticket may read now (T21): never that of a note. */
async function seenByCustomer(db: Db, user: UserKey, { ticketId, kind, writtenAt }: Attached) {
  const own = await findOwnTicket(db, user, ticketId)
  if (!own || kind !== 'public') return false
  return own.role === 'requester' || writtenAt >= own.addedAt
}

async function seenByStaff(db: Db, user: UserKey, { ticketId }: Attached) {
  return (await findStaffTicket(db, await staffOf(db, user), ticketId)) !== undefined
}

/** The file that a person may read as a participant or as staff; null for every other one. */
export async function readableAttachment(
  db: Db,
  tenantId: string,
  { id, userId, side }: LinkedAttachment,
): Promise<Attached | null> {
  const attached = await findAttached(db, { tenantId, id })
  if (!attached) return null
  const user = { tenantId, userId }
  const isSeen = side === 'customer' ? seenByCustomer : seenByStaff
  return (await isSeen(db, user, attached)) ? attached : null
}

/** `readableAttachment` for a link, whose person may have lost their account or permission since it was made. */
export async function linkedAttachment(
  db: Db,
  tenantId: string,
  link: LinkedAttachment,
): Promise<Attached | null> {
  const [person] = await findUsers(db, tenantId, [link.userId])
  if (!person || userStatusOf(person) !== 'active') return null
  if (link.side === 'staff') {
    const permissions = await listPermissionsOf(db, { tenantId, userId: link.userId })
    if (!holds(permissions, 'tickets:read')) return null
  }
  return readableAttachment(db, tenantId, link)
}
