import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Text } from '#lib/schema.ts'
import type { Instant } from '#lib/time.ts'
import { HOUSE_REASONS, type Reason } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { BULK, BulkBody, BulkResult, inBulk, type Outcome } from '#platform/http/bulk.ts'
import type { Routes } from '#platform/http/index.ts'
import { voidInvoice } from './actions.ts'
import { removeDraft } from './drafts.ts'
import { type InvoiceKey, lockInvoice } from './queries.ts'
import { sendInvoice } from './send.ts'

const ACTIONS = ['send', 'void', 'delete_draft'] as const
type Action = (typeof ACTIONS)[number]

/** What administrators do to several invoices at once. */
export const bulkInvoiceRoutes: Routes = (app) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/invoices/bulk',
    config: { access: 'admin', permission: 'invoices:write' },
    schema: {
      tags: ['Admin - Store & Invoices'],
      summary: 'Send, void or delete several invoices',
      description: `${BULK} Sending again mails again: use an \`Idempotency-Key\`.`,
      body: BulkBody(ACTIONS, {
        reason: Type.Optional({ ...Text(500), description: 'For `void`, on the credit note' }),
      }),
      response: { 200: BulkResult },
    },
    async handler(request) {
      const { body, tenantId, now } = request
      const { action, reason: written } = body
      const reason = written === undefined ? HOUSE_REASONS.voidedByStaff : { written }
      return inBulk(body, request, (tx, invoiceId) =>
        act(tx, { action, reason }, { tenantId, invoiceId }, now),
      )
    },
  })
}

type Wanted = { readonly action: Action; readonly reason: Reason }

async function act(
  tx: Tx,
  { action, reason }: Wanted,
  key: InvoiceKey,
  now: Instant,
): Promise<Outcome> {
  const invoice = await lockInvoice(tx, key)
  if (!invoice) throw notFound('Invoice')
  if (action === 'void' && invoice.status === 'void') return 'unchanged'
  if (action === 'void') await voidInvoice(tx, key, reason, now)
  if (action === 'send') await sendInvoice(tx, key, now)
  if (action === 'delete_draft') await removeDraft(tx, key)
  return 'done'
}
