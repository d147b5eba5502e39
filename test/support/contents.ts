import type { TestApp } from './app.ts'

/** Tables that keep what was asked, not what there is; and the queue's own. */
const LOGS = ['jobs', 'audit']

/** When a credential was used last is noted once a minute, by a refused request too. */
const USES = ['last_used_at']

/** How many rows each table has, and a digest of them: what a refused request must leave alone. */
export async function contents({ deps }: TestApp): Promise<Record<string, unknown>> {
  const { rows } = await deps.database.execute(
    `select n.nspname || '.' || c.relname as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname <> all($1) and n.nspname <> 'information_schema'
       and n.nspname !~ '^pg_' and has_table_privilege(c.oid, 'select') order by 1`,
    [LOGS],
  )
  const found: Record<string, unknown> = {}
  for (const { name } of rows as { name: string }[]) {
    const { rows: counted } = await deps.database.execute(
      `select count(*)::int as count, md5(string_agg(row::text, ',' order by row::text)) as sum
       from (select to_jsonb(t) - $1::text[] as row from ${name} t) as rows`,
      [USES],
    )
    found[name] = counted[0]
  }
  return found
}

/** What belongs to other people than this one, in every table that has an id and a person: table and id. */
export async function rowsOfOthers({ deps }: TestApp, userId: string): Promise<[string, string][]> {
  const { rows: tables } = await deps.database.execute(
    `select table_schema || '.' || table_name as name
     from information_schema.columns where column_name in ('id', 'user_id') and data_type = 'uuid'
     group by 1 having count(*) = 2`,
  )
  const found: [string, string][] = []
  for (const { name } of tables as { name: string }[]) {
    const { rows } = await deps.database.execute(
      `select id from ${name} where user_id <> $1
       union select user_id from ${name} where user_id <> $1`,
      [userId],
    )
    for (const { id } of rows) found.push([name, String(id)])
  }
  return found
}
