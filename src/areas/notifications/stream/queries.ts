import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { SHOWN } from '../queries.ts'
import type { Notification } from '../schema.ts'
import { MOST_MISSED } from './rules.ts'

/** The position of a notification among the others of its person. */
export type Place = { id: string; position: number; xact: string; snapshot: string }

/** The position of a person's notification; undefined if it is not theirs, or deleted. */
export function findPlace(db: Db, { tenantId, userId }: UserKey, id: string) {
  return db
    .selectFrom('notifications.notifications')
    .select(['id', 'position', 'xact', 'snapshot'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The most recently written notification of a person. */
export function findLast(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('notifications.notifications')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * What a person may have missed who got everything up to a place: what was written after it, and
 * what was written before it by a transaction that had not ended by then. In the order in which it was
 * written, so that a reader that stops in the middle can go on from there. One more row than is sent, at most.
 */
export function listMissed(
  db: Db,
  { tenantId, userId }: UserKey,
  place: Place | null,
): Promise<Notification[]> {
  const { position, xact, snapshot } = place ?? { position: 0, xact: '0', snapshot: '1:1:' }
  return db
    .selectFrom('notifications.notifications')
    .select(SHOWN)
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('inApp', '=', true)
    .where(
      sql<boolean>`(position > ${position} or (
        position < ${position}
        and xact >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
        and xact <> ${xact}::xid8
        and not pg_visible_in_snapshot(xact, ${snapshot}::pg_snapshot)))`,
    )
    .orderBy('position')
    .limit(MOST_MISSED + 1)
    .execute()
}

/** Notifications by their ids, with the ids of their people. */
export function listByIds(db: Db, tenantId: string, ids: readonly string[]) {
  return db
    .selectFrom('notifications.notifications')
    .select([...SHOWN, 'userId'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}

/** How many notifications each of these people has not read; contains everybody, also with zero. */
export async function countUnreadOf(
  db: Db,
  tenantId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('notifications.unread_counts')
    .select(({ fn }) => ['userId', fn.sum<number>('unread').as('count')] as const)
    .where('tenantId', '=', tenantId)
    .where('userId', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .groupBy('userId')
    .execute()
  const counts = new Map(rows.map(({ userId, count }) => [userId, count]))
  return new Map(userIds.map((userId) => [userId, counts.get(userId) ?? 0]))
}
