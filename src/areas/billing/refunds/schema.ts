import { type Static, Type } from 'typebox'
import { Amount, Currency, Id, Nullable, OneOf, Timestamp } from '#lib/schema.ts'
import type { RefundRow } from './queries.ts'

export const RefundSchema = Type.Object({
  id: Id,
  invoiceId: Nullable(Id),
  creditNoteId: Nullable(Id),
  to: OneOf(['payment', 'credit']),
  status: OneOf(['pending', 'action_required', 'succeeded', 'failed', 'canceled']),
  amountCents: Amount,
  currency: Currency,
  reason: Type.String(),
  createdAt: Timestamp,
})

export function refundView(row: RefundRow): Static<typeof RefundSchema> {
  const { id, invoiceId, creditNoteId, paymentId, state, amountCents, currency } = row
  const { reason, createdAt } = row
  const to = paymentId === null ? 'credit' : 'payment'
  return {
    ...{ id, invoiceId, creditNoteId, to, status: state },
    ...{ amountCents, currency, reason, createdAt },
  }
}
