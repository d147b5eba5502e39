import type { Insertable } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

type TokenRow = Row<'bot.tokens'>
export type TokenKey = Pick<TokenRow, 'tenantId' | 'id'>

const SHOWN = [
  ...(['id', 'name', 'scopes', 'prefix', 'allowedIps'] as const),
  ...(['createdAt', 'expiresAt', 'lastUsedAt'] as const),
] as const

/** The token with this hash, if it is valid. */
export function findLiveToken(
  db: Db,
  { tenantId, hash }: Pick<TokenRow, 'tenantId' | 'hash'>,
  now: Instant,
) {
  return db
    .selectFrom('bot.tokens')
    .select(['id', 'hash', 'scopes', 'allowedIps', 'lastUsedAt'])
    .where('tenantId', '=', tenantId)
    .where('hash', '=', hash)
    .where('revokedAt', 'is', null)
    .where((it) => it.or([it('expiresAt', 'is', null), it('expiresAt', '>', now)]))
    .executeTakeFirst()
}

export function listTokens(db: Db, tenantId: string, page: PageQuery) {
  const query = db
    .selectFrom('bot.tokens')
    .select(SHOWN)
    .where('tenantId', '=', tenantId)
    .where('revokedAt', 'is', null)
  return pageOf(query, page)
}

export function findToken(db: Db, { tenantId, id }: TokenKey) {
  return db
    .selectFrom('bot.tokens')
    .select(SHOWN)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
}

export function insertToken(tx: Tx, row: Insertable<Tables['bot.tokens']>) {
  return tx.insertInto('bot.tokens').values(row).returning(SHOWN).executeTakeFirstOrThrow()
}

/** Returns the updated token; undefined if there is none, or it was revoked. */
export function updateToken(
  tx: Tx,
  { tenantId, id }: TokenKey,
  change: Partial<Pick<TokenRow, 'name' | 'scopes' | 'allowedIps' | 'expiresAt' | 'revokedAt'>>,
) {
  return tx
    .updateTable('bot.tokens')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning(SHOWN)
    .executeTakeFirst()
}

export async function markTokensUsed(tx: Tx, ids: readonly string[], lastUsedAt: Instant) {
  await tx
    .updateTable('bot.tokens')
    .set({ lastUsedAt })
    .where('id', 'in', ids)
    .where((it) => it.or([it('lastUsedAt', 'is', null), it('lastUsedAt', '<', lastUsedAt)]))
    .execute()
}
