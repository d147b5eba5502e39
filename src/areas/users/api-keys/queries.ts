import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type ApiKeyRow = Omit<Row<'users.api_keys'>, 'hash'>

const COLUMNS = [
  ...(['tenantId', 'id', 'userId', 'name', 'permission', 'prefix', 'allowedIps'] as const),
  ...(['createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt', 'parentId'] as const),
] as const

export type NewApiKeyRow = Pick<
  Row<'users.api_keys'>,
  | ('tenantId' | 'id' | 'userId' | 'name' | 'permission' | 'prefix' | 'hash')
  | ('allowedIps' | 'createdAt' | 'expiresAt' | 'parentId')
>

export function insertApiKey(tx: Tx, row: NewApiKeyRow): Promise<ApiKeyRow> {
  return tx.insertInto('users.api_keys').values(row).returning(COLUMNS).executeTakeFirstOrThrow()
}

/** The key with this hash and its owner, if both are still valid. */
export function findLiveApiKey(
  db: Db,
  { tenantId, hash }: { tenantId: string; hash: Buffer },
  now: Instant,
) {
  return liveApiKeys(db, tenantId, now)
    .select(['key.id', 'key.userId', 'key.permission', 'key.allowedIps', 'key.lastUsedAt'])
    .select(['key.hash', 'key.expiresAt', 'user.email'])
    .where('key.hash', '=', hash)
    .executeTakeFirst()
}

/** Which of these keys are still valid. */
export async function listLiveApiKeys(
  db: Db,
  { tenantId, ids }: { tenantId: string; ids: readonly string[] },
  now: Instant,
): Promise<string[]> {
  const keys = await liveApiKeys(db, tenantId, now)
    .select('key.id')
    .where('key.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
  return keys.map(({ id }) => id)
}

/** The valid keys of a tenant, with their owners. */
export function liveApiKeys(db: Db, tenantId: string, now: Instant) {
  return db
    .selectFrom('users.api_keys as key')
    .innerJoin('users.users as user', (join) =>
      join.onRef('user.tenantId', '=', 'key.tenantId').onRef('user.id', '=', 'key.userId'),
    )
    .where('key.tenantId', '=', tenantId)
    .where('key.revokedAt', 'is', null)
    .where((it) => it.or([it('key.expiresAt', 'is', null), it('key.expiresAt', '>', now)]))
    .where('user.suspendedAt', 'is', null)
    .where('user.deletedAt', 'is', null)
}

export function listApiKeys(db: Db, { tenantId, userId }: UserKey, page: PageQuery) {
  const query = db
    .selectFrom('users.api_keys')
    .select(COLUMNS)
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
  return pageOf(query, page)
}

export function findApiKey(db: Db, { tenantId, userId, id }: UserKey & { id: string }) {
  return db
    .selectFrom('users.api_keys')
    .select(COLUMNS)
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
}

/** How many valid keys a person has. */
export async function countApiKeys(
  db: Db,
  { tenantId, userId }: UserKey,
  now: Instant,
): Promise<number> {
  const { count } = await db
    .selectFrom('users.api_keys')
    .select((it) => it.fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where((it) => it.or([it('expiresAt', 'is', null), it('expiresAt', '>', now)]))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Revokes a person's key, and those that were created with it. Undefined if there is no such key, or it was
 * revoked before.
 */
export async function revokeApiKey(
  tx: Tx,
  { tenantId, userId, id }: UserKey & { id: string },
  revokedAt: Instant,
): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    with recursive ended as (
      select id from users.api_keys
      where tenant_id = ${tenantId} and user_id = ${userId} and id = ${id} and revoked_at is null
      union
      select child.id from users.api_keys child join ended on child.parent_id = ended.id
      where child.tenant_id = ${tenantId} and child.user_id = ${userId}
    )
    update users.api_keys set revoked_at = coalesce(revoked_at, ${revokedAt})
    where tenant_id = ${tenantId} and id in (select id from ended)
    returning id`.execute(tx)
  return rows.find((it) => it.id === id)
}

export async function revokeApiKeys(
  tx: Tx,
  { tenantId, userId }: UserKey,
  revokedAt: Instant,
): Promise<void> {
  await tx
    .updateTable('users.api_keys')
    .set({ revokedAt })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .execute()
}

export async function markApiKeysUsed(tx: Tx, ids: readonly string[], lastUsedAt: Instant) {
  await tx
    .updateTable('users.api_keys')
    .set({ lastUsedAt })
    .where('id', 'in', ids)
    .where((it) => it.or([it('lastUsedAt', 'is', null), it('lastUsedAt', '<', lastUsedAt)]))
    .execute()
}

const EXPORTED = 10_000

/** All keys of a person, also revoked ones, newest first. */
export function listApiKeyHistory(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('users.api_keys')
    .select(['id', 'name', 'permission', 'prefix', 'allowedIps'])
    .select(['createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(EXPORTED)
    .execute()
}
