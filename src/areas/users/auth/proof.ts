import type { FastifyRequest } from 'fastify'
import { networkOf } from '#lib/network.ts'
import { forbidden } from '#lib/problem.ts'
import { transact } from '#platform/database/index.ts'
import { countGuess, forgiveGuesses } from '../guesses/actions.ts'
import { assertProven, isFresh } from '../profile/rules.ts'
import { findPasswordHash, findUser } from '../queries.ts'
import { assertInPerson } from '../rules.ts'
import { findSession } from '../sessions/queries.ts'
import { passwordMatches } from './password.ts'

type ProofRequest = Pick<FastifyRequest, 'caller' | 'db' | 'now' | 'ip'>

/** Throws 403 unless this is the caller's password, 429 after too many guesses. */
export async function assertOwnPassword(
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

/** Throws 403 unless the caller shows the password, or signed in a moment ago. 429 as above. */
export async function assertFreshOrPassword(
  request: ProofRequest,
  currentPassword: string | undefined,
): Promise<void> {
  if (currentPassword !== undefined) return assertOwnPassword(request, currentPassword)
  const { caller, db, now } = request
  const { tenantId, credentialId: sessionId } = caller
  const session = await findSession(db, { tenantId, sessionId })
  assertProven(isFresh(session?.createdAt, now))
}

/**
 * Throws 403 unless the caller may change what they sign in with: in person, with the second factor
 * if there is one, and with the password or shortly after the sign-in.
 */
export async function assertMayChangeFactors(
  request: ProofRequest,
  currentPassword: string | undefined,
): Promise<void> {
  const { caller, db } = request
  assertInPerson(caller)
  const { tenantId, credentialId: sessionId } = caller
  const [user, session] = [
    await findUser(db, caller),
    await findSession(db, { tenantId, sessionId }),
  ]
  if (user?.mfaEnabledAt && !session?.secondFactorAt) {
    throw forbidden('Sign in with your second factor first.', 'second_factor_required')
  }
  return assertFreshOrPassword(request, currentPassword)
}
