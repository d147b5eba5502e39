import pg from 'pg'
import { HOUR_MS } from '#lib/time.ts'

/** Tables of which a large shop has few rows, and those that are the platform's own. */
const SMALL = new Set([
  ...['tenants.tenants', 'tenants.settings', 'tenants.domains', 'tenants.host_checks'],
  ...['rbac.roles', 'billing.gateways', 'billing.series', 'audit.heads'],
  ...['panel.nodes', 'panel.eggs', 'panel.paces', 'oidc.signing_keys', 'oidc.clients'],
  ...['store.categories', 'store.products', 'store.plans', 'store.tax_rates'],
  'support.departments',
  ...['bot.role_mappings', 'bot.tokens', 'bot.feeds', 'webhooks.endpoints'],
  ...['imports.imports', 'imports.uploads', 'imports.reconciliations'],
])
const LEFT_OUT = /^(platform|public|jobs\.(?!job_common))\b/

/** Part of a unique key, but not what makes it unique. */
const NOT_OWN = new Set(['jobs.job_common.name', 'jobs.job_common.singleton_key'])

/** Whose it is, though it need not be anybody's alone. */
const PERSONAL = ['recipient', 'account_id', 'discord_id']

type Column = { table: string; column: string; type: string; unique: boolean; generated: boolean }

/** The number of rows that each table gets, or a function of its name. */
export type Sizes = number | ((table: string) => number)

/**
 * Makes a large shop of a small one: every table that has rows gets as many as wanted, copies that refer to
 * each other as the originals do. The copies are spread over the time before, an hour of it, ids included. Bypasses triggers and
 * constraints.
 */
export async function multiply(
  databaseUrl: string,
  sizes: Sizes,
  overMs: number = HOUR_MS,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await dropChecks(client)
    const tables = Map.groupBy(await columnsOf(client), ({ table }) => table)
    const kept = await idsOf(client, [...tables.keys()].filter(isSmall))
    await client.query('create temporary table kept (id uuid primary key)')
    await client.query('insert into kept select unnest($1::uuid[]) on conflict do nothing', [kept])
    const copied = new Map<string, number>()
    for (const table of tables.keys()) {
      if (isSmall(table) || LEFT_OUT.test(table)) continue
      // The queue reads its own jobs, which a number of rows is not about.
      if (typeof sizes === 'number' && table.startsWith('jobs.')) continue
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::integer as count from ${table}`,
      )
      const count = rows[0]?.count ?? 0
      const wanted = typeof sizes === 'number' ? sizes : sizes(table)
      if (count > 0) copied.set(table, Math.floor(wanted / count))
    }
    await noteOrigins(client, { tables, copied })
    for (const [table, copies] of copied) {
      await client.query(copyOf(table, tables.get(table) ?? [], { copies, overMs }))
    }
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

function isSmall(table: string): boolean {
  return SMALL.has(table)
}

type Spread = { readonly copies: number; readonly overMs: number }

/**
 * Notes every id of the originals and how often its own row is copied: a row that is copied more often refers to
 * the same copies again and again.
 */
async function noteOrigins(
  client: pg.Client,
  {
    tables,
    copied,
  }: { tables: ReadonlyMap<string, Column[]>; copied: ReadonlyMap<string, number> },
): Promise<void> {
  await client.query(`create temporary table origins
    (id uuid primary key, copies integer not null, head bigint not null, tail text not null)`)
  const ids = (table: string) => (tables.get(table) ?? []).filter(({ type }) => type === 'uuid')
  const own = [...copied].map(([table, copies]) => ({
    ...{ table, copies },
    columns: ids(table).filter(({ column }) => column === 'id'),
  }))
  const others = [...copied].map(([table, copies]) => ({ table, copies, columns: ids(table) }))
  // An id that several tables have is that of the row with the most copies.
  own.sort((a, b) => b.copies - a.copies)
  for (const { table, copies, columns } of [...own, ...others]) {
    for (const { column } of columns) {
      const value = pg.escapeIdentifier(column)
      await client.query(
        `insert into origins
         select distinct on (${value}) ${value}, $1::integer,
           ('x' || substr(replace(${value}::text, '-', ''), 1, 12))::bit(48)::bigint,
           substr(replace(${value}::text, '-', ''), 13)
         from ${table} where ${value} is not null and ${value} not in (select id from kept)
         on conflict do nothing`,
        [copies],
      )
    }
  }
  await client.query('analyze origins')
}

/** The statement that inserts the copies of a table's rows. */
function copyOf(table: string, columns: readonly Column[], spread: Spread): string {
  const written = columns.filter(({ generated }) => !generated)
  const names = written.map(({ column }) => pg.escapeIdentifier(column)).join(', ')
  const origins = written
    .filter(({ type }) => type === 'uuid')
    .map(({ column }) => {
      const alias = originOf(column)
      return `left join origins as ${alias} on ${alias}.id = it.${pg.escapeIdentifier(column)}`
    })
  return `
    insert into ${table} (${names}) overriding system value
    select ${written.map((it) => copied(it, spread)).join(', ')}
    from ${table} it ${origins.join(' ')}
    cross join generate_series(1, ${spread.copies}) as copy (number)
    on conflict do nothing`
}

function originOf(column: string): string {
  return pg.escapeIdentifier(`origin of ${column}`)
}

/** The value of a copy: ids, what is unique and what is personal differ from the original's. */
function copied({ table, column, type, unique }: Column, { copies, overMs }: Spread): string {
  const value = `it.${pg.escapeIdentifier(column)}`
  if (type === 'uuid') {
    const origin = originOf(column)
    // Fewer rows than there are others to refer to are spread evenly among these.
    const place = `(case when ${copies} >= ${origin}.copies then copy.number % (${origin}.copies + 1)
      else copy.number::bigint * (${origin}.copies + 1) / ${copies + 1} end)::float8 / (${origin}.copies + 1)`
    return `case when ${origin}.id is null then ${value}
      else (lpad(to_hex((${origin}.head - (${place} * ${overMs})::bigint) & 281474976710655), 12, '0')
        || ${origin}.tail)::uuid end`
  }
  if (type === 'timestamptz') {
    return `case when ${value} > now() then ${value}
      else ${value} - copy.number::float8 / ${copies + 1} * interval '${overMs} milliseconds' end`
  }
  if (column === 'email') return `copy.number || '.' || ${value}`
  if (!PERSONAL.includes(column) && (!unique || NOT_OWN.has(`${table}.${column}`))) return value
  if (type === 'text') return `${value} || '-' || copy.number`
  if (type === 'bytea') return `sha256(${value} || int4send(copy.number::integer))`
  if (type === 'int8' || type === 'int4') return `${value} + copy.number * 1000`
  return value
}

/** A copy's text is not of the right form everywhere, which nothing here depends on. */
async function dropChecks(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
    from pg_constraint where contype = 'c' and conrelid <> 0`)
  for (const { statement } of rows) await client.query(statement)
}

async function columnsOf(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(`
    select c.oid::regclass::text as table, a.attname as column, t.typname as type,
      a.attgenerated <> '' as generated,
      exists (select from pg_index i where i.indrelid = c.oid and i.indisunique
        and a.attnum = any(i.indkey)) as unique
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)'
    order by 1, a.attnum`)
  return rows
}

/** The ids that mean the same thing in every copy. */
async function idsOf(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const ids = new Set<string>()
  for (const table of tables) {
    const { rows } = await client.query(`select * from ${table}`)
    for (const { id, tenant_id } of rows) for (const it of [id, tenant_id]) if (it) ids.add(it)
  }
  return [...ids]
}
