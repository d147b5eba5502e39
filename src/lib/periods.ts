import { DAY_MS, type Day, dayOf, HOUR_MS, type Instant, instant, later, millis } from './time.ts'

/** The unit in which a plan is billed. `hour` is metered and billed in arrears once a month (R4.11). */
export type Interval = 'one_time' | 'hour' | 'week' | 'month' | 'year'

/** How often a service is billed; a quarter is three months. */
export type Cycle = { readonly interval: Interval; readonly intervalCount: number }

/** A span of time that includes its start and excludes its end (R4.1). */
export type Period = { readonly start: Instant; readonly end: Instant }

/** How many days before a period its invoice is created, by the length of the cycle (R4.4). */
export type LeadTimes = {
  readonly weekDays: number
  readonly monthDays: number
  readonly longerDays: number
}

export const DEFAULT_LEAD_TIMES: LeadTimes = { weekDays: 2, monthDays: 7, longerDays: 14 }

const WEEK_MS = 7 * DAY_MS
const MONTHS_PER_YEAR = 12

/**
 * The instant from which all periods of a service are counted: its first payment or, with a trial,
 * the end of that many times 24 hours. Rounded down to whole seconds (R4.1, R4.3).
 */
export function anchorOf(at: Instant, trialDays = 0): Instant {
  return later(wholeSecond(at), trialDays * DAY_MS)
}

/** The instant without its milliseconds. */
export function wholeSecond(at: Instant): Instant {
  return instant(`${at.slice(0, 19)}Z`)
}

/**
 * The start of the k-th period, which is the end of the one before, k = 0, 1, 2 … It is always counted from the anchor,
 * so a short month moves only one boundary and no later one (R4.1). UTC has no daylight saving. RangeError for a cycle
 * without periods, or for a k that is not an integer from 0 on.
 */
export function boundary(anchor: Instant, cycle: Cycle, k: number): Instant {
  if (!Number.isSafeInteger(k) || k < 0) throw new RangeError(`Not a period number: ${k}`)
  const start = wholeSecond(anchor)
  const months = monthsOf(cycle)
  if (months > 0) return monthsLater(start, months * k)
  return later(start, cycle.intervalCount * WEEK_MS * k)
}

/** The k-th period of a service, from 0. */
export function periodOf(anchor: Instant, cycle: Cycle, k: number): Period {
  return { start: boundary(anchor, cycle, k), end: boundary(anchor, cycle, k + 1) }
}

/** The number of the period that contains an instant. RangeError if it is before the anchor. */
export function periodNumberAt(anchor: Instant, cycle: Cycle, at: Instant): number {
  const start = wholeSecond(anchor)
  if (at < start) throw new RangeError(`${at} is before the first period`)
  const longestMs = millis(boundary(anchor, cycle, 1)) - millis(start) + 3 * DAY_MS
  let k = Math.floor((millis(at) - millis(start)) / longestMs)
  while (boundary(anchor, cycle, k + 1) <= at) k += 1
  return k
}

/** Whether a service with this cycle is billed repeatedly, and so has periods. */
export function recurs(cycle: Cycle): boolean {
  return cycle.interval !== 'one_time'
}

/** Whether two cycles have the same periods: twelve months are one year. */
export function sameCycle(a: Cycle, b: Cycle): boolean {
  if (a.interval === 'hour' || b.interval === 'hour') return a.interval === b.interval
  if (!recurs(a) || !recurs(b)) return a.interval === b.interval
  const [months, others] = [monthsOf(a), monthsOf(b)]
  return months === others && (months > 0 || a.intervalCount === b.intervalCount)
}

/**
 * How long before a period its invoice is created, in milliseconds (R4.4). Weeks that add up to a month or more have
 * the lead time of months. Metered hours are billed afterwards, without a lead time.
 */
export function leadMs(cycle: Cycle, leads: LeadTimes = DEFAULT_LEAD_TIMES): number {
  if (!recurs(cycle) || cycle.interval === 'hour') return 0
  const months = monthsOf(cycle)
  if (months > 1 || (months === 0 && cycle.intervalCount > 4)) return leads.longerDays * DAY_MS
  if (months === 1 || cycle.intervalCount === 4) return leads.monthDays * DAY_MS
  return leads.weekDays * DAY_MS
}

/** The days that a period is printed with: its first and its last (R4.1). */
export function daysOf(period: Period): { first: Day; last: Day } {
  return { first: dayOf(period.start), last: lastDayOf(period) }
}

/** The last day that is printed for a period: the day before it ends, but never before its first. */
export function lastDayOf({ start, end }: Period): Day {
  const before = dayOf(later(end, -DAY_MS))
  const first = dayOf(start)
  if (before > first) return before
  return first
}

/** Started hours, from seconds: 37 h 12 min are 38 (R4.11). */
export function startedHours(seconds: number): number {
  return Math.ceil((seconds * 1000) / HOUR_MS)
}

/** The number of months of a cycle; 0 for weeks. Metered hours are billed monthly (R4.11). */
function monthsOf({ interval, intervalCount }: Cycle): number {
  if (!Number.isSafeInteger(intervalCount) || intervalCount < 1) {
    throw new RangeError(`Not a number of intervals: ${intervalCount}`)
  }
  if (interval === 'one_time') throw new RangeError('A one-time plan has no periods')
  if (interval === 'week') return 0
  if (interval === 'hour') return 1
  return interval === 'year' ? intervalCount * MONTHS_PER_YEAR : intervalCount
}

/** Adds months. The day is limited to the last one of the month, the time is kept. */
function monthsLater(start: Instant, months: number): Instant {
  const from = new Date(start)
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const target = new Date(from)
  target.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay))
  return instant(target)
}
