import {
  creditImported,
  creditInvoice,
  findInvoice,
  type InvoiceRow,
  type Reason,
  refundInvoice,
} from '#billing'
import { type Cents, cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { ServiceKey } from '../queries.ts'
import { insertGivenBack } from './queries.ts'

export type Back = { amountCents: Cents; to: 'payment' | 'credit'; reason: Reason }

/**
 * Refunds part of an invoice for one service, at most what the invoice still holds; returns the amount. It is recorded
 * for that service, so that the held value of other services of the invoice stays the same.
 */
export async function giveBack(
  tx: Tx,
  service: ServiceKey,
  { tenantId, id: invoiceId }: Pick<InvoiceRow, 'tenantId' | 'id'>,
  back: Back,
  now: Instant,
): Promise<Cents> {
  const invoice = await findInvoice(tx, { tenantId, invoiceId })
  const amountCents = heldOf(invoice, back.amountCents)
  if (amountCents <= 0) return cents(0)
  if (invoice?.imported && back.to === 'credit') {
    await creditImported(tx, { tenantId, invoiceId }, { amountCents }, now)
  } else {
    await refundInvoice(tx, { tenantId, invoiceId, ...back, amountCents }, now)
  }
  await insertGivenBack(tx, service, { invoiceId, amountCents }, now)
  return amountCents
}

/**
 * Likewise as credit, also of money that a bank disputes, for what is replaced whatever the bank decides: a lost
 * dispute takes the money from the credit again.
 */
export async function creditHeldValue(
  tx: Tx,
  service: ServiceKey,
  { tenantId, id: invoiceId }: Pick<InvoiceRow, 'tenantId' | 'id'>,
  { amountCents: wanted, reason }: Omit<Back, 'to'>,
  now: Instant,
): Promise<void> {
  const invoice = await findInvoice(tx, { tenantId, invoiceId })
  const amountCents = heldOf(invoice, wanted)
  if (amountCents <= 0) return
  if (invoice?.imported) {
    await creditImported(tx, { tenantId, invoiceId }, { amountCents, heldToo: true }, now)
  } else {
    await creditInvoice(tx, { tenantId, invoiceId, reason, amountCents, heldToo: true }, now)
  }
  await insertGivenBack(tx, service, { invoiceId, amountCents }, now)
}

/** The amount, limited to what a paid invoice still holds. */
function heldOf(invoice: InvoiceRow | undefined, amountCents: Cents): Cents {
  if (invoice?.status !== 'paid') return cents(0)
  const { paidCents, refundedCents, reversedCents } = invoice
  return cents(Math.min(amountCents, paidCents - refundedCents - reversedCents))
}
