import { Type } from 'typebox'
import {
  Amount,
  Body,
  Currency,
  Id,
  Line,
  Nullable,
  PageQuery,
  PositiveAmount,
  Resource,
  Timestamp,
} from '#lib/schema.ts'

const Customer = { userId: Id, customerName: Type.String(), customerEmail: Type.String() }

const Origin = {
  importId: Id,
  system: Nullable(Type.String({ description: 'The system it comes from' })),
  sourceId: Nullable(Type.Integer({ description: 'Its id there' })),
}

export const ImportedRefundSchema = Resource('ImportedRefund', {
  id: Id,
  paymentId: Id,
  gatewayId: Nullable(Id),
  amountCents: Amount,
  currency: Currency,
  reference: Nullable(Type.String()),
  reason: Type.String(),
  createdAt: Timestamp,
})

export const ImportedPaymentSchema = Resource('ImportedPayment', {
  id: Id,
  ...Customer,
  ...Origin,
  invoiceId: Nullable(Id),
  invoiceNumber: Nullable(Type.String()),
  gateway: Type.String({ description: 'The name of the gateway in that system' }),
  reference: Type.String({ description: 'The id at the provider' }),
  description: Type.String(),
  inCents: Amount,
  outCents: Amount,
  feeCents: Amount,
  refundedCents: {
    ...Amount,
    description: 'Refunded later, in that system and as recorded here',
  },
  currency: Currency,
  refundOf: Nullable({ ...Id, description: 'The payment that this row refunds' }),
  refunds: Type.Array(ImportedRefundSchema, {
    description: 'Refunds recorded here, oldest first',
  }),
  happenedAt: Nullable(Timestamp),
})

export const ImportedCreditSchema = Resource('ImportedCredit', {
  id: Id,
  ...Customer,
  ...Origin,
  amountCents: Amount,
  currency: Currency,
  description: Type.String(),
  happenedAt: Nullable(Timestamp),
})

const OfPerson = { ...PageQuery.properties, userId: Type.Optional(Id) }

export const ImportedPaymentQuery = Type.Object({
  ...OfPerson,
  invoiceId: Type.Optional(Id),
  q: Type.Optional({
    ...Line(200),
    description: 'The id in the other system, or the id at the provider',
  }),
})

export const ImportedCreditQuery = Type.Object({
  ...OfPerson,
  q: Type.Optional({ ...Line(200), description: 'The id in the other system' }),
})

export const NewImportedRefund = Body({
  amountCents: PositiveAmount,
  gatewayId: Type.Optional({
    ...Id,
    description: 'The gateway that sent the money. Omit it for an account without a gateway',
  }),
  reference: Type.Optional({
    ...Line(200),
    description: 'The id at the bank or provider, unique among the refunds of a payment',
  }),
  reason: Line(200),
})
