import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { randomToken, tokenHash } from '#platform/secrets.ts'
import { type ApiKeyRow, insertApiKey } from './queries.ts'

/** What every API key begins with, so that people and scanners recognise one. */
export const KEY_PREFIX = 'moor_'
const SHOWN_CHARACTERS = KEY_PREFIX.length + 6

export type NewApiKey = {
  name?: string | null
  permission: ApiKeyRow['permission']
  expiresAt?: Instant | null
  allowedIps?: string[]
  /** The key that created it and whose end ends it; null for one created in a session. */
  parentId?: string | null
}

/** Makes an API key of a person. `key` is the only time anybody sees it. */
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
