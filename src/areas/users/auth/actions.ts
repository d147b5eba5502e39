import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { conflict, gone } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { isUniqueViolation, type Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import { settingsOf } from '#tenants'
import { isWithin, networkSubject, spendAllowance } from '../allowances/actions.ts'
import { returnAllowance } from '../allowances/queries.ts'
import { revokeApiKeys } from '../api-keys/queries.ts'
import {
  emailChanged,
  emailConfirmed,
  passwordChanged,
  registrationAttempted,
  userRegistered,
} from '../events.ts'
import { deleteLegacyPassword } from '../imported/queries.ts'
import type { ProfileColumns } from '../profile/rules.ts'
import { findUserByEmail, insertUser, lockUser, type UserRow } from '../queries.ts'
import { isProven } from '../rules.ts'
import { revokeSessions } from '../sessions/queries.ts'
import { limitSettings } from '../settings.ts'
import { requestLink, takeLink } from './links.ts'
import { cancelPending, removeUnproven } from './pending.ts'
import { confirmEmail, markEmailVerified, markLinksUsed, updatePassword } from './queries.ts'

type Registration = ProfileColumns & {
  tenantId: string
  email: string
  passwordHash: string
  name: string
  locale: UserRow['locale']
  termsVersion: number | null
  termsLanguage: string | null
  referralCode: string | null
  visitorToken: string | null
  /** Where it comes from: each network opens some accounts, and tries some taken addresses. */
  network: string
}

/** The owner of an address hears once a day at most that somebody tried to register it. */
const NOTICES_A_DAY = 1

/**
 * Makes an account and sends the link that confirms its address. Undefined when the address is taken: the
 * transaction is then committed all the same, because it counts the attempt and notifies the owner.
 * Throws 429 where the network has reached a limit, whether the address is taken or not.
 */
export async function register(
  tx: Tx,
  secrets: Secrets,
  { referralCode, visitorToken, network, ...wanted }: Registration,
  now: Instant,
): Promise<UserRow | undefined> {
  const { tenantId } = wanted
  const email = wanted.email.toLowerCase()
  const limits = await settingsOf(tx, tenantId, limitSettings)
  const subject = networkSubject(secrets, network)
  const attempts = { tenantId, kind: 'network-registrations', subject } as const
  await spendAllowance(tx, attempts, limits.registrationsPerNetwork, now)
  // Counted before the address is looked up: attempts that arrive together wait for each other here.
  const taken = { tenantId, kind: 'network-taken-addresses', subject } as const
  await spendAllowance(tx, taken, limits.takenAddressesPerNetwork, now)
  const termsAcceptedAt = wanted.termsVersion === null ? null : now
  const person = { ...wanted, email, id: newId(), termsAcceptedAt, createdAt: now }
  const user = await insertUser(tx, person)
  if (!user) {
    await announceAttempt(tx, { tenantId, email }, now)
    return undefined
  }
  await returnAllowance(tx, taken)
  const userId = user.id
  await emit(tx, userRegistered, { tenantId, userId, referralCode, visitorToken })
  await requestLink(tx, secrets, { user, purpose: 'verify', email }, now)
  return user
}

async function announceAttempt(
  tx: Tx,
  { tenantId, email }: { tenantId: string; email: string },
  now: Instant,
): Promise<void> {
  const owner = await findUserByEmail(tx, { tenantId, email })
  if (!owner) return
  const notices = { tenantId, kind: 'registration-notices', subject: owner.id } as const
  if (!(await isWithin(tx, notices, NOTICES_A_DAY, now))) return
  await emit(tx, registrationAttempted, { tenantId, userId: owner.id })
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
  const { user, email } = await takeLink(tx, { tenantId, purpose: 'verify', token }, now)
  const userId = user.id
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
    await cancelPending(tx, { tenantId, userId }, now)
    const change = { tenantId, userId, changeId: newId() }
    await emit(tx, emailChanged, { ...change, oldEmail: user.email, email })
  }
  return { tenantId, userId }
}

/**
 * Sets a new password by a link, which ends everything that was signed in or begun. The link proves the
 * address: where it was never confirmed, factors and accounts elsewhere were added by somebody who did
 * not prove it, and are removed. 404, 410.
 */
export async function resetPassword(
  tx: Tx,
  { tenantId, token, passwordHash }: { tenantId: string; token: string; passwordHash: string },
  now: Instant,
): Promise<UserKey> {
  const { user, email } = await takeLink(tx, { tenantId, purpose: 'reset', token }, now)
  const userId = user.id
  if (email !== user.email) throw gone('This link is for an old address.')
  if (!isProven(user)) await removeUnproven(tx, { tenantId, userId })
  await setPassword(tx, { tenantId, userId, passwordHash }, now)
  await markEmailVerified(tx, { tenantId, userId }, now)
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

/**
 * Sets a password, and ends everything that was signed in with the old one, sessions and API keys, or
 * begun and not complete.
 */
export async function setPassword(
  tx: Tx,
  { tenantId, userId, passwordHash }: UserKey & { passwordHash: string },
  now: Instant,
): Promise<void> {
  await updatePassword(tx, { tenantId, userId, passwordHash })
  await deleteLegacyPassword(tx, { tenantId, userId })
  await cancelPending(tx, { tenantId, userId }, now)
  await revokeSessions(tx, { tenantId, userId }, now)
  await revokeApiKeys(tx, { tenantId, userId }, now)
  await emit(tx, passwordChanged, { tenantId, userId })
}
