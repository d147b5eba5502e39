import { Type } from 'typebox'
import {
  Amount,
  Currency,
  Id,
  ListQuery,
  Nullable,
  OneOf,
  Resource,
  Timestamp,
} from '#lib/schema.ts'

const ATTEMPT_STATES = [
  ...(['created', 'open', 'action_required', 'processing', 'paid'] as const),
  ...(['failed', 'canceled', 'expired', 'unknown'] as const),
] as const

const Customer = { userId: Id, customerName: Type.String(), customerEmail: Type.String() }

const Through = {
  gatewayId: Nullable(Id),
  gatewayName: Nullable(Type.String()),
  driver: Nullable(Type.String()),
}

/** A payment attempt for staff, with the provider's error. */
export const AdminAttempt = Resource('AdminPaymentAttempt', {
  id: Id,
  ...Customer,
  ...Through,
  purpose: OneOf(['checkout', 'renewal', 'setup', 'credit']),
  status: OneOf(ATTEMPT_STATES),
  amountCents: Amount,
  currency: Currency,
  checkoutId: Nullable(Type.String({ description: 'Checkout id at the provider' })),
  providerPaymentId: Nullable(Type.String()),
  failureCode: Nullable(Type.String({ description: 'Error of the provider' })),
  failureKey: Nullable(Type.String({ description: 'Reason for the customer' })),
  failureRetry: Nullable(Type.String({ description: 'Whether a retry may succeed' })),
  invoiceIds: Type.Array(Id),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
})

/** A received payment, for staff. */
export const AdminPayment = Resource('AdminPayment', {
  id: Id,
  ...Customer,
  ...Through,
  attemptId: Nullable(Id),
  providerPaymentId: Type.String(),
  receivedCents: Amount,
  feeCents: { ...Amount, description: 'Fee of the provider' },
  creditCents: { ...Amount, description: 'Added to credit' },
  refundedCents: { ...Amount, description: 'Refunded, pending included' },
  currency: Currency,
  methodKind: Nullable(Type.String()),
  methodBrand: Nullable(Type.String()),
  methodLast4: Nullable(Type.String()),
  methodCountry: Nullable(Type.String()),
  disputed: Type.Boolean(),
  allocations: Type.Array(
    Resource('PaymentShare', {
      invoiceId: Id,
      invoiceNumber: Nullable(Type.String()),
      amountCents: Amount,
    }),
  ),
  paidAt: Timestamp,
  createdAt: Timestamp,
})

export const AdminPaymentDetails = Resource('AdminPaymentDetails', {
  ...AdminPayment.properties,
  attempts: Type.Array(AdminAttempt, {
    description: 'All attempts to pay the same invoices, newest first, at most 100',
  }),
})

const Filters = {
  ...ListQuery.properties,
  userId: Type.Optional(Id),
  gatewayId: Type.Optional(Id),
  invoiceId: Type.Optional(Id),
}

export const PaymentQuery = Type.Object({
  ...Filters,
  providerPaymentId: Type.Optional(Type.String({ maxLength: 200 })),
})

export const AttemptQuery = Type.Object({
  ...Filters,
  status: Type.Optional(OneOf(ATTEMPT_STATES)),
})
