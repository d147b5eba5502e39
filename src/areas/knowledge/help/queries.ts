import { sql } from 'kysely'
import { isId } from '#lib/id.ts'
import { arrangedPageOf } from '#platform/arranged.ts'
import type { Db } from '#platform/database/index.ts'
import type { PageQuery } from '#platform/page.ts'
import type { Audience } from '../articles/schema.ts'
import type { CategoryRow } from '../categories/queries.ts'

/** A reader: the shop, and the audiences whose articles they may see. */
export type Reader = {
  readonly tenantId: string
  readonly audiences: readonly Audience[]
}

/** What readers see of an article in one language. */
export type LiveText = Awaited<ReturnType<typeof listLiveTexts>>[number]

function selectLive(db: Db, { tenantId, audiences }: Reader) {
  return db
    .selectFrom('knowledge.articles as article')
    .innerJoin('knowledge.texts as text', (join) =>
      join
        .onRef('text.tenantId', '=', 'article.tenantId')
        .onRef('text.articleId', '=', 'article.id'),
    )
    .innerJoin('knowledge.versions as version', (join) =>
      join
        .onRef('version.tenantId', '=', 'text.tenantId')
        .onRef('version.id', '=', 'text.liveVersionId'),
    )
    .where('article.tenantId', '=', tenantId)
    .where('article.archivedAt', 'is', null)
    .where('article.audience', 'in', audiences)
}

/** What a reader sees of some articles, in all languages. */
export function listLiveTexts(db: Db, reader: Reader, articleIds: readonly string[]) {
  return selectLive(db, reader)
    .select(['article.id', 'article.categoryId', 'article.audience'])
    .select(['text.locale', 'text.slug', 'version.id as versionId', 'version.number as version'])
    .select(['version.title', 'version.summary', 'version.markdown', 'version.publishedAt'])
    .where('article.id', '=', sql<string>`any(${[...articleIds]}::uuid[])`)
    .orderBy('text.locale')
    .execute()
}

/** Whether there is any article that the reader sees. */
export async function hasHelp(db: Db, reader: Reader): Promise<boolean> {
  const found = await selectLive(db, reader).select('article.id').limit(1).executeTakeFirst()
  return found !== undefined
}

/** Whether a reader sees the row of `knowledge.articles` that a query looks at. */
function isShown({ tenantId, audiences }: Reader) {
  return sql<boolean>`knowledge.articles.archived_at is null
    and knowledge.articles.audience = any(${[...audiences]}::text[])
    and exists (
      select from knowledge.texts as text
       where text.tenant_id = ${tenantId} and text.article_id = knowledge.articles.id
         and text.live_version_id is not null)`
}

/** One page of the articles that a reader sees, in their order. */
export function listShownArticles(
  db: Db,
  reader: Reader,
  { categoryId, ...page }: PageQuery & { categoryId?: string },
) {
  const query = db
    .selectFrom('knowledge.articles')
    .select(['id', 'tenantId', 'position'])
    .where('tenantId', '=', reader.tenantId)
    .where(isShown(reader))
    .$if(categoryId !== undefined, (it) => it.where('categoryId', '=', categoryId ?? ''))
  return arrangedPageOf(query, 'knowledge.articles', reader.tenantId, page)
}

function selectShownCategories(db: Db, reader: Reader) {
  return db
    .selectFrom('knowledge.categories')
    .selectAll()
    .where('tenantId', '=', reader.tenantId)
    .where('archivedAt', 'is', null)
    .where(
      sql<boolean>`exists (
        select from knowledge.articles
         where knowledge.articles.tenant_id = ${reader.tenantId}
           and knowledge.articles.category_id = knowledge.categories.id
           and ${isShown(reader)})`,
    )
}

/** The categories with an article that a reader sees, in their order. */
export function listShownCategories(db: Db, reader: Reader, page: PageQuery) {
  const query = selectShownCategories(db, reader)
  return arrangedPageOf(query, 'knowledge.categories', reader.tenantId, page)
}

/** A category with an article that a reader sees, by its id, or by a slug that it has or had. */
export function findShownCategory(
  db: Db,
  reader: Reader,
  idOrSlug: string,
): Promise<CategoryRow | undefined> {
  const query = selectShownCategories(db, reader)
  if (isId(idOrSlug)) return query.where('id', '=', idOrSlug).executeTakeFirst()
  const owner = sql<string>`(select category_id from knowledge.slugs
    where tenant_id = ${reader.tenantId} and slug = ${idOrSlug})`
  return query.where('id', '=', owner).executeTakeFirst()
}

/**
 * The id of the article with this id, or with a slug that it has or had; undefined if there is
 * none.
 */
export async function findArticleId(
  db: Db,
  tenantId: string,
  idOrSlug: string,
): Promise<string | undefined> {
  if (isId(idOrSlug)) return idOrSlug
  const row = await db
    .selectFrom('knowledge.slugs')
    .select('articleId')
    .where('tenantId', '=', tenantId)
    .where('slug', '=', idOrSlug)
    .executeTakeFirst()
  return row?.articleId ?? undefined
}

export type Search = {
  readonly terms: string
  readonly locale: string
  readonly limit: number
}

/** The ids of the articles that a search finds for a reader in one language, best first. */
export async function searchArticles(
  db: Db,
  { tenantId, audiences }: Reader,
  { terms, locale, limit }: Search,
): Promise<string[]> {
  const rows = await db
    .selectFrom(
      sql<{ articleId: string; rank: number }>`knowledge.find_articles(
        ${tenantId}::uuid, ${terms}, ${locale}, ${[...audiences]}::text[], ${limit}::integer)`.as<'found'>(
        sql`found`,
      ),
    )
    .select('found.articleId')
    .orderBy('found.rank', 'desc')
    .orderBy('found.articleId')
    .execute()
  return rows.map(({ articleId }) => articleId)
}
