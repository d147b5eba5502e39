import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { randomToken, tokenHash } from '#platform/secrets.ts'
import { assertAddressRanges, expiryOf } from '#users'
import { insertToken, type TokenKey, updateToken } from './queries.ts'
import type { BotTokenChange, NewBotToken } from './schema.ts'

/** The prefix of every bot token, by which people and scanners recognise one. */
export const TOKEN_PREFIX = 'moorbot_'
const SHOWN_CHARACTERS = TOKEN_PREFIX.length + 6

/**
 * Creates a token for a bot; `token` is shown this once only. The bot gets notifications that are written from now
 * on, and no earlier ones. Throws 422 for an end that has passed and for an invalid address range.
 */
export async function createToken(
  tx: Tx,
  tenantId: string,
  { name, scopes, allowedIps = [], expiresAt = null }: NewBotToken,
  now: Instant,
) {
  assertAddressRanges(allowedIps)
  const token = randomToken(TOKEN_PREFIX)
  const row = await insertToken(tx, {
    ...{ tenantId, id: newId(), name, scopes, allowedIps, createdAt: now },
    ...{ prefix: token.slice(0, SHOWN_CHARACTERS), hash: tokenHash(token) },
    ...{ expiresAt: expiryOf(expiresAt, now), appliedSequence: null, notificationsFrom: newId() },
  })
  return { ...row, token }
}

/** Changes a token's settings. Throws 404, and 422 as `createToken`. */
export async function changeToken(
  tx: Tx,
  key: TokenKey,
  { expiresAt, ...change }: BotTokenChange,
  now: Instant,
) {
  assertAddressRanges(change.allowedIps ?? [])
  const end = expiresAt === undefined ? {} : { expiresAt: expiryOf(expiresAt, now) }
  const row = await updateToken(tx, key, { ...change, ...end })
  if (!row) throw notFound('Bot token')
  return row
}

/** Revokes a token at once. Throws 404 for one that is unknown or was revoked before. */
export async function revokeToken(tx: Tx, key: TokenKey, now: Instant) {
  if (!(await updateToken(tx, key, { revokedAt: now }))) throw notFound('Bot token')
  return { id: key.id, deleted: true }
}
