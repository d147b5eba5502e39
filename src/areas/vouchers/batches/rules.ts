import { conflict, detail, Problem, unprocessable } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import type { CodesState } from './schema.ts'

export type BatchRow = Row<'vouchers.batches'>
type Facts = Pick<BatchRow, 'readyAt' | 'downloadedAt' | 'codesDeletedAt' | 'voidedAt'>

/** Codes are kept this long after their first download, in case the file was lost on the way. */
export const KEPT_AFTER_DOWNLOAD_MS = DAY_MS
/** Codes that are never downloaded are kept this long. */
export const KEPT_WITHOUT_DOWNLOAD_MS = 30 * DAY_MS

/** When the codes of a batch are deleted; null while they are being created. */
function codesEndOf({ readyAt, downloadedAt }: Facts): Instant | null {
  if (!readyAt) return null
  const last = later(readyAt, KEPT_WITHOUT_DOWNLOAD_MS)
  const after = downloadedAt && later(downloadedAt, KEPT_AFTER_DOWNLOAD_MS)
  return after && after < last ? after : last
}

/** Whether the codes of a batch can be downloaded. They end exactly, also if a job deletes them later. */
export function codesOf(batch: Facts, now: Instant): CodesState {
  const end = codesEndOf(batch)
  if (batch.codesDeletedAt || batch.voidedAt || (end && end <= now)) return 'deleted'
  return end ? 'available' : 'pending'
}

/** Throws 409 `voucher_codes_pending`, and 410 for codes that were deleted. */
export function assertDownloadable(batch: Facts, now: Instant): void {
  const codes = codesOf(batch, now)
  if (codes === 'pending') {
    throw conflict('The codes are still being created. Try again soon.', 'voucher_codes_pending')
  }
  if (codes === 'deleted') {
    throw new Problem(410, 'The codes of this batch were deleted.', {
      code: 'voucher_codes_deleted',
    })
  }
}

/** Throws 422 for an amount that no customer could redeem in a day. */
export function assertRedeemableInADay(amountCents: number, mostCents: number): void {
  if (amountCents <= mostCents) return
  const details = [detail('amountCents', { kind: 'number_at_most', values: [mostCents] })]
  const message = 'The amount is higher than customers may redeem in a day.'
  throw unprocessable(message, 'voucher_above_limit', details)
}

export function batchView(batch: BatchRow, redeemed: number, now: Instant) {
  const { tenantId: _, readyAt: __, codesDeletedAt: ___, ...shown } = batch
  const codes = codesOf(batch, now)
  const codesUntil = codes === 'available' ? codesEndOf(batch) : null
  return { ...shown, redeemed, codes, codesUntil }
}
