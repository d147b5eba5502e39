import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type ConversionRow = Row<'affiliation.conversions'>

export async function insertConversion(tx: Tx, row: ConversionRow): Promise<void> {
  await tx.insertInto('affiliation.conversions').values(row).execute()
}

/** What was taken from an affiliate's available balance, newest first. */
export function listConversionsOf(
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
  page: PageQuery,
) {
  const query = db
    .selectFrom('affiliation.conversions')
    .select(['id', 'kind', 'amountCents', 'currency', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .where('affiliateId', '=', id)
  return pageOf(query, page)
}
