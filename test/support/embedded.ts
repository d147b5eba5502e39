import fs from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import type pg from 'pg'
import { EXTENSIONS, embedded, type Session, sessionOf } from '#platform/database/embedded.ts'
import type { Database, Outbox } from '#platform/database/index.ts'
import { APP_ROLE } from '#platform/database/open.ts'

/**
 * Embedded databases of this thread, which files use in turn. Loading one takes longer than most
 * files run, so it is emptied after use: what was written goes, what the migrations wrote comes back,
 * and the statements stay prepared. One whose schema or session was changed is thrown away.
 */
type Kept = { pglite: PGlite; session: Session; tables: Table[]; schema: string }
type Table = { name: string; columns: string; seeds: string | null }

const idle: Kept[] = []
const LARGE_BYTES = 128 * 1024

/** An embedded database as the dumped data folder (a tar file) has it. Closing it leaves it to the next who asks. */
export async function keptDatabase(dump: string, outbox: Outbox): Promise<Database> {
  const kept = idle.pop() ?? (await load(dump))
  const { pool, listeners } = kept.session
  const lent = lentPool(pool)
  return embedded({ pool: lent, listeners }, outbox, async () => {
    await lent.end()
    await giveBack(kept)
  })
}

/** A pool that is over for who has it, not for the next: what comes too late is refused. */
function lentPool(pool: pg.Pool): pg.Pool {
  let ended = false
  async function connect(): Promise<pg.PoolClient> {
    if (ended) throw new Error('The database was given back')
    return await pool.connect()
  }
  async function end(): Promise<void> {
    ended = true
    // It has one connection: who gets it is the last.
    const client = await pool.connect()
    client.release()
  }
  const query: typeof pool.query = async (...statement: unknown[]) => {
    const client = await connect()
    try {
      return await client.query(...(statement as [string]))
    } finally {
      client.release()
    }
  }
  return Object.assign(Object.create(pool), { connect, end, query })
}

async function load(dump: string): Promise<Kept> {
  const loadDataDir = new Blob([fs.readFileSync(dump)])
  const pglite = await PGlite.create({ extensions: EXTENSIONS, loadDataDir })
  const tables = await tablesOf(pglite)
  return { pglite, session: sessionOf(pglite), tables, schema: await schemaOf(pglite) }
}

async function giveBack(kept: Kept): Promise<void> {
  const { pglite, session, tables, schema } = kept
  const { pool, listeners } = session
  // A file that runs alone has nobody to keep it for, and would not end while it is open.
  if (isMainThread || (await isChanged(kept, schema))) {
    await pool.end()
    return await pglite.close()
  }
  listeners.removeAllListeners()
  await pglite.exec(
    'reset role; unlisten *; close all; set session_replication_role = replica; discard temp',
  )
  await empty(pglite)
  for (const { name, columns, seeds } of tables) {
    if (seeds) await pglite.query(insertOf(name, columns), [seeds])
  }
  await pglite.exec(`reset session_replication_role; set role ${APP_ROLE}`)
  idle.push(kept)
}

/** Whether its user left a transaction, a lock or a setting behind, or changed the schema. */
async function isChanged({ pglite }: Kept, schema: string): Promise<boolean> {
  if (pglite.isInTransaction()) return true
  const { rows } = await pglite.query<{ settings: string }>(SETTINGS)
  if (rows[0]?.settings !== 'TimeZone plan_cache_mode') return true
  await pglite.exec('reset role')
  return (await schemaOf(pglite)) !== schema
}

/** What is not as a new session has it, and has no row while it is. */
const SETTINGS = `
  select concat_ws(' ',
    (select string_agg(name, ' ' order by name) from pg_settings where source = 'session'),
    (select 'locks' where exists (select from pg_locks where locktype = 'advisory'))) as settings`

/** Deletes every row. A table that has grown gets new files, which takes longer than a few rows. */
async function empty(pglite: PGlite): Promise<void> {
  const { rows } = await pglite.query<{ name: string; isLarge: boolean }>(`
    select oid::regclass::text as name, pg_relation_size(oid) > ${LARGE_BYTES} as "isLarge"
    from pg_class where relkind = 'r' and oid >= 16384 and pg_relation_size(oid) > 0`)
  const [large, small] = [true, false].map((is) => {
    return rows.filter(({ isLarge }) => isLarge === is).map(({ name }) => name)
  })
  if (large?.length) await pglite.exec(`truncate ${large.join(', ')} cascade`)
  await pglite.exec((small ?? []).map((name) => `delete from ${name};`).join('\n'))
}

function insertOf(name: string, columns: string): string {
  return `insert into ${name} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${name}, $1)`
}

/** Those of the tables that have a row. */
async function namesOf(pglite: PGlite, tables: readonly Table[]): Promise<string[]> {
  const looks = tables.map(
    ({ name }) => `select '${name}' as name where exists (select from ${name})`,
  )
  const { rows } = await pglite.query<{ name: string }>(looks.join(' union all '))
  return rows.map((it) => it.name)
}

async function tablesOf(pglite: PGlite): Promise<Table[]> {
  const { rows } = await pglite.query<Table>(`
    select c.oid::regclass::text as name, null as seeds,
           string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relkind = 'r' and c.oid >= 16384 and not a.attisdropped and a.attgenerated = ''
    group by c.oid`)
  const written = new Set(await namesOf(pglite, rows))
  for (const table of rows) {
    if (!written.has(table.name)) continue
    const { rows: seeds } = await pglite.query<{ rows: string }>(
      `select json_agg(it)::text as rows from ${table.name} it`,
    )
    table.seeds = seeds[0]?.rows ?? null
  }
  return rows
}

/** What changes when a test alters the schema, and stays when it only writes rows. */
async function schemaOf(pglite: PGlite): Promise<string> {
  const newest = [
    'attribute',
    'constraint',
    'index',
    'policy',
    'proc',
    'trigger',
    'namespace',
    'authid',
  ]
    .map((it) => `(select count(*) || ' ' || max(xmin::text::bigint) from pg_${it})`)
    .join(` || ' ' || `)
  const { rows } = await pglite.query<{ schema: string }>(`
    select ${newest} || ' ' || (select sum(hashtext(
      concat(oid, relname, relrowsecurity, relforcerowsecurity, relacl))) from pg_class) as schema`)
  return rows[0]?.schema ?? ''
}
