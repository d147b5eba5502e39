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
import { isOutdated, statementName } from './statement-names.ts'

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
  if (scopes.get(client) !== tenant) await showOnly(client, tenant, prepare)
  return client
}

/** Shows a connection the rows of one tenant; it is closed when that fails. */
async function showOnly(client: PoolClient, tenant: string, prepare: PrepareClient): Promise<void> {
  try {
    if (!scopes.has(client)) await answered(client, () => prepare(client))
    scopes.delete(client)
    await answered(client, () =>
      client.query({
        name: 'tenant',
        text: `select set_config('moorage.tenant', $1, false)`,
        values: [tenant],
      }),
    )
    scopes.set(client, tenant)
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
  for (let first = true; ; first = false) {
    const client = await pool.connect()
    if (scopes.get(client) !== tenant) await showOnly(client, tenant, prepare)
    try {
      return (await runNamed(client, sql, parameters)).rows
    } catch (error) {
      if (!first || !isOutdated(error)) throw error
    } finally {
      client.release()
    }
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
    ;(connection as Connection).inTransaction = true
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
  inTransaction = false

  constructor(client: PoolClient) {
    this.client = client
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.#run(sql, parameters)
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount) }
  }

  async #run(sql: string, parameters: readonly unknown[]) {
    try {
      return await runNamed(this.client, sql, parameters)
    } catch (error) {
      // A transaction has ended with it, and begins anew.
      if (this.inTransaction || !isOutdated(error)) throw error
      return runNamed(this.client, sql, parameters)
    }
  }

  // biome-ignore lint/correctness/useYield: streams are made of keyset pages, never of cursors
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Read in keyset pages instead')
  }
}

function runNamed(client: PoolClient, sql: string, parameters: readonly unknown[]) {
  return run(client, { name: statementName(sql), text: sql, values: parameters })
}
