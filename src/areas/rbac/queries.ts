import { sql } from 'kysely'
import type { PeopleKey, UserKey } from '#platform/area.ts'
import { compiled } from '#platform/database/compiled.ts'
import { type Db, read } from '#platform/database/index.ts'
import { DEFAULT_LIMIT, idOf, type Page, type PageQuery, pageFrom } from '#platform/page.ts'

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

/** Every permission a person has, through their own roles and those of their groups. */
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

/** The roles that a person has, with their permissions: own ones (group null), and those of each of their groups. */
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

/** The groups that a person is in. */
export async function groupIdsOf(
  db: Db,
  { tenantId, userId }: UserKey,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('rbac.group_members')
    .select('groupId')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
  return new Set(rows.map(({ groupId }) => groupId))
}

type Holding = { readonly permission: string; readonly groupIds?: readonly string[] }

/**
 * The ids of everybody who has a permission, through their own roles and those of their groups; with `groupIds`, only
 * members of one of these groups.
 */
export async function listPeopleWith(
  db: Db,
  tenantId: string,
  holding: Holding,
): Promise<string[]> {
  return (await peopleWith(db, tenantId, holding)).map(({ id }) => id)
}

/** A page of these people, by their ids. Throws 400 for an invalid cursor. */
export async function pageOfPeopleWith(
  db: Db,
  tenantId: string,
  holding: Holding,
  { limit = DEFAULT_LIMIT, cursor }: PageQuery,
): Promise<Page<{ id: string }>> {
  const after = cursor === undefined ? NO_ID : idOf(cursor)
  return pageFrom(await peopleWith(db, tenantId, holding, { after, limit: limit + 1 }), limit)
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Each way of having the permission is read in the order of people and ends with the page. */
function peopleWith(
  db: Db,
  tenantId: string,
  { permission, groupIds = [] }: Holding,
  { after = NO_ID, limit = null }: { after?: string; limit?: number | null } = {},
): Promise<{ id: string }[]> {
  const whole = `${permission.slice(0, permission.indexOf(':'))}:*`
  const among = groupIds.length === 0 ? '' : 'and user_id in (select user_id from wanted)'
  return read(
    db,
    `with granting as (
       select id from rbac.roles where tenant_id = $1 and permissions && $2::text[]
     ), wanted as (
       select user_id from rbac.group_members where tenant_id = $1 and group_id = any($5::uuid[])
     )
     select user_id as id from (
       (select distinct user_id from rbac.user_roles
         where tenant_id = $1 and role_id in (select id from granting) and user_id > $3::uuid ${among}
         order by user_id limit $4::integer)
       union
       (select distinct user_id from rbac.group_members
         where tenant_id = $1 and user_id > $3::uuid ${among} and group_id in (
           select group_id from rbac.group_roles
           where tenant_id = $1 and role_id in (select id from granting))
         order by user_id limit $4::integer)
     ) as held order by user_id limit $4::integer`,
    [tenantId, [permission, whole, '*'], after, limit, groupIds],
  )
}
