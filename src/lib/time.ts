declare const kind: unique symbol

/** A time in UTC as ISO text, always `YYYY-MM-DDTHH:MM:SS.mmmZ`, so that it can be compared as text. */
export type Instant = string & { readonly [kind]: 'instant' }

/** A calendar day as `YYYY-MM-DD`. */
export type Day = string & { readonly [kind]: 'day' }

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Parses any ISO 8601 text with a zone, a Date, or milliseconds since 1970. Throws a RangeError. */
export function instant(value: string | number | Date): Instant {
  return new Date(value).toISOString() as Instant
}

/** The instant `ms` milliseconds after (or, negative, before) another. */
export function later(from: Instant, ms: number): Instant {
  return instant(millis(from) + ms)
}

/** Milliseconds since 1970. */
export function millis(at: Instant): number {
  return Date.parse(at)
}

/** Whole seconds between two instants, each rounded down to a second; negative if `to` is earlier. */
export function secondsBetween(from: Instant, to: Instant): number {
  return Math.floor(millis(to) / SECOND_MS) - Math.floor(millis(from) / SECOND_MS)
}

/** The UTC day of an instant. */
export function dayOf(at: Instant): Day {
  return at.slice(0, 10) as Day
}

/** Parses a day as `YYYY-MM-DD`. Throws a RangeError for days that do not exist. */
export function day(value: string): Day {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || dayOf(instant(`${value}T00:00:00Z`)) !== value) {
    throw new RangeError(`Not a day: ${value}`)
  }
  return value as Day
}

const DATE_TIME =
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-][01]\d:[0-5]\d)$/i
const FIRST_YEAR = '1900'

/** Whether a text is a day that exists, from 1900 on: the days that requests may contain. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_YEAR) return false
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && dayOf(instant(ms)) === text
}

/** Whether a text is an ISO 8601 instant with a zone, from 1900 to 9999. */
export function isInstant(text: string): boolean {
  if (!DATE_TIME.test(text) || !isDay(text.slice(0, 10))) return false
  const at = instant(text)
  return at.length === 24 && at >= FIRST_YEAR
}
