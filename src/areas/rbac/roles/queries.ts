import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type RoleRow = Row<'rbac.roles'>
export type RoleKey = { tenantId: string; id: string }

export function listRoles(db: Db, tenantId: string): Promise<RoleRow[]> {
  return db
    .selectFrom('rbac.roles')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('system', 'desc')
    .orderBy('name')
    .execute()
}

export function findRole(db: Db, { tenantId, id }: RoleKey): Promise<RoleRow | undefined> {
  return db
    .selectFrom('rbac.roles')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Locks roles: their permissions and holders cannot change until the transaction ends. */
export function lockRoles(tx: Tx, tenantId: string, ids: readonly string[]): Promise<RoleRow[]> {
  return tx
    .selectFrom('rbac.roles')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Creates the role with every permission, if the tenant has none; locks it and returns its id. */
export async function lockOwnerRole(
  tx: Tx,
  { tenantId, id }: RoleKey,
  now: Instant,
): Promise<string> {
  await tx
    .insertInto('rbac.roles')
    .values({
      ...{ tenantId, id, name: 'Owner', permissions: ['*'], system: true, createdAt: now },
      description: 'Everything, including what is added later',
    })
    .onConflict((it) => it.column('tenantId').where('system', '=', sql.lit(true)).doNothing())
    .execute()
  const role = await tx
    .selectFrom('rbac.roles')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('system', '=', true)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return role.id
}

/** Whether the tenant has an owner who can sign in, without counting the person `besides`. */
export async function hasOwner(db: Db, tenantId: string, besides: string | null = null) {
  const row = await db
    .selectFrom('rbac.roles as role')
    .innerJoin('rbac.user_roles as held', (join) =>
      join.onRef('held.tenantId', '=', 'role.tenantId').onRef('held.roleId', '=', 'role.id'),
    )
    .innerJoin('users.users as user', (join) =>
      join.onRef('user.tenantId', '=', 'held.tenantId').onRef('user.id', '=', 'held.userId'),
    )
    .select('user.id')
    .where('role.tenantId', '=', tenantId)
    .where('role.system', '=', true)
    .where('user.suspendedAt', 'is', null)
    .where('user.deletedAt', 'is', null)
    .$if(besides !== null, (it) => it.where('user.id', '!=', besides ?? ''))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertRole(tx: Tx, row: RoleRow): Promise<void> {
  await tx.insertInto('rbac.roles').values(row).execute()
}

export type RoleChange = Partial<Pick<RoleRow, 'name' | 'description' | 'permissions'>>

export function updateRole(
  tx: Tx,
  { tenantId, id }: RoleKey,
  change: RoleChange,
): Promise<RoleRow> {
  return tx
    .updateTable('rbac.roles')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteRole(tx: Tx, { tenantId, id }: RoleKey): Promise<void> {
  await tx.deleteFrom('rbac.roles').where('tenantId', '=', tenantId).where('id', '=', id).execute()
}

/** The people who have a role, directly or through a group. */
export async function listHolders(db: Db, { tenantId, id }: RoleKey): Promise<string[]> {
  const rows = await db
    .selectFrom('rbac.user_roles')
    .select('userId')
    .where('tenantId', '=', tenantId)
    .where('roleId', '=', id)
    .union(
      db
        .selectFrom('rbac.group_roles as granted')
        .innerJoin('rbac.group_members as member', (join) =>
          join
            .onRef('member.tenantId', '=', 'granted.tenantId')
            .onRef('member.groupId', '=', 'granted.groupId'),
        )
        .select('member.userId')
        .where('granted.tenantId', '=', tenantId)
        .where('granted.roleId', '=', id),
    )
    .execute()
  return rows.map((row) => row.userId)
}

export async function listDirectRoles(db: Db, { tenantId, userId }: UserKey): Promise<string[]> {
  const rows = await db
    .selectFrom('rbac.user_roles')
    .select('roleId')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
  return rows.map((row) => row.roleId)
}

export async function insertUserRoles(
  tx: Tx,
  { tenantId, userId }: UserKey,
  roleIds: readonly string[],
  createdAt: Instant,
): Promise<void> {
  if (roleIds.length === 0) return
  await tx
    .insertInto('rbac.user_roles')
    .values(roleIds.map((roleId) => ({ tenantId, userId, roleId, createdAt })))
    .onConflict((it) => it.doNothing())
    .execute()
}

export async function deleteUserRoles(
  tx: Tx,
  { tenantId, userId }: UserKey,
  roleIds: readonly string[],
): Promise<void> {
  if (roleIds.length === 0) return
  await tx
    .deleteFrom('rbac.user_roles')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('roleId', 'in', roleIds)
    .execute()
}
