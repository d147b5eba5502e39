import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type RedemptionRow = Row<'store.coupon_redemptions'>
export type Reference = Pick<RedemptionRow, 'tenantId' | 'reference'>

/** The uses of coupons by one order, locked in the order of the coupons. */
export function lockRedemptions(tx: Tx, { tenantId, reference }: Reference) {
  return tx
    .selectFrom('store.coupon_redemptions')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('reference', '=', reference)
    .orderBy('couponId')
    .forUpdate()
    .execute()
}

/**
 * Locks uses whose reservation ended without payment, of any tenant; those locked by another
 * transaction are left out.
 */
export function lockOverdueRedemptions(tx: Tx, now: Instant, limit: number) {
  return tx
    .selectFrom('store.coupon_redemptions')
    .selectAll()
    .where('heldUntil', '<=', now)
    .where('confirmedAt', 'is', null)
    .where('releasedAt', 'is', null)
    .orderBy('heldUntil')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

type Buyer = Pick<RedemptionRow, 'tenantId' | 'userId'>

/** How often a customer has used a coupon, including uses that wait for payment. */
export async function countRedemptions(
  db: Db,
  { tenantId, userId, couponId }: Buyer & { couponId: string },
): Promise<number> {
  const { uses } = await db
    .selectFrom('store.coupon_redemptions')
    .select(({ fn }) => fn.countAll<number>().as('uses'))
    .where('tenantId', '=', tenantId)
    .where('couponId', '=', couponId)
    .where('userId', '=', userId)
    .where('releasedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return uses
}

type NewRow = Omit<RedemptionRow, 'confirmedAt' | 'releasedAt'>

export async function insertRedemption(tx: Tx, row: NewRow): Promise<void> {
  await tx.insertInto('store.coupon_redemptions').values(row).execute()
}

type Facts = Partial<Pick<RedemptionRow, 'confirmedAt' | 'releasedAt'>>

export async function updateRedemption(
  tx: Tx,
  { tenantId, reference, couponId }: Reference & { couponId: string },
  facts: Facts,
): Promise<void> {
  await tx
    .updateTable('store.coupon_redemptions')
    .set(facts)
    .where('tenantId', '=', tenantId)
    .where('reference', '=', reference)
    .where('couponId', '=', couponId)
    .execute()
}

/** Whether a customer has never paid for anything. */
export async function isNewCustomer(db: Db, { tenantId, userId }: Buyer): Promise<boolean> {
  const buyer = await db
    .selectFrom('store.buyers')
    .select('userId')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return !buyer
}

export async function upsertBuyer(
  tx: Tx,
  { tenantId, userId }: Buyer,
  now: Instant,
): Promise<void> {
  await tx
    .insertInto('store.buyers')
    .values({ tenantId, userId, firstPaidAt: now })
    .onConflict((it) => it.doNothing())
    .execute()
}
