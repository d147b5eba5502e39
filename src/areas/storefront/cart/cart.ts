import type { Cart, CartQuote, StoreQuote } from '#store'
import type { Selection } from '../selection.ts'
import { Refusal, type Visit } from '../visit.ts'

/** A cart as pages show it, of an account or of a visitor. */
export type ShownCart = {
  readonly items: readonly (
    | Cart['items'][number]
    | (StoreQuote['items'][number] & Pick<Cart['items'][number], 'id' | 'faults'>)
  )[]
  readonly coupons: Cart['coupons']
  readonly taxes: Cart['taxes']
  readonly currency: string
  readonly subtotalCents: number
  readonly discountCents: number
  readonly taxCents: number
  readonly totalCents: number
  /** Why a promo code does not apply; null if all apply. */
  readonly couponFault: string | null
  /** The code that was typed and does not apply. */
  readonly couponTyped?: string
  /** The check of the VAT number that was typed; null if none was. */
  readonly vat: StoreQuote['vat']
}

/** Where a buyer says they live, before it is saved. */
export type TypedPlace = {
  readonly country?: string
  readonly postcode?: string
  readonly vatNumber?: string
}

/** What an item is sold as: its product (if that has its own name), plan, quantity, location and options. */
export function soldAs({
  name,
  productName,
  planName,
  quantity,
  location,
  components,
}: ShownCart['items'][number]): string {
  const product = name === productName ? '' : `${productName}, `
  const there = location ? `, ${location.name}` : ''
  const options = components.filter(({ kind }) => kind === 'option')
  const beside = options.map(({ name, label }) => `, ${name} ${label}`).join('')
  return `${product}${planName}${quantity > 1 ? ` × ${quantity}` : ''}${there}${beside}`
}

/**
 * What this person would buy now: the account's cart, else the visitor's selection with prices; priced for the place
 * that they entered, if they did.
 */
export async function cartFor(visit: Visit, typed: TypedPlace = {}): Promise<ShownCart> {
  if (visit.session) {
    const { cart, vat } =
      Object.keys(typed).length > 0
        ? await visit.call<CartQuote>('POST', '/v1/cart/quote', { body: typed })
        : { cart: await visit.call<Cart>('GET', '/v1/cart'), vat: null }
    return { ...cart, vat, couponFault: null }
  }
  const { selection, country } = visit
  const body = { ...selectedOf(selection), ...(country && { country }), ...typed }
  const quote = await visit.call<StoreQuote>('POST', '/v1/store/quote', { body })
  const fault = quote.faults.find(({ path }) => path.startsWith('coupons.'))
  const items = quote.items.map((item) => ({
    ...item,
    id: item.path.replace('items.', ''),
    faults: quote.faults.filter(({ path }) =>
      ['environment', 'options'].some((it) => path.startsWith(`${item.path}.${it}.`)),
    ),
  }))
  return { ...quote, items, couponFault: fault?.message ?? null }
}

/** A visitor's selection, in the form that a quote takes. */
function selectedOf({ items, coupons }: Selection) {
  return {
    items: items.map(({ planId, quantity, name, environment, locationId, options }) => ({
      ...{ planId, quantity, name, environment, locationId, options },
    })),
    coupons,
  }
}

/**
 * Moves what a visitor selected into the account's cart. Items that cannot be moved (sold out, gone, another
 * currency) are skipped, so that signing in never fails because of them. A form that is sent twice moves it once.
 */
export async function moveSelection(visit: Visit, token: string): Promise<void> {
  for (const [index, item] of visit.selection.items.entries()) {
    const { planId, quantity, name, environment, locationId, options } = item
    const body = { planId, quantity, ...(name && { name }), environment, locationId, options }
    const idempotencyKey = `selection-${visit.selectionKey}-${index}`
    const add = (wanted: object, key: string) =>
      visit.call('POST', '/v1/cart/items', { body: wanted, token, idempotencyKey: key })
    await add(body, idempotencyKey).catch((error: unknown) => {
      // The rules of the game have changed since: the item is moved with the shop's default values, and can be changed.
      const isInvalid = error instanceof Refusal && error.code === 'environment_invalid'
      return isInvalid
        ? add({ ...body, environment: {} }, `${idempotencyKey}-plain`).catch(() => null)
        : null
    })
  }
  for (const code of visit.selection.coupons) {
    const path = `/v1/cart/coupons/${encodeURIComponent(code)}`
    await visit.call('PUT', path, { token }).catch(() => null)
  }
}
