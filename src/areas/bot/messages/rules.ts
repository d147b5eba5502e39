import { DAY_MS, type Instant, later } from '#lib/time.ts'

const PASSED_ON_MS = 30 * DAY_MS

/** The time before which notifications are too old: no bot delivers them any more. */
export function passedOnSince(now: Instant): Instant {
  return later(now, -PASSED_ON_MS)
}
