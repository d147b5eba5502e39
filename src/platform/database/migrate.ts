import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import packageFile from '../../../package.json' with { type: 'json' }
import { ROOT } from '../root.ts'
import { StartError } from '../start-error.ts'
import { applyBesideWork } from './applying.ts'
import type { Database } from './index.ts'
import { APP_ROLE } from './open.ts'

const FOLDER = path.join(ROOT, 'migrations')
const LOCK = 4_807_315_221
const LOOK_MS = 200

export type Migration = {
  readonly name: string
  readonly sql: string
  readonly hash: string
  /** The first version that no longer used what this migration removes; null if it removes nothing. */
  readonly unusedSince: string | null
}

/** The first line of a migration that removes something: `-- unused since 0.3.0: what it was`. */
const UNUSED_SINCE = /^-- unused since (\d+\.\d+\.\d+): \S/

/** The migrations of this version, in order. */
export function migrations(folder = FOLDER): Migration[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = fs.readFileSync(path.join(folder, name), 'utf8')
      const hash = createHash('sha256').update(sql).digest('hex')
      return { name, sql, hash, unusedSince: UNUSED_SINCE.exec(sql)?.[1] ?? null }
    })
}

/**
 * Migrates the database to this version, one process at a time, while others use it. Each migration is one transaction,
 * or declares that it has several. A newer database stays as it is. Throws if a newer version has removed what this
 * version uses, if the database is of another branch, or if an applied migration was edited. Returns the names of the
 * migrations that it applied.
 */
export async function migrate(
  { pool }: Database,
  all = migrations(),
  version = packageFile.version,
): Promise<string[]> {
  return changingSchema(pool, (client) => applyMissing(client, all, version))
}

/** Whether a newer version has migrated the database; this version must not change what that one has set up. */
export async function isNewer(client: PoolClient, all = migrations()): Promise<boolean> {
  const { rows } = await client.query('select from platform.migrations where name <> all($1)', [
    all.map(({ name }) => name),
  ])
  return rows.length > 0
}

/** Changes the schema on a connection of its own, one process at a time, without a time limit. */
export async function changingSchema<T>(
  pool: Pool,
  change: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await isOurTurn(client)
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

/**
 * Waits until no other process changes the schema. It polls: a waiting statement would keep a snapshot open all the
 * while, and an index that the other process creates concurrently waits for all snapshots.
 */
async function isOurTurn(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ ours: boolean }>(
      'select pg_try_advisory_lock($1) as ours',
      [LOCK],
    )
    if (rows[0]?.ours) return
    await sleep(LOOK_MS)
  }
}

/** The names of the migrations that a database lacks. Changes nothing. */
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

async function applyMissing(
  client: PoolClient,
  all: Migration[],
  version: string,
): Promise<string[]> {
  await client.query(`select set_config('moorage.tenant', '*', false)`)
  await ensureFoundation(client)
  // Before the first migration there is no such column; later a newer version may have filled it.
  const { rows } = await client.query<Applied>(
    `select name, hash, to_jsonb(it) ->> 'unused_since' as "unusedSince" from platform.migrations it`,
  )
  const known = new Map(all.map((it) => [it.name, it.hash]))
  for (const { name, hash } of rows) {
    const own = known.get(name)
    if (own !== undefined && own !== hash) {
      throw new StartError(`Migration ${name} was edited after it ran`)
    }
  }
  const done = new Set(rows.map((row) => row.name))
  const missing = all.filter(({ name }) => !done.has(name))
  const newer = rows.filter(({ name }) => !known.has(name))
  assertUsable(newer, missing, version)
  for (const migration of missing) await apply(client, migration)
  return missing.map(({ name }) => name)
}

type Applied = { name: string; hash: string; unusedSince: string | null }

/** Throws if this version cannot work with the changes that newer versions have made to the database. */
function assertUsable(newer: readonly Applied[], missing: readonly Migration[], version: string) {
  const names = newer.map(({ name }) => name)
  if (newer.length > 0 && missing.length > 0) {
    const lacks = missing.map(({ name }) => name)
    throw new StartError(`The database is of another version: it has ${names}, and lacks ${lacks}`)
  }
  const lost = newer.filter(({ unusedSince }) => unusedSince && isBefore(version, unusedSince))
  if (lost.length > 0) {
    const why = lost.map(
      ({ name, unusedSince }) => `${name}, which requires ${unusedSince} or newer`,
    )
    throw new StartError(`The database is newer than this version: it has ${why.join('; ')}`)
  }
}

function isBefore(version: string, other: string): boolean {
  const [own, theirs] = [version, other].map((it) => it.split(/[.-]/).map(Number))
  const differing = [0, 1, 2].find((part) => own?.[part] !== theirs?.[part])
  return differing !== undefined && (own?.[differing] ?? 0) < (theirs?.[differing] ?? 0)
}

async function apply(client: PoolClient, migration: Migration): Promise<void> {
  const { name, sql, hash, unusedSince } = migration
  async function note(): Promise<void> {
    await client.query('insert into platform.migrations (name, hash) values ($1, $2)', [name, hash])
    if (unusedSince) {
      await client.query('update platform.migrations set unused_since = $2 where name = $1', [
        ...[name, unusedSince],
      ])
    }
  }
  try {
    await applyBesideWork(client, { sql, note })
  } catch (error) {
    throw new Error(`Migration ${name} failed`, { cause: error })
  }
}

/** Creates what every migration needs. Roles belong to the whole server, so another database may have created ours. */
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
