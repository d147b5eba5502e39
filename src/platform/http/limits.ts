const WINDOW_MS = 60_000
const MAX_COUNTERS = 100_000

export type Quota = 'general' | 'auth'

/** How a caller stands with a quota: `resetSeconds` until the window ends, at least 1. */
export type Standing = { limit: number; remaining: number; resetSeconds: number; exceeded: boolean }

/** Fixed windows of a minute, counted per caller. */
export type RateLimiter = {
  /** Counts one request, and tells how the caller stands after it. */
  spend(quota: Quota, caller: string): Standing
  /** Tells how the caller stands, and counts nothing. */
  look(quota: Quota, caller: string): Standing
  /** Whether the counters are shared between processes right now; true when they need not be. */
  readonly shared: boolean
  stop(): Promise<void>
}

/** What processes share their counters through. */
export type CounterStore = {
  /** Adds to counters of a window, and answers their totals over all processes. */
  add(window: number, counts: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>
  close(): Promise<void>
}

type Counter = { mine: number; unsent: number; total: number }

const SYNC_MS = 100

/**
 * Counts in memory. With a store, every process counts on its own and adds its counts up with the
 * others' ten times a second; while the store is away each goes on alone.
 */
export function startLimiter(
  limits: Readonly<Record<Quota, number>>,
  store: CounterStore | null = null,
  onStore: (up: boolean) => void = () => {},
): RateLimiter {
  let window = currentWindow()
  let counters = new Map<string, Counter>()
  let shared = true
  let syncing = false

  function roll(): void {
    const current = currentWindow()
    if (current === window) return
    window = current
    counters = new Map()
  }

  function standing(quota: Quota, total: number): Standing {
    const limit = limits[quota]
    return {
      limit,
      remaining: Math.max(0, limit - total),
      resetSeconds: Math.max(1, Math.ceil(((window + 1) * WINDOW_MS - Date.now()) / 1000)),
      exceeded: total > limit,
    }
  }

  async function synchronise(): Promise<void> {
    if (!store || syncing) return
    roll()
    const sent = new Map<string, number>()
    for (const [key, counter] of counters) if (counter.unsent > 0) sent.set(key, counter.unsent)
    if (sent.size === 0) return
    syncing = true
    const ours = window
    try {
      const totals = await store.add(ours, sent)
      if (ours !== window) return
      for (const [key, total] of totals) {
        const counter = counters.get(key)
        if (!counter) continue
        counter.unsent -= sent.get(key) ?? 0
        counter.total = total
      }
      if (!shared) onStore(true)
      shared = true
    } catch {
      if (shared) onStore(false)
      shared = false
    } finally {
      syncing = false
    }
  }

  const timer = store ? setInterval(() => void synchronise(), SYNC_MS).unref() : null
  return {
    get shared() {
      return shared
    },
    spend(quota, caller) {
      roll()
      const key = `${quota} ${caller}`
      let counter = counters.get(key)
      if (!counter) {
        // A flood of addresses must not fill the memory: the oldest counters make room.
        if (counters.size >= MAX_COUNTERS) counters.delete(counters.keys().next().value ?? '')
        counter = { mine: 0, unsent: 0, total: 0 }
        counters.set(key, counter)
      }
      counter.mine += 1
      counter.unsent += 1
      return standing(quota, totalOf(counter))
    },
    look(quota, caller) {
      roll()
      const counter = counters.get(`${quota} ${caller}`)
      return standing(quota, counter ? totalOf(counter) : 0)
    },
    async stop() {
      if (timer) clearInterval(timer)
      await store?.close()
    },
  }
}

function totalOf({ mine, unsent, total }: Counter): number {
  return Math.max(mine, total + unsent)
}

// Every process must agree on where a minute begins, so this is the machine's clock, not the movable one.
function currentWindow(): number {
  return Math.floor(Date.now() / WINDOW_MS)
}
