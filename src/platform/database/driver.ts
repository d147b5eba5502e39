import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { answered } from './silence.ts'
import { run, tracedStatement } from './statement.ts'

/** Beyond this many different statements new ones run unprepared, so a server's memory is bounded. */
const MAX_PREPARED = 2000

/** Every tenant's rows, for work that spans tenants. */
export const EVERY_TENANT = '*'

/**
 * Kysely on `pg` with named prepared statements, camelCase rows, and a connection that sees the
 * rows of one tenant only. The tenant is set when it differs from the connection's last one.
 */
export function dialectFor(pool: Pool, tenant: string, prepare: PrepareClient): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new ScopedDriver(pool, tenant, prepare),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/** Sets a fresh connection up: role, time zone, limits. */
export type PrepareClient = (client: PoolClient) => Promise<void>

const scopes = new WeakMap<PoolClient, string>()

/** A connection of the pool that sees one tenant's rows. The caller releases it. */
export async function connectAs(
  pool: Pool,
  tenant: string,
  prepare: PrepareClient,
): Promise<PoolClient> {
  const client = await pool.connect()
  try {
    const scope = scopes.get(client)
    if (scope === undefined) await answered(client, () => prepare(client))
    if (scope !== tenant) {
      scopes.delete(client)
      await answered(client, () =>
        client.query({
          name: 'tenant',
          text: `select set_config('moorage.tenant', $1, false)`,
          values: [tenant],
        }),
      )
      scopes.set(client, tenant)
    }
    return client
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Runs one statement on a connection that sees one tenant's rows. */
export async function readAs(
  pool: Pool,
  tenant: string,
  prepare: PrepareClient,
  sql: string,
  parameters: readonly unknown[],
): Promise<unknown[]> {
  const client = await connectAs(pool, tenant, prepare)
  try {
    return (await runNamed(client, sql, parameters)).rows
  } finally {
    client.release()
  }
}

class ScopedDriver implements Driver {
  readonly #pool: Pool
  readonly #tenant: string
  readonly #prepare: PrepareClient

  constructor(pool: Pool, tenant: string, prepare: PrepareClient) {
    this.#pool = pool
    this.#tenant = tenant
    this.#prepare = prepare
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Connection(await connectAs(this.#pool, this.#tenant, this.#prepare))
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await ask(connection, 'begin')
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { command } = await tracedStatement('commit', () => ask(connection, 'commit'))
    // PostgreSQL answers COMMIT with ROLLBACK when a statement before it failed.
    if (command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back')
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await ask(connection, 'rollback')
    } catch (error) {
      ;(connection as Connection).broken = true
      throw error
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const { client, broken } = connection as Connection
    client.release(broken)
  }

  async destroy(): Promise<void> {}
}

function ask(connection: DatabaseConnection, text: string) {
  const { client } = connection as Connection
  return answered(client, () => client.query(text))
}

class Connection implements DatabaseConnection {
  readonly client: PoolClient
  broken = false

  constructor(client: PoolClient) {
    this.client = client
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await runNamed(this.client, sql, parameters)
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount) }
  }

  // biome-ignore lint/correctness/useYield: streams are made of keyset pages, never of cursors
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Read in keyset pages instead')
  }
}

function runNamed(client: PoolClient, sql: string, parameters: readonly unknown[]) {
  return run(client, { name: statementName(sql), text: sql, values: parameters })
}

const names = new Map<string, string>()

/** The name a statement is kept prepared under; undefined once there are too many. */
export function statementName(sql: string): string | undefined {
  const known = names.get(sql)
  if (known || names.size >= MAX_PREPARED) return known
  const name = `s${names.size}`
  names.set(sql, name)
  return name
}
