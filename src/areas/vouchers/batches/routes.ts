import type { FastifyRequest } from 'fastify'
import { csvLine } from '#lib/csv.ts'
import { decimalText } from '#lib/currency.ts'
import { notFound } from '#lib/problem.ts'
import { CountedPage, IdParams, ListQuery, NoBody } from '#lib/schema.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { confirmDownload, createBatch, downloadCodes, voidBatch } from './actions.ts'
import { countRedeemed, findBatch, listBatches } from './queries.ts'
import { type BatchRow, batchView } from './rules.ts'
import { Batch, NewBatch } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const read = { access: 'admin', permission: 'vouchers:read' } as const
const write = { access: 'admin', permission: 'vouchers:write' } as const
const COLUMNS = ['code', 'amount', 'currency', 'expires_at'] as const

function exists({ db, tenantId, params }: FastifyRequest) {
  return findBatch(db, { tenantId, id: (params as { id: string }).id })
}

async function viewOf(db: Db, batch: BatchRow, now: Instant) {
  const redeemed = await countRedeemed(db, batch.tenantId, [batch.id])
  return batchView(batch, redeemed.get(batch.id) ?? 0, now)
}

/** Batches of vouchers in the administration, and the one place where their codes leave the service. */
export const batchRoutes: Routes = (app, { secrets }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/vouchers/batches',
    config: read,
    schema: {
      tags,
      summary: 'List batches of vouchers, newest first',
      querystring: ListQuery,
      response: { 200: CountedPage(Batch) },
    },
    async handler({ query, tenantId, db, now }) {
      const page = await listBatches(db, tenantId, query)
      const ids = page.data.map(({ id }) => id)
      const redeemed = await countRedeemed(db, tenantId, ids)
      return { ...page, data: page.data.map((it) => batchView(it, redeemed.get(it.id) ?? 0, now)) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/vouchers/batches',
    config: write,
    schema: {
      tags,
      summary: 'Create vouchers; a job makes their codes',
      description:
        'In the currency of the shop by default. The vouchers are given away: nothing is booked until one is redeemed, then its amount is goodwill that becomes credit. ' +
        '422 `voucher_above_limit` for more than a customer may redeem in a day, and `expiry_in_past`.',
      body: NewBatch,
      response: { 202: Batch, ...problems(422) },
    },
    async handler({ body, caller, now, transact }, reply) {
      const wanted = { ...body, secrets }
      const batch = await transact((tx) => createBatch(tx, caller, wanted, now))
      return reply.code(202).send(batchView(batch, 0, now))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/vouchers/batches/:id',
    config: read,
    schema: {
      tags,
      summary: 'Get a batch of vouchers',
      params: IdParams,
      response: { 200: Batch, ...problems(404) },
    },
    async handler({ params, tenantId, db, now }) {
      const batch = await findBatch(db, { tenantId, ...params })
      if (!batch) throw notFound('Voucher batch')
      return viewOf(db, batch, now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/vouchers/batches/:id/download',
    config: { ...write, exists, secretAnswer: true },
    schema: {
      tags,
      summary: 'Download the codes of a batch as a CSV file',
      description:
        'Codes that were redeemed, have expired or are void are left out. The codes are deleted when the download is ' +
        'confirmed, a day after the first download, or 30 days after they were created without one. 409 ' +
        '`voucher_codes_pending`, 410 `voucher_codes_deleted`.',
      produces: ['text/csv'],
      params: IdParams,
      body: NoBody,
      response: {
        200: { description: 'The codes', content: { 'text/csv': { schema: { type: 'string' } } } },
        ...problems(404, 409, 410),
      },
    },
    async handler({ params, tenantId, now, transact }, reply) {
      const key = { tenantId, ...params, secrets }
      const codes = await transact((tx) => downloadCodes(tx, key, now))
      const lines = codes.map(({ code, amountCents, currency, expiresAt }) =>
        csvLine([code, decimalText(amountCents, currency), currency, expiresAt]),
      )
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="vouchers-${params.id}.csv"`)
      return reply.send([csvLine(COLUMNS), ...lines].join('')) as never
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/vouchers/batches/:id/confirm-download',
    config: { ...write, exists },
    schema: {
      tags,
      summary: 'Confirm that the codes of a batch were downloaded, and delete them',
      description: 'The vouchers stay valid. 409 `voucher_codes_not_downloaded`.',
      params: IdParams,
      body: NoBody,
      response: { 200: Batch, ...problems(404, 409) },
    },
    async handler({ params, tenantId, db, now, transact }) {
      const key = { tenantId, ...params }
      return viewOf(db, await transact((tx) => confirmDownload(tx, key, now)), now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/vouchers/batches/:id/void',
    config: { ...write, exists },
    schema: {
      tags,
      summary: 'Make all vouchers of a batch invalid that were not redeemed',
      description: '409 `voucher_void` for a batch that is void already.',
      params: IdParams,
      body: NoBody,
      response: { 200: Batch, ...problems(404, 409) },
    },
    async handler({ params, tenantId, db, now, transact }) {
      const key = { tenantId, ...params }
      return viewOf(db, await transact((tx) => voidBatch(tx, key, now)), now)
    },
  })
}
