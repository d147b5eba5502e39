import { creditBalance, post, postings } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, sumCents } from '#lib/money.ts'
import { notFound } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { settingsOf } from '#tenants'
import { lockUser } from '#users'
import { voucherRedeemed } from '../events.ts'
import { voucherSettings } from '../settings.ts'
import { lockVoucherOfCode, sumRedeemed, updateVoucher } from '../vouchers/queries.ts'
import { assertRedeemable, type VoucherRow } from '../vouchers/rules.ts'
import { insertAttempt, listAttempts } from './queries.ts'
import {
  type Attempt,
  assertConfirmed,
  assertMayTry,
  assertWithinLimit,
  blockAfter,
  REMEMBERED_MS,
} from './rules.ts'

export type Redeemed = {
  readonly amountCents: Cents
  readonly balanceCents: Cents
  readonly currency: string
}

/**
 * Turns the voucher of a code into credit of the customer, whose row is locked so that their attempts and redemptions
 * happen one after the other. Null for a code that no voucher has: the attempt is counted, so the transaction has to
 * be committed. Throws 409 for a voucher that was redeemed, has expired or is void, 422 without a confirmed address
 * and above the daily limit, 429 after too many wrong codes.
 */
export async function redeem(
  tx: Tx,
  { tenantId, userId, codeHash }: UserKey & { readonly codeHash: Buffer },
  now: Instant,
): Promise<Redeemed | null> {
  const customer = { tenantId, userId }
  const user = await lockUser(tx, customer)
  if (!user || user.deletedAt) throw notFound('User')
  assertConfirmed(user)
  const attempts = await listAttempts(tx, customer, later(now, -REMEMBERED_MS))
  assertMayTry(attempts, now)
  const voucher = await lockVoucherOfCode(tx, { tenantId, codeHash })
  if (!voucher) {
    await countAttempt(tx, customer, attempts, now)
    return null
  }
  assertRedeemable(voucher, now)
  await assertLimit(tx, customer, voucher, now)
  await updateVoucher(tx, voucher, { redeemedAt: now, redeemedBy: userId, sealedCode: null })
  return giveCredit(tx, customer, voucher, now)
}

async function countAttempt(
  tx: Tx,
  { tenantId, userId }: UserKey,
  before: readonly Attempt[],
  now: Instant,
): Promise<void> {
  const blockedUntil = blockAfter(before, now)
  await insertAttempt(tx, { tenantId, id: newId(), userId, failedAt: now, blockedUntil })
}

async function assertLimit(
  tx: Tx,
  customer: UserKey,
  { amountCents, currency }: VoucherRow,
  now: Instant,
): Promise<void> {
  const { redeemedPerDayCents } = await settingsOf(tx, customer.tenantId, voucherSettings)
  const redeemed = await sumRedeemed(tx, { ...customer, currency }, later(now, -DAY_MS))
  assertWithinLimit(sumCents([redeemed, amountCents]), redeemedPerDayCents)
}

/** Books the amount as goodwill that becomes credit, under the id of the voucher: once. */
async function giveCredit(
  tx: Tx,
  { tenantId, userId }: UserKey,
  { id: voucherId, batchId, amountCents, currency, last4 }: VoucherRow,
  now: Instant,
): Promise<Redeemed> {
  const event = {
    kind: 'voucher_redeemed',
    postings: postings.goodwillGranted({ customerId: userId, amountCents }),
    description: `···· ${last4}`,
  }
  const key = `voucher:${voucherId}`
  await post(tx, { tenantId, event, eventId: voucherId, key, currency }, now)
  await emit(tx, voucherRedeemed, {
    ...{ tenantId, voucherId, batchId, userId },
    ...{ amountCents, currency },
  })
  const balanceCents = await creditBalance(tx, { tenantId, userId, currency })
  return { amountCents, balanceCents, currency }
}
