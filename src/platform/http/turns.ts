/**
 * Lets a few pieces of work of one caller run at once, and the rest one after the other: the connections
 * to the database are for everybody, and who asks for twenty things that wait for each other would have
 * all of them.
 */
export type Turns = {
  /** Runs `work` when it is its turn among those of the same key, and answers what it answers. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** How many wait for a turn of a key. */
  waiting(key: string): number
}

/** Turns of which `most` of one key are taken at once. */
export function turnsOf(most: number): Turns {
  const taken = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()
  /** Whoever has waited longest takes over the turn; with nobody waiting it is free. */
  function giveBack(key: string): void {
    const queue = waiting.get(key)
    const next = queue?.shift()
    if (queue?.length === 0) waiting.delete(key)
    const left = (taken.get(key) ?? 0) - 1
    if (next) next()
    else if (left > 0) taken.set(key, left)
    else taken.delete(key)
  }
  return {
    waiting: (key) => waiting.get(key)?.length ?? 0,
    async run(key, work) {
      const count = taken.get(key) ?? 0
      if (count < most) taken.set(key, count + 1)
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
        giveBack(key)
      }
    },
  }
}
