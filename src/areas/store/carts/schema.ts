import { type Static, Type } from 'typebox'
import { Amount, Body, Currency, Id, Line, Nullable, Quantity } from '#lib/schema.ts'
import { EnvironmentSchema } from '#panel'
import { Code } from '../coupons/schema.ts'
import { Options } from '../schema.ts'

export const NewCartItem = Body({
  planId: Id,
  quantity: Type.Optional(Quantity),
  name: Type.Optional(Nullable(Line(100))),
  options: Type.Optional(Options),
  environment: Type.Optional(EnvironmentSchema),
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
})
export type CartItemChange = Static<typeof CartItemChange>

export const CodeParams = Type.Object({ code: Code })

const Item = Type.Object({
  id: Id,
  planId: Id,
  productId: Id,
  name: Type.String({ description: "What the customer calls it, else the product's name" }),
  quantity: Type.Integer(),
  options: Options,
  environment: EnvironmentSchema,
  unitPriceCents: Amount,
  setupFeeCents: Amount,
  subtotalCents: Amount,
  discountCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
})

/** The caller's cart: what would be due now. What is not sold any more is listed and costs 0. */
export const Cart = Type.Object({
  items: Type.Array(Item),
  coupons: Type.Array(Type.Object({ code: Type.String(), discountCents: Amount })),
  currency: Type.String(),
  subtotalCents: Amount,
  discountCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
})
export type Cart = Static<typeof Cart>
