import { type Static, Type } from 'typebox'
import { Amount, Body, Currency, Id } from '#lib/schema.ts'

export const UpgradeOrder = Body({
  productId: Id,
  planId: Type.Optional(Id),
  preview: Type.Optional(Type.Boolean()),
  gatewayId: Type.Optional(Id),
  paymentMethodId: Type.Optional(Id),
  useCredits: Type.Optional(Type.Boolean()),
  returnUrl: Type.Optional(Type.String({ format: 'uri', maxLength: 2000 })),
})
export type UpgradeOrder = Static<typeof UpgradeOrder>

/** What a change costs. Credit and charge are in the tenant's price mode; total is what is paid. */
export const Proration = Type.Object({
  creditCents: Amount,
  chargeCents: Amount,
  netCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
  currency: Currency,
  lines: Type.Array(
    Type.Object({
      description: Type.String(),
      quantity: Type.Integer(),
      unitPriceCents: Amount,
      netCents: Amount,
    }),
  ),
})
export type Proration = Static<typeof Proration>
