import { DAY_MS, type Instant, instant, MINUTE_MS, millis, SECOND_MS } from '#lib/time.ts'

/** How long an access token is valid. */
export const ACCESS_SECONDS = (15 * MINUTE_MS) / SECOND_MS

const IDLE_MS = 30 * DAY_MS
const LONGEST_MS = 180 * DAY_MS

/** A session ends 30 days after it was last refreshed, and 180 days after it began. */
export function sessionEnd(createdAt: Instant, now: Instant): Instant {
  return instant(Math.min(millis(now) + IDLE_MS, millis(createdAt) + LONGEST_MS))
}

type Rotation = { rotatedAt: Instant | null }

/**
 * Whether a refresh token that was exchanged already is one of two that arrived together, and not a
 * stolen one: it was still unused when this request first read it, or the request had begun before the exchange.
 */
export function arrivedBefore(seen: Rotation, locked: Rotation, now: Instant): boolean {
  return seen.rotatedAt === null || locked.rotatedAt === null || now < locked.rotatedAt
}
