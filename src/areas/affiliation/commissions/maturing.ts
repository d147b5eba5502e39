import { commissionPostings, post } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, sumCents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { commissionChanged } from '../events.ts'
import { matureDue } from './queries.ts'

type Matured = { affiliateId: string; amountCents: Cents }

/**
 * Makes commissions whose waiting time is over available, of every tenant: one ledger transaction for
 * each tenant and currency among them (R6.4). Answers how many there were.
 */
export async function matureCommissions(tx: Tx, now: Instant, limit: number): Promise<number> {
  const matured = await matureDue(tx, now, limit)
  const books = Map.groupBy(matured, ({ tenantId, currency }) => `${tenantId} ${currency}`)
  for (const [, rows] of [...books].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const [{ tenantId, currency } = { tenantId: '', currency: '' }] = rows
    const sums = sumsOf(rows)
    // Which commissions these are stands in their rows, marked in this transaction: once.
    const eventId = newId()
    const event = {
      kind: 'commissions_matured',
      postings: sums.flatMap((sum) => commissionPostings.commissionMatured(sum)),
    }
    await post(
      tx,
      { tenantId, event, eventId, key: `commissions-matured:${eventId}`, currency },
      now,
    )
    for (const sum of sums) {
      await emit(tx, commissionChanged, { tenantId, ...sum, change: 'available', currency })
    }
  }
  return matured.length
}

function sumsOf(rows: readonly Matured[]): Matured[] {
  const byAffiliate = Map.groupBy(rows, ({ affiliateId }) => affiliateId)
  return [...byAffiliate].map(([affiliateId, all]) => ({
    affiliateId,
    amountCents: sumCents(all.map(({ amountCents }) => amountCents)),
  }))
}
