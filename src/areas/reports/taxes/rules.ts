import { DAY_MS, type Day, dayOf, type Instant, instant, later } from '#lib/time.ts'

/** The form of a quarter: `2026-Q3`. */
export const QUARTER = '^20[0-9]{2}-Q[1-4]$'

/** A quarter in UTC: its name, its days, and its instants, the last one excluded. */
export type Quarter = {
  readonly quarter: string
  readonly startOn: Day
  readonly endOn: Day
  readonly from: Instant
  readonly to: Instant
}

/** The quarter with a name; without a name the last one that is over. */
export function quarterOf(name: string | undefined, now: Instant): Quarter {
  const [year = 0, number = 0] = name ? name.split('-Q').map(Number) : lastBefore(now)
  const from = instant(Date.UTC(year, 3 * (number - 1), 1))
  const to = instant(Date.UTC(year, 3 * number, 1))
  const quarter = `${year}-Q${number}`
  return { quarter, startOn: dayOf(from), endOn: dayOf(later(to, -DAY_MS)), from, to }
}

/** The name of the quarter that begins on a day. */
export function quarterNameOf(startOn: string): string {
  return `${startOn.slice(0, 4)}-Q${Math.floor(Number(startOn.slice(5, 7)) / 3) + 1}`
}

function lastBefore(now: Instant): [number, number] {
  const date = new Date(now)
  const running = Math.floor(date.getUTCMonth() / 3) + 1
  const year = date.getUTCFullYear()
  return running === 1 ? [year - 1, 4] : [year, running - 1]
}
