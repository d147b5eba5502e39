import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, NoBody, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { archiveCategory, changeCategory, createCategory, restoreCategory } from './actions.ts'
import { type CategoryKey, findAnyCategory, findCategory, listCategories } from './queries.ts'
import { ArticleCategory, ArticleCategoryChange, NewArticleCategory } from './schema.ts'

const tags: Tag[] = ['Admin - Knowledge']
const url = '/v1/admin/article-categories'
const reading = { access: 'admin', permission: 'articles:read' } as const
const writing = { access: 'admin', permission: 'articles:write' } as const

function keyOf({ tenantId, params }: FastifyRequest): CategoryKey {
  return { tenantId, id: (params as { id: string }).id }
}

/** What staff do with the categories of help articles. */
export const articleCategoryRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List the categories of help articles in their order, or archived ones',
      querystring: Type.Object({
        ...PageQuery.properties,
        archived: Type.Optional(Type.Boolean({ description: 'Only archived ones' })),
      }),
      response: { 200: Page(ArticleCategory) },
    },
    handler: ({ db, tenantId, query: { archived = false, ...page } }) =>
      listCategories(db, { tenantId, archived }, page),
  })

  app.route({
    method: 'POST',
    url,
    config: writing,
    schema: {
      tags,
      summary: 'Add a category of help articles',
      description:
        'Without `slug` it is made of the name. 409 `slug_taken` if another category or article has or had it.',
      body: NewArticleCategory,
      response: { 201: ArticleCategory, ...problems(409) },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return transact((tx) => createCategory(tx, caller, body, now))
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: {
      tags,
      summary: 'Get a category of help articles',
      params: IdParams,
      response: { 200: ArticleCategory },
    },
    async handler(request) {
      const category = await findCategory(request.db, keyOf(request))
      if (!category) throw notFound('Category')
      return category
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...writing, exists: (request) => findCategory(request.db, keyOf(request)) },
    schema: {
      tags,
      summary: 'Change a category of help articles',
      description: 'A former slug redirects to the new one. 409 `slug_taken`.',
      params: IdParams,
      body: ArticleCategoryChange,
      response: { 200: ArticleCategory, ...problems(404, 409) },
    },
    handler: (request) =>
      request.transact((tx) => changeCategory(tx, keyOf(request), request.body)),
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: writing,
    schema: {
      tags,
      summary: 'Archive a category without articles',
      description: '409 `category_in_use` while articles belong to it.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404, 409) },
    },
    handler: (request) =>
      request.transact((tx) => archiveCategory(tx, keyOf(request), request.now)),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/restore`,
    config: { ...writing, exists: (request) => findAnyCategory(request.db, keyOf(request)) },
    schema: {
      tags,
      summary: 'Use an archived category again',
      description: 'One that is not archived stays as it is.',
      params: IdParams,
      body: NoBody,
      response: { 200: ArticleCategory, ...problems(404) },
    },
    handler: (request) => request.transact((tx) => restoreCategory(tx, keyOf(request))),
  })
}
