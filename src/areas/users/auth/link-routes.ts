import { Type } from 'typebox'
import { networkOf } from '#lib/network.ts'
import { badRequest, detail } from '#lib/problem.ts'
import { Body, Email, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { enqueue } from '#platform/jobs.ts'
import { tokenHash } from '#platform/secrets.ts'
import { forgiveGuesses } from '../guesses/actions.ts'
import { findUser } from '../queries.ts'
import { NewPassword } from '../schema.ts'
import { resetPassword, verifyEmail } from './actions.ts'
import { sendLink } from './jobs.ts'
import { lookAtLink } from './links.ts'
import { assertGuessResistant, hashPassword } from './password.ts'
import { findLinkUser } from './queries.ts'

const tags: Tag[] = ['Auth & Users']
const config = { access: 'public', quota: 'auth' } as const

const LinkToken = Type.String({ minLength: 1, maxLength: 200 })
const Accepted = Resource('AcceptedRequest', { accepted: Type.Boolean() })

export const linkRoutes: Routes = (app, { forgetCallers }) => {
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
        }),
        ...problems(404, 410),
      },
    },
    handler: ({ body: { token }, tenantId, db, now }) => lookAtLink(db, { tenantId, token }, now),
  })

  app.route({
    method: 'POST',
    url: '/v1/auth/email/verify',
    config,
    schema: {
      tags,
      summary: 'Confirm an address with the token of its link',
      body: Body({ token: LinkToken }),
      response: { 200: Type.Object({ verified: Type.Boolean() }), ...problems(404, 409, 410) },
    },
    async handler({ body: { token }, tenantId, now, scope, transact }) {
      const { userId } = await transact((tx) => verifyEmail(tx, { tenantId, token }, now))
      scope.provenId = userId
      forgetCallers({ userId })
      return { verified: true }
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
        // Who reads the person's mail cannot be kept out by others who guess.
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
