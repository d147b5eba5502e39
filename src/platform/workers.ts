import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { SECOND_MS } from '#lib/time.ts'
import type { Database } from './database/index.ts'
import { SCHEMA } from './jobs.ts'

/** The workers of one queue in this process: as many as there is work for, up to a number. */
export type Workers = {
  /** Told that there may be work: one that rests looks, else one more joins. */
  call(): void
}

/** Workers are called when there is work; by itself one looks only in case nobody did. */
const SETTINGS = {
  includeMetadata: true as const,
  batchSize: 1,
  pollingIntervalSeconds: 60,
  notifyPollingIntervalSeconds: 60,
}
const LOOK_MS = SECOND_MS

/**
 * Up to `most` workers on a queue, none before they are called. Whoever finds work calls the next before
 * doing it, so all of them are at work on a full queue, and the one that finds nothing is the last: nobody
 * has to look again behind their own work unless there was nobody to call. So a job costs two looks,
 * however many workers there could be.
 */
export function workersOn<Data>(
  boss: PgBoss,
  { name, most }: { name: string; most: number },
  run: (job: JobWithMetadata<Data>) => Promise<void>,
  onError: (error: unknown) => void,
): Workers {
  const resting = new Set<string>()
  let size = 0
  /** Whether there was a call while all were at work: whoever is the first to end looks again. */
  let unheard = false
  async function join(): Promise<void> {
    size += 1
    let id: string | undefined
    id = await boss.work<Data>(name, SETTINGS, async ([it]) => {
      if (id) resting.delete(id)
      call()
      try {
        if (it) await run(it as JobWithMetadata<Data>)
      } finally {
        if (id) rest(id)
      }
    })
    rest(id)
  }
  function rest(id: string): void {
    resting.add(id)
    if (!unheard) return
    unheard = false
    // More may be waiting: without this the next one waits until somebody calls again.
    boss.notifyWorker(id)
  }
  function call(): void {
    const [next] = resting
    if (next) boss.notifyWorker(next)
    else if (size < most) void join().catch(onError)
    else unheard = true
  }
  return { call }
}

const DUE = `
  select queue.name from ${SCHEMA}.queue as queue
  where queue.name = any($1) and exists (
    select from ${SCHEMA}.job_common as job
    where job.name = queue.name and job.state < 'active' and not job.blocked
      and job.start_after <= ${SCHEMA}.job_now())`

/**
 * Calls the workers of every queue that has something due: what is to be tried again, or to begin later,
 * nobody announces, and an announcement can be lost. One statement a second asks for all of them; each
 * worker by itself would ask a hundred times as often. The first look is at once: what waits when a process
 * starts calls its workers. Answers how to stop.
 */
export function watchDue(
  database: Database,
  workers: ReadonlyMap<string, Workers>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const names = [...workers.keys()]
  let looking = Promise.resolve()
  let isLooking = false
  async function look(): Promise<void> {
    isLooking = true
    try {
      const { rows } = await database.executeTenantless(DUE, [names])
      for (const { name } of rows) workers.get(String(name))?.call()
    } catch (error) {
      onError(error)
    } finally {
      isLooking = false
    }
  }
  looking = look()
  const timer = setInterval(() => {
    if (!isLooking) looking = look()
  }, LOOK_MS).unref()
  return async () => {
    clearInterval(timer)
    await looking
  }
}
