import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import { IdParams, Page, Slug } from '#lib/schema.ts'
import type { Instant } from '#lib/time.ts'
import { findEgg, type PanelDeps, shownLocation } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { billingProfileOf } from '#users'
import { listShownCategories } from '../categories/queries.ts'
import { categoryView } from '../categories/rules.ts'
import { ShownCategory } from '../categories/schema.ts'
import { assertCountry } from '../checks.ts'
import { locationsOfProducts } from '../locations/queries.ts'
import { buildKey, roomFor } from '../locations/room.ts'
import { offeredAmong } from '../locations/rules.ts'
import {
  findProductSold,
  findProductSoldBySlug,
  listShownProducts,
  type ProductRow,
  withPlans,
} from '../products/queries.ts'
import { taxContextOf, taxCustomerOf, taxHomeOf } from '../tax.ts'
import { upgradeTargetsOf } from '../upgrades.ts'
import { orderFormOf, showingFor } from './rules.ts'
import {
  CatalogProduct,
  CatalogQuery,
  CategoryQuery,
  OrderableProduct,
  type OrderForm,
  PlaceQuery,
} from './schema.ts'

const tags: Tag[] = ['Store']
const ProductParams = Type.Object({ idOrSlug: Slug })

/** What anybody may see of the shop. */
export const catalogRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/store/categories',
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'List the categories of the shop, as they were arranged',
      querystring: CategoryQuery,
      response: { 200: Page(ShownCategory) },
    },
    async handler({ query, tenantId, db }) {
      const categories = await listShownCategories(db, tenantId, query)
      return { ...categories, data: categories.data.map(categoryView) }
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
      const [products, terms] = await Promise.all([
        listShownProducts(db, where, page),
        termsOf(request),
      ])
      const data = await shown(request, products.data, { ...terms, country, currency })
      return { ...products, data }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/store/products/:idOrSlug',
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'Get a product of the shop; hidden products too, for visitors with the link',
      params: ProductParams,
      querystring: PlaceQuery,
      response: { 200: OrderableProduct, ...problems(422) },
    },
    async handler(request) {
      const { params, query, tenantId, db } = request
      const { idOrSlug } = params
      const [product, terms] = await Promise.all([
        isId(idOrSlug)
          ? findProductSold(db, { tenantId, id: idOrSlug })
          : findProductSoldBySlug(db, { tenantId, slug: idOrSlug }),
        termsOf(request),
      ])
      const eggId = product?.provisioning?.eggId
      const [[complete], egg] = await Promise.all([
        product ? shown(request, [product], { ...terms, ...query }) : [],
        eggId ? findEgg(db, { tenantId, id: eggId }) : undefined,
      ])
      if (!product || !complete) throw notFound('Product')
      const locations = await offeredLocations(deps, db, product, request.now)
      const form = orderFormOf(egg, product.provisioning)
      return { ...complete, orderForm: { ...form, locations } }
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
      const [targets, terms] = await Promise.all([
        upgradeTargetsOf(db, { tenantId, productId: params.id }),
        termsOf(request),
      ])
      if (!targets) throw notFound('Product')
      return { data: await shown(request, targets, { ...terms, ...query }), nextCursor: null }
    },
  })
}

/** Where a product is sold, with the room that there is for a server of it. */
async function offeredLocations(
  deps: PanelDeps,
  db: Db,
  { tenantId, id: productId, provisioning, locationIds }: ProductRow,
  now: Instant,
): Promise<OrderForm['locations']> {
  const known = await locationsOfProducts(db, tenantId, [{ locationIds }])
  const offered = offeredAmong(locationIds, known)
  const wanted = offered.map(({ id }) => ({ productId, provisioning, locationId: id }))
  const room = await roomFor(deps, db, { tenantId, wanted }, now)
  return offered.map((location) => ({
    ...shownLocation(location),
    room: room.get(buildKey({ productId, locationId: location.id })) ?? 'unknown',
  }))
}

type Place = { country?: string | undefined; currency?: string | undefined }

/** What a visitor is shown depends on, whatever the products: who sells, and who they are. */
async function termsOf({ visitor, tenantId, db }: FastifyRequest) {
  const [home, person] = await Promise.all([
    taxHomeOf(db, tenantId),
    visitor?.kind === 'user' ? billingProfileOf(db, visitor) : undefined,
  ])
  return { home, person }
}

type Terms = Awaited<ReturnType<typeof termsOf>>

/** Products as this visitor sees them: taxed where they live, else where they say, else at home. */
async function shown(
  { tenantId, db, now }: FastifyRequest,
  products: readonly ProductRow[],
  { home, person, country, currency }: Terms & Place,
) {
  if (country !== undefined) assertCountry(country)
  const there = country
    ? ({ country, postcode: null, vatNumber: null, vatStatus: 'none' } as const)
    : null
  const sale = {
    ...{ tenantId, home, at: now },
    customer: taxCustomerOf(person) ?? there,
    taxRateIds: products.map(({ taxRateId }) => taxRateId),
  }
  const [context, complete] = await Promise.all([
    taxContextOf(db, sale),
    withPlans(db, tenantId, products),
  ])
  return complete.map(showingFor(context, currency))
}
