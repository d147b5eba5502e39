import { type Cents, sumCents } from '#lib/money.ts'
import { conflict } from '#lib/problem.ts'
import type { Tx } from '#platform/database/index.ts'
import type { InvoiceRow } from '../invoices/queries.ts'
import { refundableCents } from '../invoices/rules.ts'
import { listPaymentsOf } from '../payments/queries.ts'

/** The disputed part of an invoice's payments. Money that was finally lost is already deducted from the invoice. */
export function heldOf(
  payments: readonly { amountCents: Cents; heldCents: Cents | null }[],
): Cents {
  return sumCents(
    payments.map(({ amountCents, heldCents }) => Math.min(amountCents, heldCents ?? 0)),
  )
}

/** Throws 409 if part of the amount is in dispute: after a lost dispute, the credit might be spent already (R3.7). */
export async function assertNotHeld(
  tx: Tx,
  invoice: InvoiceRow,
  creditCents: Cents,
): Promise<void> {
  const held = heldOf(await listPaymentsOf(tx, invoice.tenantId, invoice.id))
  if (creditCents <= refundableCents(invoice, held)) return
  const message = 'A bank holds money of this invoice. Wait until the dispute has ended.'
  throw conflict(message, 'invoice_disputed')
}
