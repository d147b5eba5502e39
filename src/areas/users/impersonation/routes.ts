import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Body, Id, IdParams, Line, Resource, Timestamp } from '#lib/schema.ts'
import { secondsBetween } from '#lib/time.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findUser } from '../queries.ts'
import { User } from '../schema.ts'
import { accessTokens } from '../sessions/token.ts'
import { viewsOf } from '../views.ts'
import { impersonate } from './actions.ts'
import { IMPERSONATE } from './rules.ts'

const tags: Tag[] = ['Auth & Users']

const Impersonation = Resource('Impersonation', {
  sessionId: Id,
  accessToken: Type.String({ description: 'Goes along as a bearer token; cannot be refreshed' }),
  expiresIn: Type.Integer({ description: 'Seconds until it expires' }),
  expiresAt: Timestamp,
  user: User,
})

const Reason = Body({
  reason: {
    ...Line(300),
    description: 'Staff see it in the timeline of the person, the person in their data export',
  },
})

function exists({ db, tenantId, params }: FastifyRequest) {
  return findUser(db, { tenantId, userId: (params as { id: string }).id })
}

export const impersonationRoutes: Routes = (app, deps) => {
  const views = viewsOf(deps)
  const tokens = accessTokens(deps)

  app.route({
    method: 'POST',
    url: '/v1/admin/users/:id/impersonate',
    config: { access: 'admin', permission: IMPERSONATE, secretAnswer: true, exists },
    schema: {
      tags,
      summary: 'View the shop as a customer for half an hour',
      description:
        'The audit log shows both people. Operations that show or change how the person signs in or pays are refused. It ends with the session in which it began, and when the permission is removed.',
      params: IdParams,
      body: Reason,
      response: { 201: Impersonation, ...problems(404, 409) },
    },
    async handler({ caller, params, body: { reason }, db, now, transact }, reply) {
      const { tenantId } = caller
      const userId = params.id
      const begun = await transact(async (tx) => {
        const permissions = await views.permissionsOf(tx, { tenantId, userId })
        return impersonate(tx, caller, { userId, permissions, reason }, now)
      })
      const { sessionId, expiresAt } = begun
      const expiresIn = secondsBetween(now, expiresAt)
      const accessToken = tokens.sign({ tenantId, userId, sessionId }, now, expiresIn)
      const user = await findUser(db, { tenantId, userId })
      if (!user) throw new Error('Somebody was locked and is not there')
      return reply
        .code(201)
        .send({ sessionId, accessToken, expiresIn, expiresAt, user: await views.one(db, user) })
    },
  })
}
