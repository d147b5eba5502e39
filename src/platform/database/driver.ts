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
    createQueryCompiler: () => new SnakeCaseCompiler(),
  }
}

/**
 * Writes names as the database has them. Kysely's own plugin for this makes a copy of all of a query,
 * which takes as long as compiling it.
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

/** Names of the code as they are written in statements. There are as many as the code has. */
const names = new Map<string, string>()

/** Sets a fresh connection up: role, time zone, limits. */
export type PrepareClient = (client: PoolClient) => Promise<void>

/** The tenant whose rows a connection sees; null while that is not certain. */
const scopes = new WeakMap<PoolClient, string | null>()

/** A statement that goes ahead of another in the same piece; its rows are nobody's. */
const BEGIN = { name: 'begin', text: 'begin' }
const TENANT = { name: 'tenant', text: `select set_config('moorage.tenant', $1, false)` }

/** A connection that is set up, whosever rows it sees. The caller releases it. */
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

/** A connection of the pool that sees one tenant's rows. The caller releases it. */
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
 * A connection that sees one tenant's rows. The tenant is set, and a transaction begun, in one piece with
 * the statement that comes next: each would be a way to the database of its own. What is rolled back sets
 * the tenant back too, so from then on it counts as unknown.
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
    // PostgreSQL answers COMMIT with ROLLBACK when a statement before it failed.
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
      // A transaction has ended with it, and begins anew.
      if (this.#transaction !== 'none' || !isOutdated(error)) throw error
      return this.#send(sql, parameters)
    }
  }

  /** Runs statements outside a transaction in one piece, and tells what came of each. */
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
    // Open, whatever comes of it: it may have begun before it failed.
    this.#transaction = 'open'
    scopes.set(this.client, null)
    return run(this.client, wanted, [...ahead, { name: BEGIN.name, values: [] }])
  }

  /**
   * Ends the transaction, and says whether it had begun. What is still asked for in it, because another
   * statement at the same time failed, must not run on a connection that is somebody else's by then.
   */
  #isOverNow(): boolean {
    const wasOpen = this.#transaction === 'open'
    this.#transaction = 'over'
    return wasOpen
  }

  /** What sets the tenant, where the connection's is another; from now on it counts as unknown then. */
  #aheadOfNext(): Ahead[] {
    if (scopes.get(this.client) === this.#tenant) return []
    scopes.set(this.client, null)
    return [{ name: TENANT.name, values: [this.#tenant] }]
  }

  #ask(text: string) {
    return answered(this.client, () => this.client.query(text))
  }
}
