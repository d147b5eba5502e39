/** A day (`2026-05-04`) in the usual form of a region: `4 May 2026` in `en-GB`. */
export function dayText(day: string, region: string): string {
  const format = formats.get(region) ?? formatFor(region)
  formats.set(region, format)
  return format.format(new Date(day))
}

/** Formats are expensive to create, so they are cached. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(region: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(region, { dateStyle: 'long', timeZone: 'UTC' })
}
