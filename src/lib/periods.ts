import { DAY_MS, type Day, dayOf, HOUR_MS, type Instant, instant, later, millis } from './time.ts'

/** The unit a plan is billed in. `hour` is metered and billed in arrears once a month (R4.11). */
export type Interval = 'one_time' | 'hour' | 'week' | 'month' | 'year'

/** How often a service is billed; a quarter is three months. */
export type Cycle = { readonly interval: Interval; readonly intervalCount: number }

/** A span of time that includes its start and excludes its end (R4.1). */
export type Period = { readonly start: Instant; readonly end: Instant }

/** How many days before a period its invoice is made, by the length of the cycle (R4.4). */
export type LeadTimes = {
  readonly weekDays: number
  readonly monthDays: number
  readonly longerDays: number
}

export const DEFAULT_LEAD_TIMES: LeadTimes = { weekDays: 2, monthDays: 7, longerDays: 14 }

const WEEK_MS = 7 * DAY_MS
const MONTHS_PER_YEAR = 12

/**
 * The instant all periods of a service are counted from: its first payment or, with a trial, the
 * end of that many times 24 hours; whole seconds, what is below one is dropped (R4.1, R4.3).
 */
export function anchorOf(at: Instant, trialDays = 0): Instant {
  return later(wholeSecond(at), trialDays * DAY_MS)
}

/** The instant without its milliseconds. */
export function wholeSecond(at: Instant): Instant {
  return instant(`${at.slice(0, 19)}Z`)
}

/**
 * Where the k-th period begins and the one before it ends, k = 0, 1, 2 … It is always counted from
 * the anchor, so a short month moves one boundary and no later one (R4.1). UTC has no daylight
 * saving. RangeError for a cycle without periods, or one that is not a whole number above 0.
 */
export function boundary(anchor: Instant, cycle: Cycle, k: number): Instant {
  if (!Number.isSafeInteger(k) || k < 0) throw new RangeError(`Not a period number: ${k}`)
  const start = wholeSecond(anchor)
  const months = monthsOf(cycle)
  if (months > 0) return monthsLater(start, months * k)
  return later(start, cycle.intervalCount * WEEK_MS * k)
}

/** The k-th period of a service, from 0 on. */
export function periodOf(anchor: Instant, cycle: Cycle, k: number): Period {
  return { start: boundary(anchor, cycle, k), end: boundary(anchor, cycle, k + 1) }
}

/** The number of the period an instant falls into. RangeError when that is before the anchor. */
export function periodNumberAt(anchor: Instant, cycle: Cycle, at: Instant): number {
  const start = wholeSecond(anchor)
  if (at < start) throw new RangeError(`${at} is before the first period`)
  const longestMs = millis(boundary(anchor, cycle, 1)) - millis(start) + 3 * DAY_MS
  let k = Math.floor((millis(at) - millis(start)) / longestMs)
  while (boundary(anchor, cycle, k + 1) <= at) k += 1
  return k
}

/** Whether a service on this cycle is billed again and again, and so has periods at all. */
export function recurs(cycle: Cycle): boolean {
  return cycle.interval !== 'one_time'
}

/** Two cycles are the same when their periods are: twelve months are one year. */
export function sameCycle(a: Cycle, b: Cycle): boolean {
  if (a.interval === 'hour' || b.interval === 'hour') return a.interval === b.interval
  if (!recurs(a) || !recurs(b)) return a.interval === b.interval
  const [months, others] = [monthsOf(a), monthsOf(b)]
  return months === others && (months > 0 || a.intervalCount === b.intervalCount)
}

/**
 * How long before a period starts its invoice is made, in milliseconds (R4.4). Weeks that add up to
 * a month or more have the lead of a month. Metered hours are billed afterwards: no lead.
 */
export function leadMs(cycle: Cycle, leads: LeadTimes = DEFAULT_LEAD_TIMES): number {
  if (!recurs(cycle) || cycle.interval === 'hour') return 0
  const months = monthsOf(cycle)
  if (months > 1 || (months === 0 && cycle.intervalCount > 4)) return leads.longerDays * DAY_MS
  if (months === 1 || cycle.intervalCount === 4) return leads.monthDays * DAY_MS
  return leads.weekDays * DAY_MS
}

/** A period as it is printed: its first day to its last, `2026-01-31 – 2026-02-27` (R4.1). */
export function printedPeriod({ start, end }: Period): string {
  const first = dayOf(start)
  const last = lastDayOf({ start, end })
  return first === last ? first : `${first} – ${last}`
}

/** The last day a period is printed with: the day before it ends, but never before its first. */
export function lastDayOf({ start, end }: Period): Day {
  const before = dayOf(later(end, -DAY_MS))
  const first = dayOf(start)
  if (before > first) return before
  return first
}

/** Hours that were begun, out of seconds: 37 h 12 min are 38 (R4.11). */
export function startedHours(seconds: number): number {
  return Math.ceil((seconds * 1000) / HOUR_MS)
}

/** How many months a cycle has; 0 for weeks. Metered hours are billed by the month (R4.11). */
function monthsOf({ interval, intervalCount }: Cycle): number {
  if (!Number.isSafeInteger(intervalCount) || intervalCount < 1) {
    throw new RangeError(`Not a number of intervals: ${intervalCount}`)
  }
  if (interval === 'one_time') throw new RangeError('A one-time plan has no periods')
  if (interval === 'week') return 0
  if (interval === 'hour') return 1
  return interval === 'year' ? intervalCount * MONTHS_PER_YEAR : intervalCount
}

/** Months are added to the month, the day is held to that month's last one, the time is kept. */
function monthsLater(start: Instant, months: number): Instant {
  const from = new Date(start)
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const target = new Date(from)
  target.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay))
  return instant(target)
}
