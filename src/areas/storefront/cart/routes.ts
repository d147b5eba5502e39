import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { Body } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Cart, OrderableProduct, StoreQuote } from '#store'
import { categoriesFor, productFor, sizesWith } from '../catalogue/catalogue.ts'
import { OPTION_PREFIX, optionsIn, optionValues } from '../catalogue/options.ts'
import { productPage, quantityIn, type TypedForm } from '../catalogue/product.ts'
import { environmentIn, VARIABLE_PREFIX } from '../catalogue/variables.ts'
import { guarded } from '../guarded.ts'
import type { Selected } from '../selection.ts'
import {
  type Exchange,
  Refusal,
  refusalOf,
  sendPage,
  storeSelection,
  type Visit,
  visitsOf,
} from '../visit.ts'
import { cartFor } from './cart.ts'
import { applyCoupon, couponIn, removeCoupon } from './coupons.ts'
import { cartPage } from './page.ts'

const Text = (maxLength: number) => Type.String({ maxLength })
const NewItem = Type.Object(
  { product: Text(100), plan: Text(36), name: Text(100) },
  { additionalProperties: Text(2000) },
)
const ItemId = Body({ id: Text(36) })
const ItemParams = Type.Object({ id: Text(36) })
const NewQuantity = Body({ id: Text(36), quantity: Text(6) })
const Code = Body({ code: Text(50) })

type ItemForm = Record<string, string> & { product: string; plan: string; name: string }

/** The cart: that of the account if a user is signed in, else the one in a cookie. */
export const cartPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true })

  page('GET', '/cart', async (request, reply) => {
    const visit = await visitOf(request, reply)
    return sendPage(request, reply, cartPage(visit, await cartFor(visit), null))
  })

  page(
    'POST',
    '/cart/items',
    async (request, reply) => {
      const form = request.body as ItemForm
      const visit = await visitOf(request, reply)
      const item = selectedIn(form)
      const exchange = { request, reply }
      if (item.locationId === null && (await mustChoose(visit, form))) {
        return againWith(visit, exchange, form, saying(visit.texts.product.chooseLocation))
      }
      const wrong = await faultsOf(visit, item)
      if (wrong) return againWith(visit, exchange, form, wrong)
      const onward = form.to === 'checkout' ? '/checkout' : '/cart'
      if (form.to === 'checkout' && (await isInCart(visit, item)))
        return reply.redirect(onward, 303)
      if (visit.session) {
        const id = form.item === undefined ? '' : `/${encodeURIComponent(form.item)}`
        const method = id ? 'PATCH' : 'POST'
        const refused = await refusalOf(visit.call(method, `/v1/cart/items${id}`, { body: item }))
        if (refused) return againWith(visit, exchange, form, saying(refused.message))
        return reply.redirect(onward, 303)
      }
      const { items, coupons } = visit.selection
      const changed = items.map((it, index) => (String(index) === form.item ? item : it))
      const wanted = form.item === undefined ? [...items, item] : changed
      if (!storeSelection(deps, exchange, { items: wanted, coupons })) {
        return againWith(visit, exchange, form, saying(visit.texts.cartPage.tooLarge))
      }
      return reply.redirect(onward, 303)
    },
    { body: NewItem },
  )

  page(
    'GET',
    '/cart/items/:id',
    async (request, reply) => {
      const { id } = request.params as { id: string }
      const visit = await visitOf(request, reply)
      const item = (await cartFor(visit)).items.find((it) => it.id === id)
      if (!item) return reply.redirect('/cart', 303)
      const chosen =
        'environment' in item ? item.environment : visit.selection.items[Number(id)]?.environment
      const wish = 'options' in item ? item.options : visit.selection.items[Number(id)]?.options
      const values = {
        ...{ plan: item.planId, quantity: String(item.quantity) },
        ...(item.location && { locationId: item.location.id }),
        name: item.name === item.productName ? '' : item.name,
        ...prefixed(Object.entries(chosen ?? {})),
        ...optionValues(wish ?? {}),
      }
      const errors = errorsOf(item.faults)
      const product = await productFor(visit, item.productSlug)
      const shown = { ...(await placed(visit, product)), item: id }
      return sendPage(request, reply, productPage(visit, shown, { values, errors, message: null }))
    },
    { params: ItemParams },
  )

  page(
    'POST',
    '/cart/items/quantity',
    async (request, reply) => {
      const { id, quantity: typed } = request.body as { id: string; quantity: string }
      const quantity = quantityIn(typed)
      const visit = await visitOf(request, reply)
      if (visit.session) {
        const path = `/v1/cart/items/${encodeURIComponent(id)}`
        const refused = await refusalOf(visit.call('PATCH', path, { body: { quantity } }))
        if (!refused) return reply.redirect('/cart', 303)
        const cart = await cartFor(visit)
        return sendPage(request, reply.code(422), cartPage(visit, cart, refused.message))
      }
      const items = visit.selection.items.map((it, index) =>
        String(index) === id ? { ...it, quantity } : it,
      )
      storeSelection(deps, { request, reply }, { ...visit.selection, items })
      return reply.redirect('/cart', 303)
    },
    { body: NewQuantity },
  )

  page(
    'POST',
    '/cart/items/remove',
    async (request, reply) => {
      const { id } = request.body as { id: string }
      const visit = await visitOf(request, reply)
      if (visit.session) {
        await refusalOf(visit.call('DELETE', `/v1/cart/items/${encodeURIComponent(id)}`))
      } else {
        const items = visit.selection.items.filter((_, index) => String(index) !== id)
        storeSelection(deps, { request, reply }, { ...visit.selection, items })
      }
      return reply.redirect('/cart', 303)
    },
    { body: ItemId },
  )

  page(
    'POST',
    '/cart/coupons',
    async (request, reply) => {
      const code = couponIn((request.body as { code: string }).code)
      const visit = await visitOf(request, reply)
      const { fault } = await applyCoupon(deps, visit, { request, reply }, code)
      if (fault === null) return reply.redirect('/cart', 303)
      const cart = { ...(await cartFor(visit)), couponFault: fault, couponTyped: code }
      return sendPage(request, reply.code(422), cartPage(visit, cart, null))
    },
    { body: Code },
  )

  page(
    'POST',
    '/cart/coupons/remove',
    async (request, reply) => {
      const { code } = request.body as { code: string }
      await removeCoupon(deps, await visitOf(request, reply), { request, reply }, code)
      return reply.redirect('/cart', 303)
    },
    { body: Code },
  )
}

/**
 * Whether the cart contains exactly this item: a buyer who goes back from the checkout to the product, and on again,
 * wants it once.
 */
async function isInCart(visit: Visit, item: Selected): Promise<boolean> {
  if (!visit.session) return visit.selection.items.some((it) => isDeepStrictEqual(it, item))
  const { items } = await visit.call<Cart>('GET', '/v1/cart')
  return items.some(({ planId, quantity, name, productName, environment, options, location }) =>
    isDeepStrictEqual(
      {
        ...{ planId, quantity, name: name === productName ? null : name },
        ...{ environment, options, locationId: location?.id ?? null },
      },
      item,
    ),
  )
}

type Wrong = Pick<TypedForm, 'errors' | 'message'>

const saying = (message: string): Wrong => ({ errors: {}, message })

/** What prevents an order of an item, at its fields if it is about their values; null if nothing does. */
async function faultsOf(visit: Visit, item: Selected): Promise<Wrong | null> {
  const { planId, quantity, environment, locationId, options } = item
  const { country } = visit
  const wanted = { planId, quantity, environment, locationId, options }
  const body = { items: [wanted], ...(country && { country }) }
  try {
    const quote = await visit.call<StoreQuote>('POST', '/v1/store/quote', { body })
    // A location that is full now may have room at the checkout; until then the cart shows that it is full.
    const faults = quote.faults.filter(({ code }) => code !== 'no_capacity')
    const errors = errorsOf(faults)
    const other = faults.find(({ path }) => fieldOf(path) === null)
    return faults.length > 0 ? { errors, message: other?.message ?? null } : null
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return saying(error.message)
    throw error
  }
}

/** What is wrong, by the field that it is about. */
function errorsOf(faults: readonly { path: string; message: string }[]): Record<string, string> {
  return Object.fromEntries(
    faults.flatMap(({ path, message }) => {
      const field = fieldOf(path)
      return field === null ? [] : [[field, message]]
    }),
  )
}

/** The field that a fault is about: `items.0.environment.MOTD` is about the variable MOTD; null for none. */
function fieldOf(path: string): string | null {
  const [, kind, name] = /(?:^|\.)(environment|options)\.(.+)$/.exec(path) ?? []
  if (name === undefined) return null
  return (kind === 'options' ? OPTION_PREFIX : VARIABLE_PREFIX) + name
}

function prefixed(entries: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(entries.map(([env, text]) => [VARIABLE_PREFIX + env, text]))
}

/** Shows the order form again, with everything that was typed. */
async function againWith(
  visit: Visit,
  { request, reply }: Exchange,
  form: ItemForm,
  wrong: Wrong,
): Promise<unknown> {
  const product = await productFor(visit, form.product)
  const environment = prefixed(Object.entries(environmentIn(form)))
  const values = { ...form, ...environment, ...optionValues(optionsIn(form)) }
  const shown = { ...(await placed(visit, product)), ...(form.item && { item: form.item }) }
  return sendPage(request, reply.code(422), productPage(visit, shown, { values, ...wrong }))
}

/** Whether a product is sold in several locations, and none was chosen. */
async function mustChoose(visit: Visit, { product }: ItemForm): Promise<boolean> {
  return (await productFor(visit, product)).orderForm.locations.length > 1
}

async function placed(visit: Visit, product: OrderableProduct) {
  const [categories, sizes] = await Promise.all([categoriesFor(visit), sizesWith(visit, product)])
  const category = categories.find(({ id }) => id === product.categoryId) ?? null
  return { product, category, sizes }
}

function selectedIn(form: ItemForm): Selected {
  const name = form.name.trim() === '' ? null : form.name.trim()
  const { plan: planId, locationId: chosen = '' } = form
  const locationId = chosen === '' ? null : chosen
  const quantity = quantityIn(form.quantity)
  const [environment, options] = [environmentIn(form), optionsIn(form)]
  return { planId, quantity, name, environment, options, locationId }
}
