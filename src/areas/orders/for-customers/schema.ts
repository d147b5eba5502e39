import { type Static, Type } from 'typebox'
import { Body, Currency, Resource } from '#lib/schema.ts'
import { OrderItemRequest, StoreQuote, WantedCoupons } from '#store'

const wanted = {
  items: Type.Array(OrderItemRequest, { minItems: 1, maxItems: 50 }),
  coupons: Type.Optional(WantedCoupons),
  /** By default that of the shop. */
  currency: Type.Optional(Currency),
}

/** What staff order for a customer. */
export const CustomerOrder = Body({
  ...wanted,
  daysToPay: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 30 },
      description: 'By default `orders.staffOrderDays`',
    }),
  ),
})
export type CustomerOrder = Static<typeof CustomerOrder>

export const CustomerOrderPreview = Body(wanted)

const { vat: _typed, ...priced } = StoreQuote.properties

/** What an order would cost its customer, and what prevents it. */
export const CustomerQuote = Resource('CustomerQuote', priced)
