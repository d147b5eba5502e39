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
import { Interval, Options } from '../schema.ts'
import { TypedVat } from './buyer.ts'

const Trial = Type.Boolean({
  description: 'Whether to begin with the trial of the plan, where it has one',
})

/** The location of the server, for a product that is sold in several locations. */
export const LocationId = Nullable({
  ...Id,
  description: 'Required for a product that is sold in several locations',
})

export const NewCartItem = Body({
  planId: { ...Id, description: 'A plan of a product that is sold' },
  quantity: Type.Optional({
    ...Quantity,
    description: 'How many services; 1 by default',
  }),
  name: Type.Optional(
    Nullable({
      ...Line(100),
      description: 'The name of the service; by default that of the product',
    }),
  ),
  options: Type.Optional(Options),
  environment: Type.Optional({
    ...EnvironmentSchema,
    description: 'Values for the variables of the server that customers may set, by name',
  }),
  trial: Type.Optional(Trial),
  locationId: Type.Optional(LocationId),
  /** Which of the plan's currencies; only an empty cart can change its currency. */
  currency: Type.Optional(Currency),
})
export type NewCartItem = Static<typeof NewCartItem>

const { currency: _ofCart, ...item } = NewCartItem.properties

/** An item of an order without a cart, which has one currency for all of them. */
export const OrderItemRequest = Body(item, 'OrderItemRequest')

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

/** A component of an item beside its plan: its location, or an option that was chosen. */
export const ShownComponent = Resource('Component', {
  key: Type.String({ description: '`location`, or the key of the option' }),
  kind: OneOf(['location', 'option']),
  name: Nullable(Type.String({ description: 'Null for the location' })),
  label: Type.String({ description: 'What was chosen' }),
  quantity: Nullable(Type.Integer()),
  priceCents: { ...Amount, description: 'For one service and the whole quantity' },
  feeCents: Amount,
  priceMicros: Nullable(Type.Integer()),
})

/** An item of a cart or a quote, for any owner. */
export const PricedItem = {
  planId: Id,
  productId: Id,
  productSlug: Type.String(),
  productName: Type.String(),
  planName: Type.String(),
  interval: Interval,
  intervalCount: Type.Integer(),
  trialDays: Type.Integer({ description: 'Days before anything is due' }),
  available: Type.Boolean({ description: 'Whether it is on sale and in stock' }),
  renewalCents: Type.Unsafe<Cents>({
    type: 'integer',
    description: 'A further period with tax, before coupons; by the hour, at most a month',
  }),
  name: Type.String({ description: 'What the customer calls it' }),
  quantity: Type.Integer(),
  location: Nullable(ShownLocation),
  stock: Nullable(Type.Integer()),
  room: Nullable(RoomWord),
  unitPriceCents: Amount,
  setupFeeCents: Amount,
  components: Type.Array(ShownComponent, {
    description: 'Beside the plan; included in the totals',
  }),
  subtotalCents: Amount,
  discountCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
}

/** What prevents an order: the path, the rule, and a sentence for the buyer. */
export const Fault = Resource('CartFault', {
  path: Type.String(),
  code: Type.String(),
  message: Type.String(),
})

const Item = Resource('CartItem', {
  id: Id,
  ...PricedItem,
  options: Options,
  environment: EnvironmentSchema,
  faults: Type.Array(Fault),
  trial: Trial,
})

/** The totals of a cart or a quote. */
export const PricedTotals = {
  coupons: Type.Array(Type.Object({ code: Type.String(), discountCents: Amount })),
  taxes: Type.Array(CartTax, { description: 'The tax by rate' }),
  currency: Type.String(),
  subtotalCents: Amount,
  discountCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
}

/** The caller's cart: what would be due now. What is no longer sold is listed and costs 0. */
export const Cart = Resource('Cart', { items: Type.Array(Item), ...PricedTotals })
export type Cart = Static<typeof Cart>

/** The caller's cart at the prices for a buyer who lives elsewhere. */
export const CartQuote = Resource('CartQuote', { cart: Cart, vat: TypedVat })
export type CartQuote = Static<typeof CartQuote>
