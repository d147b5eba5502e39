import { type SelectQueryBuilder, sql } from 'kysely'
import { compiled } from '#platform/database/compiled.ts'
import type { Db } from '#platform/database/index.ts'
import { DEFAULT_LIMIT, idOf, type Page, type PageQuery, pageFrom } from '#platform/page.ts'

type Ordered = { id: string; tenantId: string; position: number }

/** Which list a query is of: `arrangedPageOf` and `compiledArrangedPage` read its positions there. */
type Arranged = 'store.categories' | 'store.products'

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
  let part = arranged(query, limit + 1)
  if (cursor !== undefined) part = part.where(behind(table, tenantId, idOf(cursor)))
  return pageFrom(await part.execute(), limit)
}

type Limit = { limit: number }

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
  const first = compiled<V & Limit, O>((db, values) => arranged(build(db, values), values.limit))
  const further = compiled<V & Limit & { after: string }, O>((db, values) =>
    arranged(build(db, values), values.limit).where(behind(table, values.tenantId, values.after)),
  )
  return async (db, values, { limit = DEFAULT_LIMIT, cursor }) => {
    const wanted = { ...values, limit: limit + 1 }
    const rows =
      cursor === undefined
        ? await first(db, wanted)
        : await further(db, { ...wanted, after: idOf(cursor) })
    return pageFrom(rows, limit)
  }
}

function arranged<DB, TB extends keyof DB, O extends Ordered>(
  query: SelectQueryBuilder<DB, TB, O>,
  limit: number,
) {
  return query.orderBy(sql`position`).orderBy(sql`id`).limit(limit)
}

function behind(table: Arranged, tenantId: string, id: string) {
  return sql<boolean>`(position, id) > (
    select position, id from ${sql.table(table)} where tenant_id = ${tenantId} and id = ${id})`
}
