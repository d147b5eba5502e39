import { LOCALES } from '#lib/languages.ts'
import { conflict } from '#lib/problem.ts'
import { slugOf } from '#lib/slug.ts'
import type { Tx } from '#platform/database/index.ts'
import { findSlug, insertSlug, type SlugKey } from './queries.ts'

/** The owner of an address: one category, or one article in all its languages. */
export type SlugOwner =
  | { readonly categoryId: string; readonly articleId?: never }
  | { readonly articleId: string; readonly categoryId?: never }

/** Addresses that are, or will be, used for other pages. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['contact', 'feedback', 'mute', 'search', 'sitemap', 'tickets'],
  ...LOCALES,
])

/**
 * Gives an address to a category or an article. The owner keeps it when it gets another one, so that old links never
 * lead to something else. Throws 409 `slug_taken`.
 */
export async function claimSlug(tx: Tx, key: SlugKey, owner: SlugOwner): Promise<void> {
  if (!(await isClaimed(tx, key, owner))) {
    throw conflict(
      'Another article or category has this slug or had it before. Choose another slug.',
      'slug_taken',
    )
  }
}

/** Claims the address made from a name, or a similar one if that is taken; returns the address. */
export async function claimFreeSlug(
  tx: Tx,
  { tenantId, name }: { readonly tenantId: string; readonly name: string },
  owner: SlugOwner,
): Promise<string> {
  const slug = slugOf(name)
  if (await isClaimed(tx, { tenantId, slug }, owner)) return slug
  const own = `${slug}-${(owner.categoryId ?? owner.articleId).slice(-6)}`
  await claimSlug(tx, { tenantId, slug: own }, owner)
  return own
}

async function isClaimed(tx: Tx, { tenantId, slug }: SlugKey, owner: SlugOwner): Promise<boolean> {
  if (RESERVED.has(slug)) return false
  const { categoryId, articleId } = { categoryId: null, articleId: null, ...owner }
  await insertSlug(tx, { tenantId, slug, categoryId, articleId })
  const holder = await findSlug(tx, { tenantId, slug })
  return holder?.categoryId === categoryId && holder?.articleId === articleId
}
