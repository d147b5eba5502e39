import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Pool, PoolClient, QueryResult as QueryResultOf } from 'pg'
import { connect, connectAs, dialectFor, EVERY_TENANT, type PrepareClient } from './driver.ts'
import type { Note } from './notes.ts'
import { type Reader, readerOf } from './reads.ts'
import { answered } from './silence.ts'
import { forgetNames, isOutdated, statementName } from './statement-names.ts'
import type { Tables } from './tables.ts'
import { TIMESTAMP_WITH_ZONE } from './types.ts'

/** Can read, and nothing else: `db.insertInto` does not compile. */
export type Db = Pick<
  Kysely<Tables>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'fn' | 'executeQuery'
>

/** Can also lock and write. Only `transact` hands these out. */
export type Tx = Transaction<Tables>

/** A row of a table, as it is read. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>

/** The database of this installation. */
export type Database = {
  /** The rows of one tenant: row-level security hides every other. */
  of(tenantId: string): Db
  /** The rows of every tenant, for work that spans them. */
  readonly everywhere: Db
  /** Runs plain SQL over the rows of every tenant. */
  execute(text: string, values?: unknown[]): Promise<PlainRows>
  /**
   * Runs plain SQL on tables that have no tenant, as the job queue's are. Whose rows the connection sees
   * stays as it was: between two pieces of work of a tenant it need not be set twice.
   */
  executeTenantless(text: string, values?: unknown[]): Promise<PlainRows>
  /**
   * Hears notifications on a channel until the returned function is called. `missed` is told when the
   * connection was lost and is there again: what was said meanwhile nobody repeats.
   */
  listen(
    channel: string,
    heard: (payload: string) => void,
    missed?: () => void,
  ): Promise<() => Promise<void>>
  /** Whether this is the embedded database: one connection, one process. */
  readonly embedded: boolean
  readonly pool: Pool
  close(): Promise<void>
}

type PlainRows = { rows: Record<string, unknown>[] }

type Parts = Pick<Database, 'listen' | 'embedded' | 'pool' | 'close'> & {
  prepare: PrepareClient
  /** Writes the jobs and events of a transaction; set once the queue has started. */
  outbox: Outbox
}

/** What writes jobs inside a transaction. */
export type Outbox = {
  send(tx: Tx, queue: string, payload: object, options?: SendOptions): Promise<void>
  sendAll(tx: Tx, queue: string, jobs: readonly { payload: object; key?: string }[]): Promise<void>
  hearing(event: string): readonly Hearer[]
  /** Told what a transaction did, once it is committed. */
  committed(notes: readonly Note[], requestId: string | null): void
}

/** Who hears an event. */
export type Hearer = {
  readonly queue: string
  /** Whether it is told which event it was, as one that hears several has to be. */
  readonly named?: boolean
  /** Whether it wants to hear of a tenant's events at all; always, where it does not say. */
  readonly wants?: (tx: Tx, tenantId: string) => Promise<boolean>
}

/** For work outside the service: nobody hears of it, and nothing is left to do. */
export const NOBODY_LISTENS: Outbox = {
  send: async () => {},
  sendAll: async () => {},
  hearing: () => [],
  committed: () => {},
}

export type SendOptions = { startAfterSeconds?: number; key?: string }

/** What the code inside a transaction may need of its surroundings. */
export type TransactionContext = {
  readonly outbox: Outbox
  readonly requestId: string | null
  /** The job that runs it, the same at every try and for no other event; null outside jobs. */
  readonly jobId: string | null
  /** What it did so far, told when it is committed. */
  readonly notes: Note[]
}

const contexts = new WeakMap<object, TransactionContext>()

/** The id of the current request, or of the request that caused the current job. */
const requests = new AsyncLocalStorage<string | null>()

/** Runs work in the context of a request: its transactions, events and jobs carry the request id. */
export function forRequest<T>(requestId: string | null, work: () => T): T {
  return requests.run(requestId, work)
}

/** How a handle outside a transaction reads without Kysely's executor. */
const readers = new WeakMap<object, Reader>()

/** Puts a database together from its connections. */
export function databaseOf({ prepare, outbox, ...parts }: Parts): Database {
  const scoped = new Map<string, Kysely<Tables>>()
  function open(tenant: string): Kysely<Tables> {
    let db = scoped.get(tenant)
    if (!db) {
      db = new Kysely<Tables>({ dialect: dialectFor(parts.pool, tenant, prepare) })
      contexts.set(db, { outbox, requestId: null, jobId: null, notes: [] })
      readers.set(db, readerOf(parts.pool, tenant, prepare))
      scoped.set(tenant, db)
    }
    return db
  }
  return {
    ...parts,
    of: open,
    everywhere: open(EVERY_TENANT),
    execute: async (text, values) =>
      executeOn(await connectAs(parts.pool, EVERY_TENANT, prepare), text, values),
    executeTenantless: async (text, values) =>
      executeOn(await connect(parts.pool, prepare), text, values),
  }
}

/** Runs plain SQL on a connection, and releases it. */
async function executeOn(
  client: PoolClient,
  text: string,
  values: unknown[] | undefined,
): Promise<PlainRows> {
  const name = isOneStatement(text) ? statementName(text) : undefined
  let failed = false
  try {
    const wanted = { name, text, values: values as unknown[] }
    const result = await answered(client, () => client.query(wanted))
    return { rows: [result].flat().flatMap(withDates) }
  } catch (error) {
    if (isOutdated(error)) forgetNames(name)
    // A block of several statements may have left its transaction open.
    await answered(client, () => client.query('rollback')).catch(() => {
      failed = true
    })
    throw error
  } finally {
    client.release(failed)
  }
}

/** Only one statement alone can be kept prepared. One that has a semicolon in a text counts as several. */
function isOneStatement(text: string): boolean {
  return !text.trimEnd().replace(/;$/, '').includes(';')
}

/** Rows as the job queue expects them: its instants are Dates. */
function withDates({ fields, rows }: QueryResultOf): Record<string, unknown>[] {
  const instants = (fields ?? []).filter(({ dataTypeID }) => dataTypeID === TIMESTAMP_WITH_ZONE)
  for (const row of rows ?? []) {
    for (const { name } of instants) if (row[name] !== null) row[name] = new Date(row[name])
  }
  return rows ?? []
}

/** Runs a statement that is compiled already, in the transaction if the handle is of one. */
export async function read<O>(db: Db, sql: string, parameters: readonly unknown[]): Promise<O[]> {
  const reader = readers.get(db)
  if (reader) return (await reader(sql, parameters)) as O[]
  const { rows } = await db.executeQuery<O>(CompiledQuery.raw(sql, [...parameters]))
  return rows
}

const DEADLOCK = '40P01'
const SERIALIZATION = '40001'
const TRIES = 3

/**
 * Runs `work` in one transaction. It is run again, from its beginning, when the database chose it
 * as the victim of a deadlock: so `work` does nothing but read and write through `tx`.
 */
export async function transact<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  requestId: string | null = requests.getStore() ?? null,
  jobId: string | null = null,
): Promise<T> {
  const outbox = contexts.get(db)?.outbox
  if (!outbox) throw new Error('Not a database handle')
  let notes: Note[] = []
  const result = await repeated(() =>
    (db as Kysely<Tables>).transaction().execute((tx) => {
      notes = []
      contexts.set(tx, { outbox, requestId, jobId, notes })
      return work(tx)
    }),
  )
  if (notes.length > 0) outbox.committed(notes, requestId)
  return result
}

/**
 * Runs one statement that writes. It is a transaction of its own without asking for one, which saves
 * two ways to the database; nothing can be announced in it.
 */
export function write<T>(db: Db, statement: (tx: Tx) => Promise<T>): Promise<T> {
  return repeated(() => statement(db as Tx))
}

/** Tries again what lost against another transaction, or met a table that has just got a column. */
async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === TRIES || !mayGoWell(error)) throw error
    }
  }
}

function mayGoWell(error: unknown): boolean {
  const code = codeOf(error)
  return code === DEADLOCK || code === SERIALIZATION || isOutdated(error)
}

/**
 * Runs a part of a transaction as another tenant: what the platform does for one of its tenants
 * stands in the transaction, and the audit log, of who does it. Only that tenant's rows are seen
 * meanwhile. What `work` throws has to end the transaction.
 */
export async function asTenant<T>(tx: Tx, tenantId: string, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ tenant: string }>`
    select current_setting('moorage.tenant') as tenant`.execute(tx)
  await setTenant(tx, tenantId)
  const result = await work()
  await setTenant(tx, rows[0]?.tenant ?? '')
  return result
}

/** Until the end of the transaction: the connection's own tenant comes back by itself. */
async function setTenant(tx: Tx, tenantId: string): Promise<void> {
  await sql`select set_config('moorage.tenant', ${tenantId}, true)`.execute(tx)
}

/** The surroundings of a transaction that `transact` opened. */
export function contextOf(tx: Tx): TransactionContext {
  const context = contexts.get(tx)
  if (!context) throw new Error('Not a transaction that transact opened')
  return context
}

/** Notes what a transaction did: logs and measurements hear of it if it is committed. */
export function note(tx: Tx, it: Note): void {
  contextOf(tx).notes.push(it)
}

declare const text: unique symbol
/** The text of a JSON value, as a jsonb column takes it. */
export type JsonText = string & { readonly [text]: 'json' }

/** A value for a jsonb column. */
export function json(value: unknown): JsonText {
  return JSON.stringify(value) as JsonText
}

/** Whether an error is the refusal of a double by this unique index or constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return codeOf(error) === '23505' && (!constraint || constraintOf(error) === constraint)
}

/** Whether an error is the refusal of a check, an exclusion or a foreign key of this name. */
export function isConstraintViolation(error: unknown, constraint: string): boolean {
  return (codeOf(error) ?? '').startsWith('23') && constraintOf(error) === constraint
}

/** Whether a value or a row was refused for what it is: another one may be taken. */
export function isRefusedRow(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error) ?? '')
}

/** Whether the database could not be reached, as opposed to having said no. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (/^(ECONN|EHOST|ENET|ENOTFOUND|EAI_|EPIPE|ETIMEDOUT|08|57P|25P03$|53300$)/.test(code))
    return true
  return error instanceof Error && AWAY.test(error.message)
}

/** What the driver says of a connection that broke, or did not come about. */
const AWAY = /^(Connection terminated|timeout exceeded when|Client (was closed|has encountered))/

/** The code that the database, or the system, gave an error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined
}
