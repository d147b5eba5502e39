import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Body } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import type { OrderableProduct } from '#store'
import { categoriesFor, productFor } from '../catalogue/catalogue.ts'
import { productPage, VARIABLE_PREFIX } from '../catalogue/product.ts'
import { guarded } from '../guarded.ts'
import type { Selected } from '../selection.ts'
import { keepSelection, refusalOf, sendPage, type Visit, visitsOf } from '../visit.ts'
import { cartFor } from './cart.ts'
import { cartPage } from './page.ts'

const Text = (maxLength: number) => Type.String({ maxLength })
const NewItem = Type.Object(
  { product: Text(100), plan: Text(36), name: Text(100) },
  { additionalProperties: Text(2000) },
)
const ItemId = Body({ id: Text(36) })
const Code = Body({ code: Text(50) })

type ItemForm = Record<string, string> & { product: string; plan: string; name: string }

/** The cart: of an account where somebody is signed in, else in a cookie. */
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
      if (visit.session) {
        const refused = await refusalOf(visit.call('POST', '/v1/cart/items', { body: item }))
        if (refused) return againWith(visit, { request, reply }, form, refused.message)
        return reply.redirect('/cart', 303)
      }
      if (item.locationId === null && (await mustChoose(visit, form))) {
        return againWith(visit, { request, reply }, form, visit.texts.product.chooseLocation)
      }
      const { items, coupons } = visit.selection
      const kept = keepSelection(deps, { request, reply }, { items: [...items, item], coupons })
      if (!kept) return againWith(visit, { request, reply }, form, visit.texts.cartPage.tooLarge)
      return reply.redirect('/cart', 303)
    },
    { body: NewItem },
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
        keepSelection(deps, { request, reply }, { ...visit.selection, items })
      }
      return reply.redirect('/cart', 303)
    },
    { body: ItemId },
  )

  page(
    'POST',
    '/cart/coupons',
    async (request, reply) => {
      const code = (request.body as { code: string }).code.trim().toUpperCase()
      const visit = await visitOf(request, reply)
      if (visit.session) {
        const path = `/v1/cart/coupons/${encodeURIComponent(code)}`
        const refused = await refusalOf(visit.call('PUT', path))
        if (!refused) return reply.redirect('/cart', 303)
        const cart = { ...(await cartFor(visit)), couponFault: refused.message }
        return sendPage(request, reply.code(422), cartPage(visit, cart, null))
      }
      const { items, coupons } = visit.selection
      const selection = { items, coupons: [...new Set([...coupons, code])] }
      const cart = await cartFor({ ...visit, selection })
      if (cart.couponFault) return sendPage(request, reply.code(422), cartPage(visit, cart, null))
      keepSelection(deps, { request, reply }, selection)
      return reply.redirect('/cart', 303)
    },
    { body: Code },
  )

  page(
    'POST',
    '/cart/coupons/remove',
    async (request, reply) => {
      const { code } = request.body as { code: string }
      const visit = await visitOf(request, reply)
      if (visit.session) {
        await refusalOf(visit.call('DELETE', `/v1/cart/coupons/${encodeURIComponent(code)}`))
      } else {
        const coupons = visit.selection.coupons.filter((it) => it !== code)
        keepSelection(deps, { request, reply }, { ...visit.selection, coupons })
      }
      return reply.redirect('/cart', 303)
    },
    { body: Code },
  )
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** The order form once more, with everything that was typed. */
async function againWith(
  visit: Visit,
  { request, reply }: Exchange,
  form: ItemForm,
  message: string,
): Promise<unknown> {
  const product = await productFor(visit, form.product)
  const typed = { values: form, errors: {}, message }
  return sendPage(request, reply.code(422), productPage(visit, await placed(visit, product), typed))
}

/** Whether a product is sold in several locations, of which none was chosen. */
async function mustChoose(visit: Visit, { product }: ItemForm): Promise<boolean> {
  return (await productFor(visit, product)).orderForm.locations.length > 1
}

async function placed(visit: Visit, product: OrderableProduct) {
  const categories = await categoriesFor(visit)
  return { product, category: categories.find(({ id }) => id === product.categoryId) ?? null }
}

function selectedIn(form: ItemForm): Selected {
  const entries = Object.entries(form)
    .filter(([name, value]) => name.startsWith(VARIABLE_PREFIX) && value !== '')
    .map(([name, value]) => [name.slice(VARIABLE_PREFIX.length), value] as const)
  const name = form.name.trim() === '' ? null : form.name.trim()
  const { plan: planId, locationId: chosen = '' } = form
  const locationId = chosen === '' ? null : chosen
  return { planId, quantity: 1, name, environment: Object.fromEntries(entries), locationId }
}
