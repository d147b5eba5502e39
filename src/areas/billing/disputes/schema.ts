import { type Static, Type } from 'typebox'
import {
  Amount,
  Currency,
  Id,
  Nullable,
  OneOf,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import type { ListedDispute } from './queries.ts'

const STATUSES = [
  ...(['inquiry', 'needs_response', 'under_review', 'won', 'lost'] as const),
  'closed_without_loss',
] as const

export const DisputeSchema = Resource('Dispute', {
  id: Id,
  status: OneOf(STATUSES),
  userId: Id,
  customerName: Type.String(),
  customerEmail: Type.String(),
  paymentId: Id,
  invoiceIds: Type.Array(Id),
  gatewayId: Id,
  providerDisputeId: Type.String(),
  providerPaymentId: Type.String(),
  amountCents: Amount,
  heldCents: Amount,
  lostCents: Amount,
  feeCents: Amount,
  currency: Currency,
  reason: Nullable(Type.String()),
  respondBy: Nullable(Timestamp),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
})

export const DisputeQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(STATUSES)),
  userId: Type.Optional(Id),
})

export function disputeView(row: ListedDispute): Static<typeof DisputeSchema> {
  const {
    id,
    state,
    userId,
    customerName,
    customerEmail,
    paymentId,
    invoiceIds,
    gatewayId,
    providerDisputeId,
  } = row
  const { providerPaymentId, amountCents, heldCents, lostCents, feeCents, currency } = row
  const { reason, respondBy, createdAt, endedAt } = row
  return {
    ...{ id, status: state, userId, customerName, customerEmail },
    ...{ paymentId, invoiceIds, gatewayId, providerDisputeId },
    ...{ providerPaymentId, amountCents, heldCents, lostCents, feeCents, currency },
    ...{ reason, respondBy, createdAt, endedAt },
  }
}
