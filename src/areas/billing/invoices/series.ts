import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { numberOf, seriesYearOf } from './numbering.ts'

/**
 * Takes the next number of a series, with the instant it is issued at: now, but never before the
 * one before it (R3.3). The series stays locked until the transaction ends, so numbers come in the
 * order of commits, and one that is rolled back is given again.
 */
export async function takeNumber(
  tx: Tx,
  { tenantId, code }: { tenantId: string; code: string },
  now: Instant,
): Promise<{ number: string; issuedAt: Instant }> {
  const year = seriesYearOf(now)
  const { nextSequence, lastIssuedAt } = await tx
    .insertInto('billing.invoice_series')
    .values({ tenantId, code, year, nextSequence: 2, lastIssuedAt: now })
    .onConflict((it) =>
      it.columns(['tenantId', 'code', 'year']).doUpdateSet({
        nextSequence: sql<number>`invoice_series.next_sequence + 1`,
        lastIssuedAt: sql<Instant>`greatest(invoice_series.last_issued_at, excluded.last_issued_at)`,
      }),
    )
    .returning(['nextSequence', 'lastIssuedAt'])
    .executeTakeFirstOrThrow()
  const number = numberOf({ code, year, sequence: nextSequence - 1 })
  return { number, issuedAt: lastIssuedAt ?? now }
}
