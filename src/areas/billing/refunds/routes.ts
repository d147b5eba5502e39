import { notFound } from '#lib/problem.ts'
import { IdParams, Page } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { driverOf } from '../gateways/connection.ts'
import { findGateway } from '../gateways/queries.ts'
import { confirmRefund } from './by-hand.ts'
import { findNamedRefund, findRefund, listRefunds, type RefundRow } from './queries.ts'
import { AdminRefundSchema, adminRefundView, RefundConfirmation, RefundQuery } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']

export const refundRoutes: Routes = async (app, { config }) => {
  const isManual = (driver: string | null | undefined) =>
    typeof driver === 'string' && driverOf(config, driver)?.capabilities.refund === 'manual'

  async function isByHand(db: Db, { tenantId, gatewayId }: RefundRow): Promise<boolean> {
    if (gatewayId === null) return false
    const gateway = await findGateway(db, { tenantId, gatewayId })
    return isManual(gateway?.driver)
  }

  async function viewOf(db: Db, tenantId: string, id: string) {
    const row = await findNamedRefund(db, tenantId, id)
    if (!row) throw notFound('Refund')
    return adminRefundView(row, isManual(row.driver))
  }

  app.route({
    method: 'GET',
    url: '/v1/admin/refunds',
    config: { access: 'admin', permission: 'invoices:read' },
    schema: {
      tags,
      summary: 'List refunds, newest first',
      querystring: RefundQuery,
      response: { 200: Page(AdminRefundSchema) },
    },
    async handler({ query, tenantId, db }) {
      const page = await listRefunds(db, tenantId, query)
      const data = page.data.map((row) => adminRefundView(row, isManual(row.driver)))
      return { ...page, data }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/refunds/:id',
    config: { access: 'admin', permission: 'invoices:read' },
    schema: {
      tags,
      summary: 'Get a refund',
      params: IdParams,
      response: { 200: AdminRefundSchema },
    },
    async handler({ params, tenantId, db }) {
      return viewOf(db, tenantId, params.id)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/refunds/:id/confirm',
    config: {
      access: 'admin',
      permission: 'invoices:write',
      exists: ({ db, tenantId, params }) => findRefund(db, tenantId, (params as { id: string }).id),
    },
    schema: {
      tags,
      summary: 'Record the outcome of a refund that staff make by hand, such as a bank transfer',
      description:
        '`succeeded` books the money as sent; `failed` gives it to the customer as credit. 409 `refund_not_by_hand` for one that a provider sends, `reference_used`, and for one that has ended.',
      params: IdParams,
      body: RefundConfirmation,
      response: { 200: AdminRefundSchema },
    },
    async handler({ params, body, tenantId, now, transact }) {
      return transact(async (tx) => {
        const { outcome, reference } = body
        const confirmation = { tenantId, refundId: params.id, outcome, reference }
        await confirmRefund(tx, confirmation, (it) => isByHand(tx, it), now)
        return viewOf(tx, tenantId, params.id)
      })
    },
  })
}
