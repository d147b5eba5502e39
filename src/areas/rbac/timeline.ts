import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type Moments, moment } from '#platform/timeline.ts'

/** When a person was given the roles they have directly. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  const held = db
    .selectFrom('rbac.user_roles as held')
    .innerJoin('rbac.roles as role', (join) =>
      join.onRef('role.tenantId', '=', 'held.tenantId').onRef('role.id', '=', 'held.roleId'),
    )
    .where('held.tenantId', '=', tenantId)
    .where('held.userId', '=', userId)
  return [
    held.select(
      moment('rbac.role-given', {
        at: 'held.createdAt',
        id: 'held.roleId',
        detail: sql.ref('role.name'),
      }),
    ),
  ]
}
