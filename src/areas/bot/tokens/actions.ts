import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { randomToken, tokenHash } from '#platform/secrets.ts'
import { assertAddressRanges, expiryOf } from '#users'
import { insertToken, type TokenKey, updateToken } from './queries.ts'
import type { BotTokenChange, NewBotToken } from './schema.ts'

/** What every token of a bot begins with, so that people and scanners recognise one. */
export const TOKEN_PREFIX = 'moorbot_'
const SHOWN_CHARACTERS = TOKEN_PREFIX.length + 6

/**
 * Makes a token for a bot; `token` is the only time anybody sees it. What people are told from now
 * on is for it, and nothing from before. Throws 422 for an end that has passed and for no address.
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

/** Changes what a token is for. Throws 404, and 422 as `createToken`. */
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

/** Ends a token at once. Throws 404 for one that is unknown or was ended before. */
export async function revokeToken(tx: Tx, key: TokenKey, now: Instant) {
  if (!(await updateToken(tx, key, { revokedAt: now }))) throw notFound('Bot token')
  return { id: key.id, deleted: true }
}
