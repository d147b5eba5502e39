/**
 * Limits how much work of one key, such as a caller, runs at the same time; the rest is queued. Database connections
 * are shared by all callers, and twenty requests of one caller that wait for each other would occupy all of them.
 */
export type ConcurrencyLimit = {
  /** Runs `work` as soon as the limit of its key allows, first come, first served. Returns its result. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** The number of queued calls of a key. */
  waiting(key: string): number
}

/** A limit of `most` concurrent calls per key. */
export function concurrencyLimit(most: number): ConcurrencyLimit {
  const running = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()
  /** Starts the call that has waited longest, or frees the slot. */
  function release(key: string): void {
    const queue = waiting.get(key)
    const next = queue?.shift()
    if (queue?.length === 0) waiting.delete(key)
    const left = (running.get(key) ?? 0) - 1
    if (next) next()
    else if (left > 0) running.set(key, left)
    else running.delete(key)
  }
  return {
    waiting: (key) => waiting.get(key)?.length ?? 0,
    async run(key, work) {
      const count = running.get(key) ?? 0
      if (count < most) running.set(key, count + 1)
      else {
        await new Promise<void>((begin) => {
          const queue = waiting.get(key)
          if (queue) queue.push(begin)
          else waiting.set(key, [begin])
        })
      }
      try {
        return await work()
      } finally {
        release(key)
      }
    },
  }
}
