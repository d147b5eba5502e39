import type { Db, Tx } from '#platform/database/index.ts'
import type { ServiceKey } from '../queries.ts'

/** No service is shared with more people than this at once. */
const MOST = 500

/** Who has a service, its owner first, then by when they came. */
export function listMembers(db: Db, { tenantId, id }: ServiceKey) {
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
    .orderBy('member.role', 'desc')
    .orderBy('member.createdAt')
    .limit(MOST)
    .execute()
}

/** Whether there was such a member; the owner is none. */
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
