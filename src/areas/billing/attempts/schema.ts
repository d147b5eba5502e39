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

/** A payment that is read later, with what it is for. */
export const FollowedPayment = Resource('FollowedPayment', {
  ...PaymentSchema.properties,
  invoiceIds: Type.Array(Id, { description: 'The invoices that it pays' }),
})

/** The fields of a body that say how something is paid. */
export const HowToPay = {
  gatewayId: Type.Optional({
    ...Id,
    description: 'By default that of `paymentMethodId`, else the first one that takes the currency',
  }),
  paymentMethodId: Type.Optional({
    ...Id,
    description:
      'A saved payment method: it is charged without the customer, where the bank allows it',
  }),
  savePaymentMethod: Type.Optional(
    Type.Boolean({ description: 'Keep the method for automatic payments; false by default' }),
  ),
  useCredits: Type.Optional(
    Type.Boolean({
      description: 'Pay with credit first, and only the rest otherwise; false by default',
    }),
  ),
  returnUrl: Type.Optional(
    Type.String({
      ...{ format: 'uri', maxLength: 2000 },
      description:
        'Where the browser goes after the pages of the provider: an address of the shop; by default its page that follows the payment',
    }),
  ),
}

export const PayRequest = Body(HowToPay)
