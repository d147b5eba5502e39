import { type Caller, holds } from '#lib/caller.ts'
import { conflict, forbidden, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Area } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import { settingsOf } from '#tenants'
import { spendAllowance } from '../allowances/actions.ts'
import { welcome } from '../auth/links.ts'
import { userRegistered, userSuspended, userUnsuspended } from '../events.ts'
import { changeProfile, requestEmailChange } from '../profile/actions.ts'
import type { ProfileColumns } from '../profile/rules.ts'
import { insertUser, type UserRow } from '../queries.ts'
import type { ProfileChange } from '../schema.ts'
import { revokeSessions } from '../sessions/queries.ts'
import { limitSettings } from '../settings.ts'
import { applyTypedAnswer } from '../vat/answers.ts'
import { lockPeople, updateSuspension } from './queries.ts'

/** The person that an administrator wants to change. */
export type Target = {
  userId: string
  /** The person's own permissions in the administration. */
  permissions: ReadonlySet<string>
}

/**
 * Suspends a person: their sessions end, their keys stop. 404 if there is no such person, 409 for oneself and
 * for the last owner, 403 for a person who has a permission that the caller lacks.
 */
export async function suspend(
  tx: Tx,
  { areas, caller }: { areas: readonly Area[]; caller: Caller },
  target: Target,
  now: Instant,
): Promise<UserRow> {
  const { tenantId } = caller
  const { userId } = target
  if (userId === caller.userId) throw conflict('You cannot suspend yourself.', 'own_account')
  assertNotAbove(caller, target)
  for (const area of areas) await area.assertMayLeave?.(tx, { tenantId, userId }, now)
  const user = await lockTarget(tx, caller, target)
  if (user.suspendedAt) return user
  await updateSuspension(tx, { tenantId, userId }, now)
  await revokeSessions(tx, { tenantId, userId }, now)
  await emit(tx, userSuspended, { tenantId, userId })
  return { ...user, suspendedAt: now }
}

type Change = Omit<ProfileChange, 'currentPassword' | 'code' | 'marketingConsent'>

/**
 * Changes a person's profile. A new address takes effect once its link is followed, as if the person had asked
 * for it. 404 if there is no such person, 403 for one who has a permission that the caller lacks: a caller who
 * reads their mail could sign in as them; 409 for the caller's own address, 422 as `changeProfile`.
 */
export async function changePerson(
  tx: Tx,
  { secrets, caller }: { secrets: Secrets; caller: Caller },
  { target, change }: { target: Target; change: Change },
  now: Instant,
): Promise<UserRow> {
  const { email: address, ...rest } = change
  const key = { tenantId: caller.tenantId, userId: target.userId }
  const before = await lockTarget(tx, caller, target)
  const email = address?.toLowerCase()
  const moving = email !== undefined && (email !== before.email || before.pendingEmail !== null)
  if (moving && target.userId === caller.userId) {
    throw conflict('Change your own address in your profile.', 'own_account')
  }
  const user = await changeProfile(tx, key, rest, now)
  return moving ? requestEmailChange(tx, secrets, { ...key, email }, now) : user
}

/** The profile of a person whom staff create. */
export type NewPerson = ProfileColumns & Pick<UserRow, 'id' | 'email' | 'name' | 'locale'>

/**
 * Creates an account without a password for a customer, who gets a link by mail to choose one. The link also
 * confirms the address. 409 for the address of another account, 429 if the caller has created too many in a day.
 */
export async function createPerson(
  tx: Tx,
  { secrets, caller: { tenantId, userId: subject } }: { secrets: Secrets; caller: Caller },
  wanted: NewPerson,
  now: Instant,
): Promise<UserRow> {
  const { accountsPerStaffMember } = await settingsOf(tx, tenantId, limitSettings)
  const created = { tenantId, kind: 'created-accounts', subject } as const
  await spendAllowance(tx, created, accountsPerStaffMember, now)
  const account = { tenantId, ...wanted, email: wanted.email.toLowerCase() }
  const user = await insertUser(tx, { ...account, passwordHash: null, createdAt: now })
  if (!user) throw conflict('An account has this address already.', 'address_unavailable')
  const key = { tenantId, userId: user.id }
  await emit(tx, userRegistered, { ...key, referralCode: null, visitorToken: null })
  await welcome(tx, secrets, user, now)
  return applyTypedAnswer(tx, secrets, user, now)
}

/** Ends a person's suspension. 404 if there is no such person, 403 as for `suspend`. */
export async function unsuspend(tx: Tx, caller: Caller, target: Target): Promise<UserRow> {
  const { tenantId } = caller
  const { userId } = target
  const user = await lockTarget(tx, caller, target)
  if (!user.suspendedAt) return user
  await updateSuspension(tx, { tenantId, userId }, null)
  await emit(tx, userUnsuspended, { tenantId, userId })
  return { ...user, suspendedAt: null }
}

/** Locks the person's row and the caller's. Throws as `changePerson`. */
export async function lockTarget(tx: Tx, caller: Caller, target: Target) {
  const { userId } = target
  const people = await lockPeople(tx, caller.tenantId, [caller.userId, userId])
  const user = people.find(({ id }) => id === userId)
  if (!user || user.deletedAt) throw notFound('User')
  // If two people suspend each other at once, the second one is refused.
  if (people.find(({ id }) => id === caller.userId)?.suspendedAt) throw forbidden()
  assertNotAbove(caller, target)
  return user
}

/** Throws 403 for a person who has a permission that the caller lacks. */
function assertNotAbove(caller: Caller, { permissions }: Target): void {
  if ([...permissions].every((permission) => holds(caller.permissions, permission))) return
  throw forbidden('This person may do more than you.', 'permission_missing')
}
