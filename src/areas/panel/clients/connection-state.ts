import { setTimeout as sleep } from 'node:timers/promises'
import { PanelError } from './panel-error.ts'

/** The monotonic clock and the randomness that waiting needs; tests pass their own. */
export type Timing = {
  /** Never goes backwards; unrelated to the time of day. */
  nowMs(): number
  sleep(ms: number): Promise<unknown>
  /** From 0 up to, not including, 1. */
  random(): number
}

const systemTiming: Timing = {
  nowMs: () => performance.now(),
  sleep: (ms) => sleep(ms),
  random: () => Math.random(),
}

const FAILURES_TO_OPEN = 5
const OPEN_MS = 30_000

/**
 * Prevents calls to a panel that does not answer: open for half a minute after five failures in a row,
 * then one more failure opens it again. A refused key opens it until `close`.
 */
export class Breaker {
  #failures = 0
  #openUntilMs = 0
  #denial: PanelError | undefined

  /** Throws instead of a call while open; nothing has been sent then. */
  assertClosed(nowMs: number): void {
    if (this.#denial) {
      const { kind, failure } = this.#denial
      throw new PanelError(kind, { ...failure, cause: this.#denial })
    }
    if (this.#openUntilMs <= nowMs) return
    const detail = `The panel failed ${this.#failures} times in a row; calls are paused.`
    throw new PanelError('unavailable', { code: 'breaker_open', detail })
  }

  fail(nowMs: number): void {
    this.#failures += 1
    if (this.#failures >= FAILURES_TO_OPEN) this.#openUntilMs = nowMs + OPEN_MS
  }

  /** The panel answered: resets the failures in a row; a refused key stays refused. */
  succeed(): void {
    this.#failures = 0
    this.#openUntilMs = 0
  }

  deny(error: PanelError): void {
    this.#denial = error
  }

  /** Closes the breaker after a successful test. */
  close(): void {
    this.succeed()
    this.#denial = undefined
  }
}

/** The share of a panel's limit that we use; the rest is for others, and for the owner's other keys. */
const SHARE = 0.6
/** Rate and burst together stay below the limit in every window. */
const BURST_SHARE = 0.2

/** Spreads requests below a panel's limit per minute; only urgent requests may use the last half. */
export class Bucket {
  #limit: number
  #tokens: number
  #filledAtMs: number
  #pausedUntilMs = 0
  #advertised = false

  constructor(limitPerMinute: number, nowMs: number) {
    this.#limit = limitPerMinute
    this.#tokens = this.#burst
    this.#filledAtMs = nowMs
  }

  /** The limit that the panel reported, if it has. */
  get advertisedLimit(): number | undefined {
    return this.#advertised ? this.#limit : undefined
  }

  /** The current limit: the panel's, or the default until the panel reports one. */
  get limit(): number {
    return this.#limit
  }

  get #burst(): number {
    return Math.max(1, Math.floor(this.#limit * BURST_SHARE))
  }

  /** Takes one request and returns 0, or returns the milliseconds to wait before trying again. */
  take(nowMs: number, { background }: { background: boolean }): number {
    if (this.#pausedUntilMs > nowMs) return this.#pausedUntilMs - nowMs
    const perMs = Math.max(1, this.#limit * SHARE) / 60_000
    const filled = this.#tokens + (nowMs - this.#filledAtMs) * perMs
    this.#tokens = Math.min(this.#burst, filled)
    this.#filledAtMs = nowMs
    const needed = background ? 1 + Math.floor(this.#burst / 2) : 1
    if (this.#tokens < needed) return Math.ceil((needed - this.#tokens) / perMs)
    this.#tokens -= 1
    return 0
  }

  /**
   * Adopts the limit of an answer's headers, keeping the unused share of the previous limit, and the
   * number of requests that others have left.
   */
  learn({ limit, remaining }: { limit: number; remaining: number }): void {
    if (limit > 0) {
      this.#tokens *= limit / this.#limit
      this.#limit = limit
      this.#advertised = true
    }
    if (remaining >= 0) this.#tokens = Math.min(this.#tokens, remaining)
  }

  pauseUntil(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, ms)
  }
}

type Lane = { bucket: Bucket; breaker: Breaker }

/** What one process knows about one panel connection; each of the two APIs has its own key and limit. */
export type ConnectionState = { timing: Timing; application: Lane; client: Lane }

/** The state of a connection about which nothing is known yet. */
export function newConnectionState(timing: Timing = systemTiming): ConnectionState {
  const nowMs = timing.nowMs()
  return {
    timing,
    application: { bucket: new Bucket(240, nowMs), breaker: new Breaker() },
    client: { bucket: new Bucket(256, nowMs), breaker: new Breaker() },
  }
}
