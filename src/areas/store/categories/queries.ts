import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import { arrangedPageOf } from '../order.ts'
import type { CategoryChange } from './schema.ts'

export type CategoryRow = Row<'store.categories'>
export type CategoryKey = Pick<CategoryRow, 'tenantId' | 'id'>

function selectCategories(db: Db, tenantId: string) {
  return db.selectFrom('store.categories').selectAll().where('tenantId', '=', tenantId)
}

/** A category that is not archived. */
export function findCategory(db: Db, { tenantId, id }: CategoryKey) {
  return selectCategories(db, tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
}

/** A category, archived or not. */
export function findAnyCategory(db: Db, { tenantId, id }: CategoryKey) {
  return selectCategories(db, tenantId).where('id', '=', id).executeTakeFirst()
}

/** A category, archived or not: whoever archives or restores it waits here. */
export function lockCategory(tx: Tx, { tenantId, id }: CategoryKey) {
  return selectCategories(tx, tenantId).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function findCategoryBySlug(db: Db, { tenantId, slug }: { tenantId: string; slug: string }) {
  return db
    .selectFrom('store.categories')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('slug', '=', slug)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
}

/** All categories of a tenant, newest first; or the archived ones. */
export function listCategories(
  db: Db,
  { tenantId, archived }: { tenantId: string; archived: boolean },
  page: PageQuery,
) {
  const query = selectCategories(db, tenantId)
  return pageOf(query.where('archivedAt', archived ? 'is not' : 'is', null), page)
}

/** The categories that customers see, as they were arranged. */
export function listShownCategories(db: Db, tenantId: string, page: PageQuery) {
  const query = selectCategories(db, tenantId)
    .where('archivedAt', 'is', null)
    .where('hidden', '=', false)
  return arrangedPageOf(query, 'store.categories', tenantId, page)
}

type NewRow = Pick<CategoryRow, 'tenantId' | 'id' | 'slug' | 'name'> &
  Partial<CategoryRow> & { createdAt: Instant }

export function insertCategory(tx: Tx, category: NewRow) {
  return tx.insertInto('store.categories').values(category).returningAll().executeTakeFirstOrThrow()
}

export function updateCategory(tx: Tx, { tenantId, id }: CategoryKey, change: CategoryChange) {
  return tx
    .updateTable('store.categories')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Archives a category, and remembers the products that have it. */
export async function archiveCategory(
  tx: Tx,
  { tenantId, id }: CategoryKey,
  { archivedAt, archivedProducts }: Pick<CategoryRow, 'archivedAt' | 'archivedProducts'>,
): Promise<void> {
  await tx
    .updateTable('store.categories')
    .set({ archivedAt, archivedProducts })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Puts an archived category back into the shop. */
export function restoreCategoryRow(tx: Tx, { tenantId, id }: CategoryKey) {
  return tx
    .updateTable('store.categories')
    .set({ archivedAt: null, archivedProducts: [] })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Takes a category from all its products, archived ones too; answers their ids. */
export async function emptyCategory(tx: Tx, { tenantId, id }: CategoryKey): Promise<string[]> {
  const rows = await tx
    .updateTable('store.products')
    .set({ categoryId: null })
    .where('tenantId', '=', tenantId)
    .where('categoryId', '=', id)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Gives a category to those of these products that have none. */
export async function fillCategory(
  tx: Tx,
  { tenantId, id }: CategoryKey,
  productIds: readonly string[],
): Promise<void> {
  if (productIds.length === 0) return
  await tx
    .updateTable('store.products')
    .set({ categoryId: id })
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...productIds]}::uuid[])`)
    .where('categoryId', 'is', null)
    .execute()
}
