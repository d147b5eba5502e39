import type { Cents } from '#lib/money.ts'
import { cents } from '#lib/money.ts'
import { badRequest, conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { findGateway } from '../gateways/queries.ts'
import { lockInvoice } from '../invoices/queries.ts'
import { dueCents } from '../invoices/rules.ts'
import { bookPayment } from './booking.ts'
import type { PaymentRow } from './queries.ts'

export type ManualPayment = {
  readonly tenantId: string
  readonly invoiceId: string
  readonly gatewayId: string
  /** By default what is due. More becomes credit, less leaves the rest due. */
  readonly amountCents?: Cents | undefined
  /** The bank's id of the entry: the same entry is booked once. */
  readonly reference: string
  readonly paidAt?: Instant | undefined
}

/**
 * Books money that a person found on a bank statement (R3.8). Throws 404 for an unknown invoice or
 * gateway, 400 for a date in the future, 409 for a draft and for a reference that is already
 * booked.
 */
export async function recordPayment(
  tx: Tx,
  { tenantId, invoiceId, gatewayId, reference, ...wanted }: ManualPayment,
  now: Instant,
): Promise<PaymentRow> {
  const invoice = await lockInvoice(tx, { tenantId, invoiceId })
  if (!invoice) throw notFound('Invoice')
  if (invoice.status === 'draft') {
    throw conflict('A draft cannot be paid. Issue it first.', 'invoice_draft')
  }
  if (!(await findGateway(tx, { tenantId, gatewayId }))) throw notFound('Gateway')
  const { paidAt = now } = wanted
  if (paidAt > now) {
    throw badRequest('paidAt lies in the future.', [
      { path: 'paidAt', message: 'lies in the future' },
    ])
  }
  const receivedCents = wanted.amountCents ?? cents(dueCents(invoice) - invoice.heldCreditCents)
  if (receivedCents === 0) {
    throw conflict('Nothing is due on this invoice.', `invoice_${invoice.status}`)
  }
  const booked = await bookPayment(
    tx,
    {
      ...{ tenantId, userId: invoice.userId, gatewayId, attemptId: null },
      ...{ providerPaymentId: reference, receivedCents, currency: invoice.currency },
      ...{ feeCents: cents(0), paidAt },
      method: { methodKind: null, methodBrand: null, methodLast4: null, fingerprint: null },
    },
    [invoiceId],
    now,
  )
  if (!booked) throw conflict('A payment with this reference is booked already.', 'already_booked')
  return booked
}
