import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'
import type { Wish } from './rules.ts'

/** The preferences of these people about these kinds, where they differ from the default. */
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

/** All preferences of a person that differ from the default. */
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

/** Deletes a person's preferences about these switches. */
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
