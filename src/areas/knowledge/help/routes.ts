import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { LOCALES } from '#lib/languages.ts'
import { forbidden, notFound } from '#lib/problem.ts'
import { Id, IdParams, Page, PageQuery } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { preferredOf } from '#platform/pages/locale.ts'
import { brandOf } from '#tenants'
import { answer } from '../feedback/actions.ts'
import { visitorOf } from '../feedback/rules.ts'
import {
  findArticleId,
  findShownCategory,
  listLiveTexts,
  listShownArticles,
  listShownCategories,
  type Reader,
  searchArticles,
} from './queries.ts'
import { audiencesFor, shownArticle, shownArticles, shownCategory, type Wanted } from './rules.ts'
import {
  Feedback,
  HelpArticle,
  HelpArticleSummary,
  HelpCategory,
  HelpSearchQuery,
  ItemParams,
  NewFeedback,
} from './schema.ts'

const tags: Tag[] = ['Knowledge']
const reading = { access: 'public', impersonation: 'allowed' } as const

function readerOf({ tenantId, visitor }: FastifyRequest): Reader {
  return { tenantId, audiences: audiencesFor(visitor) }
}

/** The language of `Accept-Language`, else that of the shop. */
async function wantedBy({ headers, tenantId }: FastifyRequest, db: Db): Promise<Wanted> {
  const { locale: shopLocale } = await brandOf(db, tenantId)
  const header = headers['accept-language']
  const asked = header === undefined ? null : preferredOf({ asked: null, header, spoken: LOCALES })
  const locale = LOCALES.find((it) => it === asked)
  return { locale: locale ?? shopLocale ?? 'en', shopLocale }
}

/** The help articles of a shop, for everyone. */
export const helpRoutes: Routes = (app, { secrets }) => {
  app.route({
    method: 'GET',
    url: '/v1/knowledge/categories',
    config: reading,
    schema: {
      tags,
      summary: 'List the categories of help articles that the caller can read, in their order',
      querystring: PageQuery,
      response: { 200: Page(HelpCategory) },
    },
    async handler(request) {
      const { db, query } = request
      const wanted = await wantedBy(request, db)
      const found = await listShownCategories(db, readerOf(request), query)
      return { ...found, data: found.data.map((it) => shownCategory(it, wanted)) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/knowledge/categories/:idOrSlug',
    config: reading,
    schema: {
      tags,
      summary: 'Get a category of help articles',
      description: 'Also by a slug that it had before.',
      params: ItemParams,
      response: { 200: HelpCategory },
    },
    async handler(request) {
      const { db, params } = request
      const category = await findShownCategory(db, readerOf(request), params.idOrSlug)
      if (!category) throw notFound('Category')
      return shownCategory(category, await wantedBy(request, db))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/knowledge/articles',
    config: reading,
    schema: {
      tags,
      summary: 'List the help articles that the caller can read, in their order',
      description: 'Each in the language of `Accept-Language`, or in the nearest one that it has.',
      querystring: Type.Object({ ...PageQuery.properties, categoryId: Type.Optional(Id) }),
      response: { 200: Page(HelpArticleSummary) },
    },
    async handler(request) {
      const { db, query } = request
      const reader = readerOf(request)
      const { data, nextCursor } = await listShownArticles(db, reader, query)
      const ids = data.map(({ id }) => id)
      const texts = await listLiveTexts(db, reader, ids)
      return { data: shownArticles(ids, texts, await wantedBy(request, db)), nextCursor }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/knowledge/articles/:idOrSlug',
    config: reading,
    schema: {
      tags,
      summary: 'Get a help article',
      description:
        'In the language of `Accept-Language`, or in the nearest one that it has. Also by a slug that it had before.',
      params: ItemParams,
      response: { 200: HelpArticle },
    },
    async handler(request) {
      const { db, params, tenantId } = request
      const reader = readerOf(request)
      const id = await findArticleId(db, tenantId, params.idOrSlug)
      const texts = id === undefined ? [] : await listLiveTexts(db, reader, [id])
      const wanted = await wantedBy(request, db)
      const article = shownArticle(texts, wanted)
      const category = article && (await findShownCategory(db, reader, article.categoryId))
      if (!article || !category) throw notFound('Article')
      return { ...article, category: shownCategory(category, wanted) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/knowledge/search',
    config: reading,
    schema: {
      tags,
      summary: 'Search the help articles that the caller can read',
      description:
        'In the language of `Accept-Language`; where it finds none, in that of the shop. Articles with all words come first. If no article has all, those with any of the words, or words that begin like them, are found. Nothing of a search is stored.',
      querystring: HelpSearchQuery,
      response: { 200: Type.Object({ data: Type.Array(HelpArticleSummary) }) },
    },
    async handler(request) {
      const { db, query } = request
      const { q: terms, limit = 10 } = query
      const reader = readerOf(request)
      const { locale, shopLocale } = await wantedBy(request, db)
      for (const language of new Set([locale, shopLocale ?? locale])) {
        const ids = await searchArticles(db, reader, { terms, locale: language, limit })
        const texts = await listLiveTexts(db, reader, ids)
        const data = shownArticles(ids, texts, { locale: language, shopLocale })
        if (data.length > 0) return { data }
      }
      return { data: [] }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/knowledge/articles/:id/feedback',
    config: {
      access: 'public',
      exists: async (request) => {
        const { id } = request.params as { id: string }
        return (await listLiveTexts(request.db, readerOf(request), [id])).length > 0
      },
    },
    schema: {
      tags,
      summary: 'Say whether a help article helped',
      description:
        'One answer for each version that is published: by account, or by network and day for visitors. A further one replaces it. 429 `limit_reached` after ten articles in an hour.',
      params: IdParams,
      body: NewFeedback,
      response: { 200: Feedback, ...problems(403, 404) },
    },
    async handler(request) {
      const { db, params, body, visitor: caller, tenantId, now } = request
      if (caller?.impersonatorId) {
        throw forbidden('This is not available while you act as another person.', 'impersonated')
      }
      const texts = await listLiveTexts(db, readerOf(request), [params.id])
      const text = texts.find(({ locale }) => locale === body.language)
      if (!text) throw notFound('Article')
      const userId = caller?.kind === 'user' ? caller.userId : null
      const visitor =
        userId === null ? visitorOf(secrets, { tenantId, address: request.ip, now }) : null
      const given = { versionId: text.versionId, helpful: body.helpful }
      return request.transact((tx) => answer(tx, { tenantId, userId, visitor }, given, now))
    },
  })
}
