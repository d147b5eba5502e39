/** How long work waits that comes by the minute and is done in the order in which it came. */
export type Waiting = {
  /** The longest that anything waited, in minutes. */
  readonly longestMinutes: number
  /** The busiest hour: how much of what could be done in it was. */
  readonly busiest: number
  /** What is left at the end. */
  readonly left: number
  /** After the outage: how many minutes until nothing waits for more than one. Null where it never ends. */
  readonly caughtUpMinutes: number | null
}

/** Minutes `[from, to)` in which nothing is done. */
export type Outage = { readonly from: number; readonly to: number }

const HOUR_MINUTES = 60
const NONE: Outage = { from: 0, to: 0 }

/** `arriving`: how much work comes in each minute; `perMinute`: how much of it is done in one. */
export function waitingOf(arriving: Float64Array, perMinute: number, outage = NONE): Waiting {
  let [left, longest] = [0, 0]
  let caughtUpMinutes: number | null = null
  const done = new Float64Array(arriving.length)
  for (const [minute, work] of arriving.entries()) {
    const stopped = minute >= outage.from && minute < outage.to
    left += work
    done[minute] = stopped ? 0 : Math.min(left, perMinute)
    left -= done[minute]
    if (minute >= outage.to && left <= perMinute) caughtUpMinutes ??= minute - outage.to
    // What is left of this minute's work waits until all before it is done.
    if (work > 0) longest = Math.max(longest, left / perMinute)
  }
  return {
    ...{ longestMinutes: longest, left, caughtUpMinutes },
    busiest: busiestHour(done) / (perMinute * HOUR_MINUTES),
  }
}

/** The most that comes within an hour. */
export function busiestHour(arriving: Float64Array): number {
  let [sum, most] = [0, 0]
  for (const [minute, work] of arriving.entries()) {
    sum += work - (arriving[minute - HOUR_MINUTES] ?? 0)
    most = Math.max(most, sum)
  }
  return most
}
