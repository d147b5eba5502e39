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

export const ATTEMPT_STATES = [
  ...(['created', 'open', 'action_required', 'processing', 'paid'] as const),
  ...(['failed', 'canceled', 'expired', 'unknown'] as const),
] as const

const Customer = { userId: Id, customerName: Type.String(), customerEmail: Type.String() }

const Through = {
  gatewayId: Nullable(Id),
  gatewayName: Nullable(Type.String()),
  driver: Nullable(Type.String()),
}

/** An attempt to pay as staff see it, with the provider's own words. */
export const AdminAttempt = Resource('AdminPaymentAttempt', {
  id: Id,
  ...Customer,
  ...Through,
  purpose: OneOf(['checkout', 'renewal', 'setup', 'credit']),
  status: OneOf(ATTEMPT_STATES),
  amountCents: Amount,
  currency: Currency,
  checkoutId: Nullable(Type.String({ description: 'The provider’s id of the page' })),
  providerPaymentId: Nullable(Type.String()),
  failureCode: Nullable(Type.String({ description: 'What the provider said' })),
  failureKey: Nullable(Type.String({ description: 'What the customer was told' })),
  failureRetry: Nullable(Type.String({ description: 'Whether trying again may help' })),
  invoiceIds: Type.Array(Id),
  createdAt: Timestamp,
  endedAt: Nullable(Timestamp),
})

/** Money that came in, as staff see it. */
export const AdminPayment = Resource('AdminPayment', {
  id: Id,
  ...Customer,
  ...Through,
  attemptId: Nullable(Id),
  providerPaymentId: Type.String(),
  receivedCents: Amount,
  feeCents: { ...Amount, description: 'What the provider kept' },
  creditCents: { ...Amount, description: 'What became credit' },
  refundedCents: { ...Amount, description: 'What went back, or is on its way' },
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
    description: 'Every attempt to pay the same invoices, newest first, a hundred at most',
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
