import { commissionPostings, post } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, sumCents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { commissionChanged } from '../events.ts'
import { matureImported } from '../imported/queries.ts'
import { matureDue } from './queries.ts'

type Sum = { affiliateId: string; amountCents: Cents }
type Matured = Sum & { tenantId: string; currency: string }

/**
 * Makes commissions whose waiting time is over available, of every tenant: one ledger transaction for
 * each tenant and currency among them (R6.4). Returns how many there were. For commissions that were earned in
 * another system nobody is notified.
 */
export async function matureCommissions(tx: Tx, now: Instant, limit: number): Promise<number> {
  const matured = await matureDue(tx, now, limit)
  const imported = await matureImported(tx, now, limit)
  await bookMatured(tx, [...matured, ...imported], now)
  for (const [{ tenantId, currency }, sums] of byBook(matured)) {
    for (const sum of sums) {
      await emit(tx, commissionChanged, { tenantId, ...sum, change: 'available', currency })
    }
  }
  return Math.max(matured.length, imported.length)
}

async function bookMatured(tx: Tx, matured: readonly Matured[], now: Instant): Promise<void> {
  for (const [{ tenantId, currency }, sums] of byBook(matured)) {
    // The rows of the commissions are marked in this transaction, so each is booked once.
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
  }
}

/** The matured commissions by tenant and currency, in a fixed order. */
function byBook(matured: readonly Matured[]): [Omit<Matured, keyof Sum>, Sum[]][] {
  const books = Map.groupBy(matured, ({ tenantId, currency }) => `${tenantId} ${currency}`)
  return [...books]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, rows]) => {
      const [{ tenantId, currency } = { tenantId: '', currency: '' }] = rows
      return [{ tenantId, currency }, sumsOf(rows)]
    })
}

function sumsOf(rows: readonly Matured[]): Sum[] {
  const byAffiliate = Map.groupBy(rows, ({ affiliateId }) => affiliateId)
  return [...byAffiliate].map(([affiliateId, all]) => ({
    affiliateId,
    amountCents: sumCents(all.map(({ amountCents }) => amountCents)),
  }))
}
