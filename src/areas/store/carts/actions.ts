import { newId } from '#lib/id.ts'
import { assertNoLink } from '#lib/links.ts'
import { notFound, Problem, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { sellerOf, settingsOf } from '#tenants'
import { findCouponByCode } from '../coupons/queries.ts'
import { withLocations } from '../locations/queries.ts'
import { notSoldThere } from '../locations/rules.ts'
import { findPlanSold } from '../plans/queries.ts'
import { type PlanRow, priceIn } from '../plans/rules.ts'
import { couponCodeOf } from '../pricing/coupons.ts'
import { findProduct } from '../products/queries.ts'
import { storeSettings } from '../settings.ts'
import { assertEnvironment } from './environment.ts'
import {
  type CartRow,
  deleteCartCoupon,
  deleteItem,
  findItem,
  insertItem,
  listCartCoupons,
  listItems,
  lockCart,
  updateCurrency,
  updateItem,
  upsertCart,
  upsertCartCoupon,
} from './queries.ts'
import { cartOf, type QuotedCart } from './quote.ts'
import { assertInStock, usableCouponsAnd } from './rules.ts'
import type { CartItemChange, NewCartItem } from './schema.ts'

const MAX_ITEMS = 50

/** Puts a plan into the caller's cart. 404 for a plan that this shop does not sell, 422 for limits. */
export async function addItem(
  tx: Tx,
  caller: UserKey,
  { planId, quantity = 1, currency, ...item }: NewCartItem,
  now: Instant,
): Promise<QuotedCart> {
  const { tenantId, userId } = caller
  assertNoLink('name', item.name)
  const plan = await findPlanSold(tx, { tenantId, id: planId })
  if (!plan) throw notFound('Plan')
  const seller = await sellerOf(tx, tenantId)
  const cart = await upsertCart(tx, caller, { currency: seller.currency, now })
  const settled = await settleCurrency(tx, cart, plan, currency ?? null)
  await assertSoldThere(tx, plan, { locationId: item.locationId ?? null, currency: settled })
  await assertEnvironment(tx, plan, item.environment)
  const row = { ...item, planId, quantity, createdAt: now }
  const id = newId()
  await insertItem(tx, { tenantId, userId, id }, row)
  await assertWithinLimits(tx, caller)
  return cartOf(tx, caller, now, { written: id })
}

/** Changes an item in the caller's cart. 404, 422. */
export async function changeItem(
  tx: Tx,
  caller: UserKey,
  { id, change }: { id: string; change: CartItemChange },
  now: Instant,
): Promise<QuotedCart> {
  const { tenantId } = caller
  assertNoLink('name', change.name)
  const key = { tenantId, userId: caller.userId, id }
  const cart = await lockCart(tx, caller)
  const item = cart && (await findItem(tx, key))
  if (!item) throw notFound('Cart item')
  if (change.planId !== undefined && change.planId !== item.planId) {
    const plan = await findPlanSold(tx, { tenantId, id: change.planId })
    if (!plan) throw notFound('Plan')
    assertPriced(plan, cart.currency)
  }
  if (change.planId !== undefined || change.locationId !== undefined) {
    const plan = await findPlanSold(tx, { tenantId, id: change.planId ?? item.planId })
    const { locationId = item.locationId } = change
    if (plan) await assertSoldThere(tx, plan, { locationId, currency: cart.currency })
  }
  if (change.environment) {
    const plan = await findPlanSold(tx, { tenantId, id: change.planId ?? item.planId })
    if (plan) await assertEnvironment(tx, plan, change.environment)
  }
  await updateItem(tx, key, change)
  if (change.planId !== undefined || change.quantity !== undefined) {
    await assertWithinLimits(tx, caller)
  }
  return cartOf(tx, caller, now, { written: id })
}

/** Removes an item from the caller's cart. 404. */
export async function removeItem(
  tx: Tx,
  caller: UserKey,
  id: string,
  now: Instant,
): Promise<QuotedCart> {
  const { tenantId, userId } = caller
  await lockCart(tx, caller)
  if (!(await deleteItem(tx, { tenantId, userId, id }))) throw notFound('Cart item')
  return cartOf(tx, caller, now)
}

/** Uses a coupon on the caller's cart. 404 `coupon_unknown` for an unknown code, 422 with the reason (R1.8). */
export async function addCoupon(
  tx: Tx,
  caller: UserKey,
  code: string,
  now: Instant,
): Promise<QuotedCart> {
  const { tenantId, userId } = caller
  const coupon = await findCouponByCode(tx, { tenantId, code: couponCodeOf(code) })
  if (!coupon)
    throw new Problem(404, 'There is no coupon with this code.', { code: 'coupon_unknown' })
  const { currency } = await sellerOf(tx, tenantId)
  await upsertCart(tx, caller, { currency, now })
  await upsertCartCoupon(tx, { tenantId, userId, couponId: coupon.id }, now)
  return cartOf(tx, caller, now, { choose: usableCouponsAnd(coupon.code) })
}

/** Removes a coupon from the caller's cart. 404 if the cart does not have it. */
export async function removeCoupon(
  tx: Tx,
  caller: UserKey,
  code: string,
  now: Instant,
): Promise<QuotedCart> {
  const { tenantId, userId } = caller
  await lockCart(tx, caller)
  const coupons = await listCartCoupons(tx, caller)
  const coupon = coupons.find((it) => it.code === couponCodeOf(code))
  if (!coupon) throw notFound('Coupon')
  await deleteCartCoupon(tx, { tenantId, userId, couponId: coupon.id })
  return cartOf(tx, caller, now)
}

/** Returns the currency of a cart; an empty one gets the requested currency, else the seller's, else the plan's own. */
async function settleCurrency(
  tx: Tx,
  cart: CartRow,
  plan: PlanRow,
  wanted: string | null,
): Promise<string> {
  const items = await listItems(tx, cart)
  if (items.length > 0) {
    if (wanted !== null && wanted !== cart.currency) {
      throw unprocessable(`Your cart is in ${cart.currency}.`, 'cart_currency')
    }
    assertPriced(plan, cart.currency)
    return cart.currency
  }
  const { currency } = await sellerOf(tx, cart.tenantId)
  const settled = wanted ?? (priceIn(plan, currency) ? currency : plan.currency)
  assertPriced(plan, settled)
  if (settled !== cart.currency) await updateCurrency(tx, cart, settled)
  return settled
}

/** Throws 422 unless a plan is sold in the location in this currency, or needs no location to be chosen. */
async function assertSoldThere(
  tx: Tx,
  { tenantId, productId, interval, intervalCount }: PlanRow,
  { locationId, currency }: { locationId: string | null; currency: string },
): Promise<void> {
  const product = await findProduct(tx, { tenantId, id: productId })
  const locationIds = product?.locationIds ?? []
  const choice = { locationIds, locationId, interval, intervalCount }
  const [chosen] = await withLocations(tx, { tenantId, currency }, [choice])
  if (chosen?.locationFault) throw notSoldThere(chosen.locationFault)
}

function assertPriced(plan: PlanRow, currency: string): void {
  if (priceIn(plan, currency)) return
  throw unprocessable(`This plan is not sold in ${currency}.`, 'currency_not_available')
}

/** Throws 422 for more than a cart may contain, or than is in stock. */
async function assertWithinLimits(tx: Tx, user: UserKey): Promise<void> {
  const items = await listItems(tx, user)
  const { maxUnitsPerOrder } = await settingsOf(tx, user.tenantId, storeSettings)
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0)
  if (items.length > MAX_ITEMS || units > maxUnitsPerOrder) {
    throw unprocessable('This is more than one order may hold.', 'cart_full')
  }
  assertInStock(items)
}
