import { DAY_MS, HOUR_MS, type Instant, later, MINUTE_MS, SECOND_MS } from '#lib/time.ts'

const seconds = (ms: number): number => ms / SECOND_MS

/** How long each object is valid, in seconds. Everything under a grant ends with the grant at the latest. */
export const TTL = {
  Interaction: seconds(30 * MINUTE_MS),
  Session: seconds(12 * HOUR_MS),
  Grant: seconds(180 * DAY_MS),
  AuthorizationCode: seconds(MINUTE_MS),
  AccessToken: seconds(HOUR_MS),
  IdToken: seconds(HOUR_MS),
  RefreshToken: seconds(30 * DAY_MS),
}

/** When everything that a sign-in issues has ended. A session is prolonged as long as it is used. */
export function longestEnd(now: Instant): Instant {
  return later(now, 2 * TTL.Grant * SECOND_MS)
}
