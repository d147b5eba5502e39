import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'
import type { Wish } from './rules.ts'

/** What these people want differently, of these kinds. */
export function listWishes(
  db: Db,
  { tenantId, userIds }: { tenantId: string; userIds: readonly string[] },
  kinds: readonly string[],
) {
  return db
    .selectFrom('notifications.preferences')
    .select(['userId', 'kind', 'channel', 'enabled'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .where('kind', '=', sql<string>`any(${[...kinds]}::text[])`)
    .execute()
}

/** Everything a person wants differently. */
export function listOwnWishes(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('notifications.preferences')
    .select(['kind', 'channel', 'enabled'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

export async function insertWishes(
  tx: Tx,
  { tenantId, userId }: UserKey,
  wishes: readonly Wish[],
): Promise<void> {
  const rows = wishes.map(({ kind, channel, enabled }) => {
    return { tenantId, userId, kind, channel, enabled }
  })
  await insertRows(tx, 'notifications.preferences', rows)
}

/** Forgets what a person said about these switches. */
export async function deleteWishes(
  tx: Tx,
  { tenantId, userId }: UserKey,
  switches: readonly Pick<Wish, 'kind' | 'channel'>[],
): Promise<void> {
  const names = switches.map(({ kind, channel }) => `${kind} ${channel}`)
  await tx
    .deleteFrom('notifications.preferences')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where(sql`kind || ' ' || channel`, '=', sql<string>`any(${names}::text[])`)
    .execute()
}

export async function deleteAllWishes(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('notifications.preferences')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}
