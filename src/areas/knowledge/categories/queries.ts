import type { Insertable, Updateable } from 'kysely'
import { arrangedPageOf } from '#platform/arranged.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { PageQuery } from '#platform/page.ts'

export type CategoryRow = Row<'knowledge.categories'>
export type CategoryKey = Pick<CategoryRow, 'tenantId' | 'id'>

function selectCategories(db: Db, tenantId: string) {
  return db.selectFrom('knowledge.categories').selectAll().where('tenantId', '=', tenantId)
}

/** A category, archived or not. */
export function findAnyCategory(db: Db, { tenantId, id }: CategoryKey) {
  return selectCategories(db, tenantId).where('id', '=', id).executeTakeFirst()
}

/** A category that is not archived. */
export function findCategory(db: Db, { tenantId, id }: CategoryKey) {
  return selectCategories(db, tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
}

/**
 * Locks a category, archived or not: transactions that archive it or move articles into it wait for
 * each other.
 */
export function lockCategory(tx: Tx, { tenantId, id }: CategoryKey) {
  return selectCategories(tx, tenantId).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The categories in their order; or the archived ones. */
export function listCategories(
  db: Db,
  { tenantId, archived }: { tenantId: string; archived: boolean },
  page: PageQuery,
) {
  const query = selectCategories(db, tenantId)
  const shown = query.where('archivedAt', archived ? 'is not' : 'is', null)
  return arrangedPageOf(shown, 'knowledge.categories', tenantId, page)
}

/** Whether articles that are not archived belong to a category. */
export async function hasArticles(db: Db, { tenantId, id }: CategoryKey): Promise<boolean> {
  const found = await db
    .selectFrom('knowledge.articles')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('categoryId', '=', id)
    .where('archivedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export function insertCategory(tx: Tx, row: Insertable<Tables['knowledge.categories']>) {
  return tx.insertInto('knowledge.categories').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Changes a category that the caller has locked. */
export function updateCategory(
  tx: Tx,
  { tenantId, id }: CategoryKey,
  change: Updateable<Tables['knowledge.categories']>,
) {
  return tx
    .updateTable('knowledge.categories')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
