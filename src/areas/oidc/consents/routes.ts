import { notFound } from '#lib/problem.ts'
import { Deleted, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { assertNotImpersonated } from '#users'
import { deleteConsent, findConsent, listConsents } from './queries.ts'
import { consentView } from './rules.ts'
import { Consent, ConsentParams } from './schema.ts'

const tags: Tag[] = ['Auth & Users']

/** People see their consents to other applications, and withdraw them. */
export const consentRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/users/me/consents',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'List the applications I sign in to with this account, newest application first',
      querystring: PageQuery,
      response: { 200: Page(Consent) },
    },
    async handler({ caller, query, db, now }) {
      const page = await listConsents(db, caller, now, query)
      return { ...page, data: page.data.map(consentView) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/users/me/consents/:clientId',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Get my consent to an application',
      params: ConsentParams,
      response: { 200: Consent, ...problems(404) },
    },
    async handler({ caller, params, db, now }) {
      const { tenantId, userId } = caller
      const consent = await findConsent(db, { tenantId, userId, ...params }, now)
      if (!consent) throw notFound('Consent')
      return consentView(consent)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/users/me/consents/:clientId',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Revoke my consent to an application and all its tokens',
      params: ConsentParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ caller, params: { clientId }, now, transact }) {
      assertNotImpersonated(caller)
      const { tenantId, userId } = caller
      const found = await transact((tx) => deleteConsent(tx, { tenantId, userId, clientId }, now))
      if (!found) throw notFound('Consent')
      return { id: clientId, deleted: true }
    },
  })
}
