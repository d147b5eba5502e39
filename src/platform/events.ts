import type { Static, TSchema } from 'typebox'
import { contextOf, type Tx } from './database/index.ts'
import type { JobContext } from './deps.ts'
import { type Job, type JobOptions, job } from './jobs.ts'

/** Something that happened, told to whoever listens, in the transaction that made it happen. */
export type EventType<P extends TSchema = TSchema> = { readonly name: string; readonly payload: P }

/** Declares an event: `area.what-happened`. Its payload names the tenant. */
export function event<P extends TSchema>(name: string, payload: P): EventType<P> {
  return { name, payload }
}

/** Announces an event: every listener gets a job of its own, written by this transaction. */
export async function emit<P extends TSchema>(
  tx: Tx,
  { name }: EventType<P>,
  payload: Static<P> & { tenantId: string },
): Promise<void> {
  const { outbox } = contextOf(tx)
  for (const queue of outbox.queuesHearing(name)) await outbox.send(tx, queue, payload)
}

/** Announces many events of one kind: one statement for each of its listeners. */
export async function emitAll<P extends TSchema>(
  tx: Tx,
  { name }: EventType<P>,
  payloads: readonly (Static<P> & { tenantId: string })[],
): Promise<void> {
  if (payloads.length === 0) return
  const { outbox } = contextOf(tx)
  const jobs = payloads.map((payload) => ({ payload }))
  for (const queue of outbox.queuesHearing(name)) await outbox.sendAll(tx, queue, jobs)
}

/** A listener: runs at least once for every event, so it looks first, then acts. */
export function onEvent<P extends TSchema>(
  { name: hears, payload }: EventType<P>,
  name: string,
  run: (context: JobContext, payload: Static<P>) => Promise<void>,
  options: JobOptions = {},
): Job {
  return { ...job(name, payload, run, options), hears }
}
