import { conflict, detail, unprocessable } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import type { VoucherState } from './schema.ts'

export type VoucherRow = Row<'vouchers.vouchers'>
type Facts = Pick<VoucherRow, 'redeemedAt' | 'voidedAt' | 'expiresAt'>

const REOPENED_WITHIN_MS = 90 * DAY_MS

/** Never stored: the state follows from the instants. */
export function stateOf({ redeemedAt, voidedAt, expiresAt }: Facts, now: Instant): VoucherState {
  if (redeemedAt) return 'redeemed'
  if (voidedAt) return 'void'
  return expiresAt && expiresAt <= now ? 'expired' : 'active'
}

/** Throws 409 for a voucher that cannot be redeemed: `voucher_redeemed`, `voucher_void`, `voucher_expired`. */
export function assertRedeemable(voucher: Facts, now: Instant): void {
  const state = stateOf(voucher, now)
  if (state === 'redeemed') {
    throw conflict('This voucher has already been redeemed.', 'voucher_redeemed')
  }
  if (state === 'void') throw conflict('This voucher is no longer valid.', 'voucher_void')
  if (state === 'expired') throw conflict('This voucher has expired.', 'voucher_expired')
}

/** Throws 409 for a voucher that was redeemed or is void already. */
export function assertVoidable(voucher: Facts, now: Instant): void {
  if (stateOf(voucher, now) !== 'expired') assertRedeemable(voucher, now)
}

/** Throws 409 unless the voucher expired less than 90 days ago: `voucher_not_reopenable`. */
export function assertReopenable(voucher: Facts, now: Instant): void {
  const { expiresAt } = voucher
  const isExpired = stateOf(voucher, now) === 'expired'
  if (isExpired && expiresAt && now < later(expiresAt, REOPENED_WITHIN_MS)) return
  throw conflict(
    'Only a voucher that expired less than 90 days ago can be reopened.',
    'voucher_not_reopenable',
  )
}

/** Throws 422 for an end that is not in the future. */
export function assertFuture(expiresAt: Instant | null, now: Instant): void {
  if (expiresAt === null || expiresAt > now) return
  const details = [detail('expiresAt', { kind: 'not_in_future' })]
  throw unprocessable('`expiresAt` must be in the future.', 'expiry_in_past', details)
}

export function voucherView(voucher: VoucherRow, now: Instant) {
  const { tenantId: _, codeHash: __, sealedCode: ___, ...shown } = voucher
  return { ...shown, state: stateOf(voucher, now) }
}
