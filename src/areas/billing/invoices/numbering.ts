import { unprocessable } from '#lib/problem.ts'
import { type Day, day, dayOf, type Instant, instant } from '#lib/time.ts'

const LONGEST_NUMBER = 35
// Room for the two dashes, the year and a sequence of eight digits.
const LONGEST_CODE = LONGEST_NUMBER - 14

/** How long issued documents are kept, in years after the year of issue (R3.12). */
const DEFAULT_RETENTION_YEARS = 10

/** The position of a number: the series' code, the year of issue, and 1, 2, 3 … within it. */
export type SeriesPosition = {
  readonly code: string
  readonly year: number
  readonly sequence: number
}

/** A document's number, `INV-2026-000001` (R3.3). */
export function numberOf({ code, year, sequence }: SeriesPosition): string {
  if (!Number.isSafeInteger(sequence) || sequence < 1) {
    throw new RangeError(`Not a place in a series: ${sequence}`)
  }
  const number = `${code}-${year}-${String(sequence).padStart(6, '0')}`
  if (!/^[A-Za-z0-9+\-_/]+$/.test(number) || number.length > LONGEST_NUMBER) {
    throw new RangeError(`Not a document number: ${number}`)
  }
  return number
}

/** Throws 422 for a series code that would make invalid numbers (R3.3). */
export function assertSeriesCode(code: string): void {
  if (/^[A-Za-z0-9+\-_/]+$/.test(code) && code.length <= LONGEST_CODE) return
  const message = `A series code has 1 to ${LONGEST_CODE} letters, digits or + - _ / characters.`
  throw unprocessable(message, 'series_code_invalid')
}

/** The year a document issued at this instant is numbered in (R3.3). */
export function seriesYearOf(issuedAt: Instant): number {
  return Number(issuedAt.slice(0, 4))
}

/** When the next document of a series is issued: now, but never before its predecessor (R3.3). */
export function issueInstant(now: Instant, lastIssuedAt: Instant | null): Instant {
  if (lastIssuedAt !== null && lastIssuedAt > now) return lastIssuedAt
  return now
}

/** The last day an issued document must be kept (R3.12). */
export function keptThrough(issuedAt: Instant, years = DEFAULT_RETENTION_YEARS): Day {
  return day(`${seriesYearOf(issuedAt) + years}-12-31`)
}

/** The first day on which an issued document may be erased: the one after the last it is kept. */
export function erasableFrom(issuedAt: Instant, years = DEFAULT_RETENTION_YEARS): Day {
  return dayOf(instant(`${seriesYearOf(issuedAt) + years + 1}-01-01T00:00:00Z`))
}
