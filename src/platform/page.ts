import { type Compilable, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { isId } from '#lib/id.ts'
import { invalidCursor } from '#lib/problem.ts'
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

/** A page of an administration list, in either order, with an optional total. */
export type ListQuery = PageQuery & { sort?: 'newest' | 'oldest'; count?: boolean }

/** A page, and the total of the list; null if it was not requested. */
export type CountedPage<T> = Page<T> & { total: number | null }

const MOST_COUNTED = 10_000

/** `pageOf` in either order, with an optional total. */
export async function listOf<DB, TB extends keyof DB, O extends { id: string }>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, O>,
  { limit = DEFAULT_LIMIT, cursor, sort = 'newest', count = false }: ListQuery,
  column = 'id',
): Promise<CountedPage<O>> {
  const total = count ? await countUpTo(db, query) : null
  if (sort === 'newest') {
    const page = { limit, ...(cursor !== undefined && { cursor }) }
    return { ...(await pageOf(query, page, column)), total }
  }
  const { ref } = { ref: column as never }
  let part = query.orderBy(ref, 'asc').limit(limit + 1)
  if (cursor !== undefined) part = part.where(ref, '>', idOf(cursor) as never)
  return { ...pageFrom(await part.execute(), limit), total }
}

/** The number of rows of a query, counted up to 10,000. */
async function countUpTo<DB, TB extends keyof DB, O>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, O>,
): Promise<number> {
  const found = query.clearSelect().select(sql<number>`1`.as('one')).limit(MOST_COUNTED)
  const { total } = await db
    .selectFrom(sql<{ one: number }>`(${found})`.as('found'))
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

type Before = { before: string }

/** `pageOf` for a list that is asked for often: its first and its further pages compiled once. */
export function compiledPage<V extends object, DB, TB extends keyof DB, O extends { id: string }>(
  build: (db: Db, values: V) => SelectQueryBuilder<DB, TB, O>,
  column = 'id',
): (db: Db, values: V, page: PageQuery) => Promise<Page<O>> {
  const { ref } = { ref: column as never }
  const part = (db: Db, values: V) => build(db, values).orderBy(ref, 'desc')
  const first = compiledLimit<V, O>((db, values, limit) => part(db, values).limit(limit))
  const further = compiledLimit<V & Before, O>((db, values, limit) =>
    part(db, values)
      .where(ref, '<', values.before as never)
      .limit(limit),
  )
  return async (db, values, { limit = DEFAULT_LIMIT, cursor }) => {
    const rows =
      cursor === undefined
        ? await first(db, values, limit)
        : await further(db, { ...values, before: idOf(cursor) }, limit)
    return pageFrom(rows, limit)
  }
}

type Limit = number | RawBuilder<number>

/**
 * A compiled read of one row more than a page has. The usual limit stands in the statement: with one
 * that comes as a value PostgreSQL takes a list for a tenth of its table, finds every plan for all cases
 * too dear, and makes a new one for each request, which takes longer than the read.
 */
export function compiledLimit<V extends object, O>(
  build: (db: Db, values: V, limit: Limit) => Compilable<O>,
): (db: Db, values: V, limit: number) => Promise<O[]> {
  const usual = compiled<V, O>((db, values) => build(db, values, sql.lit(DEFAULT_LIMIT + 1)))
  const other = compiled<V & { limit: number }, O>((db, values) => build(db, values, values.limit))
  return (db, values, limit) =>
    limit === DEFAULT_LIMIT ? usual(db, values) : other(db, { ...values, limit: limit + 1 })
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
  if (!isId(id)) throw invalidCursor()
  return id
}
