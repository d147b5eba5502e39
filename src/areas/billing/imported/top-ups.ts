import { post, postings } from '#ledger'
import { cents, sumCents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { findInvoice, type InvoiceKey } from '../invoices/queries.ts'
import { listPaymentsOf } from '../payments/queries.ts'

/**
 * Adds what was paid elsewhere on an imported invoice for credit, and not refunded, once the rest is paid here: the other
 * system adds credit for a whole invoice only. Does nothing for other invoices, and nothing the second time.
 */
export async function creditPaidElsewhere(tx: Tx, key: InvoiceKey, now: Instant): Promise<void> {
  const invoice = await findInvoice(tx, key)
  if (!invoice?.imported || invoice.kind !== 'top_up' || invoice.status !== 'paid') return
  const { tenantId, id, userId, currency, paidCents, refundedCents } = invoice
  const payments = await listPaymentsOf(tx, tenantId, id)
  const paidHere = sumCents(payments.map((it) => it.amountCents))
  const amountCents = cents(paidCents - refundedCents - paidHere)
  if (amountCents <= 0) return
  const event = {
    kind: 'top_up',
    postings: postings.openingCredit({ customerId: userId, amountCents }),
  }
  await post(tx, { tenantId, event, eventId: id, key: `imported-top-up:${id}`, currency }, now)
}
