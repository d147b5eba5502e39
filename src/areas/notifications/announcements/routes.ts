import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { textFor } from '#lib/languages.ts'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Locale, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { brandOf } from '#tenants'
import {
  announce,
  assertProducts,
  changeAnnouncement,
  deleteDraft,
  publishAnnouncement,
} from './actions.ts'
import {
  type AnnouncementKey,
  type AnnouncementRow,
  findAnnouncement,
  listAnnouncements,
  listNews,
} from './queries.ts'
import { viewOf } from './rules.ts'
import { Announcement, AnnouncementChange, NewAnnouncement, News } from './schema.ts'

const tags: Tag[] = ['Admin - Operations']
const url = '/v1/admin/announcements'
const reading = { access: 'admin', permission: 'announcements:read' } as const
const writing = { access: 'admin', permission: 'announcements:write' } as const

function keyOf({ tenantId, params }: FastifyRequest): AnnouncementKey {
  return { tenantId, id: (params as { id: string }).id }
}

/** Announcements of a shop to many people at once: maintenance, for instance. */
export const announcementRoutes: Routes = (app, { areas }) => {
  app.route({
    method: 'POST',
    url,
    config: writing,
    schema: {
      tags,
      summary:
        'Send an announcement to all customers, or to those of some products, or save a draft',
      description:
        'It is sent in batches; `told` counts the recipients. Each is notified once, by mail only with consent. With `publishAt` it is sent at that time, or remains a draft (null). 422 `publication_past`.',
      body: NewAnnouncement,
      response: { 201: Announcement, ...problems(422) },
    },
    async handler({ body, caller, now, db, tenantId, transact }, reply) {
      await assertProducts(areas, db, { tenantId, productIds: body.productIds ?? [] })
      const made = await transact((tx) => announce(tx, caller, body, now))
      return reply.code(201).send(viewOf(made))
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
    async handler({ db, tenantId, query }) {
      const { data, nextCursor } = await listAnnouncements(db, tenantId, query)
      return { data: data.map(viewOf), nextCursor }
    },
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
    async handler(request) {
      const announcement = await findAnnouncement(request.db, keyOf(request))
      if (!announcement) throw notFound('Announcement')
      return viewOf(announcement)
    },
  })
}

/** Drafts of announcements, their publication, and corrections of published ones. */
export const announcementDraftRoutes: Routes = (app, { areas }) => {
  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...writing, exists: (request) => findAnnouncement(request.db, keyOf(request)) },
    schema: {
      tags,
      summary: 'Change a draft, or correct a published announcement',
      description:
        'Of a published one only `texts` and `link` can change, otherwise 409 `announcement_published`, and people who were notified get no second notification. 422 `publication_past`.',
      params: IdParams,
      body: AnnouncementChange,
      response: { 200: Announcement, ...problems(404, 409, 422) },
    },
    async handler(request) {
      const { body, db, now, tenantId, transact } = request
      if (body.productIds)
        await assertProducts(areas, db, { tenantId, productIds: body.productIds })
      return transact(async (tx) => viewOf(await changeAnnouncement(tx, keyOf(request), body, now)))
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/publish`,
    config: writing,
    schema: {
      tags,
      summary: 'Publish a draft now',
      description: 'Also one with a planned time. 409 `announcement_published`.',
      params: IdParams,
      response: { 200: Announcement, ...problems(404, 409) },
    },
    handler: (request) =>
      request.transact(async (tx) =>
        viewOf(await publishAnnouncement(tx, keyOf(request), request.now)),
      ),
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: writing,
    schema: {
      tags,
      summary: 'Delete a draft of an announcement',
      description: 'Also one with a planned time. 409 `announcement_published`.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404, 409) },
    },
    handler: (request) => request.transact((tx) => deleteDraft(tx, keyOf(request))),
  })
}

/** The public announcements of a shop. */
export const newsRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/news',
    config: { access: 'public' },
    schema: {
      tags: ['System'],
      summary: 'List the news of the shop: its public announcements, the last published first',
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
function newsIn(
  { id, texts, link, createdAt, publishedAt }: AnnouncementRow,
  { locale, shopLocale }: Wanted,
) {
  const [language, said] = textFor(texts, locale, shopLocale) ?? [locale, { title: '', body: '' }]
  return { id, language, ...said, link, createdAt, publishedAt: publishedAt ?? createdAt }
}
