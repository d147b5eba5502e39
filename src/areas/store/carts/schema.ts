import { type Static, Type } from 'typebox'
import type { Cents } from '#lib/money.ts'
import {
  Amount,
  Body,
  Currency,
  Id,
  Line,
  Nullable,
  OneOf,
  Quantity,
  Resource,
} from '#lib/schema.ts'
import { EnvironmentSchema, RoomWord, ShownLocation } from '#panel'
import { Code } from '../coupons/schema.ts'
import { Options } from '../schema.ts'

const Trial = Type.Boolean({
  description: 'Whether to begin with the trial of the plan, where it has one',
})

/** Where the server is to stand, for a product that is sold in several locations. */
export const LocationId = Nullable(Id)

export const NewCartItem = Body({
  planId: Id,
  quantity: Type.Optional(Quantity),
  name: Type.Optional(Nullable(Line(100))),
  options: Type.Optional(Options),
  environment: Type.Optional(EnvironmentSchema),
  trial: Type.Optional(Trial),
  locationId: Type.Optional(LocationId),
  /** Which of the plan's currencies; only an empty cart can change its currency. */
  currency: Type.Optional(Currency),
})
export type NewCartItem = Static<typeof NewCartItem>

export const CartItemChange = Body({
  planId: Type.Optional(Id),
  quantity: Type.Optional(Quantity),
  name: Type.Optional(Nullable(Line(100))),
  options: Type.Optional(Options),
  environment: Type.Optional(EnvironmentSchema),
  trial: Type.Optional(Trial),
  locationId: Type.Optional(LocationId),
})
export type CartItemChange = Static<typeof CartItemChange>

export const CodeParams = Type.Object({ code: Code })

const CartTax = Resource('CartTax', {
  category: OneOf(['S', 'AE', 'O', 'E']),
  rateBasisPoints: Nullable(Type.Integer()),
  netCents: Amount,
  taxCents: Amount,
})

/** What stands in a cart or a quote, whoever it belongs to. */
export const PricedItem = {
  planId: Id,
  productId: Id,
  productSlug: Type.String(),
  productName: Type.String(),
  planName: Type.String(),
  interval: OneOf(['one_time', 'hour', 'week', 'month', 'year']),
  intervalCount: Type.Integer(),
  trialDays: Type.Integer({ description: 'Days before anything is due; 0 without a trial' }),
  available: Type.Boolean({ description: 'Whether it is on sale in this currency and in stock' }),
  renewalCents: Type.Unsafe<Cents>({
    type: 'integer',
    description:
      'What each further period costs with tax, before coupons; by the hour, at most a month',
  }),
  name: Type.String({ description: "What the customer calls it, else the product's name" }),
  quantity: Type.Integer(),
  location: Nullable(ShownLocation),
  room: Nullable(RoomWord),
  unitPriceCents: Amount,
  setupFeeCents: Amount,
  subtotalCents: Amount,
  discountCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
}

const Item = Resource('CartItem', {
  id: Id,
  ...PricedItem,
  options: Options,
  environment: EnvironmentSchema,
  trial: Trial,
})

/** What a cart or a quote comes to. */
export const PricedTotals = {
  coupons: Type.Array(Type.Object({ code: Type.String(), discountCents: Amount })),
  taxes: Type.Array(CartTax, { description: 'The tax by rate' }),
  currency: Type.String(),
  subtotalCents: Amount,
  discountCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
}

/** The caller's cart: what would be due now. What is not sold any more is listed and costs 0. */
export const Cart = Resource('Cart', { items: Type.Array(Item), ...PricedTotals })
export type Cart = Static<typeof Cart>
