import { sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { contextOf, type Hearer, type SendOptions, type Tx } from './database/index.ts'
import type { JobContext } from './deps.ts'

/** The schema of the queue's own tables. */
export const SCHEMA = 'jobs'

export type JobOptions = {
  /** How often a failed job is retried before an operator has to look at it. 12 by default. */
  retries?: number
  /** The first pause; doubled before each later retry, with jitter. 1 by default. */
  retrySeconds?: number
  retrySecondsMax?: number
  /** How many run at once in one process. 1 by default. */
  concurrency?: number
  /** How long one attempt may take. 120 by default. */
  timeoutSeconds?: number
}

/** Work that can be enqueued: declared apart from the job that does it, like an event apart from its listeners. */
export type Work<P extends TSchema = TSchema> = { readonly name: string; readonly payload: P }

/** Work that is done later, or by another process: at least once, with retries, and as a dead letter at last. */
export type Job<P extends TSchema = TSchema> = Work<P> & {
  readonly options: JobOptions
  /** The events it listens to; null for a job that is enqueued by name. */
  readonly hears: (Omit<Hearer, 'queue'> & { readonly events: readonly string[] }) | null
  /** How often it runs by itself; null for a job that something else starts. */
  readonly everyMs: number | null
  readonly run: (context: JobContext, payload: never) => Promise<void>
}

/** Declares work: `area.what-to-do`. Its payload names the tenant. */
export function work<P extends TSchema>(name: string, payload: P): Work<P> {
  return { name, payload }
}

/** The job that does a kind of work. */
export function job<P extends TSchema>(
  { name, payload }: Work<P>,
  run: (context: JobContext, payload: Static<P>) => Promise<void>,
  options: JobOptions = {},
): Job<P> {
  return { name, payload, options, hears: null, everyMs: null, run }
}

/**
 * Declares scheduled work: it runs at an interval on one of the processes, never twice at the same time, and
 * finds out itself what is due.
 */
export function schedule(
  name: string,
  everyMs: number,
  run: (context: JobContext) => Promise<void>,
  options: Pick<JobOptions, 'timeoutSeconds'> = {},
): Job {
  return { name, payload: {}, options, hears: null, everyMs, run }
}

/** Writes a job in the transaction of the change that requires it. With a `key`, at most one job waits. */
export async function enqueue<P extends TSchema>(
  tx: Tx,
  { name }: Work<P>,
  payload: Static<P> & { tenantId: string },
  options: SendOptions = {},
): Promise<void> {
  await contextOf(tx).outbox.send(tx, name, payload, options)
}

/** Writes many jobs of one kind with one statement. With a key, at most one job waits. */
export async function enqueueAll<P extends TSchema>(
  tx: Tx,
  { name }: Work<P>,
  jobs: readonly { payload: Static<P> & { tenantId: string }; key?: string }[],
): Promise<void> {
  if (jobs.length > 0) await contextOf(tx).outbox.sendAll(tx, name, jobs)
}

/**
 * Deletes the jobs of a tenant whose payload contains an e-mail address, and the output of other jobs that
 * contains it. A running job is deleted within an hour after its end.
 */
export async function forgetJobsNaming(
  tx: Tx,
  { tenantId, email }: { tenantId: string; email: string },
): Promise<void> {
  const jobs = sql.table(`${SCHEMA}.job`)
  const own = sql`data #>> '{payload,tenantId}' = ${tenantId} and state <> 'active'`
  const named = `%${JSON.stringify(email).replace(/[\\%_]/g, '\\$&')}%`
  await sql`delete from ${jobs} where ${own} and data::text like ${named}`.execute(tx)
  // The message of a mail server about a refused address; a longer address may end in this one.
  const told = `(^|[^a-z0-9._%+-])${email.replace(/[^a-z0-9@]/g, '\\$&')}($|[^a-z0-9-])`
  await sql`update ${jobs} set output = null
    where ${own} and output is not null and output::text ~* ${told}`.execute(tx)
}
