import type { FastifyRequest } from 'fastify'
import { networkOf } from '#lib/network.ts'
import { forbidden, notFound } from '#lib/problem.ts'
import { transact } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { assertProven, isFresh } from '../profile/rules.ts'
import { findPasswordHash, findUser } from '../queries.ts'
import { assertNotImpersonated } from '../rules.ts'
import { lockActive, useUpCode } from '../second-factors/actions.ts'
import { findSession } from '../sessions/queries.ts'
import { countGuess, forgiveGuesses } from '../sign-in-throttling/actions.ts'
import { passwordMatches } from './password.ts'

type ProofRequest = Pick<FastifyRequest, 'caller' | 'db' | 'now' | 'ip'>

/** What the body contains as proof of the caller: the password, and a code of their second factor. */
export type Shown = { currentPassword?: string | undefined; code?: string | undefined }

type Demands = { password?: 'always' | 'unless_shown'; code?: 'always' | 'unless_shown' }

/** Throws 403 unless this is the caller's password, 429 after too many guesses. */
async function assertOwnPassword(
  { caller, db, now, ip }: ProofRequest,
  password: string,
): Promise<void> {
  const { tenantId, userId } = caller
  const guess = { tenantId, account: userId, network: networkOf(ip) }
  await transact(db, (tx) => countGuess(tx, guess, now))
  const row = await findPasswordHash(db, caller)
  assertProven(await passwordMatches(password, row?.passwordHash))
  await transact(db, (tx) => forgiveGuesses(tx, guess, { signedIn: false }, now))
}

/** Throws 403 unless this is a code of the caller's second factor, 429 after too many guesses. */
async function assertOwnCode(
  { caller, db, now, ip }: ProofRequest,
  secrets: Secrets,
  code: string,
): Promise<void> {
  const { tenantId, userId } = caller
  const guess = { tenantId, account: userId, network: networkOf(ip) }
  const right = await transact(db, async (tx) => {
    await lockActive(tx, caller)
    await countGuess(tx, guess, now)
    if (!(await useUpCode(tx, secrets, { tenantId, userId, code }, now))) return false
    await forgiveGuesses(tx, guess, { signedIn: false }, now)
    return true
  })
  // Thrown outside the transaction, so that the wrong code stays counted.
  if (!right) throw forbidden('This code is wrong.', 'code_wrong')
}

/**
 * Throws 403 unless the caller may change their credentials: never an administrator who acts as them;
 * with the second factor if there is one, shown by the session or as a code in the body; and with the
 * password in the body. A session that began at most 15 minutes ago has shown it. `demands` lists what the body
 * must contain whatever the session has shown. Returns whether a second factor was shown just now.
 */
export async function assertMayChangeCredentials(
  request: ProofRequest,
  secrets: Secrets,
  { currentPassword, code }: Shown,
  { password = 'unless_shown', code: second = 'unless_shown' }: Demands = {},
): Promise<{ codeShown: boolean }> {
  const { caller, db, now } = request
  assertNotImpersonated(caller)
  const { tenantId, credentialId: sessionId } = caller
  const user = await findUser(db, caller)
  if (!user) throw notFound('User')
  // An API key has shown no factor: its `credentialId` is not the id of a session.
  const session = await findSession(db, { tenantId, sessionId })
  const codeNeeded = second === 'always' || (user.mfaEnabledAt !== null && !session?.secondFactorAt)
  if (codeNeeded && code === undefined) {
    throw forbidden(
      'Your second factor is needed: send `code`, or sign in with it.',
      'second_factor_required',
    )
  }
  if (currentPassword !== undefined) await assertOwnPassword(request, currentPassword)
  else assertProven(password === 'unless_shown' && isFresh(session?.createdAt, now))
  if (codeNeeded && code !== undefined) await assertOwnCode(request, secrets, code)
  return { codeShown: codeNeeded }
}

/** The text about this proof in the description of every operation that requires it. */
export const NEEDS_PROOF =
  'Needs `currentPassword`, unless the session began at most 15 minutes ago; where a second factor is set, a session that has shown it, or a `code` or recovery code.'
