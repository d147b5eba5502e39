import type { Static } from 'typebox'
import { newId } from '#lib/id.ts'
import { gone, notFound } from '#lib/problem.ts'
import { DAY_MS, HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { randomToken, type Secrets, tokenHash } from '#platform/secrets.ts'
import { emailVerificationRequested, passwordResetRequested } from '../events.ts'
import type { UserRow } from '../queries.ts'
import { countEmailTokens, insertEmailToken, lockEmailToken } from './queries.ts'

type Purpose = 'verify' | 'reset'

/** How long the link in a mail counts. */
export const VALID_MS = { verify: 3 * DAY_MS, reset: HOUR_MS }
const EVENTS = { verify: emailVerificationRequested, reset: passwordResetRequested }

/** Nobody's mailbox is filled by somebody else: links of one purpose to one person in an hour. */
const HOURLY = 5

/**
 * Makes a link for a person and announces it. Only the hash of its token is kept; the event carries
 * the token sealed, for the mail. Does nothing when the person got enough of them this hour.
 */
export async function requestLink(
  tx: Tx,
  secrets: Secrets,
  { user, purpose, email }: { user: UserRow; purpose: Purpose; email: string },
  now: Instant,
): Promise<void> {
  const { tenantId, id: userId, name, locale } = user
  const sent = await countEmailTokens(tx, { tenantId, userId, purpose }, later(now, -HOUR_MS))
  if (sent >= HOURLY) return
  const token = randomToken()
  const id = newId()
  await insertEmailToken(tx, {
    ...{ tenantId, id, userId, purpose, email },
    hash: tokenHash(token),
    createdAt: now,
    expiresAt: later(now, VALID_MS[purpose]),
  })
  const sealedToken = secrets.seal(token, boundTo(id))
  await emit(tx, EVENTS[purpose], {
    ...{ tenantId, userId, emailTokenId: id, email, name, locale, sealedToken },
  })
}

/** The token to put into the mail of an `emailVerificationRequested` or `passwordResetRequested`. */
export function openMailedToken(
  secrets: Secrets,
  { emailTokenId, sealedToken }: Static<typeof emailVerificationRequested.payload>,
): string {
  return secrets.open(sealedToken, boundTo(emailTokenId))
}

/** The link behind a token, locked. Throws 404 for an unknown one, 410 for one used or expired. */
export async function takeLink(
  tx: Tx,
  { tenantId, purpose, token }: { tenantId: string; purpose: Purpose; token: string },
  now: Instant,
) {
  const link = await lockEmailToken(tx, { tenantId, purpose, hash: tokenHash(token) })
  if (!link) throw notFound('Link')
  if (link.usedAt) throw gone('This link has already been used.')
  if (link.expiresAt <= now) throw gone('This link has expired.')
  return link
}

function boundTo(emailTokenId: string): string {
  return `users.email_tokens ${emailTokenId}`
}
