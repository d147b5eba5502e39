import { type Instant, instant, millis } from '#lib/time.ts'

/**
 * The earliest issue time that the law still requires: a document must be kept until 31 December,
 * `years` years after its year of issue (R3.12).
 */
export function keptFrom(now: Instant, years: number): Instant {
  const year = new Date(millis(now)).getUTCFullYear()
  return instant(Date.UTC(year - years, 0, 1))
}
