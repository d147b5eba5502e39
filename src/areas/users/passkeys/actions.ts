import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { conflict, notFound, unauthorized, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { tokenHash } from '#platform/secrets.ts'
import { assertMaySignIn, lockPending, openFor, type SignedInPerson } from '../auth/sign-in.ts'
import { passkeyCopied } from '../events.ts'
import { lockUser } from '../queries.ts'
import { assertVerified } from '../rules.ts'
import { addFactor, dropFactor, lockActive } from '../second-factors/actions.ts'
import { deletePendingSignIn } from '../second-factors/queries.ts'
import type { Device } from '../sessions/actions.ts'
import {
  type ChallengeRow,
  deletePasskey,
  findCredential,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  markPasskeyUsed,
  type PasskeyKey,
  type PasskeyRow,
} from './queries.ts'
import { challengeEnd, counterGoesOn, MAX_PASSKEYS } from './rules.ts'

type Asked = Pick<ChallengeRow, 'tenantId' | 'purpose'> &
  Partial<Pick<ChallengeRow, 'userId' | 'sessionId' | 'pendingSignInId'>> & { challenge: string }

/** Stores the challenge that an authenticator was asked to sign, and its purpose. */
export async function rememberChallenge(
  tx: Tx,
  { tenantId, purpose, challenge, userId, sessionId, pendingSignInId }: Asked,
  now: Instant,
): Promise<void> {
  await insertChallenge(tx, {
    ...{ tenantId, id: newId(), purpose, hash: tokenHash(challenge) },
    userId: userId ?? null,
    sessionId: sessionId ?? null,
    pendingSignInId: pendingSignInId ?? null,
    createdAt: now,
    expiresAt: challengeEnd(now),
  })
}

type Made = Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'backedUp'> &
  Pick<PasskeyRow, 'name' | 'rpId' | 'transports'>

/**
 * Adds a passkey to the caller, and returns recovery codes if this is the first second factor.
 * 409 if the key belongs to a person already, 422 beyond the maximum number.
 */
export async function addPasskey(
  tx: Tx,
  { tenantId, userId, credentialId: sessionId }: Caller,
  made: Made,
  now: Instant,
) {
  const user = await lockActive(tx, { tenantId, userId })
  assertVerified(user)
  if ((await listPasskeys(tx, { tenantId, userId })).length >= MAX_PASSKEYS) {
    throw unprocessable(`You have ${MAX_PASSKEYS} passkeys already.`, 'too_many_passkeys')
  }
  const row = { tenantId, id: newId(), userId, ...made, createdAt: now }
  const passkey = await insertPasskey(tx, row)
  if (!passkey) throw conflict('This passkey is known already.', 'passkey_known')
  const recoveryCodes = await addFactor(tx, { user, sessionId, factor: 'passkey' }, now)
  return { ...passkey, recoveryCodes }
}

/** Removes one of the caller's passkeys. 404. */
export async function removePasskey(tx: Tx, key: PasskeyKey): Promise<void> {
  await lockActive(tx, key)
  if (!(await deletePasskey(tx, key))) throw notFound('Passkey')
  const { tenantId, userId } = key
  await dropFactor(tx, { tenantId, userId }, 'passkey')
}

type Shown = {
  passkey: PasskeyRow
  challenge: ChallengeRow
  counter: number
  backedUp: boolean
  device: Device
}

/**
 * Signs the owner of a passkey in, by the passkey alone. Returns null and notifies the owner if its counter
 * went back. 401 if it was removed meanwhile, 403 for a suspended account.
 */
export async function signInByPasskey(
  tx: Tx,
  shown: Shown,
  now: Instant,
): Promise<SignedInPerson | null> {
  const { tenantId, userId } = shown.passkey
  assertMaySignIn(await lockUser(tx, { tenantId, userId }))
  return pass(tx, shown, now)
}

/** Finishes a sign-in with one of the person's passkeys. As `signInByPasskey`; 401 for another person's passkey. */
export async function finishByPasskey(
  tx: Tx,
  shown: Shown,
  mfaToken: string,
  now: Instant,
): Promise<SignedInPerson | null> {
  const { passkey, challenge } = shown
  const { tenantId } = passkey
  const pending = await lockPending(tx, { tenantId, hash: tokenHash(mfaToken) }, now)
  if (pending.userId !== passkey.userId || pending.id !== challenge.pendingSignInId) {
    throw unauthorized(REFUSED)
  }
  const person = await pass(tx, shown, now)
  if (person) await deletePendingSignIn(tx, pending)
  return person
}

async function pass(
  tx: Tx,
  { passkey, counter, backedUp, device }: Shown,
  now: Instant,
): Promise<SignedInPerson | null> {
  const { tenantId, userId, id, credentialId } = passkey
  const current = await findCredential(tx, { tenantId, credentialId })
  if (current?.id !== id) throw unauthorized(REFUSED)
  if (!counterGoesOn(current.counter, counter)) {
    await emit(tx, passkeyCopied, { tenantId, userId, passkeyId: id, name: current.name })
    return null
  }
  await markPasskeyUsed(tx, { tenantId, id }, { counter, backedUp, lastUsedAt: now })
  return openFor(tx, { tenantId, userId, device, secondFactorAt: now }, now)
}

/** The message whenever a passkey is refused, whatever the reason. */
export const REFUSED = 'This passkey was not accepted.'
