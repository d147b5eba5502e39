import { conflict, notFound } from '#lib/problem.ts'
import { dayOf, type Instant } from '#lib/time.ts'
import { notify } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { type InvoiceKey, type InvoiceRow, lockInvoice } from './queries.ts'
import { dueCents } from './rules.ts'

/**
 * Sends a numbered invoice to its customer: a notice and a mail with what is due and a link. Throws
 * 404, 409 for a draft, a pro forma and a void invoice.
 */
export async function sendInvoice(tx: Tx, key: InvoiceKey, now: Instant): Promise<InvoiceRow> {
  const invoice = await lockInvoice(tx, key)
  if (!invoice) throw notFound('Invoice')
  const { tenantId, userId, number, status, currency, totalCents, dueAt } = invoice
  if (status === 'void') throw conflict('This invoice is void.', 'invoice_void')
  if (number === null) throw conflict('Issue this invoice first.', 'invoice_not_issued')
  const data = {
    ...{ number, amountCents: totalCents, currency },
    dueCents: status === 'open' ? dueCents(invoice) : 0,
    dueOn: dueAt && dayOf(dueAt),
  }
  const link = `/invoices/${key.invoiceId}`
  await notify(tx, { tenantId, userId, kind: 'invoice_sent', data, link }, now)
  return invoice
}
