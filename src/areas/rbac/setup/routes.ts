import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Body, Email, Line, Nullable, Resource } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import {
  assertGuessResistant,
  assertTransport,
  deviceOf,
  hashPassword,
  NewPassword,
  openSession,
  SignedIn,
  signedInAnswers,
  TransportField,
} from '#users'
import { hasOwner } from '../roles/queries.ts'
import { isSetupToken, setUp } from './actions.ts'

const tags: Tag[] = ['System']

const SetupState = Resource('SetupState', {
  needed: Type.Boolean({ description: 'Whether the shop has no administrator yet' }),
  tokenValid: Nullable(Type.Boolean()),
})

export const setupRoutes: Routes = (app, deps) => {
  const signedIn = signedInAnswers(deps)

  app.route({
    method: 'GET',
    url: '/v1/setup',
    config: { access: 'public', quota: 'auth' },
    schema: {
      tags,
      summary: 'Get whether the first administrator is missing, and whether a token is valid',
      description:
        'Without a token, `tokenValid` is null. A wrong token and an expired one get the same answer.',
      querystring: Type.Object({
        token: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      }),
      response: { 200: SetupState },
    },
    async handler({ query, tenantId, db, now }) {
      const needed = !(await hasOwner(db, tenantId))
      if (query.token === undefined) return { needed, tokenValid: null }
      return { needed, tokenValid: needed && (await isSetupToken(db, { tenantId, ...query }, now)) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/setup',
    config: { access: 'public', quota: 'auth', setsCookie: true },
    schema: {
      tags,
      operationId: 'setup.complete',
      summary: 'Create the first administrator, with the token printed at the start',
      description:
        'Answers a session of the new owner. 404 once there is an owner, 401 for a wrong token, 410 for one that is a week old.',
      body: Body({
        ...TransportField,
        token: Type.String({ minLength: 1, maxLength: 200 }),
        email: Email,
        password: NewPassword,
        name: Line(),
      }),
      response: { 201: SignedIn, ...problems(401, 403, 404, 409, 410, 422) },
    },
    preHandler: assertTransport,
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
      return reply.code(201).send(await signedIn(request, reply, session))
    },
  })
}
