import { setTimeout as wait } from 'node:timers/promises'

const INSERT_AFTER_MS = 5

/** What passes between a panel's checks and its insert: two requests may both find a name free. */
export function beforeInsert(): Promise<void> {
  return wait(INSERT_AFTER_MS)
}

/** The panel's clock: real time, plus what it was advanced by. */
export class Clock {
  #offsetMs = 0

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#offsetMs
  }

  advance(seconds: number): void {
    this.#offsetMs += seconds * 1000
  }

  get offsetMs(): number {
    return this.#offsetMs
  }

  reset(): void {
    this.#offsetMs = 0
  }
}

/** Numbers from 0 to 1 that come in the same order for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
