import { DAY_MS, type Instant, later } from '#lib/time.ts'

const PASSED_ON_MS = 30 * DAY_MS

/** What people were told before this is old news: no bot passes it on any more. */
export function passedOnSince(now: Instant): Instant {
  return later(now, -PASSED_ON_MS)
}
