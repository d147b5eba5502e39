import { post, postings } from '#ledger'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { RefundRow } from './queries.ts'

/** Books a refund of an invoice's money; the credit note is posted separately. */
export async function postRefund(tx: Tx, refund: RefundRow, now: Instant): Promise<void> {
  const { tenantId, id, userId, gatewayId, amountCents, currency, reason } = refund
  const money = { customerId: userId, amountCents }
  const event =
    gatewayId === null
      ? { kind: 'refund', postings: postings.refundedToCredit(money), description: reason }
      : { kind: 'refund', postings: postings.refundedToGateway({ ...money, gatewayId }) }
  await post(tx, { tenantId, event, eventId: id, key: `refund:${id}`, currency }, now)
}

/** The event that tells other areas about a refund. */
export function eventOf(refund: RefundRow, to: 'payment' | 'credit') {
  const { tenantId, userId, id, invoiceId, creditNoteId, amountCents, currency } = refund
  return { tenantId, userId, refundId: id, invoiceId, creditNoteId, to, amountCents, currency }
}
