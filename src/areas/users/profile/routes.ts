import type { FastifyRequest } from 'fastify'
import { notFound } from '#lib/problem.ts'
import { Body } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import type { Secrets } from '#platform/secrets.ts'
import { changePassword } from '../auth/actions.ts'
import { assertGuessResistant, hashPassword } from '../auth/password.ts'
import { assertMayChangeCredentials, NEEDS_PROOF, type Shown } from '../auth/proof.ts'
import { findUser } from '../queries.ts'
import { Me, NewPassword, Password, ProfileChange } from '../schema.ts'
import { ProofFields } from '../second-factors/schema.ts'
import { openSession } from '../sessions/actions.ts'
import { assertTransport, deviceOf, signedInAnswers, TransportField } from '../sessions/answer.ts'
import { findSession } from '../sessions/queries.ts'
import { SignedIn } from '../sessions/schema.ts'
import { applyTypedAnswer } from '../vat/answers.ts'
import { viewsOf } from '../views.ts'
import { changeProfile, requestEmailChange } from './actions.ts'
import { consentIn } from './rules.ts'

const tags: Tag[] = ['Auth & Users']

export const profileRoutes: Routes = (app, deps) => {
  const { secrets, forgetCallers } = deps
  const views = viewsOf(deps)
  const signedIn = signedInAnswers(deps)

  app.route({
    method: 'GET',
    url: '/v1/users/me',
    config: { access: 'user', impersonation: 'allowed' },
    schema: { tags, summary: 'My profile', response: { 200: Me } },
    async handler({ caller, db }) {
      const user = await findUser(db, caller)
      if (!user) throw notFound('User')
      return views.me(db, user, caller)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/users/me',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Change my profile; omitted fields stay',
      description: `A new e-mail address takes effect once the link sent to it was opened. To request one: ${NEEDS_PROOF}`,
      body: ProfileChange,
      response: { 200: Me, ...problems(422) },
    },
    async handler(request) {
      const { body, caller, db, now, transact } = request
      const { email: address, currentPassword, code, marketingConsent, ...rest } = body
      const source = caller.via === 'apiKey' ? 'api_key' : 'profile'
      const change = { ...rest, consent: consentIn(marketingConsent, source) }
      const email = address?.toLowerCase()
      const moving = email !== undefined && email !== caller.email
      if (moving) await assertMayMove(request, secrets, { currentPassword, code })
      const user = await transact(async (tx) => {
        const entered = await changeProfile(tx, caller, change, now)
        const changed = await applyTypedAnswer(tx, secrets, entered, now)
        if (email === undefined || (!moving && !changed.pendingEmail)) return changed
        return requestEmailChange(tx, secrets, { ...caller, email }, now)
      })
      return views.me(db, user, caller)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/users/me/password',
    config: { access: 'user', quota: 'auth', secretAnswer: true, setsCookie: true },
    schema: {
      tags,
      operationId: 'users.me.password.change',
      summary: 'Change my password',
      description:
        'Every session and API key ends, this one too; the answer holds a new session in its place. Where a second factor is set, the session has shown it, or `code` does.',
      body: Body({
        ...{ ...ProofFields, ...TransportField },
        ...{ currentPassword: Password, newPassword: NewPassword },
      }),
      response: { 200: SignedIn, ...problems(403, 422) },
    },
    preHandler: assertTransport,
    async handler(request, reply) {
      const { body, caller, now, transact } = request
      assertGuessResistant(body.newPassword, caller.email)
      const proof = { password: 'always' } as const
      const { codeShown } = await assertMayChangeCredentials(request, secrets, body, proof)
      const passwordHash = await hashPassword(body.newPassword)
      const { tenantId, userId, credentialId: sessionId } = caller
      const session = await transact(async (tx) => {
        // The new session keeps the second factor that the one it replaces has shown.
        const before = await findSession(tx, { tenantId, sessionId })
        const secondFactorAt = codeShown ? now : (before?.secondFactorAt ?? null)
        await changePassword(tx, caller, passwordHash, now)
        const opening = { tenantId, userId, device: deviceOf(request), secondFactorAt }
        return openSession(tx, opening, now)
      })
      forgetCallers({ userId })
      return signedIn(request, reply, { tenantId, userId, ...session })
    },
  })
}

async function assertMayMove(request: FastifyRequest, secrets: Secrets, shown: Shown) {
  // A password or a code in the body is a guess at a secret.
  if (shown.currentPassword !== undefined || shown.code !== undefined)
    await request.spendAuthQuota()
  await assertMayChangeCredentials(request, secrets, shown)
}
