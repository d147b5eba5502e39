import type { FastifyRequest } from 'fastify'
import { newId } from '#lib/id.ts'
import { networkOf } from '#lib/network.ts'
import { forbidden, unauthorized } from '#lib/problem.ts'
import { type Instant, secondsBetween } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { type Tx, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { enqueue } from '#platform/jobs.ts'
import { randomToken, tokenHash } from '#platform/secrets.ts'
import { countGuess, forgiveGuesses } from '../guesses/actions.ts'
import { nobodyAt } from '../guesses/rules.ts'
import { boundTo as legacyBoundTo, legacyPasswordMatches } from '../imported/legacy.ts'
import {
  deleteLegacyPassword,
  findLegacyPassword,
  findSlowestLegacyPassword,
} from '../imported/queries.ts'
import { hasPasskey } from '../passkeys/queries.ts'
import { findPasswordHash, findUserByEmail, lockUser, type UserRow } from '../queries.ts'
import { takeCode } from '../second-factors/actions.ts'
import {
  countRecoveryCodes,
  deletePendingSignIn,
  findPendingSignIn,
  findTotp,
  insertPendingSignIn,
  markFailure,
} from '../second-factors/queries.ts'
import { MAX_FAILURES, pendingEnd } from '../second-factors/rules.ts'
import { type Device, type OpenedSession, openSession } from '../sessions/actions.ts'
import { deviceOf } from '../sessions/answer.ts'
import { offerReset } from './jobs.ts'
import { hashPassword, isWeaker, passwordMatches } from './password.ts'
import { updatePassword } from './queries.ts'

/** What a sign-in needs of the request it comes with. */
export type SignInRequest = Pick<
  FastifyRequest,
  'tenantId' | 'db' | 'now' | 'ip' | 'headers' | 'transact'
>

/** Somebody is in: a session is open. */
export type SignedInPerson = { status: 'signed_in' } & UserKey & OpenedSession

/** The password was right, and a second factor is to be shown with this token. */
export type PendingSignIn = {
  status: 'second_factor_needed'
  mfaToken: string
  expiresIn: number
  methods: ('totp' | 'passkey' | 'recovery_code')[]
}

const WRONG = 'The e-mail address or the password is wrong.'
const MOVED = 'Who had an account in our former system and cannot get in sets a new one by mail.'
const SIGN_IN_AGAIN = 'Sign in again.'

/**
 * The first step of a sign-in. Throws 401 for a wrong address or password, alike in answer and
 * time, 403 for a suspended account, 429 after too many guesses.
 */
export async function signInWithPassword(
  { secrets }: Pick<Deps, 'secrets'>,
  request: SignInRequest,
  { email: typed, password }: { email: string; password: string },
): Promise<SignedInPerson | PendingSignIn> {
  const { tenantId, db, now } = request
  const email = typed.toLowerCase()
  const nobody = nobodyAt(secrets, tenantId, email)
  const user = await findUserByEmail(db, { tenantId, email })
  const guess = { tenantId, account: user?.id ?? nobody, network: networkOf(request.ip) }
  await transact(db, (tx) => countGuess(tx, guess, now))
  const right = await passwordMatches(password, user?.passwordHash)
  const former = right ? null : await isFormer(secrets, request, user, password)
  if (!user || !(right || former?.matches)) {
    // For every address, so that neither the answer nor its time tells who came from another system.
    if (former?.known) await transact(db, (tx) => enqueue(tx, offerReset, { tenantId, email }))
    throw unauthorized(former?.known ? `${WRONG} ${MOVED}` : WRONG)
  }
  const { id: userId, passwordHash } = user
  const weak = passwordHash === null || isWeaker(passwordHash)
  const stronger = weak ? await hashPassword(password) : null
  const proof = { tenantId, userId, passwordHash, stronger, device: deviceOf(request) }
  return request.transact((tx) => passPassword(tx, proof, now))
}

/**
 * Whether this is the password that somebody who was imported had where they came from, and whether the
 * shop knows of such people. Who is none of them is compared with one of them, so that the time does not
 * tell who is.
 */
async function isFormer(
  secrets: Deps['secrets'],
  { tenantId, db }: Pick<SignInRequest, 'tenantId' | 'db'>,
  user: { id: string; passwordHash: string | null } | undefined,
  password: string,
): Promise<{ known: boolean; matches: boolean }> {
  const slowest = await findSlowestLegacyPassword(db, tenantId)
  if (!slowest) return { known: false, matches: false }
  const own =
    user && !user.passwordHash
      ? await findLegacyPassword(db, { tenantId, userId: user.id })
      : undefined
  const { form, sealedHash, userId } = own?.sealedHash ? own : slowest
  if (!sealedHash) return { known: true, matches: false }
  const hash = secrets.open(sealedHash, legacyBoundTo({ tenantId, userId }))
  const matches = await legacyPasswordMatches(password, { form, hash })
  return { known: true, matches: matches && userId === user?.id }
}

type Proof = UserKey & {
  /** The hash that the password was compared with; null for one that another system made. */
  passwordHash: string | null
  /** A hash with more work, where that one was made with less than is asked today. */
  stronger: string | null
  device: Device
}

async function passPassword(
  tx: Tx,
  { tenantId, userId, passwordHash, stronger, device }: Proof,
  now: Instant,
): Promise<SignedInPerson | PendingSignIn> {
  const user = await lockUser(tx, { tenantId, userId })
  const current = await findPasswordHash(tx, { tenantId, userId })
  if (current?.passwordHash !== passwordHash) throw unauthorized(SIGN_IN_AGAIN)
  assertMaySignIn(user)
  if (stronger) await updatePassword(tx, { tenantId, userId, passwordHash: stronger })
  if (passwordHash === null) await deleteLegacyPassword(tx, { tenantId, userId })
  // What was guessed is forgiven when the sign-in is complete, not before its second factor.
  if (user.mfaEnabledAt) return beginSecondStep(tx, { tenantId, userId }, now)
  return openFor(tx, { tenantId, userId, device, secondFactorAt: null }, now)
}

async function beginSecondStep(tx: Tx, key: UserKey, now: Instant): Promise<PendingSignIn> {
  const mfaToken = randomToken()
  const expiresAt = pendingEnd(now)
  const hash = tokenHash(mfaToken)
  await insertPendingSignIn(tx, { ...key, id: newId(), hash, createdAt: now, expiresAt })
  const methods: PendingSignIn['methods'] = []
  if ((await findTotp(tx, key))?.confirmedAt) methods.push('totp')
  if (await hasPasskey(tx, key)) methods.push('passkey')
  if ((await countRecoveryCodes(tx, key)) > 0) methods.push('recovery_code')
  const expiresIn = secondsBetween(now, expiresAt)
  return { status: 'second_factor_needed', mfaToken, expiresIn, methods }
}

/**
 * The second step of a sign-in, with a code of the authenticator app or a recovery code. Throws 401
 * for a wrong code and a token that does not count, 403 for a suspended account, 429 after too many
 * guesses. The fifth wrong code ends the token.
 */
export async function finishWithCode(
  { secrets }: Pick<Deps, 'secrets'>,
  request: SignInRequest,
  { mfaToken, code }: { mfaToken: string; code: string },
): Promise<SignedInPerson> {
  const { tenantId, now } = request
  const device = deviceOf(request)
  const key = { tenantId, hash: tokenHash(mfaToken) }
  const answer = await request.transact(async (tx) => {
    const { id, userId } = await lockPending(tx, key, now)
    const guess = { tenantId, account: userId, network: networkOf(device.address) }
    await countGuess(tx, guess, now)
    if (await takeCode(tx, secrets, { tenantId, userId, code }, now)) {
      await deletePendingSignIn(tx, { tenantId, id })
      return openFor(tx, { tenantId, userId, device, secondFactorAt: now }, now)
    }
    const failures = await markFailure(tx, { tenantId, id })
    if (failures >= MAX_FAILURES) await deletePendingSignIn(tx, { tenantId, id })
    return null
  })
  // Thrown outside: the wrong code stays counted.
  if (!answer) throw unauthorized('This code is wrong.')
  return answer
}

/**
 * The sign-in that a token stands for, with its person's row locked. Throws 401 for a token that is
 * unknown, over or used, 403 for a suspended account.
 */
export async function lockPending(
  tx: Tx,
  key: { tenantId: string; hash: Buffer },
  now: Instant,
): Promise<UserKey & { id: string }> {
  const seen = await findPendingSignIn(tx, key, now)
  const user = seen && (await lockUser(tx, { tenantId: key.tenantId, userId: seen.userId }))
  // Of two that come at once one is late: what it saw is gone when it gets the lock.
  const pending = user && (await findPendingSignIn(tx, key, now))
  if (!pending) throw unauthorized(SIGN_IN_AGAIN)
  assertMaySignIn(user)
  return { tenantId: key.tenantId, ...pending }
}

type Opening = UserKey & { device: Device; secondFactorAt: Instant | null }

/** Opens a session for a person who has shown everything, and remembers where they came from. */
export async function openFor(tx: Tx, opening: Opening, now: Instant): Promise<SignedInPerson> {
  const { tenantId, userId, device } = opening
  const guess = { tenantId, account: userId, network: networkOf(device.address) }
  await forgiveGuesses(tx, guess, { signedIn: true }, now)
  const session = await openSession(tx, opening, now)
  return { status: 'signed_in', tenantId, userId, ...session }
}

/** Throws 401 for nobody, 403 for a suspended account. */
export function assertMaySignIn(user: UserRow | undefined): asserts user is UserRow {
  if (!user || user.deletedAt) throw unauthorized(SIGN_IN_AGAIN)
  if (user.suspendedAt) throw forbidden('This account is suspended.', 'account_suspended')
}

/** A sign-in that waits for its second factor, as the API shows it. */
export function pendingView({ status: _, ...pending }: PendingSignIn) {
  return { mfaRequired: true as const, ...pending }
}
