import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type TextRow = Row<'knowledge.texts'>
export type VersionRow = Row<'knowledge.versions'>
export type TextKey = Pick<TextRow, 'tenantId' | 'articleId' | 'locale'>

/** A text of an article that is not archived, with the number of its live version and whether its draft differs from it. */
export function findText(db: Db, { tenantId, articleId, locale }: TextKey) {
  return db
    .selectFrom('knowledge.texts as text')
    .innerJoin('knowledge.articles as article', (join) =>
      join
        .onRef('article.tenantId', '=', 'text.tenantId')
        .onRef('article.id', '=', 'text.articleId')
        .on('article.archivedAt', 'is', null),
    )
    .leftJoin('knowledge.versions as version', (join) =>
      join
        .onRef('version.tenantId', '=', 'text.tenantId')
        .onRef('version.id', '=', 'text.liveVersionId'),
    )
    .selectAll('text')
    .select('version.number as liveVersion')
    .select(
      sql<boolean>`(text.title, text.summary, text.markdown) is distinct from
        (version.title, version.summary, version.markdown)`.as('hasChanges'),
    )
    .where('text.tenantId', '=', tenantId)
    .where('text.articleId', '=', articleId)
    .where('text.locale', '=', locale)
    .executeTakeFirst()
}

/** The languages of an article that readers see. */
export function listLiveTexts(db: Db, { tenantId, articleId }: Omit<TextKey, 'locale'>) {
  return db
    .selectFrom('knowledge.texts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('articleId', '=', articleId)
    .where('liveVersionId', 'is not', null)
    .execute()
}

export async function insertText(
  tx: Tx,
  row: Insertable<Tables['knowledge.texts']>,
): Promise<void> {
  await tx.insertInto('knowledge.texts').values(row).execute()
}

/** Changes a text; the caller has locked its article. Increments its revision. */
export async function updateText(
  tx: Tx,
  { tenantId, articleId, locale }: TextKey,
  change: Omit<Updateable<Tables['knowledge.texts']>, 'revision'>,
): Promise<void> {
  await tx
    .updateTable('knowledge.texts')
    .set({ ...change, revision: sql`revision + 1` })
    .where('tenantId', '=', tenantId)
    .where('articleId', '=', articleId)
    .where('locale', '=', locale)
    .execute()
}

function selectVersions(db: Db, { tenantId, articleId, locale }: TextKey) {
  return db
    .selectFrom('knowledge.versions')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('articleId', '=', articleId)
    .where('locale', '=', locale)
}

/** The versions of a text, newest first. */
export function listVersions(db: Db, key: TextKey, page: PageQuery) {
  return pageOf(selectVersions(db, key), page)
}

export function findVersion(db: Db, key: TextKey, number: number) {
  return selectVersions(db, key).where('number', '=', number).executeTakeFirst()
}

export function findNewestVersion(db: Db, key: TextKey) {
  return selectVersions(db, key).orderBy('number', 'desc').limit(1).executeTakeFirst()
}

type Content = Pick<TextRow, 'title' | 'summary' | 'markdown'>

/** Whether some version of a text is equal to its draft. */
export async function isPublished(
  db: Db,
  key: TextKey,
  { title, summary, markdown }: Content,
): Promise<boolean> {
  const found = await selectVersions(db, key)
    .where(
      sql<boolean>`(title, summary, markdown) is not distinct from
        (${title}::text, ${summary}::text, ${markdown}::text)`,
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether any text of an article was ever published. */
export async function hasVersions(db: Db, { tenantId, articleId }: Omit<TextKey, 'locale'>) {
  const found = await db
    .selectFrom('knowledge.versions')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('articleId', '=', articleId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether a text has this slug. */
export async function isSlugUsed(db: Db, { tenantId, slug }: Pick<TextRow, 'tenantId' | 'slug'>) {
  const found = await db
    .selectFrom('knowledge.texts')
    .select('articleId')
    .where('tenantId', '=', tenantId)
    .where('slug', '=', slug)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function insertVersion(tx: Tx, row: VersionRow): Promise<void> {
  await tx.insertInto('knowledge.versions').values(row).execute()
}
