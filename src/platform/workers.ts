import type { JobWithMetadata, PgBoss } from 'pg-boss'

/** The workers of one queue in this process: as many as there is work for, up to a number. */
export type Workers = {
  /** Has the first look for work. */
  start(): Promise<void>
  /** Told that there may be work: one that rests looks, else one more joins. */
  call(): void
}

/** With notifications a worker looks by itself only in case one was lost. */
const SETTINGS = {
  includeMetadata: true as const,
  batchSize: 1,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 5,
}

/**
 * Up to `most` workers on a queue. Whoever finds work calls the next before doing it, so all of them
 * are at work on a full queue, and one job costs two looks however many there could be.
 */
export function workersOn<Data>(
  boss: PgBoss,
  { name, most }: { name: string; most: number },
  run: (job: JobWithMetadata<Data>) => Promise<void>,
  onError: (error: unknown) => void,
): Workers {
  const resting = new Set<string>()
  let size = 0
  async function join(): Promise<void> {
    size += 1
    let id: string | undefined
    id = await boss.work<Data>(name, SETTINGS, async ([it]) => {
      if (id) resting.delete(id)
      call()
      try {
        if (it) await run(it as JobWithMetadata<Data>)
      } finally {
        // More may be waiting: without this the next one waits for the poll.
        if (id) boss.notifyWorker(id)
        if (id) resting.add(id)
      }
    })
    resting.add(id)
  }
  function call(): void {
    const [next] = resting
    if (next) boss.notifyWorker(next)
    else if (size < most) void join().catch(onError)
  }
  return { start: join, call }
}
