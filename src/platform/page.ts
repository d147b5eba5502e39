import { type Compilable, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { isId } from '#lib/id.ts'
import { invalidCursor } from '#lib/problem.ts'
import { type Instant, isInstant } from '#lib/time.ts'
import { compiled } from './database/compiled.ts'
import type { Db } from './database/index.ts'

/** The requested page of a list. `limit` is 1 to 100, 25 by default. */
export type PageQuery = { limit?: number; cursor?: string }

/** A page of a list: `nextCursor` is null at its end. */
export type Page<T> = { data: T[]; nextCursor: string | null }

/** The page size if none is requested. */
export const DEFAULT_LIMIT = 25

/**
 * Reads one page of a list, newest first, by keyset: ids are UUIDv7, so their order is the order of creation. `column`
 * names the id if the query joins several tables. Throws 400 for a bad cursor.
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

/** `pageOf` for a list that is requested often: its first page and its further pages are each compiled once. */
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
 * A compiled read of one row more than a page has. The usual limit is part of the statement: if it were a parameter,
 * PostgreSQL would expect a tenth of the table, consider every generic plan too expensive, and plan each request again,
 * which takes longer than the read.
 */
export function compiledLimit<V extends object, O>(
  build: (db: Db, values: V, limit: Limit) => Compilable<O>,
): (db: Db, values: V, limit: number) => Promise<O[]> {
  const usual = compiled<V, O>((db, values) => build(db, values, sql.lit(DEFAULT_LIMIT + 1)))
  const other = compiled<V & { limit: number }, O>((db, values) => build(db, values, values.limit))
  return (db, values, limit) =>
    limit === DEFAULT_LIMIT ? usual(db, values) : other(db, { ...values, limit: limit + 1 })
}

/** The page of these rows, of which one more than `limit` was read to see whether there are more. */
export function pageFrom<O extends { id: string }>(rows: O[], limit: number): Page<O> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: rows.length > limit && last ? cursorOf(last.id) : null }
}

/** A list ordered by an instant that changes, and by id for equal instants. */
export type InstantOrder<O> = {
  /** The column of the instant, and its value in a row. */
  readonly column: string
  readonly at: (row: O) => Instant | null
  readonly id: string
  readonly order: 'asc' | 'desc'
}

/**
 * Reads one page of a list by keyset over an instant and the id. A row whose instant changes meanwhile may appear twice
 * or be missed. Throws 400 for a bad cursor.
 */
export async function pageByInstant<DB, TB extends keyof DB, O extends { id: string }>(
  query: SelectQueryBuilder<DB, TB, O>,
  { limit = DEFAULT_LIMIT, cursor }: PageQuery,
  { column, at, id, order }: InstantOrder<O>,
): Promise<Page<O>> {
  const [instant, key] = [sql.ref(column), sql.ref(id)]
  const isAscending = order === 'asc'
  let part = query
    .orderBy(isAscending ? sql`${instant} asc` : sql`${instant} desc`)
    .orderBy(isAscending ? sql`${key} asc` : sql`${key} desc`)
    .limit(limit + 1)
  if (cursor !== undefined) {
    const place = placeIn(cursor)
    const beyond = sql`(${place.at}::timestamptz, ${place.id}::uuid)`
    part = part.where(
      isAscending
        ? sql<boolean>`(${instant}, ${key}) > ${beyond}`
        : sql<boolean>`(${instant}, ${key}) < ${beyond}`,
    )
  }
  const rows = await part.execute()
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const isMore = rows.length > limit && last !== undefined
  return { data, nextCursor: isMore ? placeCursor(at(last), last.id) : null }
}

function placeCursor(at: Instant | null, id: string): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}

function placeIn(cursor: string): { at: string; id: string } {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!isInstant(at) || !isId(id)) throw invalidCursor()
  return { at, id }
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
