import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { badRequest, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { restoreCategory } from '../categories/actions.ts'
import { lockCategory } from '../categories/queries.ts'
import { withdrawAll } from '../texts/actions.ts'
import {
  type ArticleKey,
  type ArticleRow,
  indexArticle,
  insertArticle,
  lockArticle,
  updateArticle,
} from './queries.ts'
import type { ArticleChange, NewArticle } from './schema.ts'

/** Adds an article without a text. Throws 400 for a category that does not exist. */
export async function createArticle(
  tx: Tx,
  { tenantId }: Pick<Caller, 'tenantId'>,
  { categoryId, audience = 'public', position = 0 }: NewArticle,
  now: Instant,
): Promise<ArticleRow> {
  await assertCategory(tx, { tenantId, id: categoryId })
  const key = { tenantId, id: newId() }
  return insertArticle(tx, { ...key, categoryId, audience, position, createdAt: now })
}

/**
 * Changes the category, position and audience of an article, with immediate effect. Throws 404, 400 for a category
 * that does not exist.
 */
export async function changeArticle(
  tx: Tx,
  key: ArticleKey,
  change: ArticleChange,
): Promise<ArticleRow> {
  if (change.categoryId !== undefined) {
    await assertCategory(tx, { tenantId: key.tenantId, id: change.categoryId })
  }
  const article = await lockArticle(tx, key)
  if (!article || article.archivedAt) throw notFound('Article')
  const changed = await updateArticle(tx, key, change)
  if (changed.audience !== article.audience) await indexArticle(tx, key)
  return changed
}

/** Archives an article; readers do not see it any more. Throws 404. */
export async function archiveArticle(tx: Tx, key: ArticleKey, now: Instant) {
  const article = await lockArticle(tx, key)
  if (!article || article.archivedAt) throw notFound('Article')
  await withdrawAll(tx, key, now)
  await updateArticle(tx, key, { archivedAt: now })
  return { id: key.id, deleted: true }
}

/**
 * Brings an archived article back with its drafts, and its category with it; one that is not archived stays as it is.
 * Readers see it when it is published again. Throws 404.
 */
export async function restoreArticle(
  tx: Tx,
  key: ArticleKey,
  categoryId: string,
): Promise<ArticleRow> {
  // Categories are locked before their articles.
  await restoreCategory(tx, { tenantId: key.tenantId, id: categoryId })
  const article = await lockArticle(tx, key)
  if (!article) throw notFound('Article')
  return article.archivedAt ? updateArticle(tx, key, { archivedAt: null }) : article
}

async function assertCategory(tx: Tx, key: { tenantId: string; id: string }): Promise<void> {
  const category = await lockCategory(tx, key)
  if (category && !category.archivedAt) return
  throw badRequest('categoryId does not exist.', [
    { path: 'categoryId', message: 'does not exist' },
  ])
}
