import type { Db, Row, Tx } from '#platform/database/index.ts'

export type SlugRow = Row<'knowledge.slugs'>
export type SlugKey = Pick<SlugRow, 'tenantId' | 'slug'>

export function findSlug(db: Db, { tenantId, slug }: SlugKey): Promise<SlugRow | undefined> {
  return db
    .selectFrom('knowledge.slugs')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('slug', '=', slug)
    .executeTakeFirst()
}

/** Inserts a slug, unless it exists; waits for a transaction that inserts the same one. */
export async function insertSlug(tx: Tx, row: SlugRow): Promise<void> {
  await tx
    .insertInto('knowledge.slugs')
    .values(row)
    .onConflict((it) => it.columns(['tenantId', 'slug']).doNothing())
    .execute()
}

export async function deleteSlug(tx: Tx, { tenantId, slug }: SlugKey): Promise<void> {
  await tx
    .deleteFrom('knowledge.slugs')
    .where('tenantId', '=', tenantId)
    .where('slug', '=', slug)
    .execute()
}
