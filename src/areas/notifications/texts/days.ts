/** A day (`2026-05-04`) in the usual form of a region: `4 May 2026` in `en-GB`. */
export function dayText(day: string, region: string): string {
  const format = formats.get(region) ?? formatFor(region)
  formats.set(region, format)
  return format.format(new Date(day))
}

/** From a day to another, as a region says it: `9–15 June 2026`; one day where they are the same. */
export function daysText({ first, last }: { first: string; last: string }, region: string): string {
  if (first === last) return dayText(first, region)
  const format = formats.get(region) ?? formatFor(region)
  formats.set(region, format)
  // Fonts of documents need not have the thin space around the dash, and no other day has a zero before it.
  return format
    .formatRange(new Date(first), new Date(last))
    .replaceAll('\u2009', ' ')
    .replace(/^0/, '')
}

/** Formats are expensive to create, so they are cached. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(region: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(region, { dateStyle: 'long', timeZone: 'UTC' })
}

/** From an instant to another, as a region says it, in UTC: `28 November 2026, 22:00–23:30 UTC`. */
export function timesText(
  { startsAt, endsAt }: { startsAt: string; endsAt: string },
  region: string,
): string {
  const format = timeFormats.get(region) ?? timeFormatFor(region)
  timeFormats.set(region, format)
  const said = format.formatRange(new Date(startsAt), new Date(endsAt))
  return `${said.replaceAll('\u2009', ' ')} UTC`
}

const timeFormats = new Map<string, Intl.DateTimeFormat>()

function timeFormatFor(region: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(region, {
    ...{ dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' },
  })
}
