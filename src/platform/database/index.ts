import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Pool, PoolClient, QueryResult as QueryResultOf } from 'pg'
import { answered } from './connection-watchdog.ts'
import { connect, connectAs, dialectFor, EVERY_TENANT, type PrepareClient } from './driver.ts'
import type { Note } from './notes.ts'
import { type Reader, readerOf } from './reads.ts'
import { forgetNames, isOutdated, statementName } from './statement-names.ts'
import type { Tables } from './tables.ts'
import { TIMESTAMP_WITH_ZONE } from './types.ts'

/** Can only read: neither `db.insertInto` nor a `with` that writes compiles. A test checks every member. */
export type Db = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom' | 'fn'>

/** Can also lock and write. Only `transact` provides it. */
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
   * Runs plain SQL on tables without a tenant, such as the job queue's. The connection keeps its tenant, so that
   * it need not be set again for the tenant's next work.
   */
  executeTenantless(text: string, values?: unknown[]): Promise<PlainRows>
  /**
   * Listens to notifications on a channel until the returned function is called. `missed` is called when the
   * connection was lost and is restored: notifications in between are not repeated.
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

/** Writes jobs inside a transaction. */
export type Outbox = {
  send(tx: Tx, queue: string, payload: object, options?: SendOptions): Promise<void>
  sendAll(tx: Tx, queue: string, jobs: readonly { payload: object; key?: string }[]): Promise<void>
  hearing(event: string): readonly Hearer[]
  /** Called with what a transaction did, once it is committed. */
  committed(notes: readonly Note[], requestId: string | null): void
}

/** A listener to events. */
export type Hearer = {
  readonly queue: string
  /** Whether its jobs contain the event's name, which a listener to several events needs. */
  readonly named?: boolean
  /** Whether it needs the events of a tenant at all; always, if this is missing. */
  readonly wants?: (tx: Tx, tenantId: string) => Promise<boolean>
}

/** For work outside the service: no listeners and no jobs. */
export const NOBODY_LISTENS: Outbox = {
  send: async () => {},
  sendAll: async () => {},
  hearing: () => [],
  committed: () => {},
}

export type SendOptions = { startAfterSeconds?: number; key?: string }

/** The context of a transaction, for the code inside it. */
export type TransactionContext = {
  readonly outbox: Outbox
  readonly requestId: string | null
  /** The id of the job that runs it, the same at every attempt and different for every event; null outside jobs. */
  readonly jobId: string | null
  /** What it did so far; passed on once it is committed. */
  readonly notes: Note[]
  /** The purchase to which the work belongs: see `inPurchase`. */
  purchaseId: string | null
}

const contexts = new WeakMap<object, TransactionContext>()

/** What the current work belongs to. */
type Cause = {
  /** The current request, or the request that caused the current job. */
  readonly requestId: string | null
  /** The purchase to which a job or a delivery belongs. */
  readonly purchaseId: string | null
}

const causes = new AsyncLocalStorage<Cause>()

/** Runs work for a request and a purchase: its transactions, events and jobs contain their ids. */
export function forRequest<T>(
  requestId: string | null,
  work: () => T,
  purchaseId: string | null = null,
): T {
  return causes.run({ requestId, purchaseId }, work)
}

/**
 * Sets the purchase to which the rest of a transaction belongs: the id of the order, or of the invoice if there is
 * no order. Its events, jobs and webhooks contain it from now on, so that one id finds them all in the log.
 */
export function inPurchase(tx: Tx, purchaseId: string): void {
  contextOf(tx).purchaseId = purchaseId
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
      contexts.set(db, { outbox, requestId: null, jobId: null, notes: [], purchaseId: null })
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

/** Only a single statement can be prepared. One with a semicolon in a text counts as several. */
function isOneStatement(text: string): boolean {
  return !text.trimEnd().replace(/;$/, '').includes(';')
}

/** Rows as the job queue expects them, with instants as Dates. */
function withDates({ fields, rows }: QueryResultOf): Record<string, unknown>[] {
  const instants = (fields ?? []).filter(({ dataTypeID }) => dataTypeID === TIMESTAMP_WITH_ZONE)
  for (const row of rows ?? []) {
    for (const { name } of instants) if (row[name] !== null) row[name] = new Date(row[name])
  }
  return rows ?? []
}

/** Runs a compiled statement, in the transaction if the handle belongs to one. */
export async function read<O>(db: Db, sql: string, parameters: readonly unknown[]): Promise<O[]> {
  const reader = readers.get(db)
  if (reader) return (await reader(sql, parameters)) as O[]
  // The statement was built from a `Db`, so it can only read.
  const { rows } = await (db as Tx).executeQuery<O>(CompiledQuery.raw(sql, [...parameters]))
  return rows
}

const DEADLOCK = '40P01'
const SERIALIZATION = '40001'
const TRIES = 3

/**
 * Runs `work` in one transaction. It is run again from its beginning if the database aborted it because of a
 * deadlock, so `work` must only read and write through `tx`.
 */
export async function transact<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  requestId: string | null = causes.getStore()?.requestId ?? null,
  jobId: string | null = null,
): Promise<T> {
  const outbox = contexts.get(db)?.outbox
  if (!outbox) throw new Error('Not a database handle')
  const purchaseId = causes.getStore()?.purchaseId ?? null
  let notes: Note[] = []
  const result = await repeated(() =>
    (db as Kysely<Tables>).transaction().execute((tx) => {
      notes = []
      contexts.set(tx, { outbox, requestId, jobId, notes, purchaseId })
      return work(tx)
    }),
  )
  if (notes.length > 0) outbox.committed(notes, requestId)
  return result
}

/**
 * Runs one statement that writes. It is a transaction of its own without begin and commit, which saves two round
 * trips; no events or jobs can be created in it.
 */
export function write<T>(db: Db, statement: (tx: Tx) => Promise<T>): Promise<T> {
  return repeated(() => statement(db as Tx))
}

/** Repeats work that was aborted because of another transaction, or because a migration changed a table. */
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
 * Runs a part of a transaction as another tenant, when the platform acts on one of its tenants: the transaction
 * and the audit log are those of the platform. Only that tenant's rows are visible meanwhile. If `work` throws,
 * the transaction has to end.
 */
export async function asTenant<T>(tx: Tx, tenantId: string, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ tenant: string }>`
    select current_setting('moorage.tenant') as tenant`.execute(tx)
  await setTenant(tx, tenantId)
  const result = await work()
  await setTenant(tx, rows[0]?.tenant ?? '')
  return result
}

/** Lasts until the end of the transaction, which restores the connection's own tenant. */
async function setTenant(tx: Tx, tenantId: string): Promise<void> {
  await sql`select set_config('moorage.tenant', ${tenantId}, true)`.execute(tx)
}

/** The context of a transaction that `transact` opened. */
export function contextOf(tx: Tx): TransactionContext {
  const context = contexts.get(tx)
  if (!context) throw new Error('Not a transaction that transact opened')
  return context
}

/** Records what a transaction did: it is logged and counted once it is committed. */
export function note(tx: Tx, it: Note): void {
  const { notes, purchaseId } = contextOf(tx)
  notes.push(it.what === 'event' && purchaseId ? { ...it, purchaseId } : it)
}

declare const text: unique symbol
/** The text of a JSON value, for a jsonb column. */
export type JsonText = string & { readonly [text]: 'json' }

/** A value for a jsonb column. */
export function json(value: unknown): JsonText {
  return JSON.stringify(value) as JsonText
}

/** Whether an error is the refusal of a duplicate by this unique index or constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return codeOf(error) === '23505' && (!constraint || constraintOf(error) === constraint)
}

/** Whether an error is a violation of the check, exclusion or foreign key of this name. */
export function isConstraintViolation(error: unknown, constraint: string): boolean {
  return (codeOf(error) ?? '').startsWith('23') && constraintOf(error) === constraint
}

/** Whether a value or a row was refused because of its content, so that others may be accepted. */
export function isRefusedRow(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error) ?? '')
}

/** Whether the database could not be reached, as opposed to having refused something. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  if (/^(ECONN|EHOST|ENET|ENOTFOUND|EAI_|EPIPE|ETIMEDOUT|08|57P|25P03$|53300$)/.test(code))
    return true
  return error instanceof Error && AWAY.test(error.message)
}

/** Messages of the driver about a connection that broke or could not be opened. */
const AWAY = /^(Connection terminated|timeout exceeded when|Client (was closed|has encountered))/

/** The error code of the database or the operating system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined
}
