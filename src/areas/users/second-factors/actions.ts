import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { conflict, notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { sealedColumn } from '#platform/resealing.ts'
import { type Secrets, tokenHash } from '#platform/secrets.ts'
import {
  recoveryCodesMade,
  recoveryCodeUsed,
  secondFactorAdded,
  secondFactorRemoved,
} from '../events.ts'
import { hasPasskey } from '../passkeys/queries.ts'
import { lockUser, type UserRow } from '../queries.ts'
import { assertVerified } from '../rules.ts'
import { markSecondFactor } from '../sessions/queries.ts'
import {
  countRecoveryCodes,
  deletePendingSignIns,
  deleteRecoveryCodes,
  deleteTotp,
  findTotp,
  insertRecoveryCodes,
  markRecoveryCodeUsed,
  markStepUsed,
  markTotpConfirmed,
  updateMfa,
  upsertTotp,
} from './queries.ts'
import { newRecoveryCode, RECOVERY_CODES, recoveryCodeOf } from './rules.ts'
import { newSeed, stepOf } from './totp.ts'

type Factor = 'totp' | 'passkey'

/** Creates a seed for the caller, which takes effect once it is confirmed. 409 if a confirmed one exists. */
export async function startTotp(
  tx: Tx,
  secrets: Secrets,
  { tenantId, userId }: Caller,
  now: Instant,
): Promise<{ user: UserRow; seed: string }> {
  const user = await lockActive(tx, { tenantId, userId })
  assertVerified(user)
  if ((await findTotp(tx, { tenantId, userId }))?.confirmedAt) {
    throw conflict(
      'Codes of an authenticator app are set up already. Remove them first.',
      'totp_enabled',
    )
  }
  const seed = newSeed()
  const sealedSecret = secrets.seal(seed, boundTo({ tenantId, userId }))
  await upsertTotp(tx, { tenantId, userId, sealedSecret, createdAt: now })
  return { user, seed }
}

/**
 * Turns codes on with the first code, and returns recovery codes if this is the first second
 * factor. 409 if nothing was started or codes are on, 422 for a wrong code.
 */
export async function confirmTotp(
  tx: Tx,
  secrets: Secrets,
  { tenantId, userId, credentialId }: Caller,
  code: string,
  now: Instant,
): Promise<string[] | null> {
  const user = await lockActive(tx, { tenantId, userId })
  const totp = await findTotp(tx, { tenantId, userId })
  if (!totp) throw conflict('Start with a new secret first.', 'totp_not_started')
  if (totp.confirmedAt)
    throw conflict('Codes of an authenticator app are set up already.', 'totp_enabled')
  assertVerified(user)
  if (!(await takeStep(tx, secrets, totp, code, now))) {
    throw unprocessable('This code is wrong.', 'code_wrong')
  }
  await markTotpConfirmed(tx, { tenantId, userId }, now)
  return addFactor(tx, { user, sessionId: credentialId, factor: 'totp' }, now)
}

/** Turns the caller's codes off, after the caller has shown one. */
export async function removeTotp(tx: Tx, user: UserRow): Promise<void> {
  const key = { tenantId: user.tenantId, userId: user.id }
  await deleteTotp(tx, key)
  await dropFactor(tx, key, 'totp')
}

/** New recovery codes in place of the old ones. 409 without a second factor. */
export async function renewRecoveryCodes(
  tx: Tx,
  { tenantId, userId }: Caller,
  now: Instant,
): Promise<string[]> {
  const user = await lockActive(tx, { tenantId, userId })
  if (!user.mfaEnabledAt) throw conflict('There is no second factor.', 'mfa_not_enabled')
  await deleteRecoveryCodes(tx, { tenantId, userId })
  await emit(tx, recoveryCodesMade, { tenantId, userId })
  return makeRecoveryCodes(tx, { tenantId, userId }, now)
}

type Added = { user: UserRow; sessionId: string; factor: Factor }

/**
 * Records a further second factor of a person, whose row is locked, and that this session has
 * shown it. The first one creates recovery codes, which are returned this once only.
 */
export async function addFactor(
  tx: Tx,
  { user, sessionId, factor }: Added,
  now: Instant,
): Promise<string[] | null> {
  const key = { tenantId: user.tenantId, userId: user.id }
  await markSecondFactor(tx, { tenantId: user.tenantId, sessionId }, now)
  await emit(tx, secondFactorAdded, { ...key, factor })
  if (user.mfaEnabledAt) return null
  await updateMfa(tx, key, now)
  return makeRecoveryCodes(tx, key, now)
}

/** Records that a person, whose row is locked, lost a second factor; without any, sign-in requires none. */
export async function dropFactor(tx: Tx, key: UserKey, factor: Factor): Promise<void> {
  await emit(tx, secondFactorRemoved, { ...key, factor })
  if (await hasFactor(tx, key)) return
  await updateMfa(tx, key, null)
  await deleteRecoveryCodes(tx, key)
  await deletePendingSignIns(tx, key)
}

async function hasFactor(db: Db, key: UserKey): Promise<boolean> {
  return Boolean((await findTotp(db, key))?.confirmedAt) || (await hasPasskey(db, key))
}

async function makeRecoveryCodes(tx: Tx, key: UserKey, createdAt: Instant): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  const rows = codes.map((code) => ({ ...key, id: newId(), hash: tokenHash(code), createdAt }))
  await insertRecoveryCodes(tx, rows)
  return codes
}

/**
 * Uses up a code of a person, whose row is locked: one of their authenticator app, or a recovery
 * code. Returns whether it was right; each code works once.
 */
export async function useUpCode(
  tx: Tx,
  secrets: Secrets,
  key: UserKey & { code: string },
  now: Instant,
): Promise<boolean> {
  const { tenantId, userId, code } = key
  const totp = await findTotp(tx, { tenantId, userId })
  if (totp?.confirmedAt && (await takeStep(tx, secrets, totp, code.trim(), now))) return true
  const recovery = recoveryCodeOf(code)
  if (!recovery) return false
  const used = { tenantId, userId, hash: tokenHash(recovery) }
  if (!(await markRecoveryCodeUsed(tx, used, now))) return false
  const left = await countRecoveryCodes(tx, { tenantId, userId })
  await emit(tx, recoveryCodeUsed, { tenantId, userId, left })
  return true
}

type TotpRow = NonNullable<Awaited<ReturnType<typeof findTotp>>>

async function takeStep(
  tx: Tx,
  secrets: Secrets,
  totp: TotpRow,
  code: string,
  now: Instant,
): Promise<boolean> {
  const seed = secrets.open(totp.sealedSecret, boundTo(totp))
  const step = stepOf({ seed, code, lastStep: totp.lastStep }, now)
  return step !== null && (await markStepUsed(tx, totp, step)) !== undefined
}

/** Locks a person's row, for every change of their second factors. Throws 404 unless the account exists. */
export async function lockActive(tx: Tx, key: UserKey): Promise<UserRow> {
  const user = await lockUser(tx, key)
  if (!user || user.deletedAt) throw notFound('User')
  return user
}

/** The column in which the seeds of authenticator apps are sealed. */
export const sealedSeeds = sealedColumn(
  'users.totp_secrets',
  'sealedSecret',
  ['tenantId', 'userId'],
  boundTo,
)

function boundTo({ tenantId, userId }: UserKey): string {
  return `users.totp_secrets ${tenantId} ${userId}`
}
