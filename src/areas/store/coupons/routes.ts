import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { existing } from '../paths.ts'
import { couponCodeOf } from '../pricing/coupons.ts'
import { changeCoupon, createCoupon, removeCoupon } from './actions.ts'
import { findCoupon, listCoupons } from './queries.ts'
import { Coupon, CouponChange, NewCoupon } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const CouponQuery = Type.Object({
  ...PageQuery.properties,
  code: Type.Optional(Type.String({ maxLength: 100 })),
})

/** What administrators do with coupons. */
export const couponRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/coupons',
    config: { access: 'admin', permission: 'store:read' },
    schema: {
      tags,
      summary: 'List coupons, newest first',
      querystring: CouponQuery,
      response: { 200: Page(Coupon) },
    },
    async handler({ query: { code, ...page }, tenantId, db }) {
      return listCoupons(db, { tenantId, ...(code && { code: couponCodeOf(code) }) }, page)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/coupons',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Create a coupon',
      body: NewCoupon,
      response: { 201: Coupon, ...problems(409) },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return transact((tx) => createCoupon(tx, caller, body, now))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/coupons/:id',
    config: { access: 'admin', permission: 'store:read' },
    schema: { tags, summary: 'Get a coupon', params: IdParams, response: { 200: Coupon } },
    async handler({ params, tenantId, db }) {
      const coupon = await findCoupon(db, { tenantId, ...params })
      if (!coupon) throw notFound('Coupon')
      return coupon
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/coupons/:id',
    config: { access: 'admin', permission: 'store:write', exists: existing(findCoupon) },
    schema: {
      tags,
      summary: 'Change a coupon for future orders',
      params: IdParams,
      body: CouponChange,
      response: { 200: Coupon, ...problems(404, 409) },
    },
    async handler({ params, body, tenantId, transact }) {
      return transact((tx) => changeCoupon(tx, { tenantId, ...params }, body))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/coupons/:id',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Delete a coupon; existing orders keep their discount',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params, tenantId, now, transact }) {
      return transact((tx) => removeCoupon(tx, { tenantId, ...params }, now))
    },
  })
}
