import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type RoleRow = Row<'rbac.roles'>
export type RoleKey = { tenantId: string; id: string }

/** Every permission a person holds, through roles of their own and of their groups. */
export async function listPermissionsOf(
  db: Db,
  { tenantId, userId }: UserKey,
): Promise<ReadonlySet<string>> {
  const direct = db
    .selectFrom('rbac.user_roles')
    .select('roleId')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  const throughGroups = db
    .selectFrom('rbac.group_members as member')
    .innerJoin('rbac.group_roles as granted', (join) =>
      join
        .onRef('granted.tenantId', '=', 'member.tenantId')
        .onRef('granted.groupId', '=', 'member.groupId'),
    )
    .select('granted.roleId')
    .where('member.tenantId', '=', tenantId)
    .where('member.userId', '=', userId)
  const rows = await db
    .selectFrom('rbac.roles')
    .select('permissions')
    .where('tenantId', '=', tenantId)
    .where('id', 'in', direct.union(throughGroups))
    .execute()
  return new Set(rows.flatMap((row) => row.permissions))
}

/** Makes the role that holds everything, if the tenant has none, and gives its id. */
export async function ensureOwnerRole(
  tx: Tx,
  { tenantId, id }: RoleKey,
  now: Instant,
): Promise<string> {
  await tx
    .insertInto('rbac.roles')
    .values({
      tenantId,
      id,
      name: 'Owner',
      description: 'Everything, including what is added later',
      permissions: ['*'],
      system: true,
      createdAt: now,
    })
    .onConflict((it) => it.column('tenantId').where('system', '=', sql.lit(true)).doNothing())
    .execute()
  const role = await tx
    .selectFrom('rbac.roles')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('system', '=', true)
    .executeTakeFirstOrThrow()
  return role.id
}

export async function insertRole(tx: Tx, row: RoleRow): Promise<void> {
  await tx.insertInto('rbac.roles').values(row).execute()
}

export async function insertUserRole(
  tx: Tx,
  row: { tenantId: string; userId: string; roleId: string; createdAt: Instant },
): Promise<void> {
  await tx
    .insertInto('rbac.user_roles')
    .values(row)
    .onConflict((it) => it.doNothing())
    .execute()
}
