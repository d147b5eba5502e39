import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { compiled } from '#platform/database/compiled.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'

export type NotificationRow = Row<'notifications.notifications'>

const SHOWN = ['id', 'kind', 'title', 'body', 'link', 'data', 'createdAt', 'readAt'] as const

export async function insertNotifications(
  tx: Tx,
  rows: readonly Omit<NotificationRow, 'readAt'>[],
): Promise<void> {
  await insertRows(tx, 'notifications.notifications', rows)
}

export function listNotifications(db: Db, { tenantId, userId }: UserKey, limit: number) {
  return db
    .selectFrom('notifications.notifications')
    .select(SHOWN)
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

const unread = compiled((db, { tenantId, userId }: UserKey) =>
  db
    .selectFrom('notifications.notifications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('readAt', 'is', null),
)

export async function countUnread(db: Db, user: UserKey): Promise<number> {
  const [row] = await unread(db, user)
  return row?.count ?? 0
}

/** The notification afterwards; undefined when it is not this user's. The first reading counts. */
export function markRead(tx: Tx, { tenantId, userId }: UserKey, id: string, now: Instant) {
  return tx
    .updateTable('notifications.notifications')
    .set(({ fn, val }) => ({ readAt: fn.coalesce('readAt', val(now)) }))
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirst()
}

/** How many were unread. */
export async function markAllRead(
  tx: Tx,
  { tenantId, userId }: UserKey,
  now: Instant,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('notifications.notifications')
    .set({ readAt: now })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Those who may do everything in a tenant, by a role of their own. */
export async function listOwners(db: Db, tenantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('rbac.roles as role')
    .innerJoin('rbac.user_roles as holder', (join) =>
      join.onRef('holder.tenantId', '=', 'role.tenantId').onRef('holder.roleId', '=', 'role.id'),
    )
    .select('holder.userId')
    .where('role.tenantId', '=', tenantId)
    .where('role.system', '=', true)
    .execute()
  return rows.map((row) => row.userId)
}
