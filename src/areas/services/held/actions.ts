import { findInvoice, type InvoiceRow, type Reason, refundInvoice } from '#billing'
import { type Cents, cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { ServiceKey } from '../queries.ts'
import { insertGivenBack } from './queries.ts'

export type Back = { amountCents: Cents; to: 'payment' | 'credit'; reason: Reason }

/**
 * Refunds a part of an invoice for one service, at most what the invoice still holds; answers how much
 * that was. It is noted for that service: other services of the invoice hold what they held.
 */
export async function giveBack(
  tx: Tx,
  service: ServiceKey,
  { tenantId, id: invoiceId }: Pick<InvoiceRow, 'tenantId' | 'id'>,
  back: Back,
  now: Instant,
): Promise<Cents> {
  const invoice = await findInvoice(tx, { tenantId, invoiceId })
  if (invoice?.status !== 'paid') return cents(0)
  const held = invoice.paidCents - invoice.refundedCents - invoice.reversedCents
  const amountCents = cents(Math.min(back.amountCents, held))
  if (amountCents <= 0) return cents(0)
  await refundInvoice(tx, { tenantId, invoiceId, ...back, amountCents }, now)
  await insertGivenBack(tx, service, { invoiceId, amountCents }, now)
  return amountCents
}
