import { type Static, Type } from 'typebox'
import { Body, Currency, Id, Line, Nullable, Quantity, Resource } from '#lib/schema.ts'
import { EnvironmentSchema } from '#panel'
import { TypedPlace, TypedVat } from '../carts/buyer.ts'
import { Fault, LocationId, PricedItem, PricedTotals } from '../carts/schema.ts'
import { Code } from '../coupons/schema.ts'
import { Options } from '../schema.ts'

/** The codes of the coupons of an order. */
export const WantedCoupons = Type.Array(Code, { maxItems: 10, uniqueItems: true })

export const QuoteRequest = Body({
  items: Type.Array(
    Body({
      planId: Id,
      quantity: Type.Optional(Quantity),
      name: Type.Optional(Nullable(Line(100))),
      locationId: Type.Optional(LocationId),
      options: Type.Optional(Options),
      environment: Type.Optional(EnvironmentSchema),
    }),
    { maxItems: 50 },
  ),
  coupons: Type.Optional(WantedCoupons),
  ...TypedPlace,
  currency: Type.Optional(Currency),
})
export type QuoteRequest = Static<typeof QuoteRequest>

export const Quote = Resource('Quote', {
  items: Type.Array(
    Resource('QuotedItem', {
      path: Type.String({ description: 'Which item of the request it is: `items.0`' }),
      ...PricedItem,
    }),
  ),
  ...PricedTotals,
  country: Type.String({ description: 'Whose tax was taken' }),
  vat: TypedVat,
  faults: Type.Array(Fault),
})
export type Quote = Static<typeof Quote>
