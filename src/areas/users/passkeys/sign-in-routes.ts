import { Type } from 'typebox'
import { unauthorized } from '#lib/problem.ts'
import { Body } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { tokenHash } from '#platform/secrets.ts'
import { MfaToken } from '../auth/schema.ts'
import { findPendingSignIn } from '../second-factors/queries.ts'
import { assertTransport, signedInAnswers, TransportField } from '../sessions/answer.ts'
import { SignedIn } from '../sessions/schema.ts'
import { siteOf } from '../site.ts'
import { rememberChallenge } from './actions.ts'
import { requestOptions } from './ceremonies.ts'
import { listCredentials } from './queries.ts'
import { Assertion, RequestOptions } from './schema.ts'
import { signInWithPasskey } from './sign-in.ts'

const tags: Tag[] = ['Auth & Users']
const config = { access: 'public', quota: 'auth' } as const

/** Signing in with a passkey: by itself, or as the second step after the password. */
export const passkeySignInRoutes: Routes = (app, deps) => {
  const signedIn = signedInAnswers(deps)

  app.route({
    method: 'POST',
    url: '/v1/auth/passkeys/options',
    config,
    schema: {
      tags,
      summary: 'Get the options for navigator.credentials.get(), to sign in with a passkey',
      description:
        'Without an `mfaToken` for a sign-in by the passkey alone, with one for the second step. Counts for five minutes.',
      body: Body({ mfaToken: Type.Optional(MfaToken) }),
      response: { 200: RequestOptions, ...problems(401) },
    },
    async handler(request) {
      const { body, tenantId, db, now, transact } = request
      const site = await siteOf(deps, request)
      if (body.mfaToken === undefined) {
        const options = await requestOptions(site, null)
        const asked = { tenantId, purpose: 'sign_in' as const, challenge: options.challenge }
        await transact((tx) => rememberChallenge(tx, asked, now))
        return options
      }
      const hash = tokenHash(body.mfaToken)
      const pending = await findPendingSignIn(db, { tenantId, hash }, now)
      if (!pending) throw unauthorized('Sign in again.')
      const { userId, id: pendingSignInId } = pending
      const known = await listCredentials(db, { tenantId, userId }, site.host)
      const options = await requestOptions(site, known)
      const { challenge } = options
      const asked = { tenantId, purpose: 'second_factor' as const, challenge, userId }
      await transact((tx) => rememberChallenge(tx, { ...asked, pendingSignInId }, now))
      return options
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/auth/passkeys/verify',
    config: { ...config, setsCookie: true },
    schema: {
      tags,
      summary: 'Sign in with the response of a passkey',
      description:
        'Answers a session, as signing in with a password and a code does. The challenge counts once. 422 `passkey_refused` for a response that does not match.',
      body: Body({ ...TransportField, mfaToken: Type.Optional(MfaToken), response: Assertion }),
      response: { 200: SignedIn, ...problems(401, 403) },
    },
    preHandler: assertTransport,
    async handler(request, reply) {
      const person = await signInWithPasskey(deps, request, request.body)
      return signedIn(request, reply, person)
    },
  })
}
