import type { Deps } from '#platform/deps.ts'
import { type Exchange, refusalOf, storeSelection, type Visit } from '../visit.ts'
import { cartFor } from './cart.ts'

/** A visit after a change of its coupons, and why the change was refused; null if it was not. */
export type CouponChange = { readonly visit: Visit; readonly fault: string | null }

/** A coupon code as it was typed, in the form that codes have. */
export function couponIn(typed: string | undefined): string {
  return (typed ?? '').trim().toUpperCase()
}

/** Applies a coupon to the cart of an account or to the selection of a visitor, unless it does not apply. */
export async function applyCoupon(
  deps: Pick<Deps, 'secrets'>,
  visit: Visit,
  exchange: Exchange,
  code: string,
): Promise<CouponChange> {
  if (visit.session) {
    const path = `/v1/cart/coupons/${encodeURIComponent(code)}`
    const refused = await refusalOf(visit.call('PUT', path))
    return { visit, fault: refused?.message ?? null }
  }
  const { items, coupons } = visit.selection
  const selection = { items, coupons: [...new Set([...coupons, code])] }
  const changed = { ...visit, selection }
  const { couponFault } = await cartFor(changed)
  if (couponFault) return { visit, fault: couponFault }
  storeSelection(deps, exchange, selection)
  return { visit: changed, fault: null }
}

/** Removes a coupon from the cart of an account or from the selection of a visitor; one that is not there is removed. */
export async function removeCoupon(
  deps: Pick<Deps, 'secrets'>,
  visit: Visit,
  exchange: Exchange,
  code: string,
): Promise<Visit> {
  if (visit.session) {
    await refusalOf(visit.call('DELETE', `/v1/cart/coupons/${encodeURIComponent(code)}`))
    return visit
  }
  const { items, coupons } = visit.selection
  const selection = { items, coupons: coupons.filter((it) => it !== code) }
  storeSelection(deps, exchange, selection)
  return { ...visit, selection }
}
