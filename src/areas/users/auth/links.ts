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

/** How long the link in a mail is valid. `welcome`: the first password of an account that staff created. */
export const VALID_MS = { verify: 3 * DAY_MS, reset: HOUR_MS, welcome: 7 * DAY_MS }
const EVENTS = { verify: emailVerificationRequested, reset: passwordResetRequested }

/** Links of one purpose to one person in an hour, so that nobody can fill another person's mailbox. */
const HOURLY = 5

/**
 * Creates a link for a person and emits its event. Only the hash of its token is stored; the event carries
 * the sealed token, for the mail. Does nothing if the person has reached the limit of this hour or day.
 */
export async function requestLink(
  tx: Tx,
  secrets: Secrets,
  { user, purpose, email }: { user: UserRow; purpose: Purpose; email: string },
  now: Instant,
): Promise<void> {
  const { tenantId, id: userId } = user
  // Serialized by the lock, so that links that are requested at the same time are counted too.
  await lockUser(tx, { tenantId, userId })
  const sent = await countEmailTokens(tx, { tenantId, userId, purpose }, later(now, -HOUR_MS))
  if (sent >= HOURLY) return
  const { linksPerAccount } = await settingsOf(tx, tenantId, limitSettings)
  const day = { tenantId, kind: 'account-links', subject: userId } as const
  if (!(await isWithin(tx, day, linksPerAccount, now))) return
  await issueLink(tx, secrets, { user, purpose, email, validMs: VALID_MS[purpose] }, now)
}

/** Creates the link by which the owner of an account that staff created chooses the first password. */
export function welcome(tx: Tx, secrets: Secrets, user: UserRow, now: Instant): Promise<void> {
  const link = { user, purpose: 'reset', email: user.email, validMs: VALID_MS.welcome } as const
  return issueLink(tx, secrets, { ...link, isWelcome: true }, now)
}

type NewLink = {
  user: UserRow
  purpose: Purpose
  email: string
  validMs: number
  isWelcome?: boolean
}

async function issueLink(
  tx: Tx,
  secrets: Secrets,
  { user, purpose, email, validMs, isWelcome }: NewLink,
  now: Instant,
): Promise<void> {
  const { tenantId, id: userId, name, locale } = user
  const token = randomToken()
  const id = newId()
  await insertEmailToken(tx, {
    ...{ tenantId, id, userId, purpose, email },
    hash: tokenHash(token),
    createdAt: now,
    expiresAt: later(now, validMs),
  })
  const sealedToken = secrets.seal(token, boundTo(id))
  await emit(tx, EVENTS[purpose], {
    ...{ tenantId, userId, emailTokenId: id, email, name, locale, sealedToken },
    ...(isWelcome && { isWelcome }),
  })
}

/** The token for the mail of an `emailVerificationRequested` or `passwordResetRequested`. */
export function openMailedToken(
  secrets: Secrets,
  { emailTokenId, sealedToken }: Static<typeof emailVerificationRequested.payload>,
): string {
  return secrets.open(sealedToken, boundTo(emailTokenId))
}

/**
 * The link with this token and its person, both locked, the person first as everywhere. Throws 404 for an
 * unknown link, 410 for one that is used or expired.
 */
export async function useUpLink(
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

/** The link with this token and its person, without using it up. Throws as `useUpLink`. */
export async function findLink(
  db: Db,
  { tenantId, token }: { tenantId: string; token: string },
  now: Instant,
) {
  const link = await findLinkUser(db, tenantId, tokenHash(token))
  const user = link && (await findUser(db, { tenantId, userId: link.userId }))
  if (!user || user.deletedAt) throw notFound('Link')
  assertOpen(link, now)
  return { user, purpose: link.purpose, email: link.email, expiresAt: link.expiresAt }
}

type Link = { readonly usedAt: Instant | null; readonly expiresAt: Instant }

function assertOpen({ usedAt, expiresAt }: Link, now: Instant): void {
  if (usedAt) throw gone('This link has already been used.')
  if (expiresAt <= now) throw gone('This link has expired.')
}

function boundTo(emailTokenId: string): string {
  return `users.email_tokens ${emailTokenId}`
}
