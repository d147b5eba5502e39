import { type SelectQueryBuilder, sql } from 'kysely'
import { cursorOf, idOf, type Page, type PageQuery } from '#platform/page.ts'

type Ordered = { id: string; tenantId: string; position: number }

/**
 * Reads one page of a list that people arranged: by position, then by age. `table` is where the
 * rows come from; a page goes on behind the row its cursor names. Throws 400 for a bad cursor.
 */
export async function arrangedPageOf<DB, TB extends keyof DB, O extends Ordered>(
  query: SelectQueryBuilder<DB, TB, O>,
  table: 'store.categories' | 'store.products',
  tenantId: string,
  { limit = 25, cursor }: PageQuery,
): Promise<Page<O>> {
  let part = query
    .orderBy(sql`position`)
    .orderBy(sql`id`)
    .limit(limit + 1)
  if (cursor !== undefined) {
    const after = sql`select position, id from ${sql.table(table)}
      where tenant_id = ${tenantId} and id = ${idOf(cursor)}`
    part = part.where(sql<boolean>`(position, id) > (${after})`)
  }
  const rows = await part.execute()
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: rows.length > limit && last ? cursorOf(last.id) : null }
}
