import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, NoBody, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { existing } from '../paths.ts'
import { ArchivedQuery } from '../schema.ts'
import { changeCategory, createCategory, removeCategory, restoreCategory } from './actions.ts'
import { findAnyCategory, findCategory, listCategories } from './queries.ts'
import { categoryView } from './rules.ts'
import { Category, CategoryChange, NewCategory } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const CategoryQuery = Type.Object({ ...PageQuery.properties, ...ArchivedQuery })

/** What administrators do with categories. */
export const categoryRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/categories',
    config: { access: 'admin', permission: 'store:read' },
    schema: {
      tags,
      summary: 'List categories, newest first; or archived ones',
      querystring: CategoryQuery,
      response: { 200: Page(Category) },
    },
    async handler({ query: { archived = false, ...page }, tenantId, db }) {
      const categories = await listCategories(db, { tenantId, archived }, page)
      return { ...categories, data: categories.data.map(categoryView) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/categories',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Create a category',
      description:
        'Without `slug` it is made of the name. 409 `slug_taken`, also for the address of a page of the shop.',
      body: NewCategory,
      response: { 201: Category, ...problems(409) },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return categoryView(await transact((tx) => createCategory(tx, caller, body, now)))
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
      return categoryView(category)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/categories/:id',
    config: { access: 'admin', permission: 'store:write', exists: existing(findCategory) },
    schema: {
      tags,
      summary: 'Change a category',
      description: 'A new slug changes the address of its page. 409 `slug_taken`.',
      params: IdParams,
      body: CategoryChange,
      response: { 200: Category, ...problems(404, 409) },
    },
    async handler({ params, body, tenantId, transact }) {
      const key = { tenantId, ...params }
      return categoryView(await transact((tx) => changeCategory(tx, key, body)))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/categories/:id',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Delete a category; its products stay, without one',
      description: 'It is archived and can be restored with the products that it had.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params, tenantId, now, transact }) {
      return transact((tx) => removeCategory(tx, { tenantId, ...params }, now))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/categories/:id/restore',
    config: { access: 'admin', permission: 'store:write', exists: existing(findAnyCategory) },
    schema: {
      tags,
      summary: 'Restore an archived category, with the products that have no other one by now',
      description: '409 `slug_taken` if another category has its slug by now.',
      params: IdParams,
      body: NoBody,
      response: { 200: Category, ...problems(404, 409) },
    },
    async handler({ params, tenantId, transact }) {
      const key = { tenantId, ...params }
      return categoryView(await transact((tx) => restoreCategory(tx, key)))
    },
  })
}
