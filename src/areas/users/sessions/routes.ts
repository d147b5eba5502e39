import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { assertNotImpersonated } from '../rules.ts'
import { listSessions, revokeSession, revokeSessions } from './queries.ts'
import { Session } from './schema.ts'

const tags: Tag[] = ['Auth & Users']

export const sessionRoutes: Routes = (app, { forgetCallers }) => {
  app.route({
    method: 'GET',
    url: '/v1/users/me/sessions',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'List my sessions, newest first',
      querystring: PageQuery,
      response: { 200: Page(Session) },
    },
    async handler({ caller, query, db, now }) {
      const page = await listSessions(db, caller, query, now)
      const data = page.data.map(({ refreshedAt, impersonatorId, ...session }) => ({
        ...session,
        current: session.id === caller.credentialId,
        impersonated: impersonatorId !== null,
        lastUsedAt: refreshedAt,
      }))
      return { ...page, data }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/users/me/sessions',
    config: { access: 'user' },
    schema: {
      tags,
      operationId: 'users.me.sessions.deleteOthers',
      summary: 'Sign out everywhere else',
      description:
        'Ends every session but the one of the request. Called with an API key, it ends all of them.',
      response: { 200: Type.Object({ ended: Type.Integer() }) },
    },
    async handler({ caller, now, transact }) {
      assertNotImpersonated(caller)
      const { userId, tenantId, credentialId: keptId } = caller
      const ended = await transact((tx) => revokeSessions(tx, { tenantId, userId, keptId }, now))
      forgetCallers({ userId })
      return { ended }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/users/me/sessions/:id',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'End one of my sessions at once',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params: { id }, caller, now, transact }) {
      assertNotImpersonated(caller)
      const key = { tenantId: caller.tenantId, userId: caller.userId, sessionId: id }
      const revoked = await transact((tx) => revokeSession(tx, key, now))
      if (!revoked) throw notFound('Session')
      forgetCallers({ credentialId: id })
      return { id, deleted: true }
    },
  })
}
