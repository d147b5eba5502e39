import { newId } from '#lib/id.ts'
import { assertNoLink } from '#lib/links.ts'
import { notFound, unprocessable } from '#lib/problem.ts'
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
import { cartOf } from './quote.ts'
import { assertInStock, assertNoOptions, type UnsurveyedCart, usableCouponsAnd } from './rules.ts'
import type { CartItemChange, NewCartItem } from './schema.ts'

const MAX_ITEMS = 50

/** Puts a plan into the caller's cart. 404 for a plan that is not sold here, 422 for limits. */
export async function addItem(
  tx: Tx,
  caller: UserKey,
  { planId, quantity = 1, currency, ...item }: NewCartItem,
  now: Instant,
): Promise<UnsurveyedCart> {
  const { tenantId, userId } = caller
  assertNoLink('name', item.name)
  assertNoOptions(item.options)
  const plan = await findPlanSold(tx, { tenantId, id: planId })
  if (!plan) throw notFound('Plan')
  const seller = await sellerOf(tx, tenantId)
  const cart = await upsertCart(tx, caller, { currency: seller.currency, now })
  await settleCurrency(tx, cart, plan, currency ?? null)
  await assertSoldThere(tx, plan, item.locationId ?? null)
  const row = { ...item, planId, quantity, createdAt: now }
  await insertItem(tx, { tenantId, userId, id: newId() }, row)
  await assertWithinLimits(tx, caller)
  return cartOf(tx, caller, now)
}

/** Changes something in the caller's cart. 404, 422. */
export async function changeItem(
  tx: Tx,
  caller: UserKey,
  { id, change }: { id: string; change: CartItemChange },
  now: Instant,
): Promise<UnsurveyedCart> {
  const { tenantId } = caller
  assertNoLink('name', change.name)
  assertNoOptions(change.options)
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
    if (plan) await assertSoldThere(tx, plan, locationId)
  }
  await updateItem(tx, key, change)
  if (change.planId !== undefined || change.quantity !== undefined) {
    await assertWithinLimits(tx, caller)
  }
  return cartOf(tx, caller, now)
}

/** Takes something out of the caller's cart. 404. */
export async function removeItem(
  tx: Tx,
  caller: UserKey,
  id: string,
  now: Instant,
): Promise<UnsurveyedCart> {
  const { tenantId, userId } = caller
  await lockCart(tx, caller)
  if (!(await deleteItem(tx, { tenantId, userId, id }))) throw notFound('Cart item')
  return cartOf(tx, caller, now)
}

/** Uses a coupon on the caller's cart. 404 for an unknown code, 422 with the reason (R1.8). */
export async function addCoupon(
  tx: Tx,
  caller: UserKey,
  code: string,
  now: Instant,
): Promise<UnsurveyedCart> {
  const { tenantId, userId } = caller
  const coupon = await findCouponByCode(tx, { tenantId, code: couponCodeOf(code) })
  if (!coupon) throw notFound('Coupon')
  const { currency } = await sellerOf(tx, tenantId)
  await upsertCart(tx, caller, { currency, now })
  await upsertCartCoupon(tx, { tenantId, userId, couponId: coupon.id }, now)
  return cartOf(tx, caller, now, usableCouponsAnd(coupon.code))
}

/** Takes a coupon off the caller's cart. 404 when it is not on it. */
export async function removeCoupon(
  tx: Tx,
  caller: UserKey,
  code: string,
  now: Instant,
): Promise<UnsurveyedCart> {
  const { tenantId, userId } = caller
  await lockCart(tx, caller)
  const coupons = await listCartCoupons(tx, caller)
  const coupon = coupons.find((it) => it.code === couponCodeOf(code))
  if (!coupon) throw notFound('Coupon')
  await deleteCartCoupon(tx, { tenantId, userId, couponId: coupon.id })
  return cartOf(tx, caller, now)
}

/** An empty cart takes the currency that is asked for, else the seller's, else the plan's own. */
async function settleCurrency(
  tx: Tx,
  cart: CartRow,
  plan: PlanRow,
  wanted: string | null,
): Promise<void> {
  const items = await listItems(tx, cart)
  if (items.length > 0) {
    if (wanted !== null && wanted !== cart.currency) {
      throw unprocessable(`Your cart is in ${cart.currency}.`, 'cart_currency')
    }
    return assertPriced(plan, cart.currency)
  }
  const { currency } = await sellerOf(tx, cart.tenantId)
  const settled = wanted ?? (priceIn(plan, currency) ? currency : plan.currency)
  assertPriced(plan, settled)
  if (settled !== cart.currency) await updateCurrency(tx, cart, settled)
}

/** Throws 422 unless the product of a plan is sold in a location, or needs none to be chosen. */
async function assertSoldThere(
  tx: Tx,
  { tenantId, productId }: PlanRow,
  locationId: string | null,
): Promise<void> {
  const product = await findProduct(tx, { tenantId, id: productId })
  const choice = { locationIds: product?.locationIds ?? [], locationId }
  const [chosen] = await withLocations(tx, tenantId, [choice])
  if (chosen?.locationFault) throw notSoldThere(chosen.locationFault)
}

function assertPriced(plan: PlanRow, currency: string): void {
  if (priceIn(plan, currency)) return
  throw unprocessable(`This plan is not sold in ${currency}.`, 'currency_not_available')
}

/** Throws 422 for more than a cart may hold, or than is in stock. */
async function assertWithinLimits(tx: Tx, user: UserKey): Promise<void> {
  const items = await listItems(tx, user)
  const { maxUnitsPerOrder } = await settingsOf(tx, user.tenantId, storeSettings)
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0)
  if (items.length > MAX_ITEMS || units > maxUnitsPerOrder) {
    throw unprocessable('This is more than one order may hold.', 'cart_full')
  }
  assertInStock(items)
}
