import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { compiled } from '#platform/database/compiled.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'

export type NotificationRow = Row<'notifications.notifications'>

/** What people see of a notification. */
export const SHOWN = ['id', 'kind', 'title', 'body', 'link', 'data', 'createdAt', 'readAt'] as const

export async function insertNotifications(
  tx: Tx,
  rows: readonly Omit<NotificationRow, 'readAt' | 'position' | 'xact' | 'snapshot'>[],
): Promise<void> {
  await insertRows(tx, 'notifications.notifications', rows)
}

/** What a person was told anywhere, newest first. */
export function listEverythingTold(db: Db, { tenantId, userId }: UserKey, limit: number) {
  return db
    .selectFrom('notifications.notifications')
    .select([...SHOWN, 'inApp', 'discord'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
}

const shownTo = compiled((db, { tenantId, userId, limit }: UserKey & { limit: number }) =>
  db
    .selectFrom('notifications.notifications')
    .select(SHOWN)
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('inApp', '=', true)
    .orderBy('position', 'desc')
    .limit(limit),
)

/** What a person sees in the product, newest first. */
export function listNotifications(db: Db, { tenantId, userId }: UserKey, limit: number) {
  return shownTo(db, { tenantId, userId, limit })
}

const unread = compiled((db, { tenantId, userId }: UserKey) =>
  db
    .selectFrom('notifications.unread_counts')
    .select(({ fn }) => fn.sum<number | null>('unread').as('count'))
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId),
)

/** How many notifications somebody has not read: kept by the database in the writer's transaction. */
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
    .where('inApp', '=', true)
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
    .where('inApp', '=', true)
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

/** What a person is told on Discord: never anything about money. */
export type DiscordNotice = Pick<
  NotificationRow,
  'id' | 'kind' | 'title' | 'body' | 'link' | 'createdAt'
>

/**
 * What a person is to be told on Discord, in the order it was written, after a notification (null, or
 * one that is not theirs: from the beginning). Nothing shows before every transaction that ran beside
 * it has ended, so whoever remembers the last id they had neither misses nor repeats any.
 */
export function listForDiscord(
  db: Db,
  { tenantId, userId }: UserKey,
  after: string | null,
  limit: number,
): Promise<DiscordNotice[]> {
  return (
    db
      .selectFrom('notifications.notifications')
      .select(['id', 'kind', 'title', 'body', 'link', 'createdAt'])
      .where('tenantId', '=', tenantId)
      .where('userId', '=', userId)
      .where('discord', '=', true)
      .where(
        sql<boolean>`position > coalesce((
        select last.position from notifications.notifications as last
        where last.tenant_id = ${tenantId} and last.user_id = ${userId} and last.id = ${after}
      ), 0)`,
      )
      // What bears a number of the future was brought here from another database.
      .where(
        sql<boolean>`(pg_snapshot_xmax(snapshot) <= pg_snapshot_xmin(pg_current_snapshot())
        or xact >= pg_snapshot_xmax(pg_current_snapshot()))`,
      )
      .orderBy('position')
      .limit(limit)
      .execute()
  )
}
