import { type Static, type TSchema, Type } from 'typebox'
import { newId } from '#lib/id.ts'
import { contextOf, type Hearer, note, type Tx } from './database/index.ts'
import type { JobContext } from './deps.ts'
import { type Job, type JobOptions, job, work } from './jobs.ts'

/** Something that happened, sent to its listeners in the transaction that caused it. */
export type EventType<P extends TSchema = TSchema> = { readonly name: string; readonly payload: P }

/** Declares an event: `area.what-happened`. Its payload names the tenant. */
export function event<P extends TSchema>(name: string, payload: P): EventType<P> {
  return { name, payload }
}

/** Announces an event: every listener gets a job of its own, written in this transaction. */
export async function emit<P extends TSchema>(
  tx: Tx,
  { name }: EventType<P>,
  payload: Static<P> & { tenantId: string },
): Promise<void> {
  const { outbox } = contextOf(tx)
  note(tx, { what: 'event', name, facts: payload })
  for (const hearer of outbox.hearing(name)) {
    const [wanted] = await wantedBy(tx, hearer, [payload])
    if (wanted) await outbox.send(tx, hearer.queue, told(hearer, name, wanted))
  }
}

/** Announces many events of one kind, with one statement for each of its listeners. */
export async function emitAll<P extends TSchema>(
  tx: Tx,
  { name }: EventType<P>,
  payloads: readonly (Static<P> & { tenantId: string })[],
): Promise<void> {
  if (payloads.length === 0) return
  const { outbox } = contextOf(tx)
  for (const facts of payloads) note(tx, { what: 'event', name, facts })
  for (const hearer of outbox.hearing(name)) {
    const wanted = await wantedBy(tx, hearer, payloads)
    const jobs = wanted.map((payload) => ({ payload: told(hearer, name, payload) }))
    if (jobs.length > 0) await outbox.sendAll(tx, hearer.queue, jobs)
  }
}

/** The events that a listener needs: all, unless it has a check of the tenant. */
async function wantedBy<P extends { tenantId: string }>(
  tx: Tx,
  { wants }: Hearer,
  payloads: readonly P[],
): Promise<readonly P[]> {
  if (!wants) return payloads
  const tenantIds = new Set<string>()
  for (const tenantId of new Set(payloads.map((it) => it.tenantId))) {
    if (await wants(tx, tenantId)) tenantIds.add(tenantId)
  }
  return payloads.filter(({ tenantId }) => tenantIds.has(tenantId))
}

function told<P extends { tenantId: string }>({ named }: Hearer, event: string, facts: P): object {
  return named ? { tenantId: facts.tenantId, id: newId(), event, facts } : facts
}

/** A listener. It runs at least once for every event, so it has to check before it acts. */
export function onEvent<P extends TSchema>(
  { name, payload }: EventType<P>,
  queue: string,
  run: (context: JobContext, payload: Static<P>) => Promise<void>,
  options: JobOptions = {},
): Job {
  return { ...job(work(queue, payload), run, options), hears: { events: [name] } }
}

/** An event as sent to a listener of several kinds. `id` is that of this event, the same at every attempt. */
export type Happened = { tenantId: string; id: string; event: string; facts: unknown }

const Happened = Type.Object({
  tenantId: Type.String(),
  id: Type.String(),
  event: Type.String(),
  facts: Type.Unknown(),
})

/**
 * A listener to events of several kinds. `wants` is called in the transaction that causes an event,
 * and returns whether the tenant's events need a job at all; it has to be cheap.
 */
export function onEvents(
  events: readonly EventType[],
  queue: string,
  run: (context: JobContext, happened: Happened) => Promise<void>,
  { wants, ...options }: JobOptions & { wants?: Hearer['wants'] } = {},
): Job {
  const names = [...new Set(events.map(({ name }) => name))]
  const hears = { events: names, named: true, ...(wants && { wants }) }
  return { ...job(work(queue, Happened), run, options), hears }
}
