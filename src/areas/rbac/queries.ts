import type { PeopleKey, UserKey } from '#platform/area.ts'
import { compiled } from '#platform/database/compiled.ts'
import type { Db } from '#platform/database/index.ts'

/** The roles of people, their own and those of their groups. */
function rolesHeldBy(db: Db, { tenantId, userIds }: PeopleKey) {
  const direct = db
    .selectFrom('rbac.user_roles')
    .select(['userId', 'roleId'])
    .where('tenantId', '=', tenantId)
    .where('userId', 'in', userIds)
  const throughGroups = db
    .selectFrom('rbac.group_members as member')
    .innerJoin('rbac.group_roles as granted', (join) =>
      join
        .onRef('granted.tenantId', '=', 'member.tenantId')
        .onRef('granted.groupId', '=', 'member.groupId'),
    )
    .select(['member.userId', 'granted.roleId'])
    .where('member.tenantId', '=', tenantId)
    .where('member.userId', 'in', userIds)
  return db
    .selectFrom(direct.union(throughGroups).as('held'))
    .innerJoin('rbac.roles as role', 'role.id', 'held.roleId')
    .where('role.tenantId', '=', tenantId)
}

const permissionsHeldBy = compiled((db, { tenantId, userId }: UserKey) =>
  rolesHeldBy(db, { tenantId, userIds: [userId] }).select('role.permissions'),
)

/** Every permission a person holds, through roles of their own and of their groups. */
export async function listPermissionsOf(db: Db, user: UserKey): Promise<ReadonlySet<string>> {
  const rows = await permissionsHeldBy(db, user)
  return new Set(rows.flatMap((row) => row.permissions))
}

/** The roles of people by their user id, in the order of their names. */
export async function listRolesOf(db: Db, people: PeopleKey) {
  if (people.userIds.length === 0) return new Map()
  const rows = await rolesHeldBy(db, people)
    .select(['held.userId', 'role.id', 'role.name'])
    .orderBy('role.name')
    .execute()
  const byUser = Map.groupBy(rows, (row) => row.userId)
  return new Map([...byUser].map(([userId, roles]) => [userId, roles.map(named)]))
}

function named({ id, name }: { id: string; name: string }) {
  return { id, name }
}
