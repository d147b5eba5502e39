import type { Static } from 'typebox'
import { newId } from '#lib/id.ts'
import { gone, notFound } from '#lib/problem.ts'
import { DAY_MS, HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { randomToken, type Secrets, tokenHash } from '#platform/secrets.ts'
import { settingsOf } from '#tenants'
import { isWithin } from '../allowances/actions.ts'
import { emailVerificationRequested, passwordResetRequested } from '../events.ts'
import { findUser, lockUser, type UserRow } from '../queries.ts'
import { limitSettings } from '../settings.ts'
import { countEmailTokens, findLinkUser, insertEmailToken, lockEmailToken } from './queries.ts'

type Purpose = 'verify' | 'reset'

/** How long the link in a mail counts. */
export const VALID_MS = { verify: 3 * DAY_MS, reset: HOUR_MS }
const EVENTS = { verify: emailVerificationRequested, reset: passwordResetRequested }

/** Nobody's mailbox is filled by somebody else: links of one purpose to one person in an hour. */
const HOURLY = 5

/**
 * Makes a link for a person and announces it. Only the hash of its token is kept; the event carries
 * the token sealed, for the mail. Does nothing when the person got enough of them this hour or day.
 */
export async function requestLink(
  tx: Tx,
  secrets: Secrets,
  { user, purpose, email }: { user: UserRow; purpose: Purpose; email: string },
  now: Instant,
): Promise<void> {
  const { tenantId, id: userId, name, locale } = user
  // One after the other: links that are asked for at the same moment are counted too.
  await lockUser(tx, { tenantId, userId })
  const sent = await countEmailTokens(tx, { tenantId, userId, purpose }, later(now, -HOUR_MS))
  if (sent >= HOURLY) return
  const { linksPerAccount } = await settingsOf(tx, tenantId, limitSettings)
  const day = { tenantId, kind: 'account-links', subject: userId } as const
  if (!(await isWithin(tx, day, linksPerAccount, now))) return
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

/**
 * The link behind a token and its person, both locked, the person first as everywhere. Throws 404 for an
 * unknown one, 410 for one used or expired.
 */
export async function takeLink(
  tx: Tx,
  { tenantId, purpose, token }: { tenantId: string; purpose: Purpose; token: string },
  now: Instant,
) {
  const hash = tokenHash(token)
  const owner = await findLinkUser(tx, tenantId, hash)
  const user = owner && (await lockUser(tx, { tenantId, userId: owner.userId }))
  const link = user && (await lockEmailToken(tx, { tenantId, purpose, hash }))
  if (!link || user.deletedAt) throw notFound('Link')
  assertOpen(link, now)
  return { user, email: link.email }
}

/** What the link behind a token is for, and to whom it was sent; it stays as it is. Throws as `takeLink`. */
export async function lookAtLink(
  db: Db,
  { tenantId, token }: { tenantId: string; token: string },
  now: Instant,
) {
  const link = await findLinkUser(db, tenantId, tokenHash(token))
  const user = link && (await findUser(db, { tenantId, userId: link.userId }))
  if (!user || user.deletedAt) throw notFound('Link')
  assertOpen(link, now)
  return { purpose: link.purpose, email: link.email, expiresAt: link.expiresAt }
}

type Link = { readonly usedAt: Instant | null; readonly expiresAt: Instant }

function assertOpen({ usedAt, expiresAt }: Link, now: Instant): void {
  if (usedAt) throw gone('This link has already been used.')
  if (expiresAt <= now) throw gone('This link has expired.')
}

function boundTo(emailTokenId: string): string {
  return `users.email_tokens ${emailTokenId}`
}
