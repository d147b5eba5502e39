import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { numberOf, seriesYearOf } from './numbering.ts'

type Series = { tenantId: string; code: string }

/** The number and time a document gets when it is issued. */
export type Place = { readonly number: string; readonly issuedAt: Instant }

/**
 * Takes the next number of a series, with its instant of issue: now, but never before its predecessor
 * (R3.3). The series stays locked until the transaction ends, so numbers follow the order of commits,
 * and a number of a rolled-back transaction is used again.
 */
export async function takeNumber(tx: Tx, series: Series, now: Instant): Promise<Place> {
  const [place] = await takeNumbers(tx, series, 1, now)
  if (!place) throw new Error('A series has given no number')
  return place
}

/** Takes several consecutive numbers, all issued at one instant, as `takeNumber` does. */
export async function takeNumbers(
  tx: Tx,
  { tenantId, code }: Series,
  count: number,
  now: Instant,
): Promise<Place[]> {
  const year = seriesYearOf(now)
  const { nextSequence, lastIssuedAt } = await tx
    .insertInto('billing.invoice_series')
    .values({ tenantId, code, year, nextSequence: 1 + count, lastIssuedAt: now })
    .onConflict((it) =>
      it.columns(['tenantId', 'code', 'year']).doUpdateSet({
        nextSequence: sql<number>`invoice_series.next_sequence + ${count}`,
        lastIssuedAt: sql<Instant>`greatest(invoice_series.last_issued_at, excluded.last_issued_at)`,
      }),
    )
    .returning(['nextSequence', 'lastIssuedAt'])
    .executeTakeFirstOrThrow()
  return Array.from({ length: count }, (_, index) => ({
    number: numberOf({ code, year, sequence: nextSequence - count + index }),
    issuedAt: lastIssuedAt ?? now,
  }))
}
