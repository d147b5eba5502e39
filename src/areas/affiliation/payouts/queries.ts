import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type PayoutRow = Row<'affiliation.payouts'>

/** Adds a payout; undefined if its reference is taken. */
export function insertPayout(tx: Tx, row: PayoutRow): Promise<PayoutRow | undefined> {
  return tx
    .insertInto('affiliation.payouts')
    .values(row)
    .onConflict((it) => it.columns(['tenantId', 'reference']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function findPayoutByReference(
  db: Db,
  { tenantId, reference }: Pick<PayoutRow, 'tenantId' | 'reference'>,
): Promise<PayoutRow | undefined> {
  return db
    .selectFrom('affiliation.payouts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('reference', '=', reference)
    .executeTakeFirst()
}

/** The payouts to an affiliate, newest first. */
export function listPayoutsOf(
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
  page: PageQuery,
) {
  const query = db
    .selectFrom('affiliation.payouts')
    .select(['id', 'affiliateId', 'amountCents', 'currency', 'paidOn', 'method', 'reference'])
    .select('createdAt')
    .where('tenantId', '=', tenantId)
    .where('affiliateId', '=', id)
  return pageOf(query, page)
}
