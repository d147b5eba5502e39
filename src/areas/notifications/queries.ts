import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { compiled } from '#platform/database/compiled.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { insertNewRows } from '#platform/database/rows.ts'

export type NotificationRow = Row<'notifications.notifications'>

/** The columns of a notification that people see. */
export const SHOWN = ['id', 'kind', 'title', 'body', 'link', 'data', 'createdAt', 'readAt'] as const

/** Inserts notifications; returns the ids of those that no earlier try of the same job has written. */
export function insertNotifications(
  tx: Tx,
  rows: readonly Omit<NotificationRow, 'readAt' | 'position' | 'xact' | 'snapshot'>[],
): Promise<Set<string>> {
  return insertNewRows(tx, 'notifications.notifications', rows)
}

/** The notification that a job has written for a person. */
export function findTold(
  db: Db,
  { tenantId, userId, toldBy }: UserKey & { toldBy: string | null },
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('notifications.notifications')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('toldBy', '=', toldBy)
    .executeTakeFirst()
}

/** A person's notifications on every channel, newest first. */
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

/** The notifications that a person sees in the product, newest first. */
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

/** How many notifications a person has not read: the database updates the number in the writer's transaction. */
export async function countUnread(db: Db, user: UserKey): Promise<number> {
  const [row] = await unread(db, user)
  return row?.count ?? 0
}

/** Returns the updated notification; undefined if it is not this user's. The time of the first reading is kept. */
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

/** Marks all as read. Returns how many were unread. */
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

/** Which of these people got at least this many notices of a kind since an instant. */
export async function listOftenTold(
  tx: Tx,
  { tenantId, userIds }: { tenantId: string; userIds: readonly string[] },
  { kind, since, times }: { kind: string; since: Instant; times: number },
): Promise<Set<string>> {
  const { rows } = await sql<{ userId: string }>`
    select person.id as "userId" from unnest(${[...userIds]}::uuid[]) as person (id)
    where ${times} <= (
      select count(*) from (
        select from notifications.notifications
        where tenant_id = ${tenantId} and user_id = person.id
          and kind = ${kind} and created_at > ${since}
        limit ${times}
      ) as told
    )`.execute(tx)
  return new Set(rows.map(({ userId }) => userId))
}

/** A notification as it is sent to Discord: never about money. */
export type DiscordNotice = Pick<
  NotificationRow,
  'id' | 'kind' | 'title' | 'body' | 'link' | 'createdAt'
>

/**
 * A person's notifications for Discord, in the order they were written, after a given one (null, or
 * one that is not theirs: from the beginning). A notification is listed only after every transaction that ran
 * concurrently has ended, so a reader that goes on from the last id neither misses nor repeats any.
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
      // A row with a transaction number from the future was copied from another database.
      .where(
        sql<boolean>`(greatest(pg_snapshot_xmax(snapshot), xact) <= pg_snapshot_xmin(pg_current_snapshot())
        or xact >= pg_snapshot_xmax(pg_current_snapshot()))`,
      )
      .orderBy('position')
      .limit(limit)
      .execute()
  )
}
