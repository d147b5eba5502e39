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
import { applyTypedAnswer } from '../vat/answers.ts'
import { requestLink, useUpLink } from './links.ts'
import { cancelPending, removeUnproven } from './pending.ts'
import { confirmEmail, markEmailVerified, markLinksUsed, updatePassword } from './queries.ts'

/** What a person enters to open an account, with the hash of the password. */
export type Registration = ProfileColumns & {
  tenantId: string
  email: string
  passwordHash: string
  name: string
  locale: UserRow['locale']
  termsVersion: number | null
  termsLanguage: string | null
  referralCode: string | null
  visitorToken: string | null
  /** The network of the request: the number of accounts and of taken addresses is limited per network. */
  network: string
}

/** The owner of an address is notified at most once a day that someone tried to register it. */
const NOTICES_A_DAY = 1

/**
 * Creates an account and sends the link that confirms its address. Undefined if the address is taken: the
 * transaction is then committed all the same, because it counts the attempt and notifies the owner.
 * Throws 429 if the network has reached a limit, whether the address is taken or not.
 */
export async function register(
  tx: Tx,
  secrets: Secrets,
  { referralCode, visitorToken, network, ...wanted }: Registration,
  now: Instant,
): Promise<UserRow | undefined> {
  const { tenantId } = wanted
  const { takenAddressesPerNetwork } = await settingsOf(tx, tenantId, limitSettings)
  await spendRegistration(tx, secrets, { tenantId, network }, now)
  // Counted before the address is looked up: simultaneous attempts wait for each other at this lock.
  const subject = networkSubject(secrets, network)
  const taken = { tenantId, kind: 'network-taken-addresses', subject } as const
  await spendAllowance(tx, taken, takenAddressesPerNetwork, now)
  const user = await openAccount(tx, secrets, { ...wanted, referralCode, visitorToken }, now)
  if (user) await returnAllowance(tx, taken)
  else await announceAttempt(tx, { tenantId, email: wanted.email.toLowerCase() }, now)
  return user
}

/** Counts one registration of a network. Throws 429 if the network has reached the limit of the day. */
export async function spendRegistration(
  tx: Tx,
  secrets: Secrets,
  { tenantId, network }: { tenantId: string; network: string },
  now: Instant,
): Promise<void> {
  const { registrationsPerNetwork } = await settingsOf(tx, tenantId, limitSettings)
  const subject = networkSubject(secrets, network)
  const attempts = { tenantId, kind: 'network-registrations', subject } as const
  await spendAllowance(tx, attempts, registrationsPerNetwork, now)
}

type NewAccount = Omit<Registration, 'network'> & { id?: string; registrationState?: string | null }

/** Creates an account and sends the link that confirms its address. Undefined if the address is taken. */
export async function openAccount(
  tx: Tx,
  secrets: Secrets,
  { referralCode, visitorToken, ...wanted }: NewAccount,
  now: Instant,
): Promise<UserRow | undefined> {
  const { tenantId } = wanted
  const email = wanted.email.toLowerCase()
  const termsAcceptedAt = wanted.termsVersion === null ? null : now
  const person = { id: newId(), ...wanted, email, termsAcceptedAt, createdAt: now }
  const user = await insertUser(tx, person)
  if (!user) return undefined
  await emit(tx, userRegistered, { tenantId, userId: user.id, referralCode, visitorToken })
  await requestLink(tx, secrets, { user, purpose: 'verify', email }, now)
  return applyTypedAnswer(tx, secrets, user, now)
}

/** Notifies the owner of an address that someone tried to register it. */
export async function announceAttempt(
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
 * Confirms the address that a link was sent to. If the link was for a change of address, that address
 * becomes the account's. 404 and 410 for a link that is not valid, 409 if another account has got the
 * address meanwhile.
 */
export async function verifyEmail(
  tx: Tx,
  { tenantId, token }: { tenantId: string; token: string },
  now: Instant,
): Promise<UserKey> {
  const { user, email } = await useUpLink(tx, { tenantId, purpose: 'verify', token }, now)
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
 * Sets a new password by a link, and ends all sessions and everything that is pending. The link proves the
 * address: if it was never confirmed, second factors and linked accounts were added by someone who did
 * not prove it, and are removed. 404, 410.
 */
export async function resetPassword(
  tx: Tx,
  { tenantId, token, passwordHash }: { tenantId: string; token: string; passwordHash: string },
  now: Instant,
): Promise<UserKey> {
  const { user, email } = await useUpLink(tx, { tenantId, purpose: 'reset', token }, now)
  const userId = user.id
  if (email !== user.email) throw gone('This link is for an old address.')
  if (!isProven(user)) await removeUnproven(tx, { tenantId, userId })
  await setPassword(tx, { tenantId, userId, passwordHash }, now)
  await markEmailVerified(tx, { tenantId, userId }, now)
  await emit(tx, emailConfirmed, { tenantId, userId })
  return { tenantId, userId }
}

/** Confirms the present address of an account without a link, at the request of the service's operator. */
export async function confirmOwnAddress(tx: Tx, key: UserKey, now: Instant): Promise<void> {
  const user = await lockUser(tx, key)
  if (!user || isProven(user)) return
  await removeUnproven(tx, key)
  await markEmailVerified(tx, key, now)
  await emit(tx, emailConfirmed, key)
}

/** Sets a new password for the caller, and ends all sessions, also the caller's. */
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
 * Sets a password, and ends everything that was signed in with the old one (sessions and API keys), or
 * that is pending.
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
