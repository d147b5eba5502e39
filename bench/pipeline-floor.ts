import pg from 'pg'
import { newId } from '#lib/id.ts'

/** A table's rows as text, and the columns they have. */
type Rows = {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** What one purchase has written: the new rows of each table that has any. */
export type Written = readonly Rows[]

type Table = { table: string; columns: string[]; key: string[] }

/**
 * Every table of ours: the columns that are written into it, in their order, and those of its primary key,
 * or all. What the queue counts about itself is nobody's purchase.
 */
const TABLES = `
  select format('%I.%I', space.nspname, class.relname) as table,
    array_agg(field.attname::text order by field.attnum)
      filter (where field.attgenerated = '' and field.attidentity = '') as columns,
    coalesce(
      array_agg(field.attname::text order by field.attnum)
        filter (where field.attnum = any(key.indkey)),
      array_agg(field.attname::text order by field.attnum)) as key
  from pg_class class
  join pg_namespace space on space.oid = class.relnamespace
  join pg_attribute field
    on field.attrelid = class.oid and field.attnum > 0 and not field.attisdropped
  left join pg_index key on key.indrelid = class.oid and key.indisprimary
  where class.relkind = 'r' and space.nspname not in ('pg_catalog', 'information_schema')
    and class.relname not like 'queue_stats%'
  group by space.nspname, class.relname order by 1`

/** Notes the rows that there are; the answer tells which have been inserted since. */
export async function watchRows(client: pg.Client): Promise<() => Promise<Written>> {
  const { rows: tables } = await client.query<Table>(TABLES)
  const before = new Map<string, ReadonlySet<string>>()
  for (const it of tables) before.set(it.table, new Set((await rowsOf(client, it)).keys()))
  return async () => {
    const written: Rows[] = []
    for (const { table, columns, key } of tables) {
      const known = before.get(table)
      const all = await rowsOf(client, { table, columns, key })
      const rows = [...all].filter(([name]) => !known?.has(name)).map(([, row]) => row)
      if (rows.length > 0) written.push({ table, columns, rows })
    }
    return written
  }
}

/** The rows of a table by their key, everything as text. */
async function rowsOf(
  client: pg.Client,
  { table, columns, key }: Table,
): Promise<ReadonlyMap<string, (string | null)[]>> {
  const [texts, keys] = [columns, key].map((them) =>
    them.map((it) => `${pg.escapeIdentifier(it)}::text`).join(', '),
  )
  const text = `select array[${keys}]::text, ${texts} from ${table}`
  const { rows } = await client.query<[string, ...(string | null)[]]>({ text, rowMode: 'array' })
  return new Map(rows.map(([name, ...row]) => [name, row]))
}

/**
 * Tables to insert the same rows into, which nobody reads: with the columns, defaults, checks and indexes
 * of the real ones, but without foreign keys, triggers and row-level security.
 */
export async function layFloor(client: pg.Client, written: Written): Promise<void> {
  await client.query('create schema floor')
  for (const { table } of written) {
    await client.query(`create table ${floorOf(table)} (like ${table} including all)`)
  }
}

function floorOf(table: string): string {
  return `floor.${pg.escapeIdentifier(table.replaceAll('"', ''))}`
}

type Statement = { name: string; text: string; values: (string | null)[] }

/**
 * What one more purchase has inserted: a statement for each table, with all its rows. Every id in them,
 * the tenant's too, is another than in all others, so that what has to be unique is.
 */
export function anotherPurchase(written: Written): Statement[] {
  const ids = new Map<string, string>()
  function renewed(id: string): string {
    const known = ids.get(id) ?? newId()
    ids.set(id, known)
    return known
  }
  return written.map(({ table, columns, rows }) => {
    const names = columns.map((it) => pg.escapeIdentifier(it)).join(', ')
    const places = rows.map(
      (row, at) => `(${row.map((_, index) => `$${at * row.length + index + 1}`).join(', ')})`,
    )
    return {
      name: `floor ${table}`,
      text: `insert into ${floorOf(table)} (${names}) values ${places.join(', ')}`,
      values: rows.flat().map((value) => value?.replaceAll(ID, renewed) ?? null),
    }
  })
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Inserts what so many purchases write, a transaction each, all at once; answers how many a second. */
export async function insertPurchases(
  pool: pg.Pool,
  written: Written,
  count: number,
): Promise<number> {
  // Laid ready before the clock runs.
  const purchases = Array.from({ length: count }, () => anotherPurchase(written))
  const startMs = performance.now()
  await Promise.all(purchases.map((it) => insertOne(pool, it)))
  return count / ((performance.now() - startMs) / 1000)
}

async function insertOne(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const it of statements) await client.query(it)
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}
