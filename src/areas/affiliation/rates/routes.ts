import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { newId } from '#lib/id.ts'
import type { Cents } from '#lib/money.ts'
import { notFound } from '#lib/problem.ts'
import {
  Amount,
  Body,
  Currency,
  Deleted,
  Id,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Price,
  Rate,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findProduct } from '#store'
import { sellerOf } from '#tenants'
import { deleteRate, findRate, listRates, upsertRate } from './queries.ts'
import { completeRate } from './rules.ts'

const tags: Tag[] = ['Affiliation']
const read = { access: 'admin', permission: 'affiliation:read' } as const
const write = { access: 'admin', permission: 'affiliation:write' } as const
const ProductParams = Type.Object({ productId: Id })

const NewRate = Body({
  type: OneOf(['percent', 'fixed']),
  percentBasisPoints: Type.Optional(Nullable(Rate)),
  amountCents: Type.Optional(
    Type.Unsafe<Cents | null>({
      ...Nullable(Price),
      description: 'For each unit; never more than the net amount that came in for it',
    }),
  ),
  currency: Type.Optional(Nullable(Currency)),
})

const ProductRate = Resource('CommissionRate', {
  id: Id,
  productId: Id,
  type: OneOf(['percent', 'fixed']),
  percentBasisPoints: Nullable(Type.Integer()),
  amountCents: Nullable(Amount),
  currency: Nullable(Currency),
  createdAt: Timestamp,
})

function exists({ db, tenantId, params }: FastifyRequest) {
  return findProduct(db, { tenantId, id: (params as { productId: string }).productId })
}

/** The commission rates of single products. */
export const rateRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/commission-rates',
    config: read,
    schema: {
      tags,
      summary: 'List the products that earn another commission than the usual one',
      querystring: PageQuery,
      response: { 200: Page(ProductRate) },
    },
    handler: async ({ query, tenantId, db }) => listRates(db, tenantId, query),
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/commission-rates/:productId',
    config: read,
    schema: {
      tags,
      summary: 'Get the commission of a product; 404 for one that earns the usual commission',
      params: ProductParams,
      response: { 200: ProductRate, ...problems(404) },
    },
    async handler({ params: { productId }, tenantId, db }) {
      const rate = await findRate(db, { tenantId, productId })
      if (!rate) throw notFound('Commission rate')
      return rate
    },
  })

  app.route({
    method: 'PUT',
    url: '/v1/admin/commission-rates/:productId',
    config: { ...write, exists },
    schema: {
      tags,
      summary: 'Set the commission of a product, for future payments',
      description: 'Commissions that were earned stay. 404 for an unknown product.',
      params: ProductParams,
      body: NewRate,
      response: { 200: ProductRate, ...problems(404) },
    },
    async handler({ params: { productId }, body, tenantId, db, now, transact }) {
      if (!(await findProduct(db, { tenantId, id: productId }))) throw notFound('Product')
      const rate = completeRate(body, (await sellerOf(db, tenantId)).currency)
      const row = { tenantId, id: newId(), productId, ...rate, createdAt: now }
      return transact((tx) => upsertRate(tx, row))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/commission-rates/:productId',
    config: write,
    schema: {
      tags,
      summary: 'Let a product earn the usual commission again',
      description: 'Commissions that were earned stay.',
      params: ProductParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params: { productId }, tenantId, transact }) {
      const gone = await transact((tx) => deleteRate(tx, { tenantId, productId }))
      if (!gone) throw notFound('Commission rate')
      return { id: productId, deleted: true }
    },
  })
}
