import { Type } from 'typebox'
import { notFound, unprocessable } from '#lib/problem.ts'
import { Body, Deleted, IdParams, Line, Nullable, Page, Resource } from '#lib/schema.ts'
import { transact as transactOn } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { tokenHash } from '#platform/secrets.ts'
import { brandOf } from '#tenants'
import { assertMayChangeCredentials, NEEDS_PROOF } from '../auth/proof.ts'
import { findUser } from '../queries.ts'
import { assertNotImpersonated, assertVerified } from '../rules.ts'
import { Proof, RecoveryCodes } from '../second-factors/schema.ts'
import { siteOf } from '../site.ts'
import { addPasskey, rememberChallenge, removePasskey } from './actions.ts'
import { creationOptions, madePasskey } from './ceremonies.ts'
import { findPasskey, listCredentials, listPasskeys, useUpChallenge } from './queries.ts'
import { challengeIn } from './rules.ts'
import { Attestation, CreationOptions, Passkey } from './schema.ts'

const tags: Tag[] = ['Auth & Users']
const url = '/v1/users/me/passkeys'

/** The passkeys of the caller. */
export const passkeyRoutes: Routes = (app, deps) => {
  const { secrets } = deps
  app.route({
    method: 'GET',
    url,
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'List my passkeys, newest first',
      response: { 200: Page(Passkey) },
    },
    async handler({ caller, db }) {
      assertNotImpersonated(caller)
      return { data: await listPasskeys(db, caller), nextCursor: null }
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/options`,
    config: { access: 'user', quota: 'auth', secretAnswer: true },
    schema: {
      tags,
      summary: 'Get the options for navigator.credentials.create(), to create a passkey',
      description: `${NEEDS_PROOF} Counts for five minutes, for the credential that asked.`,
      body: Proof,
      response: { 200: CreationOptions },
    },
    async handler(request) {
      const { body, caller, db, now, transact } = request
      await assertMayChangeCredentials(request, secrets, body)
      const { tenantId, userId, credentialId: sessionId } = caller
      const user = await findUser(db, caller)
      if (!user) throw notFound('User')
      assertVerified(user)
      const site = await siteOf(deps, request)
      const known = await listCredentials(db, caller, site.host)
      const { name } = await brandOf(db, tenantId)
      const options = await creationOptions({ ...site, name }, user, known)
      const { challenge } = options
      const asked = { tenantId, purpose: 'register' as const, challenge, userId, sessionId }
      await transact((tx) => rememberChallenge(tx, asked, now))
      return options
    },
  })

  app.route({
    method: 'POST',
    url,
    config: { access: 'user', quota: 'auth', secretAnswer: true },
    schema: {
      tags,
      summary: 'Add the passkey that the browser created',
      description: 'With the first second factor, recovery codes are created and shown only once.',
      body: Body({ name: Type.Optional(Line()), response: Attestation }),
      response: {
        201: Resource('CreatedPasskey', {
          ...Passkey.properties,
          recoveryCodes: Nullable(RecoveryCodes),
        }),
      },
    },
    async handler(request, reply) {
      const { body, caller, db, now, transact } = request
      assertNotImpersonated(caller)
      const { tenantId } = caller
      const { response, name = 'Passkey' } = body
      const challenge = challengeIn(response.response.clientDataJSON) ?? ''
      const hash = tokenHash(challenge)
      // In its own transaction: a challenge is used up, whatever the outcome.
      const asked = await transactOn(db, (tx) => useUpChallenge(tx, { tenantId, hash }))
      const own = asked?.purpose === 'register' && asked.sessionId === caller.credentialId
      if (!own || asked.expiresAt <= now) throw refused()
      const site = await siteOf(deps, request)
      const made = await madePasskey(response, { site, challenge })
      if (!made) throw refused()
      const { transports = [] } = response.response
      const wanted = { ...made, name, rpId: site.host, transports }
      return reply.code(201).send(await transact((tx) => addPasskey(tx, caller, wanted, now)))
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: {
      access: 'user',
      quota: 'auth',
      exists: ({ caller, params, db }) =>
        findPasskey(db, { ...caller, id: (params as { id: string }).id }),
    },
    schema: {
      tags,
      summary: 'Remove a passkey: it no longer signs in',
      description: NEEDS_PROOF,
      params: IdParams,
      body: Proof,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler(request) {
      const { body, caller, params, db, transact } = request
      const { tenantId, userId } = caller
      const key = { tenantId, userId, id: params.id }
      if (!(await findPasskey(db, key))) throw notFound('Passkey')
      await assertMayChangeCredentials(request, secrets, body)
      await transact((tx) => removePasskey(tx, key))
      return { id: params.id, deleted: true }
    },
  })
}

function refused() {
  return unprocessable('This passkey was not accepted. Begin again.', 'passkey_refused')
}
