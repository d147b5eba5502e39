import { type Static, Type } from 'typebox'
import { badRequest } from '#lib/problem.ts'
import { DayOn, OneOf } from '#lib/schema.ts'
import { DAY_MS, type Day, day, dayOf, type Instant, instant, later, millis } from '#lib/time.ts'

const INTERVALS = ['day', 'month', 'quarter'] as const
export type Interval = (typeof INTERVALS)[number]

/** How many parts a report may have, so that its size stays reasonable. */
const MOST_PARTS = 400
const DEFAULT_MONTHS = 12

/** The days of a report, both included, and the length of its parts. */
export const SpanQuery = Type.Object({
  from: Type.Optional({
    ...DayOn,
    description: 'The first day, in UTC; by default the first of the month, eleven months ago',
  }),
  to: Type.Optional({ ...DayOn, description: 'The last day, in UTC; by default today' }),
  interval: Type.Optional(OneOf(INTERVALS, 'What the days are added up to; by default `month`')),
})
type SpanQuery = Static<typeof SpanQuery>

/** The part of a span that a figure belongs to: its first and last day. */
export const PartOfSpan = { startOn: DayOn, endOn: DayOn }

/** Days as instants: from the start of the first day up to the end of the last one, excluded. */
export type ReportSpan = {
  readonly from: Instant
  readonly to: Instant
  readonly interval: Interval
  readonly startOn: Day
  readonly endOn: Day
}

/** The requested days. Throws 400 if they end before they begin, or make too many parts. */
export function spanOf({ from, to, interval = 'month' }: SpanQuery, now: Instant): ReportSpan {
  const endOn = to ?? dayOf(now)
  const startOn = from ?? monthsBefore(endOn, DEFAULT_MONTHS - 1)
  const days = { from: startOf(startOn), to: later(startOf(endOn), DAY_MS) }
  const span = { ...days, interval, startOn, endOn }
  if (span.from >= span.to) throw badRequest('The last day is before the first.')
  if (partCount(span) > MOST_PARTS) {
    throw badRequest(
      `A report has at most ${MOST_PARTS} parts: take fewer days or a longer interval.`,
    )
  }
  return span
}

/** The first and last day of every part of a span; the first and last part may be cut short. */
export function partsOf({ from, to, interval }: ReportSpan): { startOn: Day; endOn: Day }[] {
  const parts: { startOn: Day; endOn: Day }[] = []
  for (let start = from; start < to; ) {
    const next = nextStart(start, interval)
    const end = next < to ? next : to
    parts.push({ startOn: dayOf(start), endOn: dayOf(later(end, -DAY_MS)) })
    start = next
  }
  return parts
}

/** Finds the part of a span by the first day of its calendar part, as the database returns it. */
export function partNamer(span: ReportSpan): (startOn: string) => { startOn: Day; endOn: Day } {
  const parts = partsOf(span)
  const first = parts[0]
  const byStart = new Map(parts.map((part) => [part.startOn as string, part]))
  return (startOn) => {
    // The first part may be cut short: its calendar part begins before the span.
    const part = byStart.get(startOn) ?? first
    if (!part) throw new Error(`No part begins on ${startOn}`)
    return part
  }
}

/** The start of the day, month or quarter after the one that an instant falls into. */
function nextStart(at: Instant, interval: Interval): Instant {
  if (interval === 'day') return later(startOf(dayOf(at)), DAY_MS)
  const date = new Date(at)
  const month = date.getUTCMonth()
  const next = interval === 'month' ? month + 1 : month - (month % 3) + 3
  return instant(Date.UTC(date.getUTCFullYear(), next, 1))
}

/** The last day of the calendar part that begins on a day. */
export function endOfPart(startOn: string, interval: Interval): Day {
  return dayOf(later(nextStart(startOf(startOn), interval), -DAY_MS))
}

function partCount({ from, to, interval }: ReportSpan): number {
  const days = (millis(to) - millis(from)) / DAY_MS
  return days / { day: 1, month: 28, quarter: 90 }[interval]
}

function monthsBefore(last: Day, months: number): Day {
  const date = new Date(`${last}T00:00:00Z`)
  return dayOf(instant(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1)))
}

function startOf(on: string): Instant {
  return instant(`${day(on)}T00:00:00Z`)
}
