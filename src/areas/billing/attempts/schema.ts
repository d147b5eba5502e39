import { type Static, Type } from 'typebox'
import { Amount, Body, Currency, Id, Nullable, OneOf, Timestamp } from '#lib/schema.ts'

const Instructions = Type.Object({
  lines: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  reference: Type.String(),
})

export const PaymentSchema = Type.Object({
  id: Id,
  status: OneOf([
    ...(['open', 'action_required', 'processing', 'paid', 'failed'] as const),
    ...(['canceled', 'expired'] as const),
  ]),
  gatewayId: Nullable(Id),
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

/** The fields of a body that say how something is paid. */
export const HowToPay = {
  gatewayId: Type.Optional(Id),
  paymentMethodId: Type.Optional(Id),
  savePaymentMethod: Type.Optional(Type.Boolean()),
  useCredits: Type.Optional(Type.Boolean()),
  returnUrl: Type.Optional(Type.String({ format: 'uri', maxLength: 2000 })),
}

export const PayRequest = Body(HowToPay)
