import { type Static, Type } from 'typebox'

/** The parts of Mollie's answers that are read here; there are more, and they may change. */
const Money = Type.Object({ currency: Type.String(), value: Type.String() })
export type MollieMoney = Static<typeof Money>

const Metadata = Type.Optional(Type.Unknown())

export const Refund = Type.Object({
  resource: Type.Literal('refund'),
  id: Type.String(),
  paymentId: Type.String(),
  amount: Money,
  status: Type.String(),
  createdAt: Type.String(),
  metadata: Metadata,
})
export type Refund = Static<typeof Refund>

export const Chargeback = Type.Object({
  resource: Type.Literal('chargeback'),
  id: Type.String(),
  paymentId: Type.String(),
  amount: Money,
  createdAt: Type.String(),
  reversedAt: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  reason: Type.Optional(
    Type.Union([Type.Object({ code: Type.String(), description: Type.String() }), Type.Null()]),
  ),
})
export type Chargeback = Static<typeof Chargeback>

export const Payment = Type.Object({
  resource: Type.Literal('payment'),
  id: Type.String(),
  mode: Type.String(),
  status: Type.String(),
  createdAt: Type.String(),
  amount: Money,
  amountRefunded: Type.Optional(Money),
  amountRemaining: Type.Optional(Money),
  amountChargedBack: Type.Optional(Money),
  isCancelable: Type.Optional(Type.Boolean()),
  paidAt: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  expiresAt: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  method: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  sequenceType: Type.Optional(Type.String()),
  customerId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  mandateId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  metadata: Metadata,
  details: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  _embedded: Type.Optional(
    Type.Object({
      refunds: Type.Optional(Type.Array(Refund)),
      chargebacks: Type.Optional(Type.Array(Chargeback)),
    }),
  ),
  _links: Type.Object({ checkout: Type.Optional(Type.Object({ href: Type.String() })) }),
})
export type Payment = Static<typeof Payment>

export const Customer = Type.Object({ resource: Type.Literal('customer'), id: Type.String() })

export const Mandate = Type.Object({
  resource: Type.Literal('mandate'),
  id: Type.String(),
  status: Type.String(),
  method: Type.String(),
  details: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
})
export type Mandate = Static<typeof Mandate>

export const Profile = Type.Object({
  resource: Type.Literal('profile'),
  id: Type.String(),
  mode: Type.String(),
  status: Type.Optional(Type.String()),
})

/** One page of a list; the items are in `_embedded` under the name of the list. */
export const List = Type.Object({
  _embedded: Type.Record(Type.String(), Type.Array(Type.Unknown())),
  _links: Type.Object({
    next: Type.Optional(Type.Union([Type.Object({ href: Type.String() }), Type.Null()])),
  }),
})
