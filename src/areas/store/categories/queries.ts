import { sql } from 'kysely'
import { isId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import { arrangedPageOf } from '#platform/arranged.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
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

/** Locks a category, archived or not: transactions that archive or restore it wait for each other. */
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

/** A category that customers see, by its id or its slug. */
export function findShownCategory(
  db: Db,
  { tenantId, idOrSlug }: { tenantId: string; idOrSlug: string },
) {
  return selectCategories(db, tenantId)
    .where(isId(idOrSlug) ? 'id' : 'slug', '=', idOrSlug)
    .where('archivedAt', 'is', null)
    .where('hidden', '=', false)
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

/** The categories that customers see, in the order set by staff. */
export function listShownCategories(db: Db, tenantId: string, page: PageQuery) {
  const query = selectCategories(db, tenantId)
    .where('archivedAt', 'is', null)
    .where('hidden', '=', false)
  return arrangedPageOf(query, 'store.categories', tenantId, page)
}

type NewRow = Pick<CategoryRow, 'tenantId' | 'id' | 'slug' | 'name'> &
  Partial<CategoryRow> & { createdAt: Instant }

function columnsOf<T extends Partial<CategoryRow>>({ translations, ...rest }: T) {
  return { ...rest, ...(translations !== undefined && { translations: json(translations) }) }
}

export function insertCategory(tx: Tx, category: NewRow) {
  const { tenantId, id, slug, name, createdAt, ...rest } = category
  return tx
    .insertInto('store.categories')
    .values({ ...columnsOf(rest), tenantId, id, slug, name, createdAt })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateCategory(tx: Tx, { tenantId, id }: CategoryKey, change: CategoryChange) {
  return tx
    .updateTable('store.categories')
    .set({ ...columnsOf(change), id })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

type Archived = Pick<CategoryRow, 'archivedAt' | 'archivedProducts' | 'archivedHidden'>

/** Archives a category, and stores which products have it. */
export async function archiveCategory(
  tx: Tx,
  { tenantId, id }: CategoryKey,
  archived: Archived,
): Promise<void> {
  await tx
    .updateTable('store.categories')
    .set(archived)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Puts an archived category back into the shop. */
export function restoreCategoryRow(tx: Tx, { tenantId, id }: CategoryKey) {
  return tx
    .updateTable('store.categories')
    .set({ archivedAt: null, archivedProducts: [], archivedHidden: [] })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Hides the products of a category that are not hidden themselves; returns their ids. */
export async function hideProducts(tx: Tx, { tenantId, id }: CategoryKey): Promise<string[]> {
  const rows = await tx
    .updateTable('store.products')
    .set({ hidden: true })
    .where('tenantId', '=', tenantId)
    .where('categoryId', '=', id)
    .where('hidden', '=', false)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Removes a category from all its products, archived ones too; returns their ids. */
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

/** Gives an archived category to those of its products that have none; those that it hid are shown with it again. */
export async function fillCategory(
  tx: Tx,
  { tenantId, id, archivedProducts, archivedHidden }: CategoryRow,
): Promise<void> {
  if (archivedProducts.length === 0) return
  await tx
    .updateTable('store.products')
    .set({ categoryId: id, hidden: sql`hidden and id <> all(${archivedHidden}::uuid[])` })
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${archivedProducts}::uuid[])`)
    .where('categoryId', 'is', null)
    .execute()
}
