import { sql } from 'kysely'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type RateRow = Row<'affiliation.rates'>
type OfProduct = Pick<RateRow, 'tenantId' | 'productId'>

/** The rates of the products in these lines. */
export async function listRatesOf(
  db: Db,
  tenantId: string,
  lines: readonly { productId: string | null }[],
): Promise<RateRow[]> {
  const ids = [...new Set(lines.flatMap(({ productId }) => productId ?? []))]
  if (ids.length === 0) return []
  return db
    .selectFrom('affiliation.rates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('productId', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export function listRates(db: Db, tenantId: string, page: PageQuery) {
  return pageOf(
    db.selectFrom('affiliation.rates').selectAll().where('tenantId', '=', tenantId),
    page,
  )
}

/** The commission rate of a product; undefined if it has the shop's usual rate. */
export function findRate(db: Db, { tenantId, productId }: OfProduct) {
  return db
    .selectFrom('affiliation.rates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('productId', '=', productId)
    .executeTakeFirst()
}

/** Sets the rate of a product; an existing one keeps its id. */
export function upsertRate(tx: Tx, row: RateRow) {
  const { type, percentBasisPoints, amountCents, currency } = row
  return tx
    .insertInto('affiliation.rates')
    .values(row)
    .onConflict((it) =>
      it
        .columns(['tenantId', 'productId'])
        .doUpdateSet({ type, percentBasisPoints, amountCents, currency }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function deleteRate(tx: Tx, { tenantId, productId }: OfProduct) {
  return tx
    .deleteFrom('affiliation.rates')
    .where('tenantId', '=', tenantId)
    .where('productId', '=', productId)
    .returning('id')
    .executeTakeFirst()
}
