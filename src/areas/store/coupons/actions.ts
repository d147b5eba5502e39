import { newId } from '#lib/id.ts'
import { basisPoints } from '#lib/money.ts'
import { notFound } from '#lib/problem.ts'
import { type Instant, instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { sellerOf } from '#tenants'
import { assertCurrency, refusingDouble, unknownReference } from '../checks.ts'
import { couponCodeOf } from '../pricing/coupons.ts'
import { randomCode } from './codes.ts'
import {
  archiveCoupon,
  type CouponKey,
  countKnown,
  insertCoupon,
  insertCoupons,
  lockCoupon,
  restoreCouponRow,
  updateCoupon,
} from './queries.ts'
import { assertComplete, type CouponRow, changed } from './rules.ts'
import type { CouponBatch, CouponChange, NewCoupon } from './schema.ts'

const TAKEN = {
  constraint: 'coupons_code',
  code: 'code_taken' as const,
  message: 'Another coupon has this code.',
}

/** Adds a coupon, in the seller's currency if none is given. 400 for what is missing, 409. */
export async function createCoupon(
  tx: Tx,
  { tenantId }: { tenantId: string },
  { code, type, ...coupon }: NewCoupon,
  now: Instant,
): Promise<CouponRow> {
  const { currency = (await sellerOf(tx, tenantId)).currency } = coupon
  const row: CouponRow = {
    ...DEFAULTS,
    ...valuesOf({ ...coupon, currency, code }),
    ...{ tenantId, id: newId(), type, createdAt: now },
  }
  assertCurrency(row.currency)
  assertComplete(row)
  await assertKnown(tx, row, DEFAULTS)
  return refusingDouble(TAKEN, insertCoupon(tx, row))
}

/**
 * Adds several coupons with the same terms and a random code each, all or none; returns their codes. 400 for what is
 * missing.
 */
export async function createCoupons(
  tx: Tx,
  { tenantId }: { tenantId: string },
  { count, prefix = '', type, ...terms }: Omit<CouponBatch, 'dryRun'>,
  now: Instant,
): Promise<{ id: string; code: string }[]> {
  const { currency = (await sellerOf(tx, tenantId)).currency } = terms
  const shared = {
    ...DEFAULTS,
    ...valuesOf({ ...terms, currency }),
    tenantId,
    type,
    createdAt: now,
  }
  const withCode = (): CouponRow => {
    return { ...shared, id: newId(), code: couponCodeOf(`${prefix}${randomCode()}`) }
  }
  const first = withCode()
  assertCurrency(first.currency)
  assertComplete(first)
  await assertKnown(tx, first, DEFAULTS)
  const made: { id: string; code: string }[] = []
  while (made.length < count) {
    const rows = Array.from({ length: count - made.length }, withCode)
    made.push(...(await insertCoupons(tx, rows)))
  }
  return made
}

/** Changes a coupon for future orders; services that have its terms keep them (R1.9). 404, 409. */
export async function changeCoupon(
  tx: Tx,
  key: CouponKey,
  change: CouponChange,
): Promise<CouponRow> {
  const coupon = await lockCoupon(tx, key)
  if (!coupon) throw notFound('Coupon')
  const row = changed(coupon, valuesOf(change))
  assertCurrency(row.currency)
  assertComplete(row)
  await assertKnown(tx, row, coupon)
  return refusingDouble(TAKEN, updateCoupon(tx, row))
}

/** Archives a coupon; purchases made with it stay as they are. 404. */
export async function removeCoupon(tx: Tx, key: CouponKey, now: Instant) {
  if (!(await archiveCoupon(tx, key, now))) throw notFound('Coupon')
  return { id: key.id, deleted: true }
}

/** Restores an archived coupon, with the count of its uses. 404, 409 for a code that another coupon has now. */
export async function restoreCoupon(tx: Tx, key: CouponKey): Promise<CouponRow> {
  const coupon = await refusingDouble(TAKEN, restoreCouponRow(tx, key))
  if (!coupon) throw notFound('Coupon')
  return coupon
}

const DEFAULTS = {
  code: '',
  percentBasisPoints: null,
  amountCents: null,
  currency: '',
  duration: 'once',
  durationCycles: null,
  minimumCents: null,
  maxRedemptions: null,
  maxRedemptionsPerUser: null,
  redemptions: 0,
  validFrom: null,
  validTo: null,
  newCustomersOnly: false,
  includeSetupFee: false,
  stackable: false,
  productIds: [],
  categoryIds: [],
  planIds: [],
  intervals: [],
  archivedAt: null,
} satisfies Partial<CouponRow>

/** The fields of a request, as the columns store them. */
function valuesOf({ code, percentBasisPoints, validFrom, validTo, ...rest }: CouponChange) {
  return {
    ...rest,
    ...(code !== undefined && { code: couponCodeOf(code) }),
    ...(percentBasisPoints !== undefined && {
      percentBasisPoints: percentBasisPoints === null ? null : basisPoints(percentBasisPoints),
    }),
    ...(validFrom !== undefined && { validFrom: validFrom && instant(validFrom) }),
    ...(validTo !== undefined && { validTo: validTo && instant(validTo) }),
  }
}

type Scope = Pick<CouponRow, 'productIds' | 'categoryIds' | 'planIds'>

const TABLES = {
  productIds: 'store.products',
  categoryIds: 'store.categories',
  planIds: 'store.plans',
} as const

/** Throws 400 for ids this tenant does not have; ids that the coupon already has may be deleted. */
async function assertKnown(tx: Tx, coupon: CouponRow, before: Scope): Promise<void> {
  for (const field of ['productIds', 'categoryIds', 'planIds'] as const) {
    const ids = coupon[field].filter((id) => !before[field].includes(id))
    if (ids.length === 0) continue
    const { tenantId } = coupon
    const known = await countKnown(tx, { table: TABLES[field], tenantId, ids })
    if (known < ids.length) throw unknownReference(field)
  }
}
