import type { FastifyRequest } from 'fastify'
import { detailIn } from '#lib/problem.ts'
import { Body, IdParams } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { problemLanguageOf } from '#platform/http/language.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { addCoupon, addItem, changeItem, removeCoupon, removeItem } from './actions.ts'
import { TypedPlace, typedBuyer } from './buyer.ts'
import { findItem } from './queries.ts'
import { cartOf, type QuotedCart, surveyedCart } from './quote.ts'
import { Cart, CartItemChange, CartQuote, CodeParams, NewCartItem } from './schema.ts'

const tags: Tag[] = ['Store']

/** What people do with their carts. Every change returns the cart. */
export const cartRoutes: Routes = (app, deps) => {
  /** The cart of a response, with the room for it now. */
  const answered = async (request: FastifyRequest, cart: QuotedCart) => {
    const { db, tenantId, now } = request
    return translated(request, await surveyedCart(deps, db, tenantId, { cart, now }))
  }

  app.route({
    method: 'GET',
    url: '/v1/cart',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'Get my cart with its current prices',
      response: { 200: Cart, ...problems(422) },
    },
    async handler(request) {
      const { caller, db, now } = request
      return answered(request, await cartOf(db, caller, now))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/cart/quote',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'Price my cart for another address or VAT number',
      description:
        'Saves nothing. `vat` is the answer of the EU’s register, or why the number is malformed; while the register is unavailable, tax is calculated as for the order. 422 for an unknown country.',
      body: Body(TypedPlace),
      response: { 200: CartQuote, ...problems(422) },
    },
    async handler(request) {
      const { body, caller, db, now } = request
      const { customer, vat } = await typedBuyer(deps, request, body)
      const cart = await cartOf(db, caller, now, { buyer: customer })
      return { cart: await answered(request, cart), vat }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/cart/items',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'Put a plan into my cart',
      description:
        'Answers the cart with prices, tax and faults. Nothing is reserved until checkout. 404 for a plan that is not sold, 422 `cart_full`, `cart_currency`, `currency_not_available`, `environment_invalid`, `options_invalid` or `location_unknown`.',
      body: NewCartItem,
      response: { 201: Cart, ...problems(404, 422) },
    },
    async handler(request, reply) {
      const { body, caller, now, transact } = request
      reply.code(201)
      return answered(request, await transact((tx) => addItem(tx, caller, body, now)))
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/cart/items/:id',
    config: {
      access: 'user',
      impersonation: 'allowed',
      exists: ({ db, caller, params }) =>
        findItem(db, { ...caller, ...(params as { id: string }) }),
    },
    schema: {
      tags,
      summary: 'Change an item of my cart',
      description: 'Omitted fields stay; answers the cart. 422 as for a new item.',
      params: IdParams,
      body: CartItemChange,
      response: { 200: Cart, ...problems(404, 422) },
    },
    async handler(request) {
      const { params, body, caller, now, transact } = request
      return answered(
        request,
        await transact((tx) => changeItem(tx, caller, { id: params.id, change: body }, now)),
      )
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/cart/items/:id',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'Remove an item from my cart',
      description: 'Answers the cart.',
      params: IdParams,
      response: { 200: Cart, ...problems(404) },
    },
    async handler(request) {
      const { params, caller, now, transact } = request
      return answered(request, await transact((tx) => removeItem(tx, caller, params.id, now)))
    },
  })

  app.route({
    method: 'PUT',
    url: '/v1/cart/coupons/:code',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'Apply a coupon to my cart',
      description:
        'Answers the cart with the discount. 404 `coupon_unknown` for an unknown code, 422 `coupon_not_applicable` with the reason. Applied again, it changes nothing.',
      params: CodeParams,
      response: { 200: Cart, ...problems(404, 422) },
    },
    async handler(request) {
      const { params, caller, now, transact } = request
      return answered(request, await transact((tx) => addCoupon(tx, caller, params.code, now)))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/cart/coupons/:code',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'Remove a coupon from my cart',
      description: 'Answers the cart. 404 for a coupon that is not applied.',
      params: CodeParams,
      response: { 200: Cart, ...problems(404) },
    },
    async handler(request) {
      const { params, caller, now, transact } = request
      return answered(request, await transact((tx) => removeCoupon(tx, caller, params.code, now)))
    },
  })
}

/** A cart with its faults in the language of the caller. */
function translated(request: FastifyRequest, cart: Cart): Cart {
  const language = problemLanguageOf(request)
  const items = cart.items.map((item) => {
    return { ...item, faults: item.faults.map((it) => ({ ...it, ...detailIn(language, it) })) }
  })
  return { ...cart, items }
}
