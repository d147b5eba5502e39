import type { TestApp } from './app.ts'

/** What changes by itself, or tells of requests: logs, jobs, and when a key was last used. */
const NOT_COMPARED = new Set(['audit', 'jobs', 'platform', 'pgboss'])
/** The account that an import keeps of itself, with the hashes that the next dump is compared with. */
const OWN_RECORDS = new Set(['imports.imports', 'imports.snapshots', 'imports.snapshot_rows'])
const MOVING = [
  'last_used_at',
  'compared_at',
  'changes_read_to',
  'tested_at',
  'next_at',
  'checked_at',
]

/** Tables in which several rows add up to one number: the sums are compared, and not how they are distributed. */
const ADDED_UP: Readonly<Record<string, string>> = {
  'services.counts': `(select tenant_id, node, status, sum(services) as services
    from services.counts group by 1, 2, 3 having sum(services) <> 0)`,
}

/** Every row of every table, as texts in one order; what an import keeps of itself is left out. */
export async function everything({ deps }: TestApp): Promise<Readonly<Record<string, string[]>>> {
  const { database } = deps
  const { rows: tables } = await database.execute(
    `select table_schema as schema, table_schema || '.' || table_name as name
     from information_schema.tables where table_type = 'BASE TABLE'
       and table_schema not in ('pg_catalog', 'information_schema') order by 2`,
  )
  const found: Record<string, string[]> = {}
  for (const { schema, name } of tables as { schema: string; name: string }[]) {
    if (NOT_COMPARED.has(schema) || OWN_RECORDS.has(name)) continue
    const { rows } = await database.execute(
      `select (to_jsonb(it) - $1::text[])::text as row from ${ADDED_UP[name] ?? name} as it order by 1`,
      [MOVING],
    )
    found[name] = (rows as { row: string }[]).map(({ row }) => row)
  }
  return found
}

/** What came and went between two snapshots, a line for each row. */
export function differences(
  before: Readonly<Record<string, string[]>>,
  after: Readonly<Record<string, string[]>>,
): string[] {
  return Object.keys(before).flatMap((table) => {
    const [old, now] = [before[table] ?? [], after[table] ?? []]
    const [known, there] = [new Set(old), new Set(now)]
    return [
      ...old.filter((row) => !there.has(row)).map((row) => `- ${table} ${row}`),
      ...now.filter((row) => !known.has(row)).map((row) => `+ ${table} ${row}`),
    ]
  })
}
