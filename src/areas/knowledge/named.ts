import { sql } from 'kysely'
import { textFor } from '#lib/languages.ts'
import { kindOf, type NamedObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** The articles and categories among these ids, with their titles and names. */
export async function objectsAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedObject[]> {
  const [categories, articles] = await Promise.all([
    db
      .selectFrom('knowledge.categories')
      .select(['id', 'names', kindOf('article_category')])
      .where('tenantId', '=', tenantId)
      .where('id', 'in', ids)
      .execute(),
    db
      .selectFrom('knowledge.texts')
      .select(['articleId as id', kindOf('article')])
      .select(sql<Record<string, string>>`jsonb_object_agg(locale, title)`.as('names'))
      .where('tenantId', '=', tenantId)
      .where('articleId', 'in', ids)
      .groupBy('articleId')
      .execute(),
  ])
  return [...categories, ...articles].map(({ names, ...rest }) => {
    return { ...rest, name: textFor(names, 'en', null)?.[1] ?? '' }
  })
}
