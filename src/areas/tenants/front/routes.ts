import { Type } from 'typebox'
import { textFor } from '#lib/languages.ts'
import { Locale } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { brandOf } from '../public-view.ts'
import { lockTenant } from '../tenants/queries.ts'
import { findFrontPage, saveFrontPage } from './queries.ts'
import { type FrontPage, FrontPageChange, FrontPage as Shown, ShownFrontPage } from './schema.ts'

const tags: Tag[] = ['Admin - Settings & Tenants']
const url = '/v1/admin/front-page'

/** A shop's own texts for its front page: staff write them, and anyone can read them. */
export const frontPageRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: { access: 'admin', permission: 'shop:read' },
    schema: {
      tags,
      summary: 'Get the texts of the front page of this shop',
      response: { 200: Shown },
    },
    handler: ({ db, tenantId }) => textsOf(db, tenantId),
  })

  app.route({
    method: 'PUT',
    url,
    config: {
      access: 'admin',
      permission: 'shop:write',
      async current(tx, { tenantId }) {
        await lockTenant(tx, tenantId)
        return textsOf(tx, tenantId)
      },
    },
    schema: {
      tags,
      summary: 'Replace the texts of the front page of this shop',
      description:
        'Title, introduction, and questions with answers, by language. Where a language has none, readers get ' +
        'those of the shop’s language, else English, else the standard texts. `{ "texts": {} }` returns to the ' +
        'standard texts.',
      body: FrontPageChange,
      response: { 200: Shown },
    },
    async handler({ body: { texts }, tenantId, now, transact }) {
      const saved = await transact((tx) => saveFrontPage(tx, { tenantId, texts, updatedAt: now }))
      return { texts: saved.texts, updatedAt: saved.updatedAt }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/front-page',
    config: { access: 'public' },
    schema: {
      tags: ['System'],
      summary: 'Get the texts of the front page of this shop in a language',
      description:
        'All fields are null, and there are no questions, where the shop has written none.',
      querystring: Type.Object({ locale: Type.Optional(Locale) }),
      response: { 200: ShownFrontPage },
    },
    async handler({ db, tenantId, query: { locale } }) {
      const { texts } = await textsOf(db, tenantId)
      const { locale: shopLocale } = await brandOf(db, tenantId)
      const [language, text] = textFor(texts, locale ?? shopLocale ?? 'en', shopLocale) ?? []
      const { title = null, lead = null, questions = [] } = text ?? {}
      return { language: language ?? null, title, lead, questions }
    },
  })
}

async function textsOf(db: Db, tenantId: string): Promise<FrontPage> {
  const row = await findFrontPage(db, tenantId)
  return { texts: row?.texts ?? {}, updatedAt: row?.updatedAt ?? null }
}
