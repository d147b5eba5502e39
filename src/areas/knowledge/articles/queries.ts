import { type Insertable, sql, type Updateable } from 'kysely'
import { arrangedPageOf } from '#platform/arranged.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { PageQuery } from '#platform/page.ts'

export type ArticleRow = Row<'knowledge.articles'>
export type ArticleKey = Pick<ArticleRow, 'tenantId' | 'id'>

function selectArticles(db: Db, tenantId: string) {
  return db.selectFrom('knowledge.articles').selectAll().where('tenantId', '=', tenantId)
}

/** An article, archived or not. */
export function findAnyArticle(db: Db, { tenantId, id }: ArticleKey) {
  return selectArticles(db, tenantId).where('id', '=', id).executeTakeFirst()
}

/** An article that is not archived. */
export function findArticle(db: Db, { tenantId, id }: ArticleKey) {
  return selectArticles(db, tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
}

/**
 * Locks an article, archived or not: changes of the article and of its texts wait for each other.
 */
export function lockArticle(tx: Tx, { tenantId, id }: ArticleKey) {
  return selectArticles(tx, tenantId).where('id', '=', id).forUpdate().executeTakeFirst()
}

export type ArticleFilter = {
  readonly tenantId: string
  readonly archived: boolean
  readonly categoryId: string | undefined
}

/** The articles in their order; or the archived ones. */
export function listArticles(
  db: Db,
  { tenantId, archived, categoryId }: ArticleFilter,
  page: PageQuery,
) {
  const query = selectArticles(db, tenantId)
    .where('archivedAt', archived ? 'is not' : 'is', null)
    .$if(categoryId !== undefined, (it) => it.where('categoryId', '=', categoryId ?? ''))
  return arrangedPageOf(query, 'knowledge.articles', tenantId, page)
}

/** The languages of some articles, with readers' feedback on the live versions. */
export function listLanguages(db: Db, tenantId: string, articleIds: readonly string[]) {
  return db
    .selectFrom('knowledge.texts as text')
    .leftJoin('knowledge.versions as version', (join) =>
      join
        .onRef('version.tenantId', '=', 'text.tenantId')
        .onRef('version.id', '=', 'text.liveVersionId'),
    )
    .leftJoinLateral(
      (it) =>
        it
          .selectFrom('knowledge.feedback as feedback')
          .select([
            sql<number>`count(*) filter (where helpful)::integer`.as('helpful'),
            sql<number>`count(*) filter (where not helpful)::integer`.as('unhelpful'),
          ])
          .whereRef('feedback.tenantId', '=', 'text.tenantId')
          .whereRef('feedback.versionId', '=', 'text.liveVersionId')
          .as('said'),
      (join) => join.onTrue(),
    )
    .select(['text.articleId', 'text.locale', 'text.slug', 'text.title', 'text.updatedAt'])
    .select(['said.helpful', 'said.unhelpful'])
    .select(sql<boolean>`version.id is not null`.as('isLive'))
    .select(
      sql<boolean>`(text.title, text.summary, text.markdown) is distinct from
        (version.title, version.summary, version.markdown)`.as('hasChanges'),
    )
    .where('text.tenantId', '=', tenantId)
    .where('text.articleId', '=', sql<string>`any(${[...articleIds]}::uuid[])`)
    .orderBy('text.locale')
    .execute()
}

export function insertArticle(tx: Tx, row: Insertable<Tables['knowledge.articles']>) {
  return tx.insertInto('knowledge.articles').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Changes an article that the caller has locked. */
export function updateArticle(
  tx: Tx,
  { tenantId, id }: ArticleKey,
  change: Updateable<Tables['knowledge.articles']>,
) {
  return tx
    .updateTable('knowledge.articles')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Updates the search index to what readers see of an article. */
export async function indexArticle(tx: Tx, { tenantId, id }: ArticleKey): Promise<void> {
  await sql`select knowledge.index_article(${tenantId}::uuid, ${id}::uuid)`.execute(tx)
}
