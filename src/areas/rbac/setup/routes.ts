import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Body, Email, Line } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import {
  assertGuessResistant,
  deviceOf,
  hashPassword,
  NewPassword,
  openSession,
  SignedIn,
  signedInAnswers,
} from '#users'
import { hasOwner } from '../roles/queries.ts'
import { setUp } from './actions.ts'

const tags: Tag[] = ['System']

export const setupRoutes: Routes = (app, deps) => {
  const signedIn = signedInAnswers(deps)

  app.route({
    method: 'POST',
    url: '/v1/setup',
    config: { access: 'public', quota: 'auth' },
    schema: {
      tags,
      summary: 'Make the first administrator, with the token printed at the start',
      body: Body({
        token: Type.String({ minLength: 1, maxLength: 200 }),
        email: Email,
        password: NewPassword,
        name: Line(),
      }),
      response: { 201: SignedIn, ...problems(401, 404, 409, 410, 422) },
    },
    async handler(request, reply) {
      const { body, tenantId, db, now, transact } = request
      if (await hasOwner(db, tenantId)) throw notFound('Route')
      const { token, email, password, name } = body
      assertGuessResistant(password, email.toLowerCase())
      const passwordHash = await hashPassword(password)
      const session = await transact(async (tx) => {
        const { id } = await setUp(tx, { tenantId, token, email, passwordHash, name }, now)
        const key = { tenantId, userId: id }
        return { ...key, ...(await openSession(tx, { ...key, device: deviceOf(request) }, now)) }
      })
      return reply.code(201).send(await signedIn(request, session))
    },
  })
}
