import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, Id, IdParams, NoBody, Page, PageQuery } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { orTry } from '#platform/http/bulk.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { assertUsable } from '#platform/webhooks/address.ts'
import { targetsOf } from '../delivery-targets/queries.ts'
import { type TargetRow, targetView } from '../delivery-targets/rules.ts'
import { imageOf, type Pictured } from '../images/rules.ts'
import { existing } from '../paths.ts'
import type { PlanRow } from '../plans/rules.ts'
import { ArchivedQuery } from '../schema.ts'
import { type Usage, usageOf } from '../usage.ts'
import {
  bulkUpdateTaxRate,
  changeProduct,
  createProduct,
  publishProduct,
  removeProduct,
  restoreProduct,
  unpublishProduct,
} from './actions.ts'
import { capacityOfProduct } from './capacity.ts'
import { duplicateProduct } from './duplicate.ts'
import { faultsOfProducts, type ProductFaults } from './faults.ts'
import {
  findProduct,
  findProductOnSale,
  listProducts,
  type ProductRow,
  withPlans,
} from './queries.ts'
import {
  BulkTaxRate,
  BulkUpdated,
  Capacity,
  Duplication,
  NewProduct,
  Product,
  ProductChange,
} from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const ProductQuery = Type.Object({
  ...PageQuery.properties,
  categoryId: Type.Optional(Id),
  ...ArchivedQuery,
})

/** What administrators do with products. */
export const productRoutes: Routes = (app, deps) => {
  const { areas, outbound } = deps
  const soldAmong = areas.find((area) => area.soldAmong)?.soldAmong

  /** Throws 422 for a delivery webhook whose address must not be called. */
  async function assertCallable(tenantId: string, { webhook }: ProductChange): Promise<void> {
    if (webhook) await assertUsable(webhook.url, outbound.for({ tenantId, purpose: 'webhook' }))
  }

  /**
   * Products with their delivery webhooks, and with what prevents each of them from being published and delivered:
   * one query each for all. `usage` is only for a single product: counting services is slow in a large shop.
   */
  async function withFaults<P extends Shown>(
    db: Db,
    tenantId: string,
    products: readonly P[],
    usage: Usage | null = null,
  ) {
    const ids = products.map(({ id }) => id)
    const [faults, targets] = await Promise.all([
      faultsOfProducts(db, tenantId, products),
      targetsOf(db, tenantId, ids),
    ])
    return products.map((product, index) =>
      shownWith(product, { faults: faults[index], target: targets.get(product.id), usage }),
    )
  }

  async function withFault<P extends Shown>(db: Db, tenantId: string, product: P) {
    const usage = await usageOf(areas, db, { tenantId, productId: product.id })
    const [shown] = await withFaults(db, tenantId, [product], usage)
    if (!shown) throw notFound('Product')
    return shown
  }

  app.route({
    method: 'GET',
    url: '/v1/admin/products',
    config: { access: 'admin', permission: 'store:read' },
    schema: {
      tags,
      summary: 'List products with their plans, hidden ones too, newest first; or archived ones',
      querystring: ProductQuery,
      response: { 200: Page(Product) },
    },
    async handler({ query: { categoryId, archived = false, ...page }, tenantId, db }) {
      const which = { tenantId, archived, ...(categoryId && { categoryId }) }
      const products = await listProducts(db, which, page)
      const data = await withPlans(db, tenantId, products.data)
      return { ...products, data: await withFaults(db, tenantId, data) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/products',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Create a product as a draft; publish it to sell it',
      description:
        'Without `slug` it is made of the name. It needs a plan and complete provisioning before it is published; `publishFaults` lists what is missing. 409 `slug_taken`, 400 for an unknown category, tax rate or egg.',
      body: NewProduct,
      response: { 201: Product, ...problems(409) },
    },
    async handler({ body, caller, tenantId, db, now, transact }, reply) {
      reply.code(201)
      await assertCallable(tenantId, body)
      const product = await transact((tx) => createProduct(tx, caller, body, now))
      return withFault(db, tenantId, product)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/products/bulk-tax-rate',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Give several products another tax rate, all or none of them',
      description:
        'Takes `productIds` or a `categoryId`; null is the standard rate. Issued invoices stay. With `dryRun` the change is tried and rolled back, and the answer is the expected result. 400 for an unknown id.',
      body: BulkTaxRate,
      response: { 200: BulkUpdated },
    },
    async handler({ body: { dryRun = false, ...change }, caller, transact }) {
      const result = await orTry(
        dryRun,
        (work) => transact(work),
        (tx) => bulkUpdateTaxRate(tx, caller, change),
      )
      return { dryRun, ...result }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/products/:id',
    config: { access: 'admin', permission: 'store:read' },
    schema: { tags, summary: 'Get a product', params: IdParams, response: { 200: Product } },
    async handler({ params, tenantId, db }) {
      const product = await findProductOnSale(db, { tenantId, ...params })
      const [complete] = product ? await withPlans(db, tenantId, [product]) : []
      if (!complete) throw notFound('Product')
      return withFault(db, tenantId, complete)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/products/:id',
    config: { access: 'admin', permission: 'store:write', exists: existing(findProductOnSale) },
    schema: {
      tags,
      summary: 'Change a product',
      description:
        'Counts for future orders; existing services keep what they were sold with. 409 `slug_taken`, and `delivery_fixed` for another delivery once a service was sold.',
      params: IdParams,
      body: ProductChange,
      response: { 200: Product, ...problems(404, 409) },
    },
    async handler({ params, body, tenantId, db, now, transact }) {
      const key = { tenantId, ...params }
      await assertCallable(tenantId, body)
      const product = await transact(async (tx) => {
        const sold = await soldAmong?.(tx, tenantId, [params.id])
        return changeProduct(tx, key, { ...body, isSold: sold?.has(params.id) ?? false }, now)
      })
      return withFault(db, tenantId, product)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/products/:id/publish',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary:
        'Publish a product, so that it is listed and sold; needs `publishFaults` to be empty',
      description:
        'A published product stays as it is. 422 `product_incomplete` names what is missing in `details`.',
      params: IdParams,
      response: { 200: Product, ...problems(404, 422) },
    },
    async handler({ params, tenantId, db, now, transact }) {
      const key = { tenantId, ...params }
      return withFault(db, tenantId, await transact((tx) => publishProduct(tx, key, now)))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/products/:id/unpublish',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary:
        'Make a product a draft, which is neither listed nor sold; services that have it go on',
      description: 'Items in carts can no longer be ordered. Publish it to sell it again.',
      params: IdParams,
      response: { 200: Product, ...problems(404) },
    },
    async handler({ params, tenantId, db, now, transact }) {
      const key = { tenantId, ...params }
      return withFault(db, tenantId, await transact((tx) => unpublishProduct(tx, key, now)))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/products/:id/capacity',
    config: { access: 'admin', permission: 'store:read' },
    schema: {
      tags,
      summary: 'Get how many more servers of a product its panels have room for',
      params: IdParams,
      response: { 200: Capacity, ...problems(404) },
    },
    async handler({ params, tenantId, db }) {
      const product = await findProductOnSale(db, { tenantId, ...params })
      if (!product) throw notFound('Product')
      return capacityOfProduct(deps, db, product)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/products/:id/restore',
    config: { access: 'admin', permission: 'store:write', exists: existing(findProduct) },
    schema: {
      tags,
      summary: 'Make an archived product a draft, with the plans that were archived with it',
      description:
        '409 `slug_taken` if another product has its slug by now, and `option_twice` if two groups of its options have the same key by now.',
      params: IdParams,
      body: NoBody,
      response: { 200: Product, ...problems(404, 409, 422) },
    },
    async handler({ params, tenantId, db, now, transact }) {
      const key = { tenantId, ...params }
      return withFault(db, tenantId, await transact((tx) => restoreProduct(tx, key, now)))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/products/:id/duplicate',
    config: { access: 'admin', permission: 'store:write', exists: existing(findProductOnSale) },
    schema: {
      tags,
      summary: 'Create a draft like a product, with another name',
      description:
        'Copied are its settings, plans with their prices, option groups, locations, badge, picture, and texts in other languages except names. A webhook of its delivery is not: its secret belongs to one product.',
      params: IdParams,
      body: Duplication,
      response: { 201: Product, ...problems(404) },
    },
    async handler({ body, params, tenantId, db, now, transact }, reply) {
      const key = { tenantId, ...params }
      const made = await transact((tx) => duplicateProduct(tx, key, body, now))
      return reply.code(201).send(await withFault(db, tenantId, made))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/products/:id',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Delete a product and its plans; services that have it keep it',
      description: 'It is archived with its plans, and can be restored. Services renew as before.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params, tenantId, now, transact }) {
      return transact((tx) => removeProduct(tx, { tenantId, ...params }, now))
    },
  })
}

type Shown = Pick<
  ProductRow,
  | 'id'
  | 'delivery'
  | 'provisioning'
  | 'instructions'
  | 'promiseHours'
  | 'sellableSince'
  | 'locationIds'
> &
  Pictured & { readonly plans: readonly PlanRow[] }

type Found = {
  faults: ProductFaults | undefined
  target: TargetRow | undefined
  usage: Usage | null
}

function shownWith<P extends Shown>(product: P, { faults, target, usage }: Found) {
  return {
    ...product,
    locations: product.locationIds,
    ...targetView(target),
    image: imageOf(product),
    plans: product.plans.map((plan) => ({
      ...plan,
      serviceCount: usage && (usage.plans.get(plan.id) ?? 0),
    })),
    serviceCount: usage?.total ?? null,
    sellable: product.sellableSince !== null,
    publishFaults: faults?.publishing ?? [],
    provisioningFaults: faults?.provisioning ?? [],
  }
}
