import { type Static, Type } from 'typebox'
import { Amount, Body, Currency, Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

const Instructions = Resource('PaymentInstructions', {
  lines: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  reference: Type.String(),
})

export const PaymentSchema = Resource('Payment', {
  id: Id,
  status: OneOf([
    ...(['open', 'action_required', 'processing', 'paid', 'failed'] as const),
    ...(['canceled', 'expired'] as const),
  ]),
  gatewayId: Nullable(Id),
  paymentMethodId: Nullable(Id),
  amountCents: Amount,
  currency: Currency,
  redirectUrl: Nullable(Type.String({ description: 'Where to send the customer to pay' })),
  instructions: Nullable(Instructions),
  clientSecret: Nullable(Type.String()),
  publishableKey: Nullable(Type.String()),
  failure: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  createdAt: Timestamp,
})
export type PaymentView = Static<typeof PaymentSchema>

/** A payment looked at later, with what it is for. */
export const FollowedPayment = Resource('FollowedPayment', {
  ...PaymentSchema.properties,
  invoiceIds: Type.Array(Id, { description: 'The invoices that it pays' }),
})

/** The fields of a body that say how something is paid. */
export const HowToPay = {
  gatewayId: Type.Optional(Id),
  paymentMethodId: Type.Optional(Id),
  savePaymentMethod: Type.Optional(Type.Boolean()),
  useCredits: Type.Optional(Type.Boolean()),
  returnUrl: Type.Optional(Type.String({ format: 'uri', maxLength: 2000 })),
}

export const PayRequest = Body(HowToPay)
