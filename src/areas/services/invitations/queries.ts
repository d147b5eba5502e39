import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { ServiceKey } from '../queries.ts'
import type { InvitationRow } from './rules.ts'

export type InvitationKey = Pick<InvitationRow, 'tenantId' | 'id'>

export function listInvitations(db: Db, { tenantId, id }: ServiceKey, page: PageQuery) {
  const query = db
    .selectFrom('services.invitations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
  return pageOf(query, page)
}

/** Invitations with the names that their links may show. */
function previews(db: Db, tenantId: string) {
  return db
    .selectFrom('services.invitations as invitation')
    .innerJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'invitation.tenantId')
        .onRef('service.id', '=', 'invitation.serviceId'),
    )
    .innerJoin('users.users as inviter', (join) =>
      join
        .onRef('inviter.tenantId', '=', 'invitation.tenantId')
        .onRef('inviter.id', '=', 'invitation.invitedBy'),
    )
    .selectAll('invitation')
    .select(['service.name as serviceName', 'inviter.name as inviterName'])
    .where('invitation.tenantId', '=', tenantId)
}

/** An invitation with the names its link may show. */
export function findPreview(db: Db, { tenantId, id }: InvitationKey) {
  return previews(db, tenantId).where('invitation.id', '=', id).executeTakeFirst()
}

/** The invitations to an address that can be answered now, newest first. */
export function listReceived(
  db: Db,
  { tenantId, email, now }: { tenantId: string; email: string; now: Instant },
  page: PageQuery,
) {
  const query = previews(db, tenantId)
    .where('invitation.email', '=', email)
    .where('invitation.acceptedAt', 'is', null)
    .where('invitation.declinedAt', 'is', null)
    .where('invitation.revokedAt', 'is', null)
    .where('invitation.expiresAt', '>', now)
    .where('service.endedAt', 'is', null)
  return pageOf(query, page, 'invitation.id')
}

export function lockInvitation(tx: Tx, { tenantId, id }: InvitationKey) {
  return tx
    .selectFrom('services.invitations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function lockOpenInvitation(
  tx: Tx,
  { tenantId, serviceId, email }: Pick<InvitationRow, 'tenantId' | 'serviceId' | 'email'>,
) {
  return tx
    .selectFrom('services.invitations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('email', '=', email)
    .where('acceptedAt', 'is', null)
    .where('declinedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export function insertInvitation(
  tx: Tx,
  row: Omit<InvitationRow, 'acceptedAt' | 'acceptedBy' | 'declinedAt' | 'revokedAt'>,
) {
  return tx.insertInto('services.invitations').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateInvitation(
  tx: Tx,
  { tenantId, id }: InvitationKey,
  change: Partial<
    Pick<
      InvitationRow,
      | 'acceptedAt'
      | 'acceptedBy'
      | 'declinedAt'
      | 'revokedAt'
      | 'expiresAt'
      | 'permissions'
      | 'sends'
    >
  >,
) {
  return tx
    .updateTable('services.invitations')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Adds a person to a service; a member gets the new permissions, an owner stays the owner. */
export async function addMember(
  tx: Tx,
  member: {
    tenantId: string
    userId: string
    serviceId: string
    permissions: string[]
    createdAt: Instant
  },
): Promise<void> {
  await tx
    .insertInto('services.members')
    .values({ ...member, role: 'member' })
    .onConflict((it) =>
      it
        .columns(['tenantId', 'userId', 'serviceId'])
        .doUpdateSet({ permissions: member.permissions })
        .where('services.members.role', '=', 'member'),
    )
    .execute()
}
