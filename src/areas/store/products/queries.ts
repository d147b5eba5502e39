import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import { compiledArrangedPage } from '#platform/arranged.ts'
import { compiledFirst } from '#platform/database/compiled.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import { listPlansOf } from '../plans/queries.ts'
import type { PlanRow } from '../plans/rules.ts'

export type ProductRow = Row<'store.products'>
export type ProductKey = Pick<ProductRow, 'tenantId' | 'id'>
export type ProductWithPlans = ProductRow & { readonly plans: PlanRow[] }

function selectProducts(db: Db, tenantId: string) {
  return db.selectFrom('store.products').selectAll().where('tenantId', '=', tenantId)
}

function selectProductsOnSale(db: Db, tenantId: string) {
  return selectProducts(db, tenantId).where('archivedAt', 'is', null)
}

/** A product, archived or not: what was sold keeps its product. */
export function findProduct(db: Db, { tenantId, id }: ProductKey): Promise<ProductRow | undefined> {
  return selectProducts(db, tenantId).where('id', '=', id).executeTakeFirst()
}

/** Several products, archived or not. */
export function findProducts(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<ProductRow[]> {
  return selectProducts(db, tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}

export const findProductOnSale = compiledFirst((db, { tenantId, id }: ProductKey) =>
  selectProductsOnSale(db, tenantId).where('id', '=', id),
)

export const findProductBySlug = compiledFirst(
  (db, { tenantId, slug }: { tenantId: string; slug: string }) =>
    selectProductsOnSale(db, tenantId).where('slug', '=', slug),
)

function selectProductsSold(db: Db, tenantId: string) {
  return selectProductsOnSale(db, tenantId)
    .where('publishedAt', 'is not', null)
    .where('sellableSince', 'is not', null)
}

/** A product that customers may order, hidden or not. */
export const findProductSold = compiledFirst((db, { tenantId, id }: ProductKey) =>
  selectProductsSold(db, tenantId).where('id', '=', id),
)

export const findProductSoldBySlug = compiledFirst(
  (db, { tenantId, slug }: { tenantId: string; slug: string }) =>
    selectProductsSold(db, tenantId).where('slug', '=', slug),
)

export function lockProduct(tx: Tx, { tenantId, id }: ProductKey) {
  return selectProductsOnSale(tx, tenantId).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function listProductsByIds(db: Db, tenantId: string, ids: readonly string[]) {
  return selectProductsOnSale(db, tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Products by their ids that customers may still order; in the order set by staff. */
export function listProductsSold(db: Db, tenantId: string, ids: readonly string[]) {
  return selectProductsSold(db, tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** What the products on sale of a tenant, or one of them, are made of, by id. */
export function listBlueprints(
  db: Db,
  { tenantId, id }: Pick<ProductKey, 'tenantId'> & { id?: string },
) {
  return db
    .selectFrom('store.products')
    .select(['id', 'name', 'delivery', 'provisioning', 'publishedAt', 'sellableSince'])
    .select(['instructions', 'promiseHours', 'locationIds'])
    .where('tenantId', '=', tenantId)
    .where('archivedAt', 'is', null)
    .$if(id !== undefined, (it) => it.where('id', '=', id ?? ''))
    .orderBy('id')
    .execute()
}

/** Publishes a product from an instant on, or turns it into a draft. */
export async function markPublished(
  tx: Tx,
  { tenantId, id }: ProductKey,
  publishedAt: Instant | null,
): Promise<void> {
  await tx
    .updateTable('store.products')
    .set({ publishedAt })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Sells these products from an instant on, or no longer. */
export async function markSellable(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  sellableSince: Instant | null,
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('store.products')
    .set({ sellableSince })
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}

const MAX_TOLD = 50

/**
 * Products on sale whose servers are made of these eggs, at most as many as a notification should
 * list.
 */
export function listProductsOfEggs(db: Db, tenantId: string, eggIds: readonly string[]) {
  return selectProductsOnSale(db, tenantId)
    .where('provisioning', 'is not', null)
    .where(sql<boolean>`provisioning ->> 'eggId' = any(${[...eggIds]}::text[])`)
    .orderBy('id')
    .limit(MAX_TOLD)
    .execute()
}

type Filter = { tenantId: string; categoryId?: string }

/** All products on sale, hidden ones too, newest first; or the archived ones. */
export function listProducts(
  db: Db,
  { tenantId, categoryId, archived }: Filter & { archived: boolean },
  page: PageQuery,
) {
  const query = selectProducts(db, tenantId).where('archivedAt', archived ? 'is not' : 'is', null)
  return pageOf(categoryId ? query.where('categoryId', '=', categoryId) : query, page)
}

const shownProducts = (db: Db, { tenantId }: { tenantId: string }) =>
  selectProductsSold(db, tenantId)
    .where('hidden', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('store.categories as category')
            .select('category.id')
            .whereRef('category.tenantId', '=', 'store.products.tenantId')
            .whereRef('category.id', '=', 'store.products.categoryId')
            .where('category.hidden', '=', true),
        ),
      ),
    )
const listAllShown = compiledArrangedPage(shownProducts, 'store.products')
const listShownIn = compiledArrangedPage(
  (db, values: { tenantId: string; categoryId: string }) =>
    shownProducts(db, values).where('categoryId', '=', values.categoryId),
  'store.products',
)

/** The products that customers see, in the order set by staff. */
export function listShownProducts(db: Db, { tenantId, categoryId }: Filter, page: PageQuery) {
  return categoryId
    ? listShownIn(db, { tenantId, categoryId }, page)
    : listAllShown(db, { tenantId }, page)
}

/** Products with their plans on sale: one query for all of them. */
export async function withPlans<P extends ProductKey>(
  db: Db,
  tenantId: string,
  products: readonly P[],
): Promise<(P & { plans: PlanRow[] })[]> {
  if (products.length === 0) return []
  const ids = products.map(({ id }) => id)
  const plans = Map.groupBy(await listPlansOf(db, tenantId, ids), ({ productId }) => productId)
  return products.map((product) => ({ ...product, plans: plans.get(product.id) ?? [] }))
}

type Written = Partial<Omit<ProductRow, 'provisioning'>> & Partial<Pick<ProductRow, 'provisioning'>>

function columnsOf({ provisioning, translations, ...rest }: Written) {
  return {
    ...rest,
    ...(provisioning !== undefined && { provisioning: provisioning && json(provisioning) }),
    ...(translations !== undefined && { translations: json(translations) }),
  }
}

type NewRow = Written &
  Pick<ProductRow, 'tenantId' | 'id' | 'slug' | 'name'> & { createdAt: Instant }

export function insertProduct(tx: Tx, row: NewRow) {
  const { tenantId, id, slug, name, createdAt } = row
  return tx
    .insertInto('store.products')
    .values({ ...columnsOf(row), tenantId, id, slug, name, createdAt })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateProduct(tx: Tx, { tenantId, id }: ProductKey, change: Written) {
  return tx
    .updateTable('store.products')
    .set({ ...columnsOf(change), id })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function archiveProduct(tx: Tx, { tenantId, id }: ProductKey, now: Instant) {
  return tx
    .updateTable('store.products')
    .set({ archivedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
}

/** Turns an archived product into a draft. */
export async function restoreProductRow(tx: Tx, { tenantId, id }: ProductKey): Promise<void> {
  await tx
    .updateTable('store.products')
    .set({ archivedAt: null, publishedAt: null })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Removes a product from the upgrades that other products offer. */
export async function deleteUpgradesTo(tx: Tx, { tenantId, id }: ProductKey): Promise<void> {
  await tx
    .updateTable('store.products')
    .set({ upgradeTargetIds: sql`array_remove(upgrade_target_ids, ${id}::uuid)` })
    .where('tenantId', '=', tenantId)
    .where(sql<boolean>`${id}::uuid = any(upgrade_target_ids)`)
    .execute()
}

/** The tax rates of products on sale, by their ids or of a category; locked until the transaction ends. */
export function lockTaxRatesOf(
  tx: Tx,
  { tenantId, productIds, categoryId }: Filter & { productIds?: readonly string[] },
) {
  let query = tx
    .selectFrom('store.products')
    .select(['id', 'name', 'taxRateId'])
    .where('tenantId', '=', tenantId)
    .where('archivedAt', 'is', null)
  if (categoryId) query = query.where('categoryId', '=', categoryId)
  if (productIds) query = query.where('id', '=', sql<string>`any(${[...productIds]}::uuid[])`)
  return query.orderBy('id').forNoKeyUpdate().execute()
}

export async function updateTaxRateOf(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  taxRateId: string | null,
): Promise<void> {
  await tx
    .updateTable('store.products')
    .set({ taxRateId })
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}

/** The tax rates of products, archived ones too, by product. */
export async function listTaxRatesOf(
  db: Db,
  tenantId: string,
  productIds: readonly string[],
): Promise<Map<string | null, string | null>> {
  if (productIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('store.products')
    .select(['id', 'taxRateId'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...productIds]}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, taxRateId }) => [id, taxRateId]))
}
