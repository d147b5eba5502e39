import { unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { addRedemptions, lockUsedCoupons } from '../coupons/queries.ts'
import { hasRoom } from '../coupons/rules.ts'
import { assertRedeemable } from '../pricing/coupons.ts'
import {
  countRedemptions,
  insertRedemption,
  isNewCustomer,
  lockOverdueRedemptions,
  lockRedemptions,
  type RedemptionRow,
  type Reference,
  updateRedemption,
  upsertBuyer,
} from './queries.ts'

type Held = Reference & { userId: string; couponIds: readonly string[]; heldUntil: Instant }

/**
 * Reserves one use of each coupon for an order until `heldUntil`. The coupon's row is locked, so its limits also
 * apply to orders at the same time (R1.8). Throws 422 with the reason if one is refused.
 */
export async function reserveCoupons(
  tx: Tx,
  { tenantId, reference, userId, couponIds, heldUntil }: Held,
  now: Instant,
): Promise<void> {
  if (couponIds.length === 0) return
  const newCustomer = await isNewCustomer(tx, { tenantId, userId })
  const coupons = await lockUsedCoupons(tx, tenantId, couponIds)
  for (const coupon of coupons) {
    const { id: couponId } = coupon
    if (coupon.archivedAt) throw unprocessable('This coupon has ended.', 'coupon_not_applicable')
    const redemptions = await countRedemptions(tx, { tenantId, userId, couponId })
    assertRedeemable(coupon, { redemptions, newCustomer }, now)
    await addRedemptions(tx, coupon, 1)
    const key = { tenantId, reference, couponId, userId }
    await insertRedemption(tx, { ...key, createdAt: now, heldUntil })
  }
}

/**
 * Makes the uses of an order's coupons final once it is paid. A use that was given back meanwhile is taken again if
 * there is one left. Returns whether all of them count; safe to repeat.
 */
export async function confirmCoupons(tx: Tx, order: Reference, now: Instant): Promise<boolean> {
  const open = (await lockRedemptions(tx, order)).filter((it) => !it.confirmedAt)
  const ids = open.map(({ couponId }) => couponId)
  let all = true
  for (const coupon of await lockUsedCoupons(tx, order.tenantId, ids)) {
    const redemption = open.find(({ couponId }) => couponId === coupon.id)
    if (!redemption) continue
    if (redemption.releasedAt) {
      const { tenantId, userId, couponId } = redemption
      const used = await countRedemptions(tx, { tenantId, userId, couponId })
      if (!hasRoom(coupon, used)) {
        all = false
        continue
      }
      await addRedemptions(tx, coupon, 1)
    }
    await updateRedemption(tx, redemption, { confirmedAt: now, releasedAt: null })
  }
  return all
}

/** Gives back the uses of coupons that are reserved for an order; those of a paid order stay. Safe to repeat. */
export async function releaseCoupons(tx: Tx, order: Reference, now: Instant): Promise<void> {
  const held = (await lockRedemptions(tx, order)).filter((it) => !it.confirmedAt && !it.releasedAt)
  await release(tx, held, now)
}

/**
 * Gives back the uses of coupons of an order that failed after it was paid, also the final ones. Safe to repeat.
 */
export async function returnCoupons(tx: Tx, order: Reference, now: Instant): Promise<void> {
  const used = (await lockRedemptions(tx, order)).filter((it) => !it.releasedAt)
  await release(tx, used, now)
}

/** Gives back uses of coupons whose reservation has ended; returns how many. */
export async function releaseOverdueCoupons(tx: Tx, now: Instant, limit: number): Promise<number> {
  const overdue = await lockOverdueRedemptions(tx, now, limit)
  await release(tx, overdue, now)
  return overdue.length
}

/** Records that a customer has paid, so that they are no longer a new customer. Safe to repeat. */
export async function markBuyer(tx: Tx, customer: UserKey, now: Instant): Promise<void> {
  await upsertBuyer(tx, customer, now)
}

async function release(tx: Tx, redemptions: readonly RedemptionRow[], now: Instant) {
  for (const redemption of redemptions) {
    await updateRedemption(tx, redemption, { releasedAt: now, confirmedAt: null })
  }
  const byCoupon = Map.groupBy(redemptions, ({ couponId }) => couponId)
  for (const [id, uses] of [...byCoupon].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [first] = uses
    if (first) await addRedemptions(tx, { tenantId: first.tenantId, id }, -uses.length)
  }
}
