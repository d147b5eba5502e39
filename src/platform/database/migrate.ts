import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Pool, PoolClient } from 'pg'
import type { Database } from './index.ts'
import { APP_ROLE } from './open.ts'

const FOLDER = path.join(import.meta.dirname, '../../../migrations')
const LOCK = 4_807_315_221

export type Migration = { readonly name: string; readonly sql: string; readonly hash: string }

/** The migrations of this version, in order. */
export function migrations(folder = FOLDER): Migration[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = fs.readFileSync(path.join(folder, name), 'utf8')
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
    })
}

/**
 * Brings the database to this version, one process at a time. Each migration is one transaction.
 * Throws when an applied migration was edited, or when the database is newer than this version.
 * Returns the names of those it applied.
 */
export async function migrate({ pool }: Database, all = migrations()): Promise<string[]> {
  return changingSchema(pool, (client) => applyMissing(client, all))
}

/** Changes the schema on a connection of its own, one process at a time, however long that takes. */
export async function changingSchema<T>(
  pool: Pool,
  change: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [LOCK])
    try {
      return await change(client)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [LOCK])
    }
  } finally {
    // The next user of this connection starts with the session's own settings.
    await client.query('reset all')
    client.release()
  }
}

/** The names of the migrations that a database lacks; looks, and changes nothing. */
export async function missingMigrations(
  { pool }: Pick<Database, 'pool'>,
  all = migrations(),
): Promise<string[]> {
  const client = await pool.connect()
  try {
    const { rows: tables } = await client.query(`select to_regclass('platform.migrations') as name`)
    if (tables[0]?.name === null) return all.map(({ name }) => name)
    const { rows } = await client.query<{ name: string }>('select name from platform.migrations')
    const done = new Set(rows.map(({ name }) => name))
    return all.map(({ name }) => name).filter((name) => !done.has(name))
  } finally {
    client.release()
  }
}

async function applyMissing(client: PoolClient, all: Migration[]): Promise<string[]> {
  await client.query(`select set_config('moorage.tenant', '*', false)`)
  await ensureFoundation(client)
  const { rows } = await client.query<{ name: string; hash: string }>(
    'select name, hash from platform.migrations',
  )
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]))
  for (const { name, hash } of all) {
    const before = applied.get(name)
    if (before && before !== hash) throw new Error(`Migration ${name} was edited after it ran`)
    applied.delete(name)
  }
  if (applied.size > 0) {
    throw new Error(`The database is newer than this version: it has ${[...applied.keys()]}`)
  }
  const done = new Set(rows.map((row) => row.name))
  const missing = all.filter(({ name }) => !done.has(name))
  for (const migration of missing) await apply(client, migration)
  return missing.map(({ name }) => name)
}

async function apply(client: PoolClient, { name, sql, hash }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into platform.migrations (name, hash) values ($1, $2)', [name, hash])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed`, { cause: error })
  }
}

/** What every migration stands on. Roles belong to the whole server, so another database may have made ours. */
async function ensureFoundation(client: PoolClient): Promise<void> {
  await client.query(`
    do $$ begin
      if not exists (select from pg_roles where rolname = '${APP_ROLE}') then
        create role ${APP_ROLE} nologin;
      end if;
    exception
      when duplicate_object or unique_violation or insufficient_privilege then null;
    end $$;
    create schema if not exists platform;
    create table if not exists platform.migrations (
      name       text primary key,
      hash       text not null,
      applied_at timestamptz(3) not null default now()
    );
  `)
}
