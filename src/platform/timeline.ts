import { type AliasableExpression, type Expression, sql } from 'kysely'
import { isId } from '#lib/id.ts'
import { invalidCursor } from '#lib/problem.ts'
import { type Instant, isInstant } from '#lib/time.ts'
import type { Db } from './database/index.ts'
import type { Page, PageQuery } from './page.ts'

/** Something that happened to a person. `actorId` is the user who did it, if known. */
export type Moment = {
  id: string
  /** Null if it has not happened: such a row is left out. */
  at: Instant | null
  /** `billing.invoice-paid`. */
  kind: string
  objectId: string | null
  actorId: string | null
  detail: string | null
}

/** Moments of one sort, as a query for them all. */
export type Moments = AliasableExpression<Moment>

export type DatedMoment = Moment & { at: Instant }

type Columns = {
  /** The column with the time; the others default to the row's `id`, or to nothing. */
  at: string
  id?: string
  objectId?: string
  actorId?: string
  detail?: Expression<string | null>
}

/** The columns of a moment, for `select`: `moment('orders.placed', { at: 'createdAt' })`. */
export function moment(kind: string, { at, id = 'id', objectId = id, actorId, detail }: Columns) {
  const actor = actorId ? sql.ref<string | null>(actorId) : sql<string | null>`null::uuid`
  return [
    sql.ref<string>(id).as('id'),
    sql.ref<Instant | null>(at).as('at'),
    sql<string>`${sql.lit(kind)}::text`.as('kind'),
    sql.ref<string | null>(objectId).as('objectId'),
    actor.as('actorId'),
    sql<string | null>`${detail ?? sql.lit(null)}::text`.as('detail'),
  ] as const
}

/** An amount as a detail: its cents and the row's currency, `1250 EUR`. */
export function amountDetail(cents: string): Expression<string | null> {
  return sql<string | null>`${sql.ref(cents)} || ' ' || ${sql.ref('currency')}`
}

const DEFAULT_LIMIT = 25

/**
 * One page of the results of all these queries, newest first, by keyset: over the time, and then over kind and id,
 * because several things happen at once. Kinds in `hidden` are left out. Throws 400 for a bad cursor.
 */
export async function timelinePage(
  db: Db,
  sources: readonly Moments[],
  { limit = DEFAULT_LIMIT, cursor, hidden = [] }: PageQuery & { hidden?: readonly string[] },
): Promise<Page<DatedMoment>> {
  const all = sql<Moment>`(${sql.join(sources, sql` union all `)})`
  let query = db
    .selectFrom(all.as<'moment'>(sql`moment(id, at, kind, object_id, actor_id, detail)`))
    .select(['id', 'kind', 'objectId', 'actorId', 'detail'])
    .select(sql<Instant>`at`.as('at'))
    .where('at', 'is not', null)
    .where('kind', '<>', sql<string>`all(${[...hidden]}::text[])`)
    .orderBy('at', 'desc')
    .orderBy('kind', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (cursor !== undefined) {
    const { at, kind, id } = placeOf(cursor)
    query = query.where(
      sql<boolean>`(at, kind, id) < (${at}::timestamptz, ${kind}::text, ${id}::uuid)`,
    )
  }
  const rows = await query.execute()
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: rows.length > limit && last ? cursorOf(last) : null }
}

type Place = Pick<DatedMoment, 'at' | 'kind' | 'id'>

function cursorOf({ at, kind, id }: Place): string {
  return Buffer.from([at, kind, id].join(' ')).toString('base64url')
}

function placeOf(cursor: string): { at: string; kind: string; id: string } {
  const [at = '', kind = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!isInstant(at) || !isId(id) || !/^[a-z.-]{1,100}$/.test(kind)) throw invalidCursor()
  return { at, kind, id }
}
