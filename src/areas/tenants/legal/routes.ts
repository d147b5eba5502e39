import { Type } from 'typebox'
import { Locale, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { brandOf } from '../public-view.ts'
import { legalTextIn, publishLegalText } from './actions.ts'
import { findLegalText, listLegalTexts } from './queries.ts'
import { LegalKind, LegalText, LegalTextVersion, NewLegalText } from './schema.ts'

const tags: Tag[] = ['Admin - Settings & Tenants']
const url = '/v1/admin/legal-texts'
const MOST_VERSIONS = 1_000_000

/** The legal texts of a shop: staff publish versions, and anyone can read them. */
export const legalRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: { access: 'admin', permission: 'shop:read' },
    schema: {
      tags,
      summary: 'List the versions of the legal texts of this shop, newest first',
      querystring: Type.Object({ ...PageQuery.properties, kind: Type.Optional(LegalKind) }),
      response: { 200: Page(LegalTextVersion) },
    },
    handler: ({ db, tenantId, query: { kind, ...page } }) =>
      listLegalTexts(db, { tenantId, kind }, page),
  })

  app.route({
    method: 'POST',
    url,
    config: { access: 'admin', permission: 'shop:write' },
    schema: {
      tags,
      summary: 'Publish the next version of a legal text',
      description:
        'A version never changes. Once terms are published, an order must accept the newest version.',
      body: NewLegalText,
      response: { 201: LegalTextVersion },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return transact((tx) => publishLegalText(tx, caller, body, now))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/legal-texts/:kind',
    config: { access: 'public', whileSuspended: true },
    schema: {
      tags: ['System'],
      summary: 'Get a legal text of this shop, its newest version or an earlier one',
      params: Type.Object({ kind: LegalKind }),
      querystring: Type.Object({
        version: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_VERSIONS })),
        locale: Type.Optional(Locale),
      }),
      response: { 200: LegalText, ...problems(404) },
    },
    async handler({ db, tenantId, params: { kind }, query: { version, locale } }) {
      const { locale: shopLocale } = await brandOf(db, tenantId)
      const wanted = { locale: locale ?? shopLocale ?? 'en', shopLocale }
      return legalTextIn(await findLegalText(db, { tenantId, kind }, version), wanted)
    },
  })
}
