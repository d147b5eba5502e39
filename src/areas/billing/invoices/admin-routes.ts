import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { CountedPage, IdParams, NoBody } from '#lib/schema.ts'
import { type Instant, instant } from '#lib/time.ts'
import { HOUSE_REASONS, type HouseReason, type Reason } from '#notifications'
import type { Db } from '#platform/database/index.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { POLLING, SAME_PAGE, unlessSame } from '#platform/http/polled.ts'
import { answers, sendCsv, wantsCsv } from '#platform/http/table.ts'
import { linesOfNotes } from '../credit-notes/queries.ts'
import { CreditNoteSchema } from '../credit-notes/schema.ts'
import { creditNoteView } from '../credit-notes/view.ts'
import { recordPayment } from '../payments/mark-paid.ts'
import { creditInvoice, refundInvoice } from '../refunds/actions.ts'
import { RefundSchema, refundView } from '../refunds/schema.ts'
import { voidInvoice, writeOffInvoice } from './actions.ts'
import { adminViewOf, adminViewsOf } from './admin-view.ts'
import { findInvoice, listInvoices } from './queries.ts'
import {
  AdminInvoiceQuery,
  AdminInvoiceSchema,
  CreditNoteRequest,
  MarkPaid,
  RefundRequest,
  VoidRequest,
} from './schema.ts'
import { sendInvoice } from './send.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const reading = { access: 'admin', permission: 'invoices:read' } as const
const writing = {
  access: 'admin',
  permission: 'invoices:write',
  exists: ({ db, tenantId, params }: FastifyRequest) =>
    findInvoice(db, { tenantId, invoiceId: (params as { id: string }).id }),
} as const

/** The CSV columns of a list of invoices. */
const COLUMNS = [
  ...(['number', 'status', 'kind', 'customerName', 'customerEmail', 'issuedAt', 'dueAt'] as const),
  ...(['paidAt', 'currency', 'netCents', 'taxCents', 'totalCents', 'dueCents', 'id'] as const),
] as const

export const adminInvoiceRoutes: Routes = async (app, { log }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/invoices',
    config: reading,
    schema: {
      tags,
      summary: 'List invoices, newest first',
      description: `As CSV: all matches, not only this page. ${POLLING}`,
      querystring: AdminInvoiceQuery,
      response: { ...answers(CountedPage(AdminInvoiceSchema)), ...SAME_PAGE },
    },
    async handler(request, reply) {
      const { query, tenantId, db, now } = request
      const { format: _format, ...wanted } = query
      if (wantsCsv(request)) {
        const table = {
          name: 'invoices',
          columns: COLUMNS,
          batches: allOf(db, tenantId, wanted, now),
        }
        return sendCsv(request, reply, table, log)
      }
      const page = await listInvoices(db, tenantId, wanted, now)
      const data = await adminViewsOf(db, tenantId, page.data, now)
      return unlessSame(request, reply, { ...page, data })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/invoices/:id',
    config: reading,
    schema: {
      tags,
      summary: 'Get an invoice',
      params: IdParams,
      response: { 200: AdminInvoiceSchema },
    },
    async handler({ params, tenantId, db, now }) {
      const row = await findInvoice(db, { tenantId, invoiceId: params.id })
      if (!row) throw notFound('Invoice')
      return adminViewOf(db, row, now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/invoices/:id/void',
    config: writing,
    schema: {
      tags,
      summary: 'End an unpaid invoice; a numbered one is credited in full',
      description:
        'Nothing is due on it any more. An unpaid period of a service that goes on gets another invoice at its price, taxed as of now; end the service, or give free days, so that it does not. 409 `invoice_paid` or `invoice_partially_paid`: refund it instead.',
      params: IdParams,
      body: VoidRequest,
      response: { 200: AdminInvoiceSchema },
    },
    async handler({ params, body, tenantId, db, now, transact }) {
      const key = { tenantId, invoiceId: params.id }
      const reason = reasonOf(body, HOUSE_REASONS.voidedByStaff)
      return adminViewOf(db, await transact((tx) => voidInvoice(tx, key, reason, now)), now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/invoices/:id/write-off',
    config: writing,
    schema: {
      tags,
      summary: 'Write off the amount due on an open invoice; later payments are still booked',
      description:
        'The amount is booked as a loss, and the invoice becomes `uncollectible`. A server that it renews is suspended once the paid period is over. 409 unless it is open, and `top_up_not_owed`.',
      params: IdParams,
      body: NoBody,
      response: { 200: AdminInvoiceSchema },
    },
    async handler({ params, tenantId, db, now, transact }) {
      const key = { tenantId, invoiceId: params.id }
      return adminViewOf(db, await transact((tx) => writeOffInvoice(tx, key, now)), now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/invoices/:id/send',
    config: writing,
    schema: {
      tags,
      summary: 'Mail a numbered invoice to its customer, with the amount due',
      description: '409 `invoice_not_issued` or `invoice_void`.',
      params: IdParams,
      body: NoBody,
      response: { 200: AdminInvoiceSchema },
    },
    async handler({ params, tenantId, db, now, transact }) {
      const key = { tenantId, invoiceId: params.id }
      return adminViewOf(db, await transact((tx) => sendInvoice(tx, key, now)), now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/invoices/:id/mark-paid',
    config: writing,
    schema: {
      tags,
      summary: 'Book a payment that was received in another way, such as a bank transfer',
      description:
        'Money that covers the amount due pays the invoice and starts what was ordered; more becomes credit. 409 `already_booked` for a known reference, and `invoice_draft`; 400 for a future date. Send an `Idempotency-Key`.',
      params: IdParams,
      body: MarkPaid,
      response: { 200: AdminInvoiceSchema },
    },
    async handler({ params, body, tenantId, db, now, transact }) {
      const { paidAt, ...rest } = body
      const at = paidAt === undefined ? {} : { paidAt: instant(paidAt) }
      const payment = { tenantId, invoiceId: params.id, ...rest, ...at }
      await transact((tx) => recordPayment(tx, payment, now))
      const row = await findInvoice(db, { tenantId, invoiceId: params.id })
      if (!row) throw notFound('Invoice')
      return adminViewOf(db, row, now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/invoices/:id/refund',
    config: writing,
    schema: {
      tags,
      summary: 'Refund a paid invoice, with a credit note',
      description:
        'Goes back to the payments that it came from, newest first; what was paid with credit becomes credit again. Services go on: end them separately. 409 unless it is paid, 422 `refund_too_large` beyond what is left. Send an `Idempotency-Key`.',
      params: IdParams,
      body: RefundRequest,
      response: {
        200: Type.Object({
          invoice: AdminInvoiceSchema,
          creditNote: CreditNoteSchema,
          refunds: Type.Array(RefundSchema),
        }),
      },
    },
    async handler({ params, body, tenantId, db, now, transact }) {
      const { amountCents, to = 'payment' } = body
      const reason = reasonOf(body, HOUSE_REASONS.refund)
      const wanted = { tenantId, invoiceId: params.id, amountCents, to, reason }
      const made = await transact((tx) => refundInvoice(tx, wanted, now))
      const lines = await linesOfNotes(db, tenantId, [made.creditNote.id])
      return {
        invoice: await adminViewOf(db, made.invoice, now),
        creditNote: creditNoteView(made.creditNote, lines),
        refunds: made.refunds.map(refundView),
      }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/invoices/:id/credit-note',
    config: writing,
    schema: {
      tags,
      summary: 'Credit part of an invoice: less is due, and an overpayment becomes credit',
      description:
        'Answers the credit note; no money is sent. An open invoice that is credited in full is void, with what that means for its service. 409 `invoice_not_issued` and `invoice_disputed`, 422 `credit_note_too_large` or `credit_note_empty`.',
      params: IdParams,
      body: CreditNoteRequest,
      response: { 200: Type.Object({ invoice: AdminInvoiceSchema, creditNote: CreditNoteSchema }) },
    },
    async handler({ params, body, tenantId, db, now, transact }) {
      const { amountCents } = body
      const reason = reasonOf(body, HOUSE_REASONS.correction)
      const wanted = { tenantId, invoiceId: params.id, amountCents, reason }
      const { invoice, creditNote } = await transact((tx) => creditInvoice(tx, wanted, now))
      const lines = await linesOfNotes(db, tenantId, [creditNote.id])
      const view = await adminViewOf(db, invoice, now)
      return { invoice: view, creditNote: creditNoteView(creditNote, lines) }
    },
  })
}

const BATCH_OF_VIEWS = 500

/** All matching invoices, read in batches. */
async function* allOf(
  db: Db,
  tenantId: string,
  { limit: _limit, cursor: _cursor, count: _count, ...wanted }: Parameters<typeof listInvoices>[2],
  now: Instant,
) {
  let cursor: string | null = null
  do {
    const from: { cursor?: string } = cursor === null ? {} : { cursor }
    const part = { ...wanted, ...from, limit: BATCH_OF_VIEWS }
    const page = await listInvoices(db, tenantId, part, now)
    yield await adminViewsOf(db, tenantId, page.data, now)
    cursor = page.nextCursor
  } while (cursor !== null)
}

/** The reason that staff entered, otherwise the default reason. */
function reasonOf({ reason }: { reason?: string }, usual: HouseReason): Reason {
  return reason === undefined ? usual : { written: reason }
}
