import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { TokenKey } from '../tokens/queries.ts'

type Wanted = TokenKey & {
  /** A member; null for all of them. */
  discordId: string | null
  /** Older notifications are not delivered any more. */
  since: Instant
}

/**
 * Notifications that a bot has yet to deliver and has not acknowledged: those that people want on Discord,
 * written after the token was created and after the person linked their account, and not before `since`.
 */
function undelivered(db: Db, { tenantId, id: tokenId, discordId, since }: Wanted) {
  return db
    .selectFrom('bot.tokens as token')
    .innerJoin('notifications.notifications as notice', (join) =>
      join
        .onRef('notice.tenantId', '=', 'token.tenantId')
        .onRef('notice.id', '>=', 'token.notificationsFrom'),
    )
    .innerJoin('users.connections as connection', (join) =>
      join
        .onRef('connection.tenantId', '=', 'notice.tenantId')
        .onRef('connection.userId', '=', 'notice.userId')
        .on('connection.provider', '=', 'discord'),
    )
    .where('token.tenantId', '=', tenantId)
    .where('token.id', '=', tokenId)
    .where('notice.tenantId', '=', tenantId)
    .where('notice.discord', '=', true)
    .where('notice.createdAt', '>', since)
    .whereRef('notice.createdAt', '>=', 'connection.createdAt')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bot.delivered as delivered')
            .select('delivered.notificationId')
            .whereRef('delivered.tenantId', '=', 'notice.tenantId')
            .whereRef('delivered.tokenId', '=', 'token.id')
            .whereRef('delivered.notificationId', '=', 'notice.id'),
        ),
      ),
    )
    .$if(discordId !== null, (query) => query.where('connection.accountId', '=', discordId ?? ''))
}

/** Oldest first, after a given one if there is one. */
export function listUndelivered(
  db: Db,
  wanted: Wanted,
  { after, limit }: { after: string | null; limit: number },
) {
  return undelivered(db, wanted)
    .select(['notice.id', 'connection.accountId as discordId', 'notice.kind'])
    .select(['notice.title', 'notice.body', 'notice.link', 'notice.createdAt'])
    .$if(after !== null, (query) => query.where('notice.id', '>', after ?? ''))
    .orderBy('notice.id')
    .limit(limit)
    .execute()
}

/** Records that a bot has delivered notifications. Returns how many were new. */
export async function insertDelivered(
  tx: Tx,
  wanted: Wanted,
  ids: readonly string[],
): Promise<number> {
  const rows = undelivered(tx, wanted)
    .select(['token.tenantId', 'token.id as tokenId', 'notice.id as notificationId'])
    .where('notice.id', 'in', ids)
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('bot.delivered')
    .columns(['tenantId', 'tokenId', 'notificationId'])
    .expression(rows)
    .onConflict((it) => it.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows)
}

/** The valid tokens of all tenants that read notifications. */
export function listReaders(db: Db, now: Instant): Promise<TokenKey[]> {
  return db
    .selectFrom('bot.tokens')
    .select(['tenantId', 'id'])
    .where('revokedAt', 'is', null)
    .where((it) => it.or([it('expiresAt', 'is', null), it('expiresAt', '>', now)]))
    .where(sql<boolean>`'notifications:read' = any(scopes)`)
    .execute()
}

/**
 * Moves a bot's start position up to its first undelivered notification, and never past `latest`:
 * notifications with later ids may not be committed yet. Returns the position.
 */
export async function moveStart(tx: Tx, wanted: Wanted, latest: string): Promise<string | null> {
  const [first] = await listUndelivered(tx, wanted, { after: null, limit: 1 })
  const start = first && first.id < latest ? first.id : latest
  const moved = await tx
    .updateTable('bot.tokens')
    .set({ notificationsFrom: sql<string>`greatest(notifications_from, ${start}::uuid)` })
    .where('tenantId', '=', wanted.tenantId)
    .where('id', '=', wanted.id)
    .returning('notificationsFrom')
    .executeTakeFirst()
  return moved?.notificationsFrom ?? null
}

/** Deletes the delivery records before a position: those notifications are not searched again. */
export async function deleteDelivered(tx: Tx, { tenantId, id }: TokenKey, before: string) {
  await tx
    .deleteFrom('bot.delivered')
    .where('tenantId', '=', tenantId)
    .where('tokenId', '=', id)
    .where('notificationId', '<', before)
    .execute()
}
