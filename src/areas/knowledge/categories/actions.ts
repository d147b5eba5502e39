import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { textFor } from '#lib/languages.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { json, type Tx } from '#platform/database/index.ts'
import { claimFreeSlug, claimSlug } from '../slugs/actions.ts'
import {
  type CategoryKey,
  type CategoryRow,
  hasArticles,
  insertCategory,
  lockCategory,
  updateCategory,
} from './queries.ts'
import type { ArticleCategoryChange, NewArticleCategory } from './schema.ts'

/** Adds a category; without a slug it gets one from its name. Throws 409 `slug_taken`. */
export async function createCategory(
  tx: Tx,
  { tenantId }: Pick<Caller, 'tenantId'>,
  { names, descriptions = {}, slug, position = 0 }: NewArticleCategory,
  now: Instant,
): Promise<CategoryRow> {
  const id = newId()
  const texts = { names: json(names), descriptions: json(descriptions) }
  // The address refers to the category, so the category is written first.
  await insertCategory(tx, { ...texts, tenantId, id, slug: id, position, createdAt: now })
  const name = textFor(names, 'en', null)?.[1] ?? ''
  if (slug !== undefined) await claimSlug(tx, { tenantId, slug }, { categoryId: id })
  const own = slug ?? (await claimFreeSlug(tx, { tenantId, name }, { categoryId: id }))
  return updateCategory(tx, { tenantId, id }, { slug: own })
}

/** Changes a category that is not archived. Throws 404, 409 `slug_taken`. */
export async function changeCategory(
  tx: Tx,
  key: CategoryKey,
  { names, descriptions, slug, position }: ArticleCategoryChange,
): Promise<CategoryRow> {
  const category = await lockCategory(tx, key)
  if (!category || category.archivedAt) throw notFound('Category')
  const { tenantId, id: categoryId } = key
  if (slug !== undefined) await claimSlug(tx, { tenantId, slug }, { categoryId })
  return updateCategory(tx, key, {
    ...(names && { names: json(names) }),
    ...(descriptions && { descriptions: json(descriptions) }),
    ...(slug !== undefined && { slug }),
    ...(position !== undefined && { position }),
  })
}

/** Archives a category without articles. Throws 404, 409 `category_in_use`. */
export async function archiveCategory(tx: Tx, key: CategoryKey, now: Instant) {
  const category = await lockCategory(tx, key)
  if (!category || category.archivedAt) throw notFound('Category')
  if (await hasArticles(tx, key)) {
    throw conflict(
      'Articles belong to this category. Move or archive them first.',
      'category_in_use',
    )
  }
  await updateCategory(tx, key, { archivedAt: now })
  return { id: key.id, deleted: true }
}

/** Restores an archived category; one that is not archived stays as it is. Throws 404. */
export async function restoreCategory(tx: Tx, key: CategoryKey): Promise<CategoryRow> {
  const category = await lockCategory(tx, key)
  if (!category) throw notFound('Category')
  return category.archivedAt ? updateCategory(tx, key, { archivedAt: null }) : category
}
