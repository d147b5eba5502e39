import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { SECOND_MS } from '#lib/time.ts'
import type { Database } from './database/index.ts'
import { SCHEMA } from './jobs.ts'

/** The workers of one queue in this process: as many as there is work for, up to a limit. */
export type Workers = {
  /** There may be work: an idle worker checks, otherwise one more is started. */
  call(): void
}

/** Workers are called when there is work; they poll only in case a call was lost. */
const SETTINGS = {
  includeMetadata: true as const,
  batchSize: 1,
  pollingIntervalSeconds: 60,
  notifyPollingIntervalSeconds: 60,
}
const LOOK_MS = SECOND_MS

/**
 * Up to `most` workers on a queue, none before the first call. A worker that finds work calls the next
 * before doing it, so all of them work on a full queue, and the first that finds nothing is the last: no
 * worker has to check again after its own work unless all were busy. So a job costs two checks, however
 * many workers there could be.
 */
export function workersOn<Data>(
  boss: PgBoss,
  { name, most }: { name: string; most: number },
  run: (job: JobWithMetadata<Data>) => Promise<void>,
  onError: (error: unknown) => void,
): Workers {
  const resting = new Set<string>()
  let size = 0
  /** Whether there was a call while all were busy: the first worker that is done checks again. */
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
    // More jobs may be waiting: without this, the next one would wait for another call.
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
 * Calls the workers of every queue in which something is due: retries and delayed jobs are not announced,
 * and announcements can be lost. One statement per second checks all queues; separate checks of each worker
 * would be a hundred times as many. The first check is immediate, for jobs that wait when a process starts.
 * Returns a function that stops it.
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
