import { sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { contextOf, type Hearer, type SendOptions, type Tx } from './database/index.ts'
import type { JobContext } from './deps.ts'

/** The schema of the queue's own tables. */
export const SCHEMA = 'jobs'

export type JobOptions = {
  /** How often a failure is tried again before an operator has to look. 12 by default. */
  retries?: number
  /** The first pause; each further one doubles, with jitter. 1 by default. */
  retrySeconds?: number
  retrySecondsMax?: number
  /** How many run at once in one process. 1 by default. */
  concurrency?: number
  /** How long one try may take. 120 by default. */
  timeoutSeconds?: number
}

/** Work that happens later, or outside: at least once, with retries, then a dead letter. */
export type Job<P extends TSchema = TSchema> = {
  readonly name: string
  readonly payload: P
  readonly options: JobOptions
  /** The events it listens to; null for a job that is enqueued by name. */
  readonly hears: (Omit<Hearer, 'queue'> & { readonly events: readonly string[] }) | null
  /** How often it runs by itself; null for a job that something else starts. */
  readonly everyMs: number | null
  readonly run: (context: JobContext, payload: never) => Promise<void>
}

/** Declares a job. Its payload names the tenant; work that spans tenants leaves it out. */
export function job<P extends TSchema>(
  name: string,
  payload: P,
  run: (context: JobContext, payload: Static<P>) => Promise<void>,
  options: JobOptions = {},
): Job<P> {
  return { name, payload, options, hears: null, everyMs: null, run }
}

/**
 * Declares work that the time drives: it runs every so often on one of the processes, never twice
 * at once, and finds by itself what is due.
 */
export function schedule(
  name: string,
  everyMs: number,
  run: (context: JobContext) => Promise<void>,
  options: Pick<JobOptions, 'timeoutSeconds'> = {},
): Job {
  return { name, payload: {}, options, hears: null, everyMs, run }
}

/** Writes a job in the transaction of the change that wants it. With a `key`, one waits at most. */
export async function enqueue<P extends TSchema>(
  tx: Tx,
  { name }: Job<P>,
  payload: Static<P> & { tenantId: string },
  options: SendOptions = {},
): Promise<void> {
  await contextOf(tx).outbox.send(tx, name, payload, options)
}

/** Writes many jobs of one kind with one statement. With a key, one waits at most. */
export async function enqueueAll<P extends TSchema>(
  tx: Tx,
  { name }: Job<P>,
  jobs: readonly { payload: Static<P> & { tenantId: string }; key?: string }[],
): Promise<void> {
  if (jobs.length > 0) await contextOf(tx).outbox.sendAll(tx, name, jobs)
}

/**
 * Deletes the jobs of a tenant whose payload names an e-mail address, and what jobs left behind that
 * were told of it. One that runs right now goes within the hour after its end.
 */
export async function forgetJobsNaming(
  tx: Tx,
  { tenantId, email }: { tenantId: string; email: string },
): Promise<void> {
  const jobs = sql.table(`${SCHEMA}.job`)
  const own = sql`data #>> '{payload,tenantId}' = ${tenantId} and state <> 'active'`
  const named = `%${JSON.stringify(email).replace(/[\\%_]/g, '\\$&')}%`
  await sql`delete from ${jobs} where ${own} and data::text like ${named}`.execute(tx)
  // What a mail server says about an address it refused; a longer address may end in this one.
  const told = `(^|[^a-z0-9._%+-])${email.replace(/[^a-z0-9@]/g, '\\$&')}($|[^a-z0-9-])`
  await sql`update ${jobs} set output = null
    where ${own} and output is not null and output::text ~* ${told}`.execute(tx)
}
