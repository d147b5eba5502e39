import type { Caller } from '#lib/caller.ts'
import { conflict } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { removeUnproven } from '../auth/pending.ts'
import { markEmailVerified } from '../auth/queries.ts'
import { emailConfirmed, secondFactorRemoved } from '../events.ts'
import { deletePasskeys, listPasskeys } from '../passkeys/queries.ts'
import type { UserRow } from '../queries.ts'
import { isProven } from '../rules.ts'
import {
  deletePendingSignIns,
  deleteRecoveryCodes,
  deleteTotp,
  findTotp,
  updateMfa,
} from '../second-factors/queries.ts'
import { revokeSessions } from '../sessions/queries.ts'
import { lockTarget, type Target } from './actions.ts'

/**
 * Marks the e-mail address of a person as confirmed. If it never was, second factors and linked accounts are
 * removed. Throws 409 for the caller's own address, which only its link confirms, 404 and 403 as `lockTarget`.
 */
export async function confirmAddress(
  tx: Tx,
  caller: Caller,
  target: Target,
  now: Instant,
): Promise<UserRow> {
  assertNotOwn(caller, target)
  const user = await lockTarget(tx, caller, target)
  if (user.emailVerifiedAt) return user
  const key = { tenantId: caller.tenantId, userId: target.userId }
  if (!isProven(user)) await removeUnproven(tx, key)
  await markEmailVerified(tx, key, now)
  await emit(tx, emailConfirmed, key)
  return { ...user, mfaEnabledAt: isProven(user) ? user.mfaEnabledAt : null, emailVerifiedAt: now }
}

/** Ends all sessions of a person. Returns how many there were. 404 and 403 as `lockTarget`. */
export async function endSessions(
  tx: Tx,
  caller: Caller,
  target: Target,
  now: Instant,
): Promise<number> {
  await lockTarget(tx, caller, target)
  return revokeSessions(tx, { tenantId: caller.tenantId, userId: target.userId }, now)
}

/**
 * Removes all second factors of a person who lost them, ends their sessions and notifies them. Throws 409 for the
 * caller's own account and if there is no second factor, 404 and 403 as `lockTarget`.
 */
export async function resetFactors(
  tx: Tx,
  caller: Caller,
  target: Target,
  now: Instant,
): Promise<UserRow> {
  assertNotOwn(caller, target)
  const { userId } = target
  const user = await lockTarget(tx, caller, target)
  const key = { tenantId: caller.tenantId, userId }
  const totp = await findTotp(tx, key)
  const passkeys = await listPasskeys(tx, key)
  if (!totp?.confirmedAt && passkeys.length === 0) {
    throw conflict('The person has no second factor.', 'mfa_not_enabled')
  }
  await deleteTotp(tx, key)
  await deletePasskeys(tx, key)
  await deleteRecoveryCodes(tx, key)
  await deletePendingSignIns(tx, key)
  await updateMfa(tx, key, null)
  await revokeSessions(tx, key, now)
  if (totp?.confirmedAt) await emit(tx, secondFactorRemoved, { ...key, factor: 'totp' })
  if (passkeys.length > 0) await emit(tx, secondFactorRemoved, { ...key, factor: 'passkey' })
  return { ...user, mfaEnabledAt: null }
}

function assertNotOwn(caller: Caller, { userId }: Target): void {
  if (userId === caller.userId) throw conflict('This is your own account.', 'own_account')
}
