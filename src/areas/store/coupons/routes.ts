import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, NoBody, Page, PageQuery } from '#lib/schema.ts'
import { orTry } from '#platform/http/bulk.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { existing } from '../paths.ts'
import { couponCodeOf } from '../pricing/coupons.ts'
import { ArchivedQuery } from '../schema.ts'
import {
  changeCoupon,
  createCoupon,
  createCoupons,
  removeCoupon,
  restoreCoupon,
} from './actions.ts'
import { findAnyCoupon, findCoupon, listCoupons } from './queries.ts'
import { Coupon, CouponBatch, CouponChange, CouponCodes, NewCoupon } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const CouponQuery = Type.Object({
  ...PageQuery.properties,
  code: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only the coupon with this code' }),
  ),
  ...ArchivedQuery,
})

/** What administrators do with coupons. */
export const couponRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/coupons',
    config: { access: 'admin', permission: 'store:read' },
    schema: {
      tags,
      summary: 'List coupons, newest first; or archived ones',
      querystring: CouponQuery,
      response: { 200: Page(Coupon) },
    },
    async handler({ query: { code, archived = false, ...page }, tenantId, db }) {
      const which = { tenantId, archived, ...(code && { code: couponCodeOf(code) }) }
      return listCoupons(db, which, page)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/coupons',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Create a coupon',
      description:
        'A percentage or an amount, not both; without `currency` an amount is in that of the shop. 409 `code_taken`, 400 for a missing field.',
      body: NewCoupon,
      response: { 201: Coupon, ...problems(409) },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return transact((tx) => createCoupon(tx, caller, body, now))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/coupons/generate',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Create up to 500 coupons with the same terms and a random code each',
      description:
        'All or none. With `dryRun` they are tried and rolled back. Send an `Idempotency-Key`, so that a repetition creates no more.',
      body: CouponBatch,
      response: { 200: CouponCodes },
    },
    async handler({ body: { dryRun = false, ...batch }, caller, now, transact }) {
      const rows = await orTry(
        dryRun,
        (work) => transact(work),
        (tx) => createCoupons(tx, caller, batch, now),
      )
      return { dryRun, created: rows.length, rows }
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
      description: 'Services that were sold with it keep its terms. 409 `code_taken`.',
      params: IdParams,
      body: CouponChange,
      response: { 200: Coupon, ...problems(404, 409) },
    },
    async handler({ params, body, tenantId, transact }) {
      return transact((tx) => changeCoupon(tx, { tenantId, ...params }, body))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/coupons/:id/restore',
    config: { access: 'admin', permission: 'store:write', exists: existing(findAnyCoupon) },
    schema: {
      tags,
      summary: 'Take an archived coupon into use again; its uses so far count',
      description: '409 `code_taken` if another coupon has its code by now.',
      params: IdParams,
      body: NoBody,
      response: { 200: Coupon, ...problems(404, 409) },
    },
    async handler({ params, tenantId, transact }) {
      return transact((tx) => restoreCoupon(tx, { tenantId, ...params }))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/coupons/:id',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Delete a coupon; existing orders keep their discount',
      description: 'It is archived and can be restored.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params, tenantId, now, transact }) {
      return transact((tx) => removeCoupon(tx, { tenantId, ...params }, now))
    },
  })
}
