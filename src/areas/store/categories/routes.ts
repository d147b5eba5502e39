import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { existing } from '../paths.ts'
import { changeCategory, createCategory, removeCategory } from './actions.ts'
import { findCategory, listCategories } from './queries.ts'
import { Category, CategoryChange, NewCategory } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']

/** What administrators do with categories. */
export const categoryRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/categories',
    config: { access: 'admin', permission: 'store:read' },
    schema: {
      tags,
      summary: 'List categories, newest first',
      querystring: PageQuery,
      response: { 200: Page(Category) },
    },
    async handler({ query, tenantId, db }) {
      return listCategories(db, tenantId, query)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/categories',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Create a category',
      body: NewCategory,
      response: { 201: Category, ...problems(409) },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return transact((tx) => createCategory(tx, caller, body, now))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/categories/:id',
    config: { access: 'admin', permission: 'store:read' },
    schema: { tags, summary: 'Get a category', params: IdParams, response: { 200: Category } },
    async handler({ params, tenantId, db }) {
      const category = await findCategory(db, { tenantId, id: params.id })
      if (!category) throw notFound('Category')
      return category
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/categories/:id',
    config: { access: 'admin', permission: 'store:write', exists: existing(findCategory) },
    schema: {
      tags,
      summary: 'Change a category',
      params: IdParams,
      body: CategoryChange,
      response: { 200: Category, ...problems(404, 409) },
    },
    async handler({ params, body, tenantId, transact }) {
      return transact((tx) => changeCategory(tx, { tenantId, ...params }, body))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/categories/:id',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Delete a category; its products stay, without one',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params, tenantId, transact }) {
      return transact((tx) => removeCategory(tx, { tenantId, ...params }))
    },
  })
}
