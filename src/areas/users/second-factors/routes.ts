import { Type } from 'typebox'
import { networkOf } from '#lib/network.ts'
import { forbidden } from '#lib/problem.ts'
import { Body, Deleted, Nullable } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { brandOf } from '#tenants'
import { assertMayChangeFactors, assertOwnPassword } from '../auth/proof.ts'
import { countGuess, forgiveGuesses } from '../guesses/actions.ts'
import { assertInPerson, assertNotImpersonated } from '../rules.ts'
import { Password } from '../schema.ts'
import {
  confirmTotp,
  lockActive,
  removeTotp,
  renewRecoveryCodes,
  startTotp,
  takeCode,
} from './actions.ts'
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
      summary: 'Whether codes of an authenticator app are on, and how many recovery codes are left',
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
      summary: 'Start with codes of an authenticator app: they count once one was confirmed',
      description: NEEDS_PROOF,
      body: Proof,
      response: { 200: StartedTotp },
    },
    async handler(request) {
      const { body, caller, tenantId, db, now, transact } = request
      await assertMayChangeFactors(request, body.currentPassword)
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
      summary: 'Turn codes on with the first of them',
      description:
        'From now on signing in takes a second factor. The first one comes with recovery codes.',
      body: Body({ code: Code }),
      response: { 200: Type.Object({ recoveryCodes: Nullable(RecoveryCodes) }) },
    },
    async handler({ body, caller, now, transact }) {
      assertInPerson(caller)
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
      summary: 'Turn codes off, with the password and a code or a recovery code',
      body: Body({ currentPassword: Password, code: Code }),
      response: { 200: Deleted, ...problems(404) },
    },
    async handler(request) {
      const { body, caller, ip, now, transact } = request
      assertInPerson(caller)
      await assertOwnPassword(request, body.currentPassword)
      const { tenantId, userId } = caller
      const guess = { tenantId, account: userId, network: networkOf(ip) }
      const removed = await transact(async (tx) => {
        const user = await lockActive(tx, caller)
        await countGuess(tx, guess, now)
        if (!(await takeCode(tx, secrets, { tenantId, userId, code: body.code }, now))) return false
        await forgiveGuesses(tx, guess, { signedIn: false }, now)
        await removeTotp(tx, user)
        return true
      })
      // Thrown outside: the wrong code stays counted.
      if (!removed) throw forbidden('This code is wrong.', 'code_wrong')
      return { id: 'totp', deleted: true }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/users/me/recovery-codes',
    config: { access: 'user', quota: 'auth', secretAnswer: true },
    schema: {
      tags,
      summary: 'Make new recovery codes; the old ones no longer work',
      description: NEEDS_PROOF,
      body: Proof,
      response: { 201: Type.Object({ recoveryCodes: RecoveryCodes }) },
    },
    async handler(request, reply) {
      const { body, caller, now, transact } = request
      await assertMayChangeFactors(request, body.currentPassword)
      const recoveryCodes = await transact((tx) => renewRecoveryCodes(tx, caller, now))
      return reply.code(201).send({ recoveryCodes })
    },
  })
}

const NEEDS_PROOF =
  'Needs the current password, unless the sign-in is at most 15 minutes old; and a session that has shown the second factor, where there is one.'
