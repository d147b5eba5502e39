import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockVoucher, updateVoucher, type VoucherKey } from './queries.ts'
import { assertFuture, assertReopenable, assertVoidable, type VoucherRow } from './rules.ts'

/** Makes a voucher invalid that was not redeemed. Throws 404, and 409 for one that was redeemed or is void. */
export async function voidVoucher(tx: Tx, key: VoucherKey, now: Instant): Promise<VoucherRow> {
  const voucher = await lockVoucher(tx, key)
  if (!voucher) throw notFound('Voucher')
  assertVoidable(voucher, now)
  return updateVoucher(tx, voucher, { voidedAt: now, sealedCode: null })
}

/**
 * Gives an expired voucher a new end, or none. Throws 404, 409 unless it expired less than 90 days ago, and 422
 * for an end that is not in the future.
 */
export async function reopenVoucher(
  tx: Tx,
  key: VoucherKey,
  expiresAt: Instant | null,
  now: Instant,
): Promise<VoucherRow> {
  const voucher = await lockVoucher(tx, key)
  if (!voucher) throw notFound('Voucher')
  assertReopenable(voucher, now)
  assertFuture(expiresAt, now)
  return updateVoucher(tx, voucher, { expiresAt })
}
