import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { randomToken, tokenHash } from '#platform/secrets.ts'
import { type ApiKeyRow, insertApiKey } from './queries.ts'

/** The prefix of every API key, by which people and scanners recognise one. */
export const KEY_PREFIX = 'moor_'
const SHOWN_CHARACTERS = KEY_PREFIX.length + 6

export type NewApiKey = {
  name?: string | null
  permission: ApiKeyRow['permission']
  expiresAt?: Instant | null
  allowedIps?: string[]
  /** The key that created this one and that ends it when it ends; null for one created in a session. */
  parentId?: string | null
}

/** Creates an API key for a person. `key` is shown this once only. */
export async function createApiKey(
  tx: Tx,
  { tenantId, userId }: UserKey,
  { name = null, permission, expiresAt = null, allowedIps = [], parentId = null }: NewApiKey,
  now: Instant,
): Promise<ApiKeyRow & { key: string }> {
  const key = randomToken(KEY_PREFIX)
  const row = await insertApiKey(tx, {
    tenantId,
    id: newId(),
    userId,
    name,
    permission,
    prefix: key.slice(0, SHOWN_CHARACTERS),
    hash: tokenHash(key),
    allowedIps,
    createdAt: now,
    expiresAt,
    parentId,
  })
  return { ...row, key }
}
