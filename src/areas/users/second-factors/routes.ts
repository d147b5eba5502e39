import { Type } from 'typebox'
import { Body, Deleted, Nullable } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { brandOf } from '#tenants'
import { assertMayChangeCredentials, NEEDS_PROOF } from '../auth/proof.ts'
import { assertNotImpersonated } from '../rules.ts'
import { Password } from '../schema.ts'
import { confirmTotp, lockActive, removeTotp, renewRecoveryCodes, startTotp } from './actions.ts'
import { countRecoveryCodes, findTotp } from './queries.ts'
import { Code, Proof, RecoveryCodes, StartedTotp, Totp } from './schema.ts'
import { totpUri } from './totp.ts'

const tags: Tag[] = ['Auth & Users']
const url = '/v1/users/me/totp'

export const secondFactorRoutes: Routes = (app, { secrets }) => {
  app.route({
    method: 'GET',
    url,
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Get whether an authenticator app is set up, and how many recovery codes are left',
      response: { 200: Totp },
    },
    async handler({ caller, db }) {
      assertNotImpersonated(caller)
      const totp = await findTotp(db, caller)
      const enabledAt = totp?.confirmedAt ?? null
      const recoveryCodesLeft = await countRecoveryCodes(db, caller)
      return { enabled: enabledAt !== null, enabledAt, recoveryCodesLeft }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: { access: 'user', quota: 'auth', secretAnswer: true },
    schema: {
      tags,
      operationId: 'users.me.totp.start',
      summary: 'Set up an authenticator app; it is required once its first code was confirmed',
      description: NEEDS_PROOF,
      body: Proof,
      response: { 200: StartedTotp },
    },
    async handler(request) {
      const { body, caller, tenantId, db, now, transact } = request
      await assertMayChangeCredentials(request, secrets, body)
      const { user, seed } = await transact((tx) => startTotp(tx, secrets, caller, now))
      const { name } = await brandOf(db, tenantId)
      return { secret: seed, uri: totpUri(seed, { issuer: name, label: user.email }) }
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/confirm`,
    config: { access: 'user', quota: 'auth', secretAnswer: true },
    schema: {
      tags,
      summary: 'Confirm the authenticator app with its first code',
      description:
        'From now on a sign-in requires a second factor. With the first one, recovery codes are created.',
      body: Body({ code: Code }),
      response: { 200: Type.Object({ recoveryCodes: Nullable(RecoveryCodes) }) },
    },
    async handler({ body, caller, now, transact }) {
      assertNotImpersonated(caller)
      const code = body.code.replaceAll(' ', '')
      const recoveryCodes = await transact((tx) => confirmTotp(tx, secrets, caller, code, now))
      return { recoveryCodes }
    },
  })

  app.route({
    method: 'DELETE',
    url,
    config: { access: 'user', quota: 'auth' },
    schema: {
      tags,
      summary: 'Remove the authenticator app, with the password and a code or a recovery code',
      description: 'With the last second factor the recovery codes end too. 422 `code_wrong`.',
      body: Body({ currentPassword: Password, code: Code }),
      response: { 200: Deleted, ...problems(404) },
    },
    async handler(request) {
      const { body, caller, transact } = request
      await assertMayChangeCredentials(request, secrets, body, {
        ...{ password: 'always', code: 'always' },
      })
      await transact(async (tx) => removeTotp(tx, await lockActive(tx, caller)))
      return { id: 'totp', deleted: true }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/users/me/recovery-codes',
    config: { access: 'user', quota: 'auth', secretAnswer: true },
    schema: {
      tags,
      summary: 'Create new recovery codes; the old ones no longer work',
      description: NEEDS_PROOF,
      body: Proof,
      response: { 201: Type.Object({ recoveryCodes: RecoveryCodes }) },
    },
    async handler(request, reply) {
      const { body, caller, now, transact } = request
      await assertMayChangeCredentials(request, secrets, body)
      const recoveryCodes = await transact((tx) => renewRecoveryCodes(tx, caller, now))
      return reply.code(201).send({ recoveryCodes })
    },
  })
}
