import { type Static, Type } from 'typebox'
import {
  Amount,
  Body,
  Currency,
  Id,
  Line,
  Nullable,
  OneOf,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import type { NamedRefund, RefundRow } from './queries.ts'

export const REFUND_STATUSES = [
  'pending',
  'action_required',
  'succeeded',
  'failed',
  'canceled',
] as const

export const RefundSchema = Resource('Refund', {
  id: Id,
  invoiceId: Nullable(Id),
  creditNoteId: Nullable(Id),
  to: OneOf(['payment', 'credit']),
  status: OneOf(REFUND_STATUSES),
  amountCents: Amount,
  currency: Currency,
  reason: Type.String(),
  createdAt: Timestamp,
})

export const AdminRefundSchema = Resource('AdminRefund', {
  ...RefundSchema.properties,
  userId: Id,
  customerName: Type.String(),
  customerEmail: Type.String(),
  invoiceNumber: Nullable(Type.String()),
  paymentId: Nullable(Id),
  gatewayId: Nullable(Id),
  byHand: Type.Boolean({ description: 'A person sends it, and confirms that here' }),
  origin: OneOf(['us', 'provider']),
  failureCode: Nullable(Type.String()),
  endedAt: Nullable(Timestamp),
})

export const RefundQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(REFUND_STATUSES)),
  userId: Type.Optional(Id),
})

export const RefundConfirmation = Body({
  outcome: OneOf(
    ['sent', 'impossible'],
    '`sent`: the money has left the account. `impossible`: it cannot be sent, and becomes credit',
  ),
  reference: Type.Optional(Line(100)),
})

/** A refund as administrators see it. */
export function adminRefundView(
  row: NamedRefund,
  byHand: boolean,
): Static<typeof AdminRefundSchema> {
  const {
    customerName,
    customerEmail,
    invoiceNumber,
    userId,
    paymentId,
    gatewayId,
    origin,
    failureCode,
    endedAt,
  } = row
  const names = { customerName, customerEmail, invoiceNumber }
  const more = { userId, ...names, paymentId, gatewayId, byHand, origin, failureCode, endedAt }
  return { ...refundView(row), ...more }
}

export function refundView(row: RefundRow): Static<typeof RefundSchema> {
  const { id, invoiceId, creditNoteId, paymentId, state, amountCents, currency } = row
  const { reason, createdAt } = row
  const to = paymentId === null ? 'credit' : 'payment'
  return {
    ...{ id, invoiceId, creditNoteId, to, status: state },
    ...{ amountCents, currency, reason, createdAt },
  }
}
