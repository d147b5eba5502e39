import { accounts, commissionPostings, type LedgerEvent, post, postings } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, cents, sumCents } from '#lib/money.ts'
import { conflict } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Leaving } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import {
  type AffiliateKey,
  lockAffiliateOf,
  totalsOf,
  updateAffiliate,
} from '../affiliates/queries.ts'
import { reversePending } from '../commissions/queries.ts'
import { insertConversion } from '../conversions/queries.ts'
import { forfeitImported, forgetImportedTexts } from '../imported/queries.ts'
import { forgetCorrection } from '../referrals/queries.ts'

/**
 * Throws 409 while a person has commission left, unless they give it up with their credit. The lock
 * stays until the account has ended: nothing is converted in between.
 */
export async function assertSettled(tx: Tx, person: Leaving): Promise<void> {
  const affiliate = await lockAffiliateOf(tx, person)
  if (!affiliate || person.forfeitCredit) return
  const totals = (await totalsOf(tx, person.tenantId, [affiliate.id])).get(affiliate.id) ?? []
  if (totals.some((it) => it.pendingCents > 0 || it.availableCents > 0)) {
    throw conflict('There is commission left. Convert it, or give it up.', 'commission_left')
  }
}

/**
 * Closes the code of a person whose account ends, and books what they give up. Their earnings and
 * referrals stay, by ids only.
 */
export async function erase(tx: Tx, person: Leaving, now: Instant): Promise<void> {
  await forgetCorrection(tx, person)
  const affiliate = await lockAffiliateOf(tx, person)
  if (!affiliate || affiliate.closedAt) return
  const { tenantId, id: affiliateId } = affiliate
  for (const { currency, amountCents } of await giveUpPending(tx, affiliate, now)) {
    const amount = { affiliateId, amountCents }
    const event = {
      kind: 'commission_forfeited',
      postings: commissionPostings.commissionReversed(amount, 'pending'),
    }
    const key = `commission-forfeited:${affiliateId}:${currency}`
    await post(tx, { tenantId, event, eventId: affiliateId, key, currency }, now)
  }
  const totals = (await totalsOf(tx, tenantId, [affiliateId])).get(affiliateId) ?? []
  for (const { currency, availableCents: amountCents } of totals) {
    if (amountCents === 0) continue
    const id = newId()
    const row = { tenantId, id, affiliateId, currency, amountCents, createdAt: now }
    await insertConversion(tx, { ...row, kind: 'forfeited' })
    const event = forfeited(affiliateId, amountCents)
    await post(tx, { tenantId, event, eventId: id, key: `conversion:${id}`, currency }, now)
  }
  await forgetImportedTexts(tx, affiliate)
  await updateAffiliate(tx, affiliate, { closedAt: now, suspendedReason: null })
}

/** Reverses everything that has not matured, also imported commission; returns it by currency. */
async function giveUpPending(tx: Tx, affiliate: AffiliateKey, now: Instant) {
  const pending = [
    ...(await reversePending(tx, affiliate)),
    ...(await forfeitImported(tx, affiliate, now)),
  ]
  return [...Map.groupBy(pending, ({ currency }) => currency)].map(([currency, all]) => ({
    currency,
    amountCents: sumCents(all.map(({ amountCents }) => amountCents)),
  }))
}

/** Books an available balance back to the shop; a negative balance is written off. */
function forfeited(affiliateId: string, amountCents: Cents): LedgerEvent {
  const { affiliateAvailable, affiliateExpense } = accounts
  const taken = postings.transfer(
    affiliateAvailable(affiliateId),
    affiliateExpense,
    cents(Math.abs(amountCents)),
  )
  const kind = 'commission_forfeited'
  return { kind, postings: amountCents > 0 ? taken : postings.reversed(taken) }
}
