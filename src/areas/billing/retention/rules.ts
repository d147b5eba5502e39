import { type Instant, instant, millis } from '#lib/time.ts'

/**
 * Documents issued before this are no longer wanted by the law: it wants them until 31 December of the
 * year they were issued in and so many years more (R3.12).
 */
export function keptFrom(now: Instant, years: number): Instant {
  const year = new Date(millis(now)).getUTCFullYear()
  return instant(Date.UTC(year - years, 0, 1))
}
