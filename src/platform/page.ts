import type { SelectQueryBuilder } from 'kysely'
import { isId } from '#lib/id.ts'
import { badRequest } from '#lib/problem.ts'
import { compiled } from './database/compiled.ts'
import type { Db } from './database/index.ts'

/** Which part of a list is wanted. `limit` is 1 to 100, 25 by default. */
export type PageQuery = { limit?: number; cursor?: string }

/** A part of a list: `nextCursor` is null at its end. */
export type Page<T> = { data: T[]; nextCursor: string | null }

/** How much of a list somebody gets who does not say. */
export const DEFAULT_LIMIT = 25

/**
 * Reads one page of a list, newest first, by keyset: ids are UUIDv7, so their order is the order
 * of creation. `table` says whose `id` it is where the query joins. Throws 400 for a bad cursor.
 */
export async function pageOf<DB, TB extends keyof DB, O extends { id: string }>(
  query: SelectQueryBuilder<DB, TB, O>,
  { limit = DEFAULT_LIMIT, cursor }: PageQuery,
  column = 'id',
): Promise<Page<O>> {
  const { ref } = { ref: column as never }
  let part = query.orderBy(ref, 'desc').limit(limit + 1)
  if (cursor !== undefined) part = part.where(ref, '<', idOf(cursor) as never)
  return pageFrom(await part.execute(), limit)
}

type Limit = { limit: number }
type Before = { before: string }

/** `pageOf` for a list that is asked for often: its first and its further pages compiled once. */
export function compiledPage<V extends object, DB, TB extends keyof DB, O extends { id: string }>(
  build: (db: Db, values: V) => SelectQueryBuilder<DB, TB, O>,
  column = 'id',
): (db: Db, values: V, page: PageQuery) => Promise<Page<O>> {
  const { ref } = { ref: column as never }
  const part = (db: Db, values: V & Limit) =>
    build(db, values).orderBy(ref, 'desc').limit(values.limit)
  const first = compiled<V & Limit, O>(part)
  const further = compiled<V & Limit & Before, O>((db, values) =>
    part(db, values).where(ref, '<', values.before as never),
  )
  return async (db, values, { limit = DEFAULT_LIMIT, cursor }) => {
    const wanted = { ...values, limit: limit + 1 }
    const rows =
      cursor === undefined
        ? await first(db, wanted)
        : await further(db, { ...wanted, before: idOf(cursor) })
    return pageFrom(rows, limit)
  }
}

/** The page that rows are, of which one more than `limit` was read: it shows that there are more. */
export function pageFrom<O extends { id: string }>(rows: O[], limit: number): Page<O> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: rows.length > limit && last ? cursorOf(last.id) : null }
}

/** A cursor of an id; opaque to callers. */
export function cursorOf(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/** The id in a cursor. Throws 400. */
export function idOf(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (!isId(id)) throw badRequest('The cursor is not one of ours.')
  return id
}
