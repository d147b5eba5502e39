import { SECOND_MS } from '#lib/time.ts'
import type { Database } from './database/index.ts'
import {
  claim,
  type Ended,
  LEASE_SECONDS,
  type Lease,
  register,
  release,
  renew,
  takeOver,
} from './schedule-leases.ts'

/** Scheduled work: it finds out itself what is due. */
export type Scheduled = {
  readonly name: string
  readonly everyMs: number
  /** After this time the signal is aborted. */
  readonly timeoutMs: number
  readonly run: (signal: AbortSignal) => Promise<void>
}

/** Runs scheduled work in one process. Each kind runs only once at a time over all processes. */
export type Schedules = {
  /** Checks for due work from now on; with `driving` false only what `runAll` requests is run. */
  start(driving: boolean): Promise<void>
  /**
   * Starts the wanted work now, or all of it; what is already running runs again. `ended` resolves when
   * all of it has ended, successfully or not.
   */
  runAll(wanted?: (work: Scheduled) => boolean): Promise<{ ended: Promise<void> }>
  /** Checks work at once, in this process or in any that does work. */
  wake(name: string): Promise<void>
  /** Waits some seconds for running work to end. */
  stop(): Promise<void>
}

/** The channel on which worker processes are asked to check work: a name, or `*` for all. */
const CHANNEL = 'moorage_schedules'
const EVERYTHING = '*'
const TICK_MS = SECOND_MS
const HEARTBEAT_MS = (LEASE_SECONDS / 3) * SECOND_MS
const STOP_MS = 10 * SECOND_MS
/** How long work that ignores its signal prevents the same work from starting again. */
const UNHEEDED_MS = 60 * SECOND_MS

type Running = {
  readonly work: Scheduled
  readonly lease: Lease
  readonly control: AbortController
  /** When it counts as never ending. */
  readonly lostMs: number
  end: Promise<void>
}

/** The schedules of one process. `onError` gets errors of the checks themselves. */
export function schedulesOn(
  database: Database,
  works: readonly Scheduled[],
  onError: (error: unknown) => void,
): Schedules {
  return new Driver(database, works, onError)
}

class Driver implements Schedules {
  readonly #database: Database
  readonly #works: ReadonlyMap<string, Scheduled>
  readonly #onError: (error: unknown) => void
  /** When this process checks each kind of work again; now, if it is missing. */
  readonly #lookMs = new Map<string, number>()
  /** Work that was to run while another process did it: it runs again, due or not. */
  readonly #again = new Set<string>()
  readonly #running = new Map<string, Running>()
  readonly #timers: NodeJS.Timeout[] = []
  #unlisten: (() => Promise<void>) | null = null
  #ended: Ended[] = []
  #releasing: Promise<void> = Promise.resolve()
  /** The current check: work that it takes has to be released. */
  #looking: Promise<void> = Promise.resolve()
  #started = false
  #driving = false

  constructor(database: Database, works: readonly Scheduled[], onError: (error: unknown) => void) {
    this.#database = database
    this.#works = new Map(works.map((it) => [it.name, it]))
    this.#onError = onError
  }

  async start(driving: boolean): Promise<void> {
    if (this.#database.embedded) await takeOver(this.#database)
    await register(this.#database, [...this.#works.keys()])
    this.#started = true
    this.#driving = driving
    this.#every(HEARTBEAT_MS, () => this.#keepHeld())
    this.#every(TICK_MS, () => this.#look())
    if (!driving) return
    this.#unlisten = await this.#database.listen(CHANNEL, (name) => this.#hear(name))
    await this.#look()
  }

  async runAll(
    wanted: (work: Scheduled) => boolean = () => true,
  ): Promise<{ ended: Promise<void> }> {
    if (!this.#started) {
      await this.#tell(EVERYTHING)
      return { ended: Promise.resolve() }
    }
    const names = [...this.#works.values()].filter(wanted).map(({ name }) => name)
    const busy = names.filter((name) => this.#running.has(name))
    await this.#claim(
      names.filter((name) => !this.#running.has(name)),
      true,
    )
    const over = Promise.all(busy.map((name) => this.#running.get(name)?.end))
    const all = over.then(() => this.#claim(busy, true)).then(() => this.#idle())
    return { ended: all }
  }

  async wake(name: string): Promise<void> {
    if (this.#started) this.#lookMs.delete(name)
    else await this.#tell(name)
  }

  async stop(): Promise<void> {
    this.#started = false
    for (const timer of this.#timers) clearInterval(timer)
    await this.#unlisten?.()
    await within(STOP_MS, this.#looking)
    for (const { control } of this.#running.values()) control.abort()
    await within(STOP_MS, this.#idle())
  }

  #every(ms: number, work: () => Promise<void>): void {
    this.#timers.push(setInterval(() => void work().catch(this.#onError), ms).unref())
  }

  #tell(name: string): Promise<unknown> {
    return this.#database.execute('select pg_notify($1, $2)', [CHANNEL, name])
  }

  #hear(name: string): void {
    if (name === EVERYTHING) void this.runAll().catch(this.#onError)
    else this.#lookMs.delete(name)
  }

  /** Waits until all running work has ended and was released. */
  async #idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ end }) => end))
    await this.#releasing
  }

  /** Checks again after the current check. */
  #look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#tick()).catch(this.#onError)
    return this.#looking
  }

  async #tick(): Promise<void> {
    if (!this.#started) return
    const again = [...this.#again].filter((name) => !this.#running.has(name))
    this.#again.clear()
    await this.#claim(again, true)
    if (!this.#driving) return
    const nowMs = performance.now()
    const due = [...this.#works.keys()].filter(
      (name) => !this.#running.has(name) && (this.#lookMs.get(name) ?? 0) <= nowMs,
    )
    await this.#claim(due, false)
  }

  /** Starts work that no process does: what is due, or with `anyhow` all of it. */
  async #claim(names: readonly string[], anyhow: boolean): Promise<void> {
    if (names.length === 0) return
    // Prevents the next tick from asking the same before there is a result.
    for (const name of names) this.#lookMs.set(name, performance.now() + 10 * TICK_MS)
    for (const { name, lease, waitMs } of await claim(this.#database, names, anyhow)) {
      const work = this.#works.get(name)
      if (lease && work) this.#begin(work, lease)
      else {
        if (anyhow) this.#again.add(name)
        this.#lookMs.set(name, performance.now() + Math.max(waitMs, TICK_MS))
      }
    }
  }

  #begin(work: Scheduled, lease: Lease): void {
    const control = new AbortController()
    const lostMs = performance.now() + work.timeoutMs + UNHEEDED_MS
    const running: Running = { work, lease, control, lostMs, end: Promise.resolve() }
    this.#running.set(work.name, running)
    running.end = this.#run(running)
  }

  async #run(running: Running): Promise<void> {
    const { work, lease, control } = running
    const limit = setTimeout(() => control.abort(), work.timeoutMs)
    let error: string | null = null
    try {
      await work.run(control.signal)
    } catch (thrown) {
      error = (thrown instanceof Error && thrown.message) || String(thrown)
    }
    clearTimeout(limit)
    // This work was given up, so another run has followed it, or will.
    if (this.#running.get(work.name) !== running) return
    this.#running.delete(work.name)
    this.#lookMs.set(work.name, performance.now() + (error === null ? work.everyMs : TICK_MS))
    await this.#release({ ...lease, everyMs: work.everyMs, error })
  }

  /** Releases work that has ended, with one statement for all that ended while the last one ran. */
  #release(ended: Ended): Promise<void> {
    this.#ended.push(ended)
    this.#releasing = this.#releasing.then(async () => {
      const all = this.#ended.splice(0)
      // If it fails, the lease expires, and the work is done again.
      if (all.length > 0) await release(this.#database, all).catch(this.#onError)
    })
    return this.#releasing
  }

  /** Extends the leases of running work; work that has lost its lease is aborted. */
  async #keepHeld(): Promise<void> {
    const nowMs = performance.now()
    for (const { work, lostMs } of this.#running.values()) {
      if (lostMs < nowMs) this.#running.delete(work.name)
    }
    const running = [...this.#running.values()]
    if (running.length === 0) return
    const held = await renew(
      this.#database,
      running.map(({ lease }) => lease),
    )
    for (const { work, control } of running) if (!held.has(work.name)) control.abort()
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
