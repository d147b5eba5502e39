import { type Static, Type } from 'typebox'
import { Amount, Body, Currency, Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { CustomerPrice } from '../schema.ts'
import { MISFITS, type Misfit } from './fits.ts'

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
export const Proration = Resource('ServiceUpgrade', {
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

/** What a change leads to: what it costs, when it takes effect, and whether the panel has room for it. */
export const ChangeTerms = {
  proration: Proration,
  /** `next_period`: nothing is charged or credited now. */
  effect: OneOf(['on_payment', 'at_once', 'next_period', 'credit_note']),
  /** Null for a change that waits for its payment. */
  effectiveAt: Nullable(Timestamp),
}

/** Whether the server has room on the panel after a change. */
export const Room = {
  fits: Nullable(
    Type.Boolean({
      description: 'Whether the server fits that product; null when the panel does not answer',
    }),
  ),
  misfit: Nullable(OneOf(Object.keys(MISFITS) as Misfit[])),
}

/** A change that staff order for a customer. */
export const StaffUpgradeOrder = Body({
  productId: Id,
  planId: Type.Optional(Id),
  preview: Type.Optional(Type.Boolean()),
})

export const UpgradeTarget = Resource('UpgradeTarget', {
  product: Type.Object({ id: Id, slug: Type.String(), name: Type.String() }),
  plan: Type.Object({ id: Id, name: Type.String() }),
  priceCents: Amount,
  /** Of a period of it, before discounts. */
  customerPrice: CustomerPrice,
  ...ChangeTerms,
})
