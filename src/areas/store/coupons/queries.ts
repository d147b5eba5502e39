import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { CouponRow } from './rules.ts'

export type CouponKey = Pick<CouponRow, 'tenantId' | 'id'>

function selectAllCoupons(db: Db, tenantId: string) {
  return db.selectFrom('store.coupons').selectAll().where('tenantId', '=', tenantId)
}

function selectCoupons(db: Db, tenantId: string) {
  return selectAllCoupons(db, tenantId).where('archivedAt', 'is', null)
}

/** A coupon, archived or not. */
export function findAnyCoupon(db: Db, { tenantId, id }: CouponKey) {
  return selectAllCoupons(db, tenantId).where('id', '=', id).executeTakeFirst()
}

export function findCoupon(db: Db, { tenantId, id }: CouponKey) {
  return selectCoupons(db, tenantId).where('id', '=', id).executeTakeFirst()
}

export function findCouponByCode(db: Db, { tenantId, code }: { tenantId: string; code: string }) {
  return selectCoupons(db, tenantId).where('code', '=', code).executeTakeFirst()
}

export function lockCoupon(tx: Tx, { tenantId, id }: CouponKey) {
  return selectCoupons(tx, tenantId).where('id', '=', id).forUpdate().executeTakeFirst()
}

/**
 * Locks coupons that were used, archived ones too, in the order in which every transaction locks
 * them.
 */
export function lockUsedCoupons(tx: Tx, tenantId: string, ids: readonly string[]) {
  return tx
    .selectFrom('store.coupons')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export function listCoupons(
  db: Db,
  { tenantId, code, archived }: { tenantId: string; code?: string; archived: boolean },
  page: PageQuery,
) {
  const query = selectAllCoupons(db, tenantId).where('archivedAt', archived ? 'is not' : 'is', null)
  return pageOf(code ? query.where('code', '=', code) : query, page)
}

export async function insertCoupon(tx: Tx, coupon: CouponRow): Promise<CouponRow> {
  return tx.insertInto('store.coupons').values(coupon).returningAll().executeTakeFirstOrThrow()
}

/** Inserts coupons and returns them, without those whose code another coupon has. */
export function insertCoupons(tx: Tx, coupons: readonly CouponRow[]) {
  return tx
    .insertInto('store.coupons')
    .values(coupons)
    .onConflict((it) => it.doNothing())
    .returning(['id', 'code'])
    .execute()
}

export async function updateCoupon(tx: Tx, { tenantId, id, ...coupon }: CouponRow) {
  // `addRedemptions` counts the uses; this never writes them.
  const { redemptions: _, ...values } = coupon
  return tx
    .updateTable('store.coupons')
    .set(values)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function archiveCoupon(tx: Tx, { tenantId, id }: CouponKey, now: Instant) {
  return tx
    .updateTable('store.coupons')
    .set({ archivedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
}

/** Restores an archived coupon. */
export function restoreCouponRow(tx: Tx, { tenantId, id }: CouponKey) {
  return tx
    .updateTable('store.coupons')
    .set({ archivedAt: null })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Increases the count of a coupon's uses, or decreases it. */
export async function addRedemptions(tx: Tx, { tenantId, id }: CouponKey, uses: number) {
  await tx
    .updateTable('store.coupons')
    .set({ redemptions: sql<number>`redemptions + ${uses}` })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

type Referred = 'store.products' | 'store.categories' | 'store.plans'

/** How many of these ids this tenant has. */
export async function countKnown(
  tx: Tx,
  { table, tenantId, ids }: { table: Referred; tenantId: string; ids: readonly string[] },
): Promise<number> {
  const { rows } = await sql<{ known: number }>`
    select count(*)::integer as known from ${sql.table(table)}
    where tenant_id = ${tenantId} and id = any(${[...ids]}::uuid[])`.execute(tx)
  return rows[0]?.known ?? 0
}
