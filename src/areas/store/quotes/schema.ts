import { type Static, Type } from 'typebox'
import { Body, Country, Currency, Id, Line, Nullable, Quantity, Resource } from '#lib/schema.ts'
import { LocationId, PricedItem, PricedTotals } from '../carts/schema.ts'
import { Code } from '../coupons/schema.ts'

export const QuoteRequest = Body({
  items: Type.Array(
    Body({
      planId: Id,
      quantity: Type.Optional(Quantity),
      name: Type.Optional(Nullable(Line(100))),
      locationId: Type.Optional(LocationId),
    }),
    { maxItems: 50 },
  ),
  coupons: Type.Optional(Type.Array(Code, { maxItems: 10, uniqueItems: true })),
  country: Type.Optional({
    ...Country,
    description: 'Where the buyer lives; the seller’s own without it',
  }),
  currency: Type.Optional(Currency),
})
export type QuoteRequest = Static<typeof QuoteRequest>

/** What stands in the way of an order, and of which item of the request (`items.0`). */
const Fault = Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() })

export const Quote = Resource('Quote', {
  items: Type.Array(
    Resource('QuotedItem', {
      path: Type.String({ description: 'Which item of the request it is: `items.0`' }),
      ...PricedItem,
    }),
  ),
  ...PricedTotals,
  country: Type.String({ description: 'Whose tax was taken' }),
  faults: Type.Array(Fault),
})
export type Quote = Static<typeof Quote>
