import { type Html, html } from '#platform/pages/html.ts'
import type { Visit } from '../visit.ts'
import type { ShownCart } from './cart.ts'

type Item = ShownCart['items'][number]

/** Whether something in a cart cannot be ordered as it is. */
export function isBlocked({ items }: ShownCart): boolean {
  return items.some((item) => !item.available || item.room === 'full' || item.faults.length > 0)
}

/** Up to this many left, a shop shows how many are left. */
const FEW_LEFT = 5

/** Whether an item of a cart is in stock and has room, and what its buyer can do if not. */
export function availabilityOf({ texts }: Visit, item: Item): Html | null {
  const { id, productSlug, available, stock, quantity, location, room } = item
  const { cartPage: own, product } = texts
  const why = (text: string) => html`<p class="gone">${text}</p>`
  if (!available) {
    const isFewer = stock !== null && stock > 0 && stock < quantity
    return why(isFewer ? own.fewer(stock) : own.unavailable)
  }
  if (room === 'full') {
    return location
      ? html`${why(own.full(location.name))}<p><a href="/cart/items/${id}">${own.otherLocation}</a></p>`
      : html`${why(product.noRoom)}<p><a href="/p/${productSlug}">${own.otherSizes}</a></p>`
  }
  const words = [
    room ? product.room[room] : null,
    stock !== null && stock <= FEW_LEFT ? product.left(stock) : null,
  ].filter((it) => it !== null)
  return words.length > 0 ? html`<p>${words.join(' · ')}</p>` : null
}

/** The availability of an item of a cart as plain text, for a summary. */
export function availabilityText({ texts }: Visit, { location, room }: Item): string | null {
  if (room === null) return null
  if (room !== 'full') return texts.product.room[room]
  return location ? texts.cartPage.full(location.name) : texts.product.noRoom
}
