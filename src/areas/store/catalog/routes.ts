import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import { IdParams, Page, Slug } from '#lib/schema.ts'
import { findEgg, type PanelDeps, shownLocation } from '#panel'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { billingProfileOf } from '#users'
import { findShownCategory, listShownCategories } from '../categories/queries.ts'
import { shownCategory } from '../categories/rules.ts'
import { ShownCategory } from '../categories/schema.ts'
import { assertCountry } from '../checks.ts'
import { locationsOfProducts } from '../locations/queries.ts'
import { type ProductRoom, roomOfProducts } from '../locations/room.ts'
import { offeredAmong, type PricedLocation } from '../locations/rules.ts'
import { formOptionsOf } from '../options/form.ts'
import { brokenIn } from '../options/offer.ts'
import { optionsOf } from '../options/queries.ts'
import {
  findProductSold,
  findProductSoldBySlug,
  listShownProducts,
  type ProductRow,
  withPlans,
} from '../products/queries.ts'
import { taxContextOf, taxCustomerOf, taxHomeOf } from '../tax.ts'
import { readerLocale } from '../translations/rules.ts'
import { upgradeTargetsOf } from '../upgrades.ts'
import { orderFormOf, showingFor, surchargesOf, totalsFor } from './rules.ts'
import {
  CatalogProduct,
  CatalogQuery,
  CategoryQuery,
  OrderableProduct,
  PlaceQuery,
} from './schema.ts'

const tags: Tag[] = ['Store']
const ItemParams = Type.Object({ idOrSlug: Slug })

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
    async handler(request) {
      const { query, tenantId, db } = request
      const categories = await listShownCategories(db, tenantId, query)
      const locale = readerLocale(request)
      return { ...categories, data: categories.data.map((it) => shownCategory(it, locale)) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/store/categories/:idOrSlug',
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'Get a category of the shop',
      params: ItemParams,
      response: { 200: ShownCategory },
    },
    async handler(request) {
      const { params, tenantId, db } = request
      const category = await findShownCategory(db, { tenantId, ...params })
      if (!category) throw notFound('Category')
      return shownCategory(category, readerLocale(request))
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
      const { categoryId, country, currency, room, ...page } = query
      const where = { tenantId, ...(categoryId && { categoryId }) }
      const [products, terms] = await Promise.all([
        listShownProducts(db, where, page),
        termsOf(request),
      ])
      const rooms = room ? await roomsOf(deps, request, products.data) : null
      const data = await shown(request, products.data, { ...terms, country, currency, rooms })
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
      params: ItemParams,
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
      if (!product) throw notFound('Product')
      const { id, provisioning, taxRateId } = product
      const [rooms, egg, options] = await Promise.all([
        roomsOf(deps, request, [product]),
        eggId ? findEgg(db, { tenantId, id: eggId }) : undefined,
        optionsOf(db, tenantId, [id]),
      ])
      const { context, views } = await shownWith(request, [product], { ...terms, ...query, rooms })
      const [complete] = views
      if (!complete) throw notFound('Product')
      const { locations: offered = [], byLocation } = rooms.get(id) ?? {}
      const locations = offered.map((location) => ({
        ...shownLocation(location),
        room: byLocation?.get(location.id) ?? 'unknown',
        prices: surchargesOf(location, complete.plans, query.currency),
      }))
      const asked = formOptionsOf(options.get(id) ?? [], {
        sold: complete.plans,
        totalOf: totalsFor(context, taxRateId),
        isBroken: brokenIn(provisioning, egg),
        locale: readerLocale(request),
      })
      const form = orderFormOf(egg, provisioning)
      return { ...complete, orderForm: { ...form, options: asked, locations } }
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
      const data = await shown(request, targets, { ...terms, ...query, rooms: null })
      return { data, nextCursor: null }
    },
  })
}

type Rooms = ReadonlyMap<string, ProductRoom & { readonly locations: readonly PricedLocation[] }>

/** The locations in which products are sold, with the room for one more server of each product. */
async function roomsOf(
  deps: PanelDeps,
  { tenantId, db, now }: FastifyRequest,
  products: readonly ProductRow[],
): Promise<Rooms> {
  const known = await locationsOfProducts(db, tenantId, products)
  const offered = products.map(({ id, provisioning, locationIds }) => ({
    ...{ id, provisioning },
    locations: offeredAmong(locationIds, known),
  }))
  const rooms = await roomOfProducts(deps, db, { tenantId, products: offered }, now)
  return new Map(
    offered.map(({ id, locations }) => {
      const { room = null, byLocation = new Map() } = rooms.get(id) ?? {}
      return [id, { room, byLocation, locations }]
    }),
  )
}

type Place = { country?: string | undefined; currency?: string | undefined }

/** What prices depend on besides the products: the seller, and who the visitor is. */
async function termsOf({ visitor, tenantId, db }: FastifyRequest) {
  const [home, person] = await Promise.all([
    taxHomeOf(db, tenantId),
    visitor?.kind === 'user' ? billingProfileOf(db, visitor) : undefined,
  ])
  return { home, person }
}

type Terms = Awaited<ReturnType<typeof termsOf>> & { readonly rooms: Rooms | null }

/** Products as this visitor sees them. */
async function shown(
  request: FastifyRequest,
  products: readonly ProductRow[],
  terms: Terms & Place,
) {
  return (await shownWith(request, products, terms)).views
}

/**
 * Products as this visitor sees them, and their tax: where they live, else in the country they name, else at
 * home.
 */
async function shownWith(
  request: FastifyRequest,
  products: readonly ProductRow[],
  { home, person, country, currency, rooms }: Terms & Place,
) {
  const { tenantId, db, now } = request
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
  const show = showingFor(context, { currency, locale: readerLocale(request) })
  const views = complete.map((product) => show(product, rooms?.get(product.id)?.room ?? null))
  return { context, views }
}
