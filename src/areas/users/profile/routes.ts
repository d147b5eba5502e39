import type { FastifyRequest } from 'fastify'
import { notFound } from '#lib/problem.ts'
import { Body } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { changePassword } from '../auth/actions.ts'
import { assertGuessResistant, hashPassword } from '../auth/password.ts'
import { assertFreshOrPassword, assertOwnPassword } from '../auth/proof.ts'
import { findUser } from '../queries.ts'
import { assertInPerson } from '../rules.ts'
import { NewPassword, Password, ProfileChange, User } from '../schema.ts'
import { openSession } from '../sessions/actions.ts'
import { deviceOf, signedInAnswers } from '../sessions/answer.ts'
import { findSession } from '../sessions/queries.ts'
import { SignedIn } from '../sessions/schema.ts'
import { viewsOf } from '../views.ts'
import { changeProfile, requestEmailChange } from './actions.ts'

const tags: Tag[] = ['Auth & Users']

export const profileRoutes: Routes = (app, deps) => {
  const { secrets, forgetCallers } = deps
  const views = viewsOf(deps)
  const signedIn = signedInAnswers(deps)

  app.route({
    method: 'GET',
    url: '/v1/users/me',
    config: { access: 'user', impersonation: 'allowed' },
    schema: { tags, summary: 'My profile', response: { 200: User } },
    async handler({ caller, db }) {
      const user = await findUser(db, caller)
      if (!user) throw notFound('User')
      return views.one(db, user)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/users/me',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Change my profile; what is left out stays',
      description:
        'Another e-mail address counts once the link sent to it was followed. Asking for one needs the current password, unless the sign-in is at most 15 minutes old.',
      body: ProfileChange,
      response: { 200: User, ...problems(422) },
    },
    async handler(request) {
      const { body, caller, db, now, transact } = request
      const { email: address, currentPassword, ...change } = body
      const email = address?.toLowerCase()
      const moving = email !== undefined && email !== caller.email
      if (moving) await assertMayMove(request, currentPassword)
      const user = await transact(async (tx) => {
        const changed = await changeProfile(tx, caller, change, now)
        if (email === undefined || (!moving && !changed.pendingEmail)) return changed
        return requestEmailChange(tx, secrets, { ...caller, email }, now)
      })
      return views.one(db, user)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/users/me/password',
    config: { access: 'user', quota: 'auth', secretAnswer: true },
    schema: {
      tags,
      summary: 'Change my password',
      description:
        'Every session and API key ends, this one too; the answer holds a new session in its place.',
      body: Body({ currentPassword: Password, newPassword: NewPassword }),
      response: { 200: SignedIn, ...problems(403, 422) },
    },
    async handler(request) {
      const { body, caller, now, transact } = request
      assertInPerson(caller)
      assertGuessResistant(body.newPassword, caller.email)
      await assertOwnPassword(request, body.currentPassword)
      const passwordHash = await hashPassword(body.newPassword)
      const { tenantId, userId, credentialId: sessionId } = caller
      const session = await transact(async (tx) => {
        // What the session has shown beside the password goes on in the one that takes its place.
        const { secondFactorAt = null } = (await findSession(tx, { tenantId, sessionId })) ?? {}
        await changePassword(tx, caller, passwordHash, now)
        const opening = { tenantId, userId, device: deviceOf(request), secondFactorAt }
        return openSession(tx, opening, now)
      })
      forgetCallers({ userId })
      return signedIn(request, { tenantId, userId, ...session })
    },
  })
}

async function assertMayMove(
  request: FastifyRequest,
  currentPassword: string | undefined,
): Promise<void> {
  assertInPerson(request.caller)
  if (currentPassword !== undefined) await request.spendAuthQuota()
  await assertFreshOrPassword(request, currentPassword)
}
