import type { FastifyRequest } from 'fastify'
import { unauthorized } from '#lib/problem.ts'
import type { UserKey } from '#platform/area.ts'
import { findUserByEmail } from '../queries.ts'
import type { OpenedSession } from '../sessions/actions.ts'
import { deviceOf } from '../sessions/answer.ts'
import { signIn } from './actions.ts'
import { hashPassword, isWeaker, passwordMatches } from './password.ts'

/** What a sign-in needs of the request it comes with. */
export type SignInRequest = Pick<
  FastifyRequest,
  'tenantId' | 'db' | 'now' | 'ip' | 'headers' | 'transact'
>

/** Somebody is in: a session is open. */
export type SignedInPerson = { status: 'signed_in' } & UserKey & OpenedSession

/** The password was right, and a second factor is wanted: nothing is open. */
export type PendingSignIn = { status: 'second_factor_needed' }

/**
 * The first step of a sign-in. Throws 401 for a wrong address or password, alike in answer and
 * time, and 403 for a suspended account.
 */
export async function signInWithPassword(
  request: SignInRequest,
  { email, password }: { email: string; password: string },
): Promise<SignedInPerson | PendingSignIn> {
  const { tenantId, db, now, transact } = request
  const user = await findUserByEmail(db, { tenantId, email: email.toLowerCase() })
  const right = await passwordMatches(password, user?.passwordHash)
  if (!user?.passwordHash || !right) {
    throw unauthorized('The e-mail address or the password is wrong.')
  }
  if (user.mfaEnabledAt) return { status: 'second_factor_needed' }
  const { id: userId, passwordHash } = user
  const stronger = isWeaker(passwordHash) ? await hashPassword(password) : null
  const proof = { tenantId, userId, passwordHash, stronger, device: deviceOf(request) }
  const session = await transact((tx) => signIn(tx, proof, now))
  return { status: 'signed_in', tenantId, userId, ...session }
}
