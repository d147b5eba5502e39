import { Type } from 'typebox'
import { textFor } from '#lib/languages.ts'
import { notFound } from '#lib/problem.ts'
import { IdParams, Locale, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { brandOf } from '#tenants'
import { announce, assertProducts } from './actions.ts'
import { type AnnouncementRow, findAnnouncement, listAnnouncements, listNews } from './queries.ts'
import { Announcement, NewAnnouncement, News } from './schema.ts'

const tags: Tag[] = ['Admin - Operations']
const url = '/v1/admin/announcements'
const reading = { access: 'admin', permission: 'announcements:read' } as const

/** Announcements of a shop to many people at once: maintenance, for instance. */
export const announcementRoutes: Routes = (app, { areas }) => {
  app.route({
    method: 'POST',
    url,
    config: { access: 'admin', permission: 'announcements:write' },
    schema: {
      tags,
      summary: 'Send an announcement to all customers, or to those of some products',
      description:
        'It is sent in batches; `told` counts the recipients. Each is notified once, by mail only with consent.',
      body: NewAnnouncement,
      response: { 201: Announcement, ...problems(422) },
    },
    async handler({ body, caller, now, db, tenantId, transact }, reply) {
      await assertProducts(areas, db, { tenantId, productIds: body.productIds ?? [] })
      const made = await transact((tx) => announce(tx, caller, body, now))
      return reply.code(201).send(made)
    },
  })

  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List announcements, newest first',
      querystring: PageQuery,
      response: { 200: Page(Announcement) },
    },
    handler: ({ db, tenantId, query }) => listAnnouncements(db, tenantId, query),
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: {
      tags,
      summary: 'Get an announcement and its progress',
      params: IdParams,
      response: { 200: Announcement, ...problems(404) },
    },
    async handler({ db, tenantId, params: { id } }) {
      const announcement = await findAnnouncement(db, { tenantId, id })
      if (!announcement) throw notFound('Announcement')
      return announcement
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/news',
    config: { access: 'public' },
    schema: {
      tags: ['System'],
      summary: 'List the news of the shop: its public announcements, newest first',
      querystring: Type.Object({ ...PageQuery.properties, locale: Type.Optional(Locale) }),
      response: { 200: Page(News) },
    },
    async handler({ db, tenantId, query: { locale, ...page } }) {
      const { locale: shopLocale } = await brandOf(db, tenantId)
      const { data, nextCursor } = await listNews(db, tenantId, page)
      const wanted = { locale: locale ?? shopLocale ?? 'en', shopLocale }
      return { data: data.map((it) => newsIn(it, wanted)), nextCursor }
    },
  })
}

type Wanted = { readonly locale: string; readonly shopLocale: string | undefined }

/** A public announcement in the reader's language, or in the best other one it is written in. */
function newsIn({ id, texts, link, createdAt }: AnnouncementRow, { locale, shopLocale }: Wanted) {
  const [language, said] = textFor(texts, locale, shopLocale) ?? [locale, { title: '', body: '' }]
  return { id, language, ...said, link, createdAt }
}
