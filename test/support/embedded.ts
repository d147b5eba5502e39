import fs from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import type { Database, Outbox } from '#platform/database/index.ts'
import { EXTENSIONS, embedded } from '#platform/database/open.ts'

/**
 * Embedded databases of this process, which files use in turn. Loading one takes longer than most
 * files run, so it is emptied after use: what was written goes, what the migrations wrote comes back.
 * One whose schema was changed is thrown away.
 */
type Kept = { pglite: PGlite; tables: Table[]; schema: string }
type Table = { name: string; columns: string; seeds: string | null }

const idle: Kept[] = []
const LARGE_BYTES = 128 * 1024

/** An embedded database as the dumped data folder (a tar file) has it. Closing it leaves it to the next who asks. */
export async function keptDatabase(dump: string, outbox: Outbox): Promise<Database> {
  const kept = idle.pop() ?? (await load(dump))
  return embedded(kept.pglite, outbox, () => giveBack(kept))
}

async function load(dump: string): Promise<Kept> {
  const loadDataDir = new Blob([fs.readFileSync(dump)])
  const pglite = await PGlite.create({ extensions: EXTENSIONS, loadDataDir })
  return { pglite, tables: await tablesOf(pglite), schema: await schemaOf(pglite) }
}

async function giveBack(kept: Kept): Promise<void> {
  const { pglite, tables, schema } = kept
  // A file that runs alone has nobody to keep it for, and would not end while it is open.
  if (!process.connected) return await pglite.close()
  await reset(pglite)
  if ((await schemaOf(pglite)) !== schema) return await pglite.close()
  await pglite.exec('set session_replication_role = replica')
  await empty(pglite)
  for (const { name, columns, seeds } of tables) {
    if (seeds) await pglite.query(insertOf(name, columns), [seeds])
  }
  await reset(pglite)
  idle.push(kept)
}

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

/** Ends what the session had: a transaction, its role, its settings, what it kept prepared. */
async function reset(pglite: PGlite): Promise<void> {
  if (pglite.isInTransaction()) await pglite.exec('rollback')
  await pglite.exec('discard all')
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
