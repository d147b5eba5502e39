import { type Instant, instant } from '#lib/time.ts'

/** The one source of the time of day. Timeouts use monotonic timers instead. */
export type Clock = {
  now(): Instant
  /** Moves the clock forward; only where the configuration allows it. */
  advance(ms: number): void
  /** How far the clock stands ahead of the machine's, in milliseconds. */
  readonly offsetMs: number
}

/** A clock that starts `offsetMs` ahead of the machine's. */
export function startClock(offsetMs = 0): Clock {
  let offset = offsetMs
  return {
    now: () => instant(Date.now() + offset),
    advance(ms) {
      offset += ms
    },
    get offsetMs() {
      return offset
    },
  }
}
