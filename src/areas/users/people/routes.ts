import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { IdParams, Line, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findUser } from '../queries.ts'
import { User } from '../schema.ts'
import { viewsOf } from '../views.ts'
import { suspend, unsuspend } from './actions.ts'
import { listPeople } from './queries.ts'

const tags: Tag[] = ['Auth & Users']

const PeopleQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional({ ...Line(254), description: 'How the address or the name begins' }),
})

export const peopleRoutes: Routes = (app, deps) => {
  const { forgetCallers } = deps
  const views = viewsOf(deps)

  app.route({
    method: 'GET',
    url: '/v1/admin/users',
    config: { access: 'admin', permission: 'users:read' },
    schema: {
      tags,
      summary: 'List people, newest first',
      querystring: PeopleQuery,
      response: { 200: Page(User) },
    },
    async handler({ tenantId, query, db }) {
      const page = await listPeople(db, tenantId, query)
      return { ...page, data: await views.many(db, tenantId, page.data) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/users/:id',
    config: { access: 'admin', permission: 'users:read' },
    schema: {
      tags,
      summary: 'One person',
      params: IdParams,
      response: { 200: User, ...problems(404) },
    },
    async handler({ tenantId, params, db }) {
      const user = await findUser(db, { tenantId, userId: params.id })
      if (!user) throw notFound('User')
      return views.one(db, user)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/users/:id/suspend',
    config: { access: 'admin', permission: 'users:write' },
    schema: {
      tags,
      summary: 'Suspend a person: sessions end and keys stop at once',
      params: IdParams,
      response: { 200: User, ...problems(404, 409) },
    },
    async handler({ caller, params, db, now, transact }) {
      const key = { tenantId: caller.tenantId, userId: params.id }
      const user = await transact(async (tx) => {
        const permissions = await views.permissionsOf(tx, key)
        return suspend(tx, caller, { userId: key.userId, permissions }, now)
      })
      forgetCallers({ userId: key.userId })
      return views.one(db, user)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/users/:id/unsuspend',
    config: { access: 'admin', permission: 'users:write' },
    schema: {
      tags,
      summary: 'Let a suspended person back in',
      params: IdParams,
      response: { 200: User, ...problems(404) },
    },
    async handler({ caller, params, db, transact }) {
      const key = { tenantId: caller.tenantId, userId: params.id }
      const user = await transact(async (tx) => {
        const permissions = await views.permissionsOf(tx, key)
        return unsuspend(tx, caller, { userId: key.userId, permissions })
      })
      return views.one(db, user)
    },
  })
}
