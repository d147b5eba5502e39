import type { Cart, StoreQuote } from '#store'
import type { Selection } from '../selection.ts'
import type { Visit } from '../visit.ts'

/** A cart as pages show it, of an account or of a visitor. */
export type ShownCart = {
  readonly items: readonly (
    | Cart['items'][number]
    | (StoreQuote['items'][number] & { id: string })
  )[]
  readonly coupons: Cart['coupons']
  readonly taxes: Cart['taxes']
  readonly currency: string
  readonly subtotalCents: number
  readonly discountCents: number
  readonly taxCents: number
  readonly totalCents: number
  /** Why a promo code does not count; null while all do. */
  readonly couponFault: string | null
}

/** What an item is sold as: its product, where it has a name of its own, its plan, how many, and where. */
export function soldAs({
  name,
  productName,
  planName,
  quantity,
  location,
}: ShownCart['items'][number]): string {
  const product = name === productName ? '' : `${productName}, `
  const there = location ? `, ${location.name}` : ''
  return `${product}${planName}${quantity > 1 ? ` × ${quantity}` : ''}${there}`
}

/** What this person would buy now: the account's cart, else the visitor's selection priced. */
export async function cartFor(visit: Visit): Promise<ShownCart> {
  if (visit.session) {
    const cart = await visit.call<Cart>('GET', '/v1/cart')
    return { ...cart, couponFault: null }
  }
  const { selection, country } = visit
  const body = { ...selectedOf(selection), ...(country && { country }) }
  const quote = await visit.call<StoreQuote>('POST', '/v1/store/quote', { body })
  const fault = quote.faults.find(({ path }) => path.startsWith('coupons.'))
  const items = quote.items.map((item) => ({ ...item, id: item.path.replace('items.', '') }))
  return { ...quote, items, couponFault: fault?.message ?? null }
}

/** What a visitor selected, as a quote asks for it. */
function selectedOf({ items, coupons }: Selection) {
  return {
    items: items.map(({ planId, quantity, name, locationId }) => ({
      ...{ planId, quantity, name, locationId },
    })),
    coupons,
  }
}

/**
 * Moves what a visitor selected into the account's cart. What cannot be taken over (sold out, gone, another
 * currency) is left behind, so that signing in never fails for it. A form that is sent twice moves it once.
 */
export async function moveSelection(visit: Visit, token: string): Promise<void> {
  for (const [index, item] of visit.selection.items.entries()) {
    const { planId, quantity, name, environment, locationId } = item
    const body = { planId, quantity, ...(name && { name }), environment, locationId }
    const idempotencyKey = `selection-${visit.selectionKey}-${index}`
    await visit.call('POST', '/v1/cart/items', { body, token, idempotencyKey }).catch(() => null)
  }
  for (const code of visit.selection.coupons) {
    const path = `/v1/cart/coupons/${encodeURIComponent(code)}`
    await visit.call('PUT', path, { token }).catch(() => null)
  }
}
