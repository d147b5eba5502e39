import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'

/** A person's permissions in the administration: their roles and groups. */
export async function personalData(db: Db, { tenantId, userId }: UserKey) {
  return {
    roles: await db
      .selectFrom('rbac.user_roles as held')
      .innerJoin('rbac.roles as role', (join) =>
        join.onRef('role.tenantId', '=', 'held.tenantId').onRef('role.id', '=', 'held.roleId'),
      )
      .select(['role.id', 'role.name', 'held.createdAt'])
      .where('held.tenantId', '=', tenantId)
      .where('held.userId', '=', userId)
      .orderBy('role.id')
      .execute(),
    groups: await db
      .selectFrom('rbac.group_members as member')
      .innerJoin('rbac.groups as group', (join) =>
        join
          .onRef('group.tenantId', '=', 'member.tenantId')
          .onRef('group.id', '=', 'member.groupId'),
      )
      .select(['group.id', 'group.name'])
      .where('member.tenantId', '=', tenantId)
      .where('member.userId', '=', userId)
      .orderBy('group.id')
      .execute(),
  }
}

/** Removes a person's roles, directly and through groups. */
export async function erase(tx: Tx, { tenantId, userId }: Leaving): Promise<void> {
  for (const table of ['rbac.user_roles', 'rbac.group_members'] as const) {
    await tx
      .deleteFrom(table)
      .where('tenantId', '=', tenantId)
      .where('userId', '=', userId)
      .execute()
  }
}
