import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import { IdParams, Page, Slug } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { billingProfileOf } from '#users'
import { listShownCategories } from '../categories/queries.ts'
import { Category } from '../categories/schema.ts'
import { assertCountry } from '../checks.ts'
import {
  findProductBySlug,
  findProductOnSale,
  listShownProducts,
  type ProductRow,
  withPlans,
} from '../products/queries.ts'
import { taxContextOf, taxCustomerOf } from '../tax.ts'
import { upgradeTargetsOf } from '../upgrades.ts'
import { showingFor } from './rules.ts'
import { CatalogProduct, CatalogQuery, CategoryQuery, PlaceQuery } from './schema.ts'

const tags: Tag[] = ['Store']
const ProductParams = Type.Object({ idOrSlug: Slug })

/** What anybody may see of the shop. */
export const catalogRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/store/categories',
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'List the categories of the shop, as they were arranged',
      querystring: CategoryQuery,
      response: { 200: Page(Category) },
    },
    async handler({ query, tenantId, db }) {
      return listShownCategories(db, tenantId, query)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/store/products',
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'List the products of the shop with their plans, taxed for the visitor',
      querystring: CatalogQuery,
      response: { 200: Page(CatalogProduct), ...problems(422) },
    },
    async handler(request) {
      const { query, tenantId, db } = request
      const { categoryId, country, currency, ...page } = query
      const where = { tenantId, ...(categoryId && { categoryId }) }
      const products = await listShownProducts(db, where, page)
      return { ...products, data: await shown(request, products.data, { country, currency }) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/store/products/:idOrSlug',
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'Get a product of the shop; hidden ones too, for whoever has the link',
      params: ProductParams,
      querystring: PlaceQuery,
      response: { 200: CatalogProduct, ...problems(422) },
    },
    async handler(request) {
      const { params, query, tenantId, db } = request
      const { idOrSlug } = params
      const product = isId(idOrSlug)
        ? await findProductOnSale(db, { tenantId, id: idOrSlug })
        : await findProductBySlug(db, { tenantId, slug: idOrSlug })
      const [complete] = product ? await shown(request, [product], query) : []
      if (!complete) throw notFound('Product')
      return complete
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/store/products/:id/upgrade-targets',
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'List the products that a service on this one may upgrade to',
      params: IdParams,
      querystring: PlaceQuery,
      response: { 200: Page(CatalogProduct), ...problems(422) },
    },
    async handler(request) {
      const { params, query, tenantId, db } = request
      const targets = await upgradeTargetsOf(db, { tenantId, productId: params.id })
      if (!targets) throw notFound('Product')
      return { data: await shown(request, targets, query), nextCursor: null }
    },
  })
}

type Place = { country?: string | undefined; currency?: string | undefined }

/** Products as this visitor sees them: taxed where they live, else where they say, else at home. */
async function shown(
  { visitor, tenantId, db, now }: FastifyRequest,
  products: readonly ProductRow[],
  { country, currency }: Place,
) {
  if (country !== undefined) assertCountry(country)
  const person = visitor?.kind === 'user' ? await billingProfileOf(db, visitor) : undefined
  const there = country
    ? ({ country, postcode: null, vatNumber: null, vatStatus: 'none' } as const)
    : null
  const context = await taxContextOf(db, {
    tenantId,
    customer: taxCustomerOf(person) ?? there,
    taxRateIds: products.map(({ taxRateId }) => taxRateId),
    at: now,
  })
  const complete = await withPlans(db, tenantId, products)
  return complete.map(showingFor(context, currency))
}
