import { newId } from '#lib/id.ts'
import { conflict, notFound } from '#lib/problem.ts'
import { slugOf } from '#lib/slug.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { isPageSegment } from '#platform/pages/addresses.ts'
import { lockOffer } from '#tenants'
import { refusingDouble } from '../checks.ts'
import {
  archiveCategory,
  type CategoryKey,
  type CategoryRow,
  emptyCategory,
  fillCategory,
  findCategoryBySlug,
  hideProducts,
  insertCategory,
  lockCategory,
  restoreCategoryRow,
  updateCategory,
} from './queries.ts'
import type { CategoryChange, NewCategory } from './schema.ts'

const TAKEN = {
  constraint: 'categories_slug_in_use',
  code: 'slug_taken' as const,
  message: 'Another category has this slug.',
}

/**
 * Adds a category; without a slug it gets one from its name. 409 when a given slug is taken, or is the
 * address of a page.
 */
export async function createCategory(
  tx: Tx,
  { tenantId }: { tenantId: string },
  category: NewCategory,
  now: Instant,
) {
  assertFree(category.slug)
  const id = newId()
  const slug = category.slug ?? (await freeSlug(tx, { tenantId, id }, category.name))
  const row = { ...category, tenantId, id, slug, createdAt: now }
  return refusingDouble(TAKEN, insertCategory(tx, row))
}

/** Changes a category. 404 if it does not exist, 409 if the slug is taken or the address of a page. */
export async function changeCategory(tx: Tx, key: CategoryKey, change: CategoryChange) {
  assertFree(change.slug)
  const category = await refusingDouble(TAKEN, updateCategory(tx, key, change))
  if (!category) throw notFound('Category')
  return category
}

/** Archives a category; its products stay, without one, and hidden if it was hidden. 404 when there is none. */
export async function removeCategory(tx: Tx, key: CategoryKey, now: Instant) {
  // Before the rows of products: a review of products locks them in this order.
  await lockOffer(tx, key.tenantId)
  const category = await lockCategory(tx, key)
  if (!category || category.archivedAt) throw notFound('Category')
  const archivedHidden = category.hidden ? await hideProducts(tx, key) : []
  const archivedProducts = await emptyCategory(tx, key)
  await archiveCategory(tx, key, { archivedAt: now, archivedProducts, archivedHidden })
  return { id: key.id, deleted: true }
}

/**
 * Restores an archived category with the products it had, unless they now have another one; a category that is not
 * archived stays as it is. 404, 409 for a slug that another category has now.
 */
export async function restoreCategory(tx: Tx, key: CategoryKey): Promise<CategoryRow> {
  await lockOffer(tx, key.tenantId)
  const category = await lockCategory(tx, key)
  if (!category) throw notFound('Category')
  if (!category.archivedAt) return category
  const restored = await refusingDouble(TAKEN, restoreCategoryRow(tx, key))
  await fillCategory(tx, category)
  return restored
}

async function freeSlug(tx: Tx, { tenantId, id }: CategoryKey, name: string): Promise<string> {
  const slug = slugOf(name)
  const taken = isPageSegment(slug) || (await findCategoryBySlug(tx, { tenantId, slug }))
  return taken ? `${slug}-${id.slice(-6)}` : slug
}

/** Categories share the top-level paths with pages: `/cart` is always the cart. */
function assertFree(slug: string | undefined): void {
  if (slug === undefined || !isPageSegment(slug)) return
  throw conflict(
    'This slug is the path of another page of the shop. Choose another slug.',
    'slug_taken',
  )
}
