import { Type } from 'typebox'
import { badRequest, notFound } from '#lib/problem.ts'
import { Id, Line, Text, Timestamp } from '#lib/schema.ts'
import type { Instant } from '#lib/time.ts'
import { HOUSE_REASONS, type Reason } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { BULK, BulkBody, BulkResult, inBulk, type Outcome } from '#platform/http/bulk.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { findGateway } from '../gateways/queries.ts'
import { type ManualPayment, recordPayment } from '../payments/mark-paid.ts'
import { voidInvoice } from './actions.ts'
import { removeDraft } from './drafts.ts'
import { type InvoiceKey, lockInvoice } from './queries.ts'
import { sendInvoice } from './send.ts'

const PLAIN = ['send', 'void', 'delete_draft'] as const
const ACTIONS = [...PLAIN, 'mark_paid'] as const
type Action = (typeof PLAIN)[number]

/** Routes with which administrators change several invoices at once. */
export const bulkInvoiceRoutes: Routes = (app) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/invoices/bulk',
    config: { access: 'admin', permission: 'invoices:write' },
    schema: {
      tags: ['Admin - Store & Invoices'],
      summary: 'Send, void, delete or mark as paid several invoices',
      description: `${BULK} Sending again mails again: use an \`Idempotency-Key\`.`,
      body: BulkBody(ACTIONS, {
        reason: Type.Optional({ ...Text(500), description: 'For `void`, on the credit note' }),
        gatewayId: Type.Optional({ ...Id, description: 'For `mark_paid`' }),
        reference: Type.Optional({
          ...Line(60),
          description: 'For `mark_paid`; each payment adds the id of its invoice to it',
        }),
        paidAt: Type.Optional({ ...Timestamp, description: 'For `mark_paid`; now by default' }),
      }),
      response: { 200: BulkResult, ...problems(404) },
    },
    async handler(request) {
      const { body, tenantId, now } = request
      const { action, reason: written } = body
      if (action === 'mark_paid') {
        const payment = paymentIn(body)
        const { gatewayId } = payment
        if (!(await findGateway(request.db, { tenantId, gatewayId }))) throw notFound('Gateway')
        return inBulk(body, request, (tx, invoiceId) =>
          pay(tx, { tenantId, invoiceId }, payment, now),
        )
      }
      const reason = written === undefined ? HOUSE_REASONS.voidedByStaff : { written }
      return inBulk(body, request, (tx, invoiceId) =>
        act(tx, { action, reason }, { tenantId, invoiceId }, now),
      )
    },
  })
}

type Payment = Pick<ManualPayment, 'gatewayId' | 'reference' | 'paidAt'>

function paymentIn({ gatewayId, reference, paidAt }: Partial<Payment>): Payment {
  if (gatewayId !== undefined && reference !== undefined) return { gatewayId, reference, paidAt }
  const path = gatewayId === undefined ? 'gatewayId' : 'reference'
  throw badRequest('A payment needs a gateway and a reference.', [{ path, message: 'is missing' }])
}

/**
 * Books what is due on an invoice. The reference of each payment ends with its invoice, so that it is booked
 * once.
 */
async function pay(
  tx: Tx,
  key: InvoiceKey,
  { reference, ...payment }: Payment,
  now: Instant,
): Promise<Outcome> {
  const invoice = await lockInvoice(tx, key)
  if (!invoice) throw notFound('Invoice')
  if (invoice.status === 'paid') return 'unchanged'
  await recordPayment(tx, { ...key, ...payment, reference: `${reference} ${invoice.id}` }, now)
  return 'done'
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
