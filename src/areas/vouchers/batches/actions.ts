import type { Caller } from '#lib/caller.ts'
import { isCurrency } from '#lib/currency.ts'
import { newId } from '#lib/id.ts'
import { badRequest, conflict, detail, notFound } from '#lib/problem.ts'
import { type Instant, instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import type { Secrets } from '#platform/secrets.ts'
import { timeSlices } from '#platform/time-slices.ts'
import { sellerOf, settingsOf } from '#tenants'
import { grouped, hashOf, newCode } from '../codes/code.ts'
import { codeBoundTo, ensureKey, findKey } from '../codes/keys.ts'
import { voucherSettings } from '../settings.ts'
import { insertVouchers } from '../vouchers/queries.ts'
import { assertFuture } from '../vouchers/rules.ts'
import { makeCodes } from '../work.ts'
import {
  type BatchKey,
  deleteSealedCodes,
  insertBatch,
  listSealedCodes,
  lockBatch,
  updateBatch,
  voidVouchersOf,
} from './queries.ts'
import { assertDownloadable, assertRedeemableInADay, type BatchRow } from './rules.ts'
import type { NewBatch } from './schema.ts'

/**
 * Begins a batch of vouchers; a job creates the codes. Nothing is booked before one is redeemed. Throws 400 for an
 * unknown currency, and 422 for an amount above the daily limit of a customer and for an end that is not in the future.
 */
export async function createBatch(
  tx: Tx,
  { tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>,
  { secrets, ...wanted }: NewBatch & { secrets: Secrets },
  now: Instant,
): Promise<BatchRow> {
  const { name, amountCents, count } = wanted
  const { currency = (await sellerOf(tx, tenantId)).currency } = wanted
  if (!isCurrency(currency)) {
    const details = [detail('currency', { kind: 'not_offered' })]
    throw badRequest('currency is not a currency.', details)
  }
  const { redeemedPerDayCents } = await settingsOf(tx, tenantId, voucherSettings)
  assertRedeemableInADay(amountCents, redeemedPerDayCents)
  const expiresAt = wanted.expiresAt ? instant(wanted.expiresAt) : null
  assertFuture(expiresAt, now)
  await ensureKey(tx, secrets, { tenantId })
  const terms = { name, amountCents, currency, count, expiresAt }
  const made = { tenantId, id: newId(), ...terms, createdBy: userId, createdAt: now }
  const batch = await insertBatch(tx, made)
  await enqueue(tx, makeCodes, { tenantId, batchId: batch.id })
  return batch
}

/**
 * Creates the next vouchers of a batch, at most `limit`. Returns whether some are left: after a crash it continues
 * with those.
 */
export async function makeSome(
  tx: Tx,
  { secrets, limit, ...key }: BatchKey & { secrets: Secrets; limit: number },
  now: Instant,
): Promise<boolean> {
  const batch = await lockBatch(tx, key)
  if (!batch || batch.voidedAt || batch.readyAt) return false
  const hashKey = await findKey(tx, secrets, batch)
  if (!hashKey) throw new Error('The key of the shop is missing')
  const wanted = Math.min(limit, batch.count - batch.made)
  const rows = Array.from({ length: wanted }, () => voucherOf(batch, { secrets, hashKey }, now))
  const made = batch.made + (await insertVouchers(tx, rows))
  const isLast = made === batch.count
  await updateBatch(tx, batch, { made, readyAt: isLast ? now : null })
  return !isLast
}

function voucherOf(
  { tenantId, id: batchId, amountCents, currency, expiresAt }: BatchRow,
  { secrets, hashKey }: { secrets: Secrets; hashKey: Buffer },
  now: Instant,
) {
  const code = newCode()
  const id = newId()
  return {
    ...{ tenantId, id, batchId, amountCents, currency, expiresAt, createdAt: now },
    codeHash: hashOf(code, hashKey),
    sealedCode: secrets.seal(code, codeBoundTo({ tenantId, id })),
    last4: code.slice(-4),
  }
}

/**
 * The codes of a batch that can still be redeemed, in groups of four. The first download starts the day after which
 * they are deleted. Throws 404, 409 while they are being created, and 410 once they were deleted.
 */
export async function downloadCodes(
  tx: Tx,
  { secrets, ...key }: BatchKey & { secrets: Secrets },
  now: Instant,
) {
  const batch = await lockBatch(tx, key)
  if (!batch) throw notFound('Voucher batch')
  assertDownloadable(batch, now)
  const pause = timeSlices()
  const codes = []
  for (const { sealedCode, ...voucher } of await listSealedCodes(tx, batch, now)) {
    const code = grouped(secrets.open(sealedCode ?? '', codeBoundTo(voucher)))
    codes.push({ code, ...voucher })
    await pause()
  }
  if (!batch.downloadedAt) await updateBatch(tx, batch, { downloadedAt: now })
  return codes
}

/**
 * Deletes the codes of a batch once its file has arrived. A repetition changes nothing. Throws 404,
 * and 409 for codes that were never downloaded.
 */
export async function confirmDownload(tx: Tx, key: BatchKey, now: Instant): Promise<BatchRow> {
  const batch = await lockBatch(tx, key)
  if (!batch) throw notFound('Voucher batch')
  if (batch.codesDeletedAt) return batch
  if (!batch.downloadedAt) {
    throw conflict('These codes were never downloaded.', 'voucher_codes_not_downloaded')
  }
  return deleteCodes(tx, batch, now)
}

/** Deletes the codes of a batch that can no longer be downloaded, unless that has happened already. */
export async function deleteEndedCodes(tx: Tx, key: BatchKey, now: Instant): Promise<void> {
  const batch = await lockBatch(tx, key)
  if (batch && !batch.codesDeletedAt) await deleteCodes(tx, batch, now)
}

/** Deletes the codes of a locked batch: only their hashes and last four characters are left. */
async function deleteCodes(tx: Tx, key: BatchKey, now: Instant): Promise<BatchRow> {
  await deleteSealedCodes(tx, key)
  return updateBatch(tx, key, { codesDeletedAt: now })
}

/**
 * Makes all vouchers of a batch void that were not redeemed, also those that have expired, and stops its job. Throws
 * 404, and 409 for a batch that is void.
 */
export async function voidBatch(tx: Tx, key: BatchKey, now: Instant): Promise<BatchRow> {
  const batch = await lockBatch(tx, key)
  if (!batch) throw notFound('Voucher batch')
  if (batch.voidedAt) throw conflict('This batch is already void.', 'voucher_void')
  await voidVouchersOf(tx, batch, now)
  return updateBatch(tx, batch, { voidedAt: now, codesDeletedAt: batch.codesDeletedAt ?? now })
}
