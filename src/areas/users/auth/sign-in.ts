import type { FastifyRequest } from 'fastify'
import { newId } from '#lib/id.ts'
import { networkOf } from '#lib/network.ts'
import { forbidden, notFound, unauthorized } from '#lib/problem.ts'
import { type Instant, secondsBetween } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { type Tx, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { enqueue } from '#platform/jobs.ts'
import { randomToken, tokenHash } from '#platform/secrets.ts'
import { boundTo as legacyBoundTo, legacyPasswordMatches } from '../imported/legacy.ts'
import {
  deleteLegacyPassword,
  findLegacyPassword,
  findSlowestLegacyPassword,
} from '../imported/queries.ts'
import { hasPasskey } from '../passkeys/queries.ts'
import { assertProven } from '../profile/rules.ts'
import { findPasswordHash, findUserByEmail, lockUser, type UserRow } from '../queries.ts'
import { isProven } from '../rules.ts'
import { useUpCode } from '../second-factors/actions.ts'
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
import { countGuess, forgiveGuesses } from '../sign-in-throttling/actions.ts'
import { nobodyAt } from '../sign-in-throttling/rules.ts'
import { offerReset } from '../work.ts'
import { hashPassword, isWeaker, passwordMatches } from './password.ts'
import { updatePassword } from './queries.ts'
import { assertMayHaveSession, confirmsBeforeSession, signInFailed } from './unconfirmed.ts'

/** The parts of the request that a sign-in uses. */
export type SignInRequest = Pick<
  FastifyRequest,
  'tenantId' | 'db' | 'now' | 'ip' | 'headers' | 'transact'
>

/** The sign-in is complete: a session is open. */
export type SignedInPerson = { status: 'signed_in' } & UserKey & OpenedSession

/** The password was right; the second factor has to be shown with this token. */
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
 * The first step of a sign-in. Throws 401 for a wrong address or password, with the same answer in the
 * same time, 403 for a suspended account, 429 after too many guesses. An account that gets no session before
 * its address is confirmed is answered like a wrong password.
 */
export async function signInWithPassword(
  { secrets }: Pick<Deps, 'secrets'>,
  request: SignInRequest,
  { email: typed, password }: { email: string; password: string },
): Promise<SignedInPerson | PendingSignIn> {
  const { tenantId, db, now } = request
  const email = typed.toLowerCase()
  const nobody = nobodyAt(secrets, tenantId, email)
  const confirmsFirst = await confirmsBeforeSession(db, tenantId)
  const user = await findUserByEmail(db, { tenantId, email })
  const guess = { tenantId, account: user?.id ?? nobody, network: networkOf(request.ip) }
  await transact(db, (tx) => countGuess(tx, guess, now))
  const mayEnter = user !== undefined && (!confirmsFirst || isProven(user))
  const shown = await compare(secrets, request, { user, password, mayEnter })
  if (!(user && shown.matches)) {
    // For every address, so that neither the answer nor its time reveals who was imported from another system.
    if (shown.moved) await transact(db, (tx) => enqueue(tx, offerReset, { tenantId, email }))
    const addition = shown.moved ? ` ${MOVED}` : ''
    throw confirmsFirst ? signInFailed(addition) : unauthorized(`${WRONG}${addition}`)
  }
  const proof = await proofOf(request, user, password)
  return request.transact((tx) => passPassword(tx, proof, now))
}

type Compared = {
  user: PersonWithHash | undefined
  password: string
  /** Whether a right password is enough; if not, it is handled like a wrong one. */
  mayEnter: boolean
}
type PersonWithHash = NonNullable<Awaited<ReturnType<typeof findUserByEmail>>>

/**
 * Whether a password is this person's, in this system or in the one that they were imported from, and
 * whether the shop has imported people. Takes the same time for everybody.
 */
async function compare(
  secrets: Deps['secrets'],
  request: Pick<SignInRequest, 'tenantId' | 'db'>,
  { user, password, mayEnter }: Compared,
): Promise<{ matches: boolean; moved: boolean }> {
  const right = (await passwordMatches(password, user?.passwordHash)) && mayEnter
  if (right) return { matches: true, moved: false }
  const former = await isFormer(secrets, request, user, password)
  return { matches: former.matches && mayEnter, moved: former.known }
}

async function proofOf(
  request: SignInRequest,
  { id: userId, tenantId, passwordHash }: PersonWithHash,
  password: string,
): Promise<Proof> {
  const weak = passwordHash === null || isWeaker(passwordHash)
  const stronger = weak ? await hashPassword(password) : null
  return { tenantId, userId, passwordHash, stronger, device: deviceOf(request) }
}

/**
 * Signs a person in together with the confirmation of their address, which `confirm` does in the same
 * transaction. Throws 403 `password_required` for a wrong password, 429 after too many guesses.
 */
export async function signInWithConfirmation(
  { secrets }: Pick<Deps, 'secrets'>,
  request: SignInRequest,
  { email, password }: { email: string; password: string },
  confirm: (tx: Tx) => Promise<UserKey>,
): Promise<SignedInPerson | PendingSignIn> {
  const { tenantId, db, now } = request
  const user = await findUserByEmail(db, { tenantId, email })
  if (!user) throw notFound('Link')
  const guess = { tenantId, account: user.id, network: networkOf(request.ip) }
  await transact(db, (tx) => countGuess(tx, guess, now))
  const { matches } = await compare(secrets, request, { user, password, mayEnter: true })
  assertProven(matches)
  const proof = await proofOf(request, user, password)
  return request.transact(async (tx) => {
    await confirm(tx)
    return passPassword(tx, proof, now)
  })
}

/**
 * Whether this is an imported person's password in their former system, and whether the shop has imported
 * people. For anyone else the password is compared with that of an imported person, so that the time does
 * not reveal who was imported.
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
  /** The hash that the password was compared with; null if that was the hash of another system. */
  passwordHash: string | null
  /** A stronger hash, if the stored one was made with less work than is required today. */
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
  await assertMayHaveSession(tx, { tenantId, userId })
  if (stronger) await updatePassword(tx, { tenantId, userId, passwordHash: stronger })
  if (passwordHash === null) await deleteLegacyPassword(tx, { tenantId, userId })
  // Guesses are forgiven when the sign-in is complete, not before its second factor.
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
 * for a wrong code and an invalid token, 403 for a suspended account, 429 after too many
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
    if (await useUpCode(tx, secrets, { tenantId, userId, code }, now)) {
      await deletePendingSignIn(tx, { tenantId, id })
      return openFor(tx, { tenantId, userId, device, secondFactorAt: now }, now)
    }
    const failures = await markFailure(tx, { tenantId, id })
    if (failures >= MAX_FAILURES) await deletePendingSignIn(tx, { tenantId, id })
    return null
  })
  // Thrown outside the transaction, so that the wrong code stays counted.
  if (!answer) throw unauthorized('This code is wrong.')
  return answer
}

/**
 * The sign-in that a token identifies, with its person's row locked. Throws 401 for a token that is
 * unknown, expired or used, 403 for a suspended account.
 */
export async function lockPending(
  tx: Tx,
  key: { tenantId: string; hash: Buffer },
  now: Instant,
): Promise<UserKey & { id: string }> {
  const seen = await findPendingSignIn(tx, key, now)
  const user = seen && (await lockUser(tx, { tenantId: key.tenantId, userId: seen.userId }))
  // Read again under the lock: of two simultaneous requests, the second finds the sign-in used.
  const pending = user && (await findPendingSignIn(tx, key, now))
  if (!pending) throw unauthorized(SIGN_IN_AGAIN)
  assertMaySignIn(user)
  return { tenantId: key.tenantId, ...pending }
}

type Opening = UserKey & { device: Device; secondFactorAt: Instant | null }

/**
 * Opens a session for a person who has shown everything required, and stores their network. Throws 401
 * `sign_in_failed` while their address has to be confirmed first.
 */
export async function openFor(tx: Tx, opening: Opening, now: Instant): Promise<SignedInPerson> {
  const { tenantId, userId, device } = opening
  await assertMayHaveSession(tx, opening)
  const guess = { tenantId, account: userId, network: networkOf(device.address) }
  await forgiveGuesses(tx, guess, { signedIn: true }, now)
  const session = await openSession(tx, opening, now)
  return { status: 'signed_in', tenantId, userId, ...session }
}

/** Throws 401 if there is no such person, 403 for a suspended account. */
export function assertMaySignIn(user: UserRow | undefined): asserts user is UserRow {
  if (!user || user.deletedAt) throw unauthorized(SIGN_IN_AGAIN)
  if (user.suspendedAt) throw forbidden('This account is suspended.', 'account_suspended')
}

/** A sign-in that waits for its second factor, as the API shows it. */
export function pendingView({ status: _, ...pending }: PendingSignIn) {
  return { mfaRequired: true as const, ...pending }
}
