import { type Static, Type } from 'typebox'
import { InvoiceSchema, PaymentSchema } from '#billing'
import { Amount, Body, Currency, Id, Nullable, OneOf, Timestamp } from '#lib/schema.ts'

export const OrderStatus = OneOf(['pending', 'paid', 'fulfilled', 'canceled'])
export type OrderStatus = Static<typeof OrderStatus>

export const Checkout = Body({
  gatewayId: Type.Optional(Id),
  paymentMethodId: Type.Optional(Id),
  savePaymentMethod: Type.Optional(Type.Boolean()),
  useCredits: Type.Optional(Type.Boolean()),
  returnUrl: Type.Optional(Type.String({ format: 'uri', maxLength: 2000 })),
  immediateStart: Type.Optional(Type.Boolean()),
})
export type Checkout = Static<typeof Checkout>

export const Order = Type.Object({
  id: Id,
  number: Type.String(),
  status: OrderStatus,
  totalCents: Amount,
  currency: Currency,
  invoiceId: Id,
  items: Type.Array(
    Type.Object({
      id: Id,
      productId: Id,
      planId: Id,
      quantity: Type.Integer(),
      serviceIds: Type.Array(Id),
      totalCents: Amount,
    }),
  ),
  createdAt: Timestamp,
  paidAt: Nullable(Timestamp),
  fulfilledAt: Nullable(Timestamp),
  canceledAt: Nullable(Timestamp),
})
export type Order = Static<typeof Order>

export const CheckedOut = Type.Object({
  order: Order,
  invoice: InvoiceSchema,
  payment: Nullable(PaymentSchema),
})
