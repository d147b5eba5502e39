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
import { answered } from './connection-watchdog.ts'
import {
  type Ahead,
  type Answer,
  isAnswer,
  type Outcome,
  run,
  runTogether,
  snakeCase,
  tracedStatement,
  type Wanted,
} from './statement.ts'
import { isOutdated, statementName } from './statement-names.ts'

/** The rows of all tenants, for work that spans tenants. */
export const EVERY_TENANT = '*'

/**
 * Kysely on `pg` with named prepared statements, camelCase rows, and connections that see only the rows
 * of one tenant. The tenant is set if it differs from the connection's last one.
 */
export function dialectFor(pool: Pool, tenant: string, prepare: PrepareClient): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new ScopedDriver(pool, tenant, prepare),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new SnakeCaseCompiler(),
  }
}

/**
 * Writes names as the database has them. Kysely's own plugin for this copies the whole query, which takes
 * as long as compiling it.
 */
class SnakeCaseCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    const known = names.get(identifier)
    if (known !== undefined) return known
    const name = super.sanitizeIdentifier(snakeCase(identifier))
    names.set(identifier, name)
    return name
  }
}

/** Names in the code and in statements. There are only as many as the code has. */
const names = new Map<string, string>()

/** Sets up a new connection: role, time zone, limits. */
export type PrepareClient = (client: PoolClient) => Promise<void>

/** The tenant whose rows a connection sees; null if that is not certain. */
const scopes = new WeakMap<PoolClient, string | null>()

/** Statements that are sent ahead of another in the same packet; their rows are ignored. */
const BEGIN = { name: 'begin', text: 'begin' }
const TENANT = { name: 'tenant', text: `select set_config('moorage.tenant', $1, false)` }

/** A connection that is set up, for any tenant. The caller releases it. */
export async function connect(pool: Pool, prepare: PrepareClient): Promise<PoolClient> {
  const client = await pool.connect()
  if (scopes.has(client)) return client
  try {
    await answered(client, async () => {
      await prepare(client)
      await client.query({ ...TENANT, values: [''] })
      await client.query(BEGIN)
      await client.query('rollback')
    })
  } catch (error) {
    client.release(true)
    throw error
  }
  scopes.set(client, null)
  return client
}

/** A connection of the pool that sees the rows of one tenant. The caller releases it. */
export async function connectAs(
  pool: Pool,
  tenant: string,
  prepare: PrepareClient,
): Promise<PoolClient> {
  const client = await connect(pool, prepare)
  if (scopes.get(client) === tenant) return client
  try {
    await answered(client, () => client.query({ ...TENANT, values: [tenant] }))
  } catch (error) {
    client.release(true)
    throw error
  }
  scopes.set(client, tenant)
  return client
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
    return new Connection(await connect(this.#pool, this.#prepare), this.#tenant)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    ;(connection as Connection).begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as Connection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as Connection).rollback()
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const { client, broken } = connection as Connection
    client.release(broken)
  }

  async destroy(): Promise<void> {}
}

/**
 * A connection that sees the rows of one tenant. Setting the tenant and beginning a transaction are sent
 * together with the next statement, which saves a round trip for each. A rollback resets the tenant too,
 * so it counts as unknown afterwards.
 */
export class Connection implements DatabaseConnection {
  readonly client: PoolClient
  readonly #tenant: string
  broken = false
  #transaction: 'none' | 'wanted' | 'open' | 'over' = 'none'

  constructor(client: PoolClient, tenant: string) {
    this.client = client
    this.#tenant = tenant
  }

  begin(): void {
    this.#transaction = 'wanted'
  }

  async commit(): Promise<void> {
    if (!this.#isOverNow()) return
    const { command } = await tracedStatement('commit', () => this.#ask('commit'))
    // PostgreSQL answers COMMIT with ROLLBACK if an earlier statement failed.
    if (command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back')
    scopes.set(this.client, this.#tenant)
  }

  async rollback(): Promise<void> {
    if (!this.#isOverNow()) return
    try {
      await this.#ask('rollback')
    } catch (error) {
      this.broken = true
      throw error
    }
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.run(sql, parameters)
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount) }
  }

  async run(sql: string, parameters: readonly unknown[]): Promise<Answer> {
    try {
      return await this.#send(sql, parameters)
    } catch (error) {
      // An error ends a transaction, which has to be run again from its beginning.
      if (this.#transaction !== 'none' || !isOutdated(error)) throw error
      return this.#send(sql, parameters)
    }
  }

  /** Sends statements outside a transaction together, and returns the outcome of each. */
  async runTogether(wanted: readonly Wanted[]): Promise<Outcome[]> {
    const ahead = this.#aheadOfNext()
    const outcomes = await runTogether(this.client, wanted, ahead)
    if (outcomes.every(isAnswer)) scopes.set(this.client, this.#tenant)
    return outcomes
  }

  // biome-ignore lint/correctness/useYield: streams are made of keyset pages, never of cursors
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Read in keyset pages instead')
  }

  async #send(sql: string, parameters: readonly unknown[]): Promise<Answer> {
    const wanted = { name: statementName(sql), text: sql, values: parameters }
    if (this.#transaction === 'open') return run(this.client, wanted)
    if (this.#transaction === 'over') throw new Error('The transaction is over')
    const ahead = this.#aheadOfNext()
    if (this.#transaction === 'none') {
      const answer = await run(this.client, wanted, ahead)
      scopes.set(this.client, this.#tenant)
      return answer
    }
    // Counts as open even if it fails, because it may have begun before.
    this.#transaction = 'open'
    scopes.set(this.client, null)
    return run(this.client, wanted, [...ahead, { name: BEGIN.name, values: [] }])
  }

  /**
   * Ends the transaction, and returns whether it had begun. Statements that still arrive for it, because another one at
   * the same time failed, must not run on a connection that already belongs to another caller.
   */
  #isOverNow(): boolean {
    const wasOpen = this.#transaction === 'open'
    this.#transaction = 'over'
    return wasOpen
  }

  /**
   * The statement that sets the tenant, if the connection has another one; until its success the tenant
   * counts as unknown.
   */
  #aheadOfNext(): Ahead[] {
    if (scopes.get(this.client) === this.#tenant) return []
    scopes.set(this.client, null)
    return [{ name: TENANT.name, values: [this.#tenant] }]
  }

  #ask(text: string) {
    return answered(this.client, () => this.client.query(text))
  }
}
