import { regionOf } from '@moorage/languages'
import { useLocale, useTimeZone } from '../texts/index.tsx'

/** A clock reading in a time zone as a `datetime-local` field has it: 2030-01-08T09:00. */
function readingOf(instant: number, timeZone: string): string {
  const options = { dateStyle: 'short', timeStyle: 'short', timeZone } as const
  return new Intl.DateTimeFormat('sv-SE', options).format(instant).replace(' ', 'T')
}

/** How far a time zone is ahead of UTC at an instant, in ms. */
function aheadOf(instant: number, timeZone: string): number {
  return Date.parse(`${readingOf(instant, timeZone)}Z`) - Math.floor(instant / 60_000) * 60_000
}

/** Converts between instants and `datetime-local` fields, in the time zone in which screens show times of day. */
export function useTimes() {
  const locale = useLocale()
  const timeZone = useTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return {
    timeZone,
    fieldOf: (instant: string) => readingOf(Date.parse(instant), timeZone),
    /** The instant of a field; null for an empty one. */
    instantOf: (field: string): string | null => {
      const utc = Date.parse(`${field}Z`)
      if (Number.isNaN(utc)) return null
      // The clock may be changed between the two instants: the second difference is the one that holds.
      const guess = utc - aheadOf(utc, timeZone)
      return new Date(utc - aheadOf(guess, timeZone)).toISOString()
    },
    /** An instant as the status page and mails show it. */
    utc: (instant: string) => {
      const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
      return `${new Intl.DateTimeFormat(regionOf(locale), options).format(Date.parse(instant))} UTC`
    },
  }
}
