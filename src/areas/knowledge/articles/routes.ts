import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, Id, IdParams, NoBody, Page, PageQuery } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { archiveArticle, changeArticle, createArticle, restoreArticle } from './actions.ts'
import {
  type ArticleKey,
  type ArticleRow,
  findAnyArticle,
  findArticle,
  listArticles,
  listLanguages,
} from './queries.ts'
import { articleViews } from './rules.ts'
import { Article, ArticleChange, NewArticle } from './schema.ts'

const tags: Tag[] = ['Admin - Knowledge']
const url = '/v1/admin/articles'
const reading = { access: 'admin', permission: 'articles:read' } as const
const writing = { access: 'admin', permission: 'articles:write' } as const

function keyOf({ tenantId, params }: FastifyRequest): ArticleKey {
  return { tenantId, id: (params as { id: string }).id }
}

async function viewsOf(db: Db, tenantId: string, rows: readonly ArticleRow[]) {
  const ids = rows.map(({ id }) => id)
  return articleViews(rows, await listLanguages(db, tenantId, ids))
}

async function viewOf(db: Db, row: ArticleRow) {
  const [view] = await viewsOf(db, row.tenantId, [row])
  if (!view) throw notFound('Article')
  return view
}

/** What staff do with help articles, besides writing them. */
export const articleRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List help articles in their order, or archived ones',
      querystring: Type.Object({
        ...PageQuery.properties,
        categoryId: Type.Optional(Id),
        archived: Type.Optional(Type.Boolean({ description: 'Only archived ones' })),
      }),
      response: { 200: Page(Article) },
    },
    async handler({ db, tenantId, query: { categoryId, archived = false, ...page } }) {
      const found = await listArticles(db, { tenantId, categoryId, archived }, page)
      return { ...found, data: await viewsOf(db, tenantId, found.data) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: writing,
    schema: {
      tags,
      summary: 'Add a help article',
      description:
        'It has no text yet: write one with `PUT /v1/admin/articles/{id}/texts/{locale}`.',
      body: NewArticle,
      response: { 201: Article },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return transact(async (tx) => viewOf(tx, await createArticle(tx, caller, body, now)))
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: {
      tags,
      summary: 'Get a help article with its languages',
      params: IdParams,
      response: { 200: Article },
    },
    async handler(request) {
      const article = await findArticle(request.db, keyOf(request))
      if (!article) throw notFound('Article')
      return viewOf(request.db, article)
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...writing, exists: (request) => findArticle(request.db, keyOf(request)) },
    schema: {
      tags,
      summary: 'Move a help article, or change who reads it',
      description: 'It counts at once, for published texts too.',
      params: IdParams,
      body: ArticleChange,
      response: { 200: Article, ...problems(404) },
    },
    handler: (request) =>
      request.transact(async (tx) =>
        viewOf(tx, await changeArticle(tx, keyOf(request), request.body)),
      ),
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: writing,
    schema: {
      tags,
      summary: 'Archive a help article',
      description: 'All its languages are withdrawn; drafts and versions stay.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    handler: (request) => request.transact((tx) => archiveArticle(tx, keyOf(request), request.now)),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/restore`,
    config: { ...writing, exists: (request) => findAnyArticle(request.db, keyOf(request)) },
    schema: {
      tags,
      summary: 'Bring an archived help article back',
      description:
        'Readers see it when it is published again. Its category is brought back with it. One that is not archived stays as it is.',
      params: IdParams,
      body: NoBody,
      response: { 200: Article, ...problems(404) },
    },
    handler: (request) =>
      request.transact(async (tx) => {
        const key = keyOf(request)
        const article = await findAnyArticle(tx, key)
        if (!article) throw notFound('Article')
        return viewOf(tx, await restoreArticle(tx, key, article.categoryId))
      }),
  })
}
