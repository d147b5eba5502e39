import type { FastifyRequest } from 'fastify'
import { Value } from 'typebox/value'
import { badRequest, unauthorized } from '#lib/problem.ts'
import { transact as transactOn } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { tokenHash } from '#platform/secrets.ts'
import type { SignedInPerson, SignInRequest } from '../auth/sign-in.ts'
import { deviceOf } from '../sessions/answer.ts'
import { siteOf } from '../site.ts'
import { finishByPasskey, REFUSED, signInByPasskey } from './actions.ts'
import { shownPasskey } from './ceremonies.ts'
import { findCredential, useUpChallenge } from './queries.ts'
import { challengeIn, userHandleOf } from './rules.ts'
import { Assertion } from './schema.ts'

type Shown = {
  /** The sign-in whose second step this is; without it the passkey signs in alone. */
  mfaToken?: string | undefined
  response: Assertion
}

/**
 * Signs a person in with what their passkey has signed: alone, or as the second step. Throws 401 if
 * anything does not match, 403 for a suspended account.
 */
export async function signInWithPasskey(
  deps: Pick<Deps, 'config'>,
  request: SignInRequest & Pick<FastifyRequest, 'hostname'>,
  { mfaToken, response }: Shown,
): Promise<SignedInPerson> {
  const { tenantId, db, now, transact } = request
  const signed = challengeIn(response.response.clientDataJSON) ?? ''
  const hash = tokenHash(signed)
  // In its own transaction: a challenge is used up, whatever the outcome.
  const challenge = await transactOn(db, (tx) => useUpChallenge(tx, { tenantId, hash }))
  const purpose = mfaToken === undefined ? 'sign_in' : 'second_factor'
  if (challenge?.purpose !== purpose || challenge.expiresAt <= now) throw unauthorized(REFUSED)
  const passkey = await findCredential(db, { tenantId, credentialId: response.id })
  // If the passkey signs in alone, the authenticator names the person, who must be the passkey's owner.
  const owned =
    purpose === 'second_factor' ||
    (passkey && response.response.userHandle === userHandleOf(passkey.userId))
  if (!passkey || !owned) throw unauthorized(REFUSED)
  const site = await siteOf(deps, request)
  const expected = { site, challenge: signed, verified: purpose === 'sign_in' }
  const proof = await shownPasskey(response, passkey, expected)
  if (!proof) throw unauthorized(REFUSED)
  const shown = { ...proof, passkey, challenge, device: deviceOf(request) }
  const person = await transact((tx) =>
    mfaToken === undefined
      ? signInByPasskey(tx, shown, now)
      : finishByPasskey(tx, shown, mfaToken, now),
  )
  // Thrown outside the transaction, so that the notice to the owner about a copy stays stored.
  if (!person) throw unauthorized(REFUSED)
  return person
}

/** A passkey's assertion, as a page sends it in a field of a form. Throws 400 for anything else. */
export function assertionIn(text: string): Assertion {
  try {
    const value: unknown = JSON.parse(text)
    if (Value.Check(Assertion, value)) return value
  } catch {
    // Text that is not JSON is not an assertion either.
  }
  throw badRequest('This is not what a passkey answers.')
}
