import { sql } from 'kysely'
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

/** The roles that a person holds, with their permissions: own ones (group null), and those of each of their groups. */
export async function listGrantsOf(db: Db, { tenantId, userId }: UserKey) {
  const own = db
    .selectFrom('rbac.user_roles')
    .select(['roleId', sql<string | null>`null::uuid`.as('groupId')])
    .select(sql<string | null>`null::text`.as('groupName'))
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  const ofGroups = db
    .selectFrom('rbac.group_members as member')
    .innerJoin('rbac.groups as group', (join) =>
      join.onRef('group.tenantId', '=', 'member.tenantId').onRef('group.id', '=', 'member.groupId'),
    )
    .innerJoin('rbac.group_roles as granted', (join) =>
      join
        .onRef('granted.tenantId', '=', 'member.tenantId')
        .onRef('granted.groupId', '=', 'member.groupId'),
    )
    .select(['granted.roleId', 'member.groupId', 'group.name as groupName'])
    .where('member.tenantId', '=', tenantId)
    .where('member.userId', '=', userId)
  return db
    .selectFrom(own.unionAll(ofGroups).as('held'))
    .innerJoin('rbac.roles as role', 'role.id', 'held.roleId')
    .select(['role.id', 'role.name', 'role.permissions', 'held.groupId', 'held.groupName'])
    .where('role.tenantId', '=', tenantId)
    .orderBy('role.name')
    .orderBy('held.groupName')
    .execute()
}
