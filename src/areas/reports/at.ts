import { Type } from 'typebox'
import { Timestamp } from '#lib/schema.ts'
import { type Instant, instant } from '#lib/time.ts'

/** The instant a report looks at the books. */
export const AtQuery = {
  at: Type.Optional({
    ...Timestamp,
    description: 'The books as they stood then, what was booked at it included; by default now',
  }),
}

/** The instant that is asked for; never one that is still to come. */
export function atOf({ at }: { at?: string }, now: Instant): Instant {
  if (at === undefined) return now
  const asked = instant(at)
  return asked < now ? asked : now
}
