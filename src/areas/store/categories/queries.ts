import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import { arrangedPageOf } from '../order.ts'
import type { CategoryChange } from './schema.ts'

export type CategoryRow = Row<'store.categories'>
export type CategoryKey = Pick<CategoryRow, 'tenantId' | 'id'>

export function findCategory(db: Db, { tenantId, id }: CategoryKey) {
  return db
    .selectFrom('store.categories')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findCategoryBySlug(db: Db, { tenantId, slug }: { tenantId: string; slug: string }) {
  return db
    .selectFrom('store.categories')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('slug', '=', slug)
    .executeTakeFirst()
}

/** All categories of a tenant, newest first. */
export function listCategories(db: Db, tenantId: string, page: PageQuery) {
  const query = db.selectFrom('store.categories').selectAll().where('tenantId', '=', tenantId)
  return pageOf(query, page)
}

/** The categories that customers see, as they were arranged. */
export function listShownCategories(db: Db, tenantId: string, page: PageQuery) {
  const query = db
    .selectFrom('store.categories')
    .selectAll()
    .where('tenantId', '=', tenantId)
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
    .returningAll()
    .executeTakeFirst()
}

export function deleteCategory(tx: Tx, { tenantId, id }: CategoryKey) {
  return tx
    .deleteFrom('store.categories')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}
