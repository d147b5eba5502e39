import type { FastifyRequest } from 'fastify'
import { notFound } from '#lib/problem.ts'
import { CountedPage, IdParams, NoBody } from '#lib/schema.ts'
import { instant } from '#lib/time.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { reopenVoucher, voidVoucher } from './actions.ts'
import { findVoucher, listVouchers } from './queries.ts'
import { voucherView } from './rules.ts'
import { Reopening, Voucher, VoucherQuery } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const read = { access: 'admin', permission: 'vouchers:read' } as const
const write = { access: 'admin', permission: 'vouchers:write', exists } as const

function exists({ db, tenantId, params }: FastifyRequest) {
  return findVoucher(db, { tenantId, id: (params as { id: string }).id })
}

/** Single vouchers in the administration: their codes are never shown. */
export const adminVoucherRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/vouchers',
    config: read,
    schema: {
      tags,
      summary: 'List vouchers, newest first, with the last four characters of their codes',
      querystring: VoucherQuery,
      response: { 200: CountedPage(Voucher) },
    },
    async handler({ query, tenantId, db, now }) {
      const page = await listVouchers(db, tenantId, query, now)
      return { ...page, data: page.data.map((it) => voucherView(it, now)) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/vouchers/:id',
    config: read,
    schema: {
      tags,
      summary: 'Get a voucher',
      params: IdParams,
      response: { 200: Voucher, ...problems(404) },
    },
    async handler({ params, tenantId, db, now }) {
      const voucher = await findVoucher(db, { tenantId, ...params })
      if (!voucher) throw notFound('Voucher')
      return voucherView(voucher, now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/vouchers/:id/void',
    config: write,
    schema: {
      tags,
      summary: 'Make a voucher invalid',
      description: '409 `voucher_redeemed` or `voucher_void`.',
      params: IdParams,
      body: NoBody,
      response: { 200: Voucher, ...problems(404, 409) },
    },
    async handler({ params, tenantId, now, transact }) {
      return voucherView(await transact((tx) => voidVoucher(tx, { tenantId, ...params }, now)), now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/vouchers/:id/reopen',
    config: write,
    schema: {
      tags,
      summary: 'Give an expired voucher a new end',
      description:
        'Within 90 days of its end. 409 `voucher_not_reopenable`; 422 `expiry_in_past` for an end that is not in the future.',
      params: IdParams,
      body: Reopening,
      response: { 200: Voucher, ...problems(404, 409, 422) },
    },
    async handler({ params, body, tenantId, now, transact }) {
      const expiresAt = body.expiresAt && instant(body.expiresAt)
      const key = { tenantId, ...params }
      return voucherView(await transact((tx) => reopenVoucher(tx, key, expiresAt, now)), now)
    },
  })
}
