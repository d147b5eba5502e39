import { Type } from 'typebox'
import { DayOn, Timestamp } from '#lib/schema.ts'
import { DAY_MS, type Instant, instant, later } from '#lib/time.ts'

/** The instant at which a report reads the books. */
export const AtQuery = {
  at: Type.Optional({
    ...Timestamp,
    description: 'The books as they stood then, what was booked at it included; by default now',
  }),
}

/** The requested instant; at most now. */
export function atOf({ at }: { at?: string }, now: Instant): Instant {
  if (at === undefined) return now
  const asked = instant(at)
  return asked < now ? asked : now
}

/** The day at whose end a report reads the books. */
export const AsOfQuery = {
  asOf: Type.Optional({
    ...DayOn,
    description: 'The books as they stood at the end of this day of UTC; by default now',
  }),
}

/** The last instant of the requested day; now, if the day is not over yet. */
export function endOf({ asOf }: { asOf?: string }, now: Instant): Instant {
  if (asOf === undefined) return now
  const end = later(instant(`${asOf}T00:00:00Z`), DAY_MS - 1)
  return end < now ? end : now
}
