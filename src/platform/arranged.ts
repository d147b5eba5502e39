import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from './database/index.ts'
import { compiledLimit, DEFAULT_LIMIT, idOf, type Page, type PageQuery, pageFrom } from './page.ts'

type Ordered = { id: string; tenantId: string; position: number }

/** Which list a query is of: `arrangedPageOf` and `compiledArrangedPage` read its positions there. */
type Arranged =
  | 'store.categories'
  | 'store.products'
  | 'knowledge.categories'
  | 'knowledge.articles'

/**
 * Reads one page of a list that people arranged: by position, then by age. `table` is where the
 * rows come from; a page goes on behind the row its cursor names. Throws 400 for a bad cursor.
 */
export async function arrangedPageOf<DB, TB extends keyof DB, O extends Ordered>(
  query: SelectQueryBuilder<DB, TB, O>,
  table: Arranged,
  tenantId: string,
  { limit = DEFAULT_LIMIT, cursor }: PageQuery,
): Promise<Page<O>> {
  let part = arranged(query).limit(limit + 1)
  if (cursor !== undefined) part = part.where(behind(table, tenantId, idOf(cursor)))
  return pageFrom(await part.execute(), limit)
}

/** `arrangedPageOf` for a list that is asked for often: its first and its further pages compiled once. */
export function compiledArrangedPage<
  V extends { tenantId: string },
  DB,
  TB extends keyof DB,
  O extends Ordered,
>(
  build: (db: Db, values: V) => SelectQueryBuilder<DB, TB, O>,
  table: Arranged,
): (db: Db, values: V, page: PageQuery) => Promise<Page<O>> {
  const part = (db: Db, values: V) => arranged(build(db, values))
  const first = compiledLimit<V, O>((db, values, limit) => part(db, values).limit(limit))
  const further = compiledLimit<V & { after: string }, O>((db, values, limit) =>
    part(db, values)
      .where(behind(table, values.tenantId, values.after))
      .limit(limit),
  )
  return async (db, values, { limit = DEFAULT_LIMIT, cursor }) => {
    const rows =
      cursor === undefined
        ? await first(db, values, limit)
        : await further(db, { ...values, after: idOf(cursor) }, limit)
    return pageFrom(rows, limit)
  }
}

function arranged<DB, TB extends keyof DB, O extends Ordered>(
  query: SelectQueryBuilder<DB, TB, O>,
) {
  return query.orderBy(sql`position`).orderBy(sql`id`)
}

function behind(table: Arranged, tenantId: string, id: string) {
  return sql<boolean>`(position, id) > (
    select position, id from ${sql.table(table)} where tenant_id = ${tenantId} and id = ${id})`
}
