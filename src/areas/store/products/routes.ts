import { Type } from 'typebox'
import { type Detail, notFound } from '#lib/problem.ts'
import { Deleted, Id, IdParams, Page, PageQuery } from '#lib/schema.ts'
import { provisioningFaults } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { existing } from '../paths.ts'
import { bulkUpdateTaxRate, changeProduct, createProduct, removeProduct } from './actions.ts'
import { findProductOnSale, listProducts, type ProductRow, withPlans } from './queries.ts'
import { BulkTaxRate, BulkUpdated, NewProduct, Product, ProductChange } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const ProductQuery = Type.Object({ ...PageQuery.properties, categoryId: Type.Optional(Id) })

/** What administrators do with products. */
export const productRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/products',
    config: { access: 'admin', permission: 'store:read' },
    schema: {
      tags,
      summary: 'List products with their plans, hidden ones too, newest first',
      querystring: ProductQuery,
      response: { 200: Page(Product) },
    },
    async handler({ query: { categoryId, ...page }, tenantId, db }) {
      const products = await listProducts(db, { tenantId, ...(categoryId && { categoryId }) }, page)
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
      summary: 'Create a product',
      body: NewProduct,
      response: { 201: Product, ...problems(409) },
    },
    async handler({ body, caller, tenantId, db, now, transact }, reply) {
      reply.code(201)
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
      body: BulkTaxRate,
      response: { 200: BulkUpdated },
    },
    async handler({ body, caller, transact }) {
      return transact((tx) => bulkUpdateTaxRate(tx, caller, body))
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
      params: IdParams,
      body: ProductChange,
      response: { 200: Product, ...problems(404, 409) },
    },
    async handler({ params, body, tenantId, db, now, transact }) {
      const key = { tenantId, ...params }
      const product = await transact((tx) => changeProduct(tx, key, body, now))
      return withFault(db, tenantId, product)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/products/:id',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Delete a product and its plans; services that have it keep it',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params, tenantId, now, transact }) {
      return transact((tx) => removeProduct(tx, { tenantId, ...params }, now))
    },
  })
}

/** Products with what keeps each of them from being sold: one query for all. */
async function withFaults<P extends Pick<ProductRow, 'provisioning' | 'sellableSince'>>(
  db: Db,
  tenantId: string,
  products: readonly P[],
) {
  const faults = await provisioningFaults(
    db,
    tenantId,
    products.map(({ provisioning }) => provisioning),
  )
  return products.map((product, index) => shownWith(product, faults[index]))
}

async function withFault<P extends Pick<ProductRow, 'provisioning' | 'sellableSince'>>(
  db: Db,
  tenantId: string,
  product: P,
) {
  const [faults] = await provisioningFaults(db, tenantId, [product.provisioning])
  return shownWith(product, faults)
}

function shownWith<P extends Pick<ProductRow, 'sellableSince'>>(
  product: P,
  provisioningFaults: Detail[] = [],
) {
  return { ...product, sellable: product.sellableSince !== null, provisioningFaults }
}
