import type { FastifyRequest } from 'fastify'
import { IdParams } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { addCoupon, addItem, changeItem, removeCoupon, removeItem } from './actions.ts'
import { findItem } from './queries.ts'
import { cartOf, surveyedCart } from './quote.ts'
import type { UnsurveyedCart } from './rules.ts'
import { Cart, CartItemChange, CodeParams, NewCartItem } from './schema.ts'

const tags: Tag[] = ['Store']

/** What people do with their carts. Every change answers the cart. */
export const cartRoutes: Routes = (app, deps) => {
  /** The cart as it is answered, with the room that there is for it now. */
  const answered = async (
    { db, caller, now }: Pick<FastifyRequest, 'db' | 'caller' | 'now'>,
    cart: UnsurveyedCart,
  ) => surveyedCart(deps, db, caller, { cart, now })

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
    url: '/v1/cart/items',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'Put a plan into my cart',
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
      params: IdParams,
      body: CartItemChange,
      response: { 200: Cart, ...problems(404, 422) },
    },
    async handler(request) {
      const {
        params: { id },
        body,
        caller,
        now,
        transact,
      } = request
      return answered(
        request,
        await transact((tx) => changeItem(tx, caller, { id, change: body }, now)),
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
      params: IdParams,
      response: { 200: Cart, ...problems(404) },
    },
    async handler(request) {
      const {
        params: { id },
        caller,
        now,
        transact,
      } = request
      return answered(request, await transact((tx) => removeItem(tx, caller, id, now)))
    },
  })

  app.route({
    method: 'PUT',
    url: '/v1/cart/coupons/:code',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'Apply a coupon to my cart',
      params: CodeParams,
      response: { 200: Cart, ...problems(404, 422) },
    },
    async handler(request) {
      const {
        params: { code },
        caller,
        now,
        transact,
      } = request
      return answered(request, await transact((tx) => addCoupon(tx, caller, code, now)))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/cart/coupons/:code',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'Remove a coupon from my cart',
      params: CodeParams,
      response: { 200: Cart, ...problems(404) },
    },
    async handler(request) {
      const {
        params: { code },
        caller,
        now,
        transact,
      } = request
      return answered(request, await transact((tx) => removeCoupon(tx, caller, code, now)))
    },
  })
}
