import type { Clock } from '../state/clock.ts'
import { tooManyAttempts } from './errors.ts'

export type Api = 'application' | 'client'
export type RateLimits = Record<Api, number>

const WINDOW_MS = 60_000

/** Counts requests by owner of the key; a window of a minute starts with its first request. */
export class Throttle {
  readonly #clock: Clock
  readonly #initial: RateLimits
  #limits: RateLimits
  #windows = new Map<string, { endsAt: number; count: number }>()

  constructor(clock: Clock, limits: RateLimits) {
    this.#clock = clock
    this.#initial = limits
    this.#limits = limits
  }

  /** Headers for a request that may pass. Throws 429 with more of them for one that may not. */
  pass(api: Api, userId: number): Record<string, string> {
    const now = this.#clock.now()
    const limit = this.#limits[api]
    const owner = `${api}:${userId}`
    let window = this.#windows.get(owner)
    if (!window || window.endsAt <= now) {
      window = { endsAt: now + WINDOW_MS, count: 0 }
      this.#windows.set(owner, window)
    }
    const headers = { 'x-ratelimit-limit': String(limit) }
    if (window.count >= limit) {
      throw tooManyAttempts({
        ...headers,
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil(window.endsAt / 1000)),
        'retry-after': String(Math.max(1, Math.ceil((window.endsAt - now) / 1000))),
      })
    }
    window.count += 1
    return { ...headers, 'x-ratelimit-remaining': String(limit - window.count) }
  }

  set(limits: Partial<RateLimits>): void {
    this.#limits = { ...this.#limits, ...limits }
  }

  reset(): void {
    this.#limits = this.#initial
    this.#windows = new Map()
  }
}
