import { randomUUID } from 'node:crypto'

const WINDOW_MS = 60_000
const MAX_COUNTERS = 100_000

/** `person`: a ceiling over all keys and sessions of one person. */
export type Quota = 'general' | 'auth' | 'person'

/** The state of a caller's quota: `resetSeconds` until the window ends, at least 1. */
export type Standing = { limit: number; remaining: number; resetSeconds: number; exceeded: boolean }

/** Fixed windows of a minute, counted per caller. */
export type RateLimiter = {
  /** Counts one request, and returns the caller's state after it, over all processes. */
  spend(quota: Quota, caller: string): Promise<Standing>
  /** Returns the caller's state over all processes, without counting. */
  ask(quota: Quota, caller: string): Promise<Standing>
  /** The caller's state when this process last counted for them or asked. */
  look(quota: Quota, caller: string): Standing
  /** Whether the counters are shared between processes at present; true if they need not be. */
  readonly shared: boolean
  stop(): Promise<void>
}

/** The count of one counter of one process for a caller in a window. */
export type Count = {
  readonly window: number
  readonly key: string
  readonly by: string
  readonly count: number
}

/** The store through which processes share their counters. */
export type CounterStore = {
  /**
   * Stores the current counts, and returns the sum of each over all processes. Repeated or late calls
   * lead to the same result.
   */
  tell(counts: readonly Count[]): Promise<readonly number[]>
  /** Calls back whenever the store is available again: its counts may be lost. */
  onReturn(returned: () => void): void
  close(): Promise<void>
}

/** `by` is its name among the counters of all processes, `told` is how much of `mine` is in the store. */
type Counter = {
  readonly window: number
  readonly by: string
  mine: number
  told: number
  others: number
}
type Asking = { key: string; counter: Counter; mine: number; answer: (total: number) => void }

const RETRY_MS = 100
const CONNECT_MS = 3000
const MOST_TOLD = 1000

/**
 * Counts in memory. With a store each request is counted over all processes: requests that arrive while
 * the store is asked share the next call. While the store is away, each process counts alone and goes on
 * serving; when it is back, it gets all counts of the current minute.
 */
export function startLimiter(
  limits: Readonly<Record<Quota, number>>,
  store: CounterStore | null = null,
  onStore: (up: boolean) => void = () => {},
): RateLimiter {
  const counters = new Counters()
  const common = store && new Common(store, counters, onStore)

  function standing(quota: Quota, total: number): Standing {
    const limit = limits[quota]
    const endMs = (counters.window + 1) * WINDOW_MS
    return {
      limit,
      remaining: Math.max(0, limit - total),
      resetSeconds: Math.max(1, Math.ceil((endMs - Date.now()) / 1000)),
      exceeded: total > limit,
    }
  }

  async function count(quota: Quota, caller: string, requests: number): Promise<Standing> {
    const key = `${quota} ${caller}`
    const counter = counters.of(key)
    counter.mine += requests
    if (!common?.shared) return standing(quota, totalOf(counter))
    return standing(quota, await common.total(key, counter))
  }

  return {
    get shared() {
      return common?.shared ?? true
    },
    spend: (quota, caller) => count(quota, caller, 1),
    ask: (quota, caller) => count(quota, caller, 0),
    look(quota, caller) {
      const counter = counters.find(`${quota} ${caller}`)
      return standing(quota, counter ? totalOf(counter) : 0)
    },
    async stop() {
      await common?.stop()
    },
  }
}

/** The counts of this process in the current minute. */
class Counters {
  readonly #process = randomUUID()
  #made = 0
  #window = currentWindow()
  #counters = new Map<string, Counter>()

  get window(): number {
    return this.#window
  }

  find(key: string): Counter | undefined {
    this.#roll()
    return this.#counters.get(key)
  }

  of(key: string): Counter {
    const known = this.find(key)
    if (known) return known
    // A flood of addresses must not fill the memory: the oldest counters are removed.
    if (this.#counters.size >= MAX_COUNTERS) {
      this.#counters.delete(this.#counters.keys().next().value ?? '')
    }
    this.#made += 1
    const by = `${this.#process} ${this.#made}`
    const counter: Counter = { window: this.#window, by, mine: 0, told: 0, others: 0 }
    this.#counters.set(key, counter)
    return counter
  }

  /** Up to `most` counters whose count is higher than in the store. */
  untold(most: number): [string, Counter][] {
    this.#roll()
    const found: [string, Counter][] = []
    for (const entry of this.#counters) {
      if (entry[1].told < entry[1].mine) found.push(entry)
      if (found.length === most) break
    }
    return found
  }

  forgetTold(): void {
    for (const counter of this.#counters.values()) counter.told = 0
  }

  #roll(): void {
    const current = currentWindow()
    if (current === this.#window) return
    this.#window = current
    this.#counters = new Map()
  }
}

/** The counters of all processes, as long as their store responds. */
class Common {
  shared = false
  #reported: boolean | null = null
  readonly #startedMs = performance.now()
  readonly #store: CounterStore
  readonly #counters: Counters
  readonly #onStore: (up: boolean) => void
  #asking: Asking[] = []
  #busy = false
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(store: CounterStore, counters: Counters, onStore: (up: boolean) => void) {
    this.#store = store
    this.#counters = counters
    this.#onStore = onStore
    store.onReturn(() => {
      counters.forgetTold()
      void this.#tellAll()
    })
    this.#retry()
  }

  /** The position of the counter's latest request among those of all processes. */
  total(key: string, counter: Counter): Promise<number> {
    return new Promise((answer) => {
      this.#asking.push({ key, counter, mine: counter.mine, answer })
      // A request counts against several quotas at once: they share one round trip.
      queueMicrotask(() => void this.#askAll())
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#store.close()
  }

  /** Asks the store for waiting requests, one call after the other. */
  async #askAll(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    while (this.#asking.length > 0) {
      const asking = this.#asking.splice(0, MOST_TOLD)
      const asked = new Map(asking.map(({ key, counter }) => [counter, key]))
      const isTold = this.shared && (await this.#tell([...asked].map(([it, key]) => [key, it])))
      if (this.shared && !isTold) this.#wentAway()
      // Requests that share a call get the position in which each arrived.
      for (const { counter, mine, answer } of asking) answer(counter.others + mine)
    }
    this.#busy = false
  }

  async #tell(entries: readonly [string, Counter][]): Promise<boolean> {
    const counts = entries.map(([key, { window, by, mine }]) => ({ window, key, by, count: mine }))
    try {
      const sums = await this.#store.tell(counts)
      for (const [index, [, counter]] of entries.entries()) {
        const { count } = counts[index] ?? { count: 0 }
        counter.told = count
        counter.others = (sums[index] ?? count) - count
      }
      return true
    } catch {
      return false
    }
  }

  #wentAway(): void {
    // Opening a connection takes some time, during which the store does not count as away.
    const isNew = this.#reported === null && performance.now() - this.#startedMs < CONNECT_MS
    if (!isNew) this.#nowShared(false)
    this.#retry()
  }

  #retry(): void {
    clearTimeout(this.#timer)
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#tellAll(), RETRY_MS).unref()
  }

  /** Sends the store every count that it does not have. Then the counters are shared again. */
  async #tellAll(): Promise<void> {
    let isTold = await this.#tell([])
    for (let some = this.#counters.untold(MOST_TOLD); isTold && some.length > 0; ) {
      isTold = await this.#tell(some)
      some = this.#counters.untold(MOST_TOLD)
    }
    if (!isTold) return this.#wentAway()
    this.#nowShared(true)
  }

  #nowShared(shared: boolean): void {
    this.shared = shared
    if (this.#reported !== shared) this.#onStore(shared)
    this.#reported = shared
  }
}

function totalOf({ mine, others }: Counter): number {
  return mine + others
}

// All processes must agree on when a minute begins, so this is the machine's clock, not the movable one.
function currentWindow(): number {
  return Math.floor(Date.now() / WINDOW_MS)
}
