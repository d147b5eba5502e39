import { newId } from '#lib/id.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { isPageSegment } from '#platform/pages/addresses.ts'
import { refusingDouble, slugOf } from '../checks.ts'
import {
  type CategoryKey,
  deleteCategory,
  findCategoryBySlug,
  insertCategory,
  updateCategory,
} from './queries.ts'
import type { CategoryChange, NewCategory } from './schema.ts'

const TAKEN = {
  constraint: 'categories_slug',
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

/** Changes a category. 404 when there is none, 409 when the slug is taken or the address of a page. */
export async function changeCategory(tx: Tx, key: CategoryKey, change: CategoryChange) {
  assertFree(change.slug)
  const category = await refusingDouble(TAKEN, updateCategory(tx, key, change))
  if (!category) throw notFound('Category')
  return category
}

/** Removes a category; its products stay, without one. 404 when there is none. */
export async function removeCategory(tx: Tx, key: CategoryKey) {
  if (!(await deleteCategory(tx, key))) throw notFound('Category')
  return { id: key.id, deleted: true }
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
