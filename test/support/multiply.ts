import pg from 'pg'

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
const LEFT_OUT = /^(platform|jobs|public)\./

/** Whose it is, though it need not be anybody's alone. */
const PERSONAL = ['recipient', 'email', 'account_id', 'discord_id']

type Column = { table: string; column: string; type: string; unique: boolean; generated: boolean }

/**
 * Makes a large shop of a small one: every table that has rows gets some `rows`, copies that refer to
 * each other as the originals do. Works past triggers and constraints, as nobody else may.
 */
export async function multiply(databaseUrl: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await dropChecks(client)
    const tables = Map.groupBy(await columnsOf(client), ({ table }) => table)
    const kept = await idsOf(client, [...tables.keys()].filter(isSmall))
    await client.query('create temporary table kept (id uuid primary key)')
    await client.query('insert into kept select unnest($1::uuid[]) on conflict do nothing', [kept])
    for (const [table, columns] of tables) {
      if (isSmall(table) || LEFT_OUT.test(table)) continue
      const written = columns.filter(({ generated }) => !generated)
      const names = written.map(({ column }) => pg.escapeIdentifier(column)).join(', ')
      await client.query(`
        insert into ${table} (${names}) overriding system value
        select ${written.map(copied).join(', ')}
        from ${table} it cross join generate_series(1, ${rows} / (
          select greatest(count(*), 1) from ${table})) as copy (number)
        on conflict do nothing`)
    }
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

function isSmall(table: string): boolean {
  return SMALL.has(table)
}

/** What a copy has in a column: what identifies a thing, or refers to one, becomes another's. */
function copied({ column, type, unique }: Column): string {
  const value = `it.${pg.escapeIdentifier(column)}`
  if (type === 'uuid') {
    return `case when ${value} is null or exists (select from kept where kept.id = ${value})
      then ${value} else md5(${value}::text || copy.number)::uuid end`
  }
  if (!unique && !PERSONAL.includes(column)) return value
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
