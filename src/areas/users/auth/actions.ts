import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { conflict, gone, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { isUniqueViolation, type Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import { revokeApiKeys } from '../api-keys/queries.ts'
import { emailChanged, emailConfirmed, passwordChanged, userRegistered } from '../events.ts'
import { deleteLegacyPassword } from '../imported/queries.ts'
import { insertUser, lockUser, type UserRow } from '../queries.ts'
import { deletePendingSignIns } from '../second-factors/queries.ts'
import { revokeSessions } from '../sessions/queries.ts'
import { requestLink, takeLink } from './links.ts'
import { confirmEmail, markEmailVerified, markLinksUsed, updatePassword } from './queries.ts'

type Registration = {
  tenantId: string
  email: string
  passwordHash: string
  name: string
  country: string | null
  locale: UserRow['locale']
  referralCode: string | null
  visitorToken: string | null
}

/** Makes an account and sends the link that confirms its address. 409 when the address is taken. */
export async function register(
  tx: Tx,
  secrets: Secrets,
  { referralCode, visitorToken, ...wanted }: Registration,
  now: Instant,
): Promise<UserRow> {
  const email = wanted.email.toLowerCase()
  const user = await insertUser(tx, { ...wanted, email, id: newId(), createdAt: now })
  if (!user) throw conflict('An account cannot be opened with this address.', 'address_unavailable')
  const { tenantId, id: userId } = user
  await emit(tx, userRegistered, { tenantId, userId, referralCode, visitorToken })
  await requestLink(tx, secrets, { user, purpose: 'verify', email }, now)
  return user
}

/**
 * Confirms the address a link was sent to, and makes it the address of the account where it was
 * asked for as a new one. 404 and 410 for a link that does not count, 409 when somebody else has
 * the address by now.
 */
export async function verifyEmail(
  tx: Tx,
  { tenantId, token }: { tenantId: string; token: string },
  now: Instant,
): Promise<UserKey> {
  const link = await takeLink(tx, { tenantId, purpose: 'verify', token }, now)
  const { userId, email } = link
  const user = await lockUser(tx, { tenantId, userId })
  if (!user || user.deletedAt) throw notFound('Link')
  if (email !== (user.pendingEmail ?? user.email)) throw gone('This link is for an old address.')
  try {
    await confirmEmail(tx, { tenantId, userId, email }, now)
  } catch (error) {
    if (!isUniqueViolation(error, 'one_user_per_email')) throw error
    throw conflict('This address cannot be used.', 'address_unavailable')
  }
  await markLinksUsed(tx, { tenantId, userId, purpose: 'verify' }, now)
  await emit(tx, emailConfirmed, { tenantId, userId })
  if (email !== user.email) {
    await markLinksUsed(tx, { tenantId, userId, purpose: 'reset' }, now)
    const change = { tenantId, userId, changeId: newId() }
    await emit(tx, emailChanged, { ...change, oldEmail: user.email, email })
  }
  return { tenantId, userId }
}

/** Sets a new password by a link, which ends everything that was signed in. 404, 410. */
export async function resetPassword(
  tx: Tx,
  { tenantId, token, passwordHash }: { tenantId: string; token: string; passwordHash: string },
  now: Instant,
): Promise<UserKey> {
  const { userId, email } = await takeLink(tx, { tenantId, purpose: 'reset', token }, now)
  const user = await lockUser(tx, { tenantId, userId })
  if (!user || user.deletedAt) throw notFound('Link')
  if (email !== user.email) throw gone('This link is for an old address.')
  await setPassword(tx, { tenantId, userId, passwordHash }, now)
  // Who could read the mail has shown that the address is theirs.
  if (!user.pendingEmail) await markEmailVerified(tx, { tenantId, userId }, now)
  await emit(tx, emailConfirmed, { tenantId, userId })
  return { tenantId, userId }
}

/** Sets a new password of the caller, which ends everything that was signed in, the caller too. */
export async function changePassword(
  tx: Tx,
  { tenantId, userId }: Caller,
  passwordHash: string,
  now: Instant,
): Promise<void> {
  await lockUser(tx, { tenantId, userId })
  await setPassword(tx, { tenantId, userId, passwordHash }, now)
}

/** Sets a password, and ends everything that was signed in with the old one: sessions and API keys. */
export async function setPassword(
  tx: Tx,
  { tenantId, userId, passwordHash }: UserKey & { passwordHash: string },
  now: Instant,
): Promise<void> {
  await updatePassword(tx, { tenantId, userId, passwordHash })
  await deleteLegacyPassword(tx, { tenantId, userId })
  await markLinksUsed(tx, { tenantId, userId, purpose: 'reset' }, now)
  await deletePendingSignIns(tx, { tenantId, userId })
  await revokeSessions(tx, { tenantId, userId }, now)
  await revokeApiKeys(tx, { tenantId, userId }, now)
  await emit(tx, passwordChanged, { tenantId, userId })
}
