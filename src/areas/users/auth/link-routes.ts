import { Type } from 'typebox'
import { networkOf } from '#lib/network.ts'
import { badRequest, detail } from '#lib/problem.ts'
import { Body, Email, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import type { Tx } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { enqueue } from '#platform/jobs.ts'
import { tokenHash } from '#platform/secrets.ts'
import { passwordRequired } from '../profile/rules.ts'
import { findUser } from '../queries.ts'
import { NewPassword, Password } from '../schema.ts'
import { assertTransport, signedInAnswers, TransportField } from '../sessions/answer.ts'
import { forgiveGuesses } from '../sign-in-throttling/actions.ts'
import { sendLink } from '../work.ts'
import { resetPassword, verifyEmail } from './actions.ts'
import { findLink } from './links.ts'
import { assertGuessResistant, hashPassword } from './password.ts'
import { findLinkUser, findRegistrationState } from './queries.ts'
import { Accepted, SignedInOrPending } from './schema.ts'
import { pendingView, signInWithConfirmation } from './sign-in.ts'
import { isConfirmedWithPassword } from './unconfirmed.ts'

const tags: Tag[] = ['Auth & Users']
const config = { access: 'public', quota: 'auth' } as const

const LinkToken = Type.String({ minLength: 1, maxLength: 200 })

const ConfirmedAddress = Resource('ConfirmedAddress', {
  verified: Type.Boolean(),
  signIn: Nullable(SignedInOrPending),
  state: Nullable(Type.String()),
})

export const linkRoutes: Routes = (app, deps) => {
  const { forgetCallers } = deps
  const signedIn = signedInAnswers(deps)

  app.route({
    method: 'POST',
    url: '/v1/auth/links/check',
    config,
    schema: {
      tags,
      summary: 'Check the token of a mailed link without using it',
      description: 'The token is the one of `/v1/auth/email/verify` or `/v1/auth/password/reset`.',
      body: Body({ token: LinkToken }),
      response: {
        200: Resource('MailedLink', {
          purpose: OneOf(['verify', 'reset']),
          email: Type.String({ description: 'The address that it was sent to' }),
          expiresAt: Timestamp,
          passwordNeeded: Type.Boolean({
            description: 'Whether `/v1/auth/email/verify` needs the password',
          }),
        }),
        ...problems(404, 410),
      },
    },
    async handler({ body: { token }, tenantId, db, now }) {
      const { user, ...link } = await findLink(db, { tenantId, token }, now)
      const passwordNeeded =
        link.purpose === 'verify' && (await isConfirmedWithPassword(db, tenantId, user))
      return { ...link, passwordNeeded }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/auth/email/verify',
    config,
    schema: {
      tags,
      summary: 'Confirm an address with the token of its link',
      description:
        'For a changed address, it counts from now on. With `registration.confirmBeforeSession`, the first address of an account also needs the password; `signIn` is the session. 410 for a link that has expired or was used, 409 if another account has the address by now.',
      body: Body({
        ...TransportField,
        token: LinkToken,
        password: Type.Optional(Password),
      }),
      response: { 200: ConfirmedAddress, ...problems(401, 403, 404, 409, 410) },
    },
    preHandler: assertTransport,
    async handler(request, reply) {
      const { body, tenantId, db, now, scope, transact } = request
      const { token, password } = body
      const { user, purpose } = await findLink(db, { tenantId, token }, now)
      const confirm = (tx: Tx) => verifyEmail(tx, { tenantId, token }, now)
      if (purpose !== 'verify' || !(await isConfirmedWithPassword(db, tenantId, user))) {
        const { userId } = await transact(confirm)
        scope.provenId = userId
        forgetCallers({ userId })
        return { verified: true, signIn: null, state: null }
      }
      if (password === undefined) throw passwordRequired()
      const { id: userId, email } = user
      const state = await findRegistrationState(db, { tenantId, userId })
      const answer = await signInWithConfirmation(deps, request, { email, password }, confirm)
      scope.provenId = userId
      forgetCallers({ userId })
      const signIn =
        answer.status === 'signed_in' ? await signedIn(request, reply, answer) : pendingView(answer)
      return { verified: true, signIn, state }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/auth/email/resend',
    config,
    schema: {
      tags,
      summary: 'Send the link that confirms an address again',
      description: "Without an address it is the caller's. The answer is the same for all of them.",
      body: Body({ email: Type.Optional(Email) }),
      response: { 202: Accepted },
    },
    async handler({ body, visitor, tenantId, db, transact }, reply) {
      const own = visitor?.kind === 'user' ? await findUser(db, visitor) : undefined
      const email = body.email?.toLowerCase() ?? own?.email
      if (!email) throw badRequest('email is required', [detail('email', { kind: 'missing' })])
      await transact((tx) => enqueue(tx, sendLink, { tenantId, email, purpose: 'verify' }))
      return reply.code(202).send({ accepted: true })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/auth/password/forgot',
    config,
    schema: {
      tags,
      summary: 'Send a link that sets a new password',
      description: 'The answer is the same whether there is such an account or not.',
      body: Body({ email: Email }),
      response: { 202: Accepted },
    },
    async handler({ body, tenantId, transact }, reply) {
      const email = body.email.toLowerCase()
      await transact((tx) => enqueue(tx, sendLink, { tenantId, email, purpose: 'reset' }))
      return reply.code(202).send({ accepted: true })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/auth/password/reset',
    config,
    schema: {
      tags,
      summary: 'Set a new password with the token of a link; all sessions end',
      description:
        'Ends all sessions and API keys of the account, and drops pending changes of its address. The answer has no session: sign in with the new password. 410 for a link that has expired or was used, 422 `password_too_weak`.',
      body: Body({ token: LinkToken, password: NewPassword }),
      response: { 200: Type.Object({ reset: Type.Boolean() }), ...problems(404, 410, 422) },
    },
    async handler({ body: { token, password }, tenantId, db, ip, now, scope, transact }) {
      const person = await findLinkUser(db, tenantId, tokenHash(token))
      assertGuessResistant(password, person?.email ?? '')
      const passwordHash = await hashPassword(password)
      const wanted = { tenantId, token, passwordHash }
      const { userId } = await transact(async (tx) => {
        const person = await resetPassword(tx, wanted, now)
        // A person who reads the account's mail must not be locked out by others who guess.
        const guess = { tenantId, account: person.userId, network: networkOf(ip) }
        await forgiveGuesses(tx, guess, { signedIn: true }, now)
        return person
      })
      scope.provenId = userId
      forgetCallers({ userId })
      return { reset: true }
    },
  })
}
