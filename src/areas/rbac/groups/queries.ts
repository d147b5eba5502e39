import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

type GroupRow = Row<'rbac.groups'>
export type GroupKey = Pick<GroupRow, 'tenantId' | 'id'>
export type Group = GroupRow & { roleIds: string[]; memberIds: string[] }

function groupsOf(db: Db, tenantId: string) {
  return db
    .selectFrom('rbac.groups as group')
    .selectAll('group')
    .select((it) => [
      idsOf(
        it
          .selectFrom('rbac.group_roles as granted')
          .select('granted.roleId as id')
          .whereRef('granted.tenantId', '=', 'group.tenantId')
          .whereRef('granted.groupId', '=', 'group.id'),
      ).as('roleIds'),
      idsOf(
        it
          .selectFrom('rbac.group_members as member')
          .select('member.userId as id')
          .whereRef('member.tenantId', '=', 'group.tenantId')
          .whereRef('member.groupId', '=', 'group.id'),
      ).as('memberIds'),
    ])
    .where('group.tenantId', '=', tenantId)
}

function idsOf<DB, TB extends keyof DB>(ids: SelectQueryBuilder<DB, TB, { id: string }>) {
  return sql<string[]>`array(${ids.orderBy('id')})`
}

export function listGroups(db: Db, tenantId: string, page: PageQuery) {
  return pageOf(groupsOf(db, tenantId), page, 'group.id')
}

export function findGroup(db: Db, { tenantId, id }: GroupKey): Promise<Group | undefined> {
  return groupsOf(db, tenantId).where('group.id', '=', id).executeTakeFirst()
}

/** Locks a group; its roles and members change only under this lock. */
export function lockGroup(tx: Tx, { tenantId, id }: GroupKey) {
  return tx
    .selectFrom('rbac.groups')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertGroup(tx: Tx, row: GroupRow): Promise<void> {
  await tx.insertInto('rbac.groups').values(row).execute()
}

export async function updateGroupName(tx: Tx, { tenantId, id }: GroupKey, name: string) {
  await tx
    .updateTable('rbac.groups')
    .set({ name })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function deleteGroup(tx: Tx, { tenantId, id }: GroupKey): Promise<void> {
  await tx.deleteFrom('rbac.groups').where('tenantId', '=', tenantId).where('id', '=', id).execute()
}

/** Replaces the roles of a group. */
export async function replaceGroupRoles(
  tx: Tx,
  { tenantId, id: groupId }: GroupKey,
  roleIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('rbac.group_roles')
    .where('tenantId', '=', tenantId)
    .where('groupId', '=', groupId)
    .execute()
  if (roleIds.length === 0) return
  const rows = roleIds.map((roleId) => ({ tenantId, groupId, roleId }))
  await tx.insertInto('rbac.group_roles').values(rows).execute()
}

/** Replaces the members of a group. */
export async function replaceGroupMembers(
  tx: Tx,
  { tenantId, id: groupId }: GroupKey,
  userIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('rbac.group_members')
    .where('tenantId', '=', tenantId)
    .where('groupId', '=', groupId)
    .execute()
  if (userIds.length === 0) return
  const rows = userIds.map((userId) => ({ tenantId, groupId, userId }))
  await tx.insertInto('rbac.group_members').values(rows).execute()
}

/** Those of these ids that belong to people of the tenant. */
export async function listKnownUsers(
  db: Db,
  tenantId: string,
  userIds: readonly string[],
): Promise<string[]> {
  if (userIds.length === 0) return []
  const rows = await db
    .selectFrom('users.users')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('id', 'in', userIds)
    .where('deletedAt', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
