import { creditShareOf, type InvoiceKey, type InvoiceRow, lockInvoice, partsOf } from '#billing'
import { commissionPostings, post, postings } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { conflict, notFound } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { settingsOf } from '#tenants'
import { lockAffiliateShared } from '../affiliates/queries.ts'
import { type AffiliateRow, assertThere, earns } from '../affiliates/rules.ts'
import { commissionChanged } from '../events.ts'
import { listRatesOf } from '../rates/queries.ts'
import { compare, shareOrigin } from '../referrals/actions.ts'
import { lockReferralOf, markRefused } from '../referrals/queries.ts'
import type { ReferralRow } from '../referrals/rules.ts'
import { affiliationSettings } from '../settings.ts'
import {
  type CommissionKey,
  findCommission,
  findCommissionOf,
  firstCommissionAt,
  insertCommission,
  lockCommission,
  updateCommission,
} from './queries.ts'
import { type CommissionRow, cashOf, commissionOn, mayEarn, reversedOf } from './rules.ts'

/**
 * An invoice was paid, or paid again: creates its commission once, and adjusts an existing commission
 * to the invoice's present state (R6.3, invariant 12). The invoice is locked, so that no refund is
 * missed. Safe to repeat.
 */
export async function invoiceSettled(tx: Tx, key: InvoiceKey, now: Instant): Promise<void> {
  const invoice = await lockInvoice(tx, key)
  if (!invoice) return
  const referral = await lockReferralOf(tx, invoice)
  if (!referral) return
  const known = await findCommissionOf(tx, key)
  const commission = known ?? (await accrue(tx, invoice, referral, now))
  if (commission) await follow(tx, invoice, commission, now)
}

/**
 * Money of an invoice was refunded, or a dispute changed: reverses its commission by the same share, and restores it
 * if the money came back (R6.4). Does nothing for an invoice without a commission.
 */
export async function invoiceMoneyMoved(tx: Tx, key: InvoiceKey, now: Instant): Promise<void> {
  const invoice = await lockInvoice(tx, key)
  const commission = invoice && (await findCommissionOf(tx, key))
  if (commission) await follow(tx, invoice, commission, now)
}

/** Reverses the rest of a commission, for good. 404, 409 if it is decided already. */
export async function rejectCommission(
  tx: Tx,
  key: CommissionKey,
  reviewedBy: string,
  now: Instant,
): Promise<CommissionRow> {
  const commission = await lockToReview(tx, key)
  const { amountCents: reversedCents } = commission
  await reverseTo(tx, commission, reversedCents, now)
  const decided = { rejectedAt: now, reviewedAt: now, reviewedBy }
  return updateCommission(tx, key, { reversedCents, ...decided })
}

/** Lets a flagged commission mature when it is due. 404, 409 if it is decided. */
export async function approveCommission(
  tx: Tx,
  key: CommissionKey,
  reviewedBy: string,
  now: Instant,
): Promise<CommissionRow> {
  const commission = await lockToReview(tx, key)
  if (commission.flags.length === 0 || commission.reviewedAt) {
    throw conflict('This commission is not waiting for a decision.', 'commission_not_flagged')
  }
  return updateCommission(tx, key, { reviewedAt: now, reviewedBy })
}

async function lockToReview(tx: Tx, key: CommissionKey): Promise<CommissionRow> {
  const found = await findCommission(tx, key)
  if (!found) throw notFound('Commission')
  const { tenantId, affiliateId: id } = found
  assertThere(await lockAffiliateShared(tx, { tenantId, id }))
  const commission = await lockCommission(tx, key)
  if (commission.rejectedAt) {
    throw conflict('This commission was rejected.', 'commission_rejected')
  }
  return commission
}

/** Creates the commission of an invoice that was just paid; undefined if it earns none (R6.2). */
async function accrue(
  tx: Tx,
  invoice: InvoiceRow,
  referral: ReferralRow,
  now: Instant,
): Promise<CommissionRow | undefined> {
  const { tenantId, id: invoiceId, currency, kind, status, paidAt } = invoice
  if (kind === 'top_up' || status !== 'paid' || !paidAt || referral.refusedAt) return undefined
  if (invoice.imported) return undefined
  if (referral.removedAt || (referral.correctedAt && paidAt < referral.correctedAt))
    return undefined
  const affiliate = await lockAffiliateShared(tx, { tenantId, id: referral.affiliateId })
  const terms = await settingsOf(tx, tenantId, affiliationSettings)
  if (!terms.enabled || !earns(affiliate)) return undefined
  const firstAt = referral.earnedElsewhereAt ?? (await firstCommissionAt(tx, referral))
  if (!mayEarn(terms, firstAt, paidAt)) return undefined
  const cashCents = cashOf(invoice, await creditShareOf(tx, invoice))
  if (cashCents === 0) return undefined
  const flags = await judge(tx, { affiliate, referral }, now)
  if (!flags) return undefined
  const { lines } = await partsOf(tx, { tenantId, invoiceId })
  const rates = await listRatesOf(tx, tenantId, lines)
  const sale = { invoice, lines, rates, usualBasisPoints: terms.commissionBasisPoints }
  const { baseCents, amountCents } = commissionOn(sale, cashCents)
  if (amountCents === 0) return undefined
  const { id: affiliateId } = affiliate
  const event = {
    kind: 'commission_accrued',
    postings: commissionPostings.commissionAccrued({ affiliateId, amountCents }),
  }
  const id = newId()
  const key = `commission:${affiliateId}:${invoiceId}`
  await post(tx, { tenantId, event, eventId: id, key, currency }, now)
  const row = { tenantId, id, affiliateId, referralId: referral.id, invoiceId, currency, flags }
  const availableAt = later(paidAt, terms.holdDays * DAY_MS)
  const commission = await insertCommission(tx, {
    ...{ ...row, cashCents, baseCents, amountCents, availableAt, createdAt: now },
  })
  await tell(tx, commission, 'earned', amountCents)
  return commission
}

type Pair = { affiliate: AffiliateRow; referral: ReferralRow }

/**
 * Reasons to review this commission before it is paid; null if affiliate and customer are
 * one person, which is recorded, so that nothing is ever paid for them (R6.2).
 */
async function judge(
  tx: Tx,
  { affiliate, referral }: Pair,
  now: Instant,
): Promise<string[] | null> {
  const { tenantId, userId } = referral
  const otherId = affiliate.userId
  const related = await compare(tx, affiliate, referral)
  if (!related) return null
  if (related.refusal) {
    await markRefused(tx, referral, related.refusal, now)
    return null
  }
  const pair = [
    { tenantId, userId },
    { tenantId, userId: otherId },
  ] as const
  const sameOrigin = referral.sharedOrigin || (await shareOrigin(tx, pair, later(now, -DAY_MS)))
  return [...(sameOrigin ? ['same_origin'] : []), ...(related.sameHome ? ['same_address'] : [])]
}

/** Adjusts a commission to its invoice's present state. A rejected commission stays reversed. */
async function follow(
  tx: Tx,
  invoice: InvoiceRow,
  { tenantId, id, affiliateId }: CommissionRow,
  now: Instant,
): Promise<void> {
  const affiliate = await lockAffiliateShared(tx, { tenantId, id: affiliateId })
  const commission = await lockCommission(tx, { tenantId, id })
  if (affiliate.closedAt || commission.rejectedAt) return
  const target = reversedOf(commission, invoice, await creditShareOf(tx, invoice))
  const changed = await reverseTo(tx, commission, target, now)
  if (changed !== 0) await updateCommission(tx, commission, { reversedCents: target })
}

/** Books that `target` of a commission is reversed in total, and emits the event; returns the difference. */
async function reverseTo(
  tx: Tx,
  commission: CommissionRow,
  target: Cents,
  now: Instant,
): Promise<number> {
  const { tenantId, id, affiliateId, currency, reversedCents, maturedAt } = commission
  const more = target - reversedCents
  if (more === 0) return 0
  const amountCents = cents(Math.abs(more))
  const state = maturedAt ? 'matured' : 'pending'
  const reversal = commissionPostings.commissionReversed({ affiliateId, amountCents }, state)
  const event =
    more > 0
      ? { kind: 'commission_reversed', postings: reversal }
      : { kind: 'commission_restored', postings: postings.reversed(reversal) }
  // The commission's row is locked and contains what is booked, so a unique key is enough.
  await post(tx, { tenantId, event, eventId: id, key: `commission:${newId()}`, currency }, now)
  await tell(tx, commission, more > 0 ? 'reversed' : 'restored', amountCents)
  return more
}

async function tell(
  tx: Tx,
  { tenantId, affiliateId, currency }: CommissionRow,
  change: 'earned' | 'reversed' | 'restored',
  amountCents: Cents,
): Promise<void> {
  await emit(tx, commissionChanged, { tenantId, affiliateId, change, amountCents, currency })
}
