import { DAY_MS, type Day, day, dayOf, type Instant, instant, later } from '#lib/time.ts'

/** The part of a period that lies in one fiscal year. */
export type YearPart = {
  /** The first day of the fiscal year. */
  readonly fiscalYearOn: Day
  /** The first and the last day of the part. */
  readonly startOn: Day
  readonly endOn: Day
  /** The same as instants, the last one excluded. */
  readonly from: Instant
  readonly to: Instant
}

/** The parts of a period by fiscal years, which begin with a month: 1 is January. */
export function yearParts(
  { from, to }: { readonly from: Instant; readonly to: Instant },
  month: number,
): YearPart[] {
  const parts: YearPart[] = []
  for (let start = from; start < to; ) {
    const [year, current] = [Number(start.slice(0, 4)), Number(start.slice(5, 7))]
    const first = current < month ? year - 1 : year
    const next = firstOf(first + 1, month)
    const end = next < to ? next : to
    parts.push({
      fiscalYearOn: day(dayOf(firstOf(first, month))),
      ...{ startOn: dayOf(start), endOn: dayOf(later(end, -DAY_MS)), from: start, to: end },
    })
    start = end
  }
  return parts
}

function firstOf(year: number, month: number): Instant {
  return instant(Date.UTC(year, month - 1, 1))
}
