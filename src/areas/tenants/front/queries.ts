import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'

type FrontPageRow = Row<'tenants.front_pages'>

export function findFrontPage(db: Db, tenantId: string): Promise<FrontPageRow | undefined> {
  return db
    .selectFrom('tenants.front_pages')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .executeTakeFirst()
}

export function saveFrontPage(tx: Tx, row: FrontPageRow): Promise<FrontPageRow> {
  const { texts, updatedAt } = row
  return tx
    .insertInto('tenants.front_pages')
    .values({ ...row, texts: json(texts) })
    .onConflict((it) => it.column('tenantId').doUpdateSet({ texts: json(texts), updatedAt }))
    .returningAll()
    .executeTakeFirstOrThrow()
}
