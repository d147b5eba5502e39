import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { type ArticleKey, indexArticle, lockArticle } from '../articles/queries.ts'
import { articlePublished, articleWithdrawn } from '../events.ts'
import { claimFreeSlug, claimSlug } from '../slugs/actions.ts'
import { deleteSlug } from '../slugs/queries.ts'
import {
  findNewestVersion,
  findText,
  findVersion,
  hasVersions,
  insertText,
  insertVersion,
  isPublished,
  isSlugUsed,
  listLiveTexts,
  type TextKey,
  type TextRow,
  updateText,
} from './queries.ts'
import type { NewText, Seen } from './schema.ts'

/**
 * Writes the draft of an article in a language. A new slug is valid immediately, and the former one redirects to it.
 * Throws 404, 409 `slug_taken`.
 */
export async function saveText(
  tx: Tx,
  key: TextKey,
  { title, text: markdown, summary = null, slug }: NewText,
  now: Instant,
) {
  await lockWritten(tx, key)
  const { tenantId, articleId } = key
  const known = await findText(tx, key)
  if (slug !== undefined) await claimSlug(tx, { tenantId, slug }, { articleId })
  const draft = { title, summary, markdown, updatedAt: now }
  if (!known) {
    const own = slug ?? (await claimFreeSlug(tx, { tenantId, name: title }, { articleId }))
    await insertText(tx, { ...key, ...draft, slug: own, revision: 1 })
    return found(await findText(tx, key))
  }
  await updateText(tx, key, { ...draft, ...(slug !== undefined && { slug }) })
  if (slug !== undefined && slug !== known.slug) await releaseUnused(tx, known)
  return found(await findText(tx, key))
}

/**
 * Publishes the draft as the version that readers see. A draft that they already see stays as it is. Throws 404, 409
 * `draft_outdated` if the text has changed since `revision`.
 */
export async function publishText(
  tx: Tx,
  caller: Pick<Caller, 'userId'>,
  key: TextKey,
  { revision }: Seen,
  now: Instant,
) {
  await lockWritten(tx, key)
  const text = seen(await findText(tx, key), revision)
  if (text.liveVersionId && !text.hasChanges) return text
  await goLive(tx, caller, { key, content: text }, now)
  return found(await findText(tx, key))
}

/**
 * Publishes an earlier version again, as a new one. A draft that was never published stays. Throws 404, 409
 * `draft_outdated`.
 */
export async function restoreVersion(
  tx: Tx,
  caller: Pick<Caller, 'userId'>,
  key: TextKey,
  { number, revision }: Seen & { readonly number: number },
  now: Instant,
) {
  await lockWritten(tx, key)
  const text = seen(await findText(tx, key), revision)
  const version = await findVersion(tx, key, number)
  if (!version) throw notFound('Version')
  if (version.id === text.liveVersionId) return text
  const { title, summary, markdown } = version
  const isSaved = await isPublished(tx, key, text)
  await goLive(tx, caller, { key, content: version }, now)
  if (isSaved) await updateText(tx, key, { title, summary, markdown })
  return found(await findText(tx, key))
}

/** Hides a text from readers; one that they do not see stays as it is. Throws 404. */
export async function withdrawText(tx: Tx, key: TextKey, now: Instant) {
  const articleKey = await lockWritten(tx, key)
  const text = found(await findText(tx, key))
  if (!text.liveVersionId) return text
  await withdraw(tx, text, now)
  await indexArticle(tx, articleKey)
  return found(await findText(tx, key))
}

/** Hides all languages of an article from readers. The caller has locked the article. */
export async function withdrawAll(tx: Tx, key: ArticleKey, now: Instant): Promise<void> {
  const texts = await listLiveTexts(tx, { tenantId: key.tenantId, articleId: key.id })
  for (const text of texts) await withdraw(tx, text, now)
  await indexArticle(tx, key)
}

async function withdraw(tx: Tx, text: TextRow, now: Instant): Promise<void> {
  const { liveVersionId: versionId } = text
  if (!versionId) return
  await updateText(tx, text, { liveVersionId: null, updatedAt: now })
  await emit(tx, articleWithdrawn, eventOf(text, versionId))
}

type Publication = {
  readonly key: TextKey
  readonly content: Pick<TextRow, 'title' | 'summary' | 'markdown'>
}

async function goLive(
  tx: Tx,
  { userId: authorId }: Pick<Caller, 'userId'>,
  { key, content: { title, summary, markdown } }: Publication,
  now: Instant,
): Promise<void> {
  const number = ((await findNewestVersion(tx, key))?.number ?? 0) + 1
  const id = newId()
  const content = { title, summary, markdown }
  await insertVersion(tx, { ...key, ...content, id, number, authorId, publishedAt: now })
  await updateText(tx, key, { liveVersionId: id, updatedAt: now })
  await indexArticle(tx, { tenantId: key.tenantId, id: key.articleId })
  await emit(tx, articlePublished, eventOf(key, id))
}

function eventOf({ tenantId, articleId, locale: language }: TextKey, versionId: string) {
  return { tenantId, articleId, language, versionId }
}

/** Locks the article of a text. Throws 404 for an archived one. */
async function lockWritten(tx: Tx, { tenantId, articleId: id }: TextKey): Promise<ArticleKey> {
  const article = await lockArticle(tx, { tenantId, id })
  if (!article || article.archivedAt) throw notFound('Article')
  return { tenantId, id }
}

/** Frees an address that no reader can know, because the article was never published. */
async function releaseUnused(tx: Tx, { tenantId, articleId, slug }: TextRow): Promise<void> {
  if (await hasVersions(tx, { tenantId, articleId })) return
  if (!(await isSlugUsed(tx, { tenantId, slug }))) await deleteSlug(tx, { tenantId, slug })
}

function found<T>(text: T | undefined): T {
  if (text === undefined) throw notFound('Text')
  return text
}

function seen<T extends TextRow>(text: T | undefined, revision: number): T {
  const current = found(text)
  if (current.revision === revision) return current
  throw conflict(
    'This text was changed meanwhile. Read it again before you publish.',
    'draft_outdated',
  )
}
