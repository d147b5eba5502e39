import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { ServiceKey } from '../queries.ts'

/** No service is shared with more people than this at once. */
const MOST = 500

/** A member with their name. */
export type MemberRow = Awaited<ReturnType<typeof listMembers>>[number]
export type MemberKey = Pick<Row<'services.members'>, 'tenantId' | 'serviceId' | 'userId'>

function membersOf(db: Db, { tenantId, id }: ServiceKey) {
  return db
    .selectFrom('services.members as member')
    .innerJoin('users.users as person', (join) =>
      join
        .onRef('person.tenantId', '=', 'member.tenantId')
        .onRef('person.id', '=', 'member.userId'),
    )
    .select(['member.userId', 'member.role', 'member.permissions', 'member.createdAt'])
    .select('person.name')
    .where('member.tenantId', '=', tenantId)
    .where('member.serviceId', '=', id)
}

/** A person who has a service: its owner or a member. */
export function findMember(db: Db, { tenantId, serviceId, userId }: MemberKey) {
  return membersOf(db, { tenantId, id: serviceId })
    .where('member.userId', '=', userId)
    .executeTakeFirst()
}

/** Returns whether there was such a member. The owner does not count, and keeps every permission. */
export async function updateMember(
  tx: Tx,
  { tenantId, serviceId, userId }: MemberKey,
  permissions: readonly string[],
): Promise<boolean> {
  const changed = await tx
    .updateTable('services.members')
    .set({ permissions: [...permissions] })
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('userId', '=', userId)
    .where('role', '=', 'member')
    .returning('userId')
    .executeTakeFirst()
  return changed !== undefined
}

/** The owner of a service first, then its members by when they joined. */
export function listMembers(db: Db, key: ServiceKey) {
  return membersOf(db, key)
    .orderBy('member.role', 'desc')
    .orderBy('member.createdAt')
    .limit(MOST)
    .execute()
}

/** Returns whether there was such a member. The owner does not count. */
export async function deleteMember(
  tx: Tx,
  { tenantId, serviceId, userId }: { tenantId: string; serviceId: string; userId: string },
): Promise<boolean> {
  const gone = await tx
    .deleteFrom('services.members')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('userId', '=', userId)
    .where('role', '=', 'member')
    .returning('userId')
    .executeTakeFirst()
  return gone !== undefined
}

/** The people a service is shared with, with their addresses. */
export function listSharedWith(db: Db, { tenantId, id }: ServiceKey) {
  return db
    .selectFrom('services.members as member')
    .innerJoin('users.users as person', (join) =>
      join
        .onRef('person.tenantId', '=', 'member.tenantId')
        .onRef('person.id', '=', 'member.userId'),
    )
    .select(['member.userId', 'member.permissions', 'person.email'])
    .where('member.tenantId', '=', tenantId)
    .where('member.serviceId', '=', id)
    .where('member.role', '=', 'member')
    .where('person.deletedAt', 'is', null)
    .limit(MOST)
    .execute()
}

type SubuserRow = Row<'services.panel_subusers'>

/** The subusers that we created for a server on its panel. */
export function listPanelSubusers(db: Db, { tenantId, id }: ServiceKey) {
  return db
    .selectFrom('services.panel_subusers')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .execute()
}

export async function upsertPanelSubuser(tx: Tx, row: SubuserRow): Promise<void> {
  const { subuserUuid, email } = row
  await tx
    .insertInto('services.panel_subusers')
    .values(row)
    .onConflict((it) =>
      it.columns(['tenantId', 'serviceId', 'userId']).doUpdateSet({ subuserUuid, email }),
    )
    .execute()
}

export async function deletePanelSubuser(
  tx: Tx,
  { tenantId, serviceId, userId }: Pick<SubuserRow, 'tenantId' | 'serviceId' | 'userId'>,
): Promise<void> {
  await tx
    .deleteFrom('services.panel_subusers')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('userId', '=', userId)
    .execute()
}
