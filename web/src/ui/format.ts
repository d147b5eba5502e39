import { decimalsOf } from '@moorage/currencies'
import { type Locale, regionOf } from '@moorage/languages'
import { useMemo } from 'react'
import { useLocale, useTimeZone } from '../texts/index.tsx'

/** The letters of a day in a duration: 3 d 4 h. */
const DAYS: Readonly<Record<Locale, string>> = {
  en: 'd',
  fr: 'j',
  de: 'T',
  nl: 'd',
  es: 'd',
  it: 'g',
  pl: 'd',
  pt: 'd',
}

const DAY_MS = 86_400_000

/**
 * Everything with a number or a date goes through here: no screen formats by itself. Times of day are those of the
 * person's time zone, or of the browser if they have not set one; days are those of UTC, as on documents.
 */
function formatsOf(locale: Locale, timeZone: string | null) {
  const tag = regionOf(locale)
  const isFrench = locale === 'fr'
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options)
  const inZone = (zone: string | null, options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(tag, {
      ...(zone !== null && { timeZone: zone }),
      ...options,
    })
    return { format: (when: string | Date) => formatter.format(new Date(when)) }
  }
  // A day of an invoice or a period is the same day on documents and in mails (decision 208).
  const date = (options: Intl.DateTimeFormatOptions) => inZone('UTC', options)
  const short = date({ day: 'numeric', month: 'short', year: 'numeric' })
  const day = date({ day: 'numeric', month: 'long' })
  const month = date({ month: 'short', year: 'numeric' })
  const full = inZone(timeZone, { weekday: 'long', day: 'numeric', month: 'long' })
  const moment = inZone(timeZone, {
    ...{ day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit' },
  })
  const time = inZone(timeZone, { hour: '2-digit', minute: '2-digit' })
  const whole = number({ maximumFractionDigits: 0 })
  const tenths = number({ maximumFractionDigits: 1 })
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  const regions = new Intl.DisplayNames(tag, { type: 'region' })
  const gigabytes = isFrench ? 'Go' : 'GB'
  return {
    /** An amount in the smallest unit of its currency, with the decimals that the service uses and a minus sign. */
    money: (cents: number, currency: string) => {
      const decimals = decimalsOf(currency)
      return number({
        ...{ style: 'currency', currency },
        ...{ minimumFractionDigits: decimals, maximumFractionDigits: decimals },
      })
        .format(amountOf(cents, currency))
        .replace('-', '−')
    },
    /** How many digits an amount of a currency has after the point. */
    digits: decimalsOf,
    number: (value: number) => whole.format(value),
    percent: (ratio: number) =>
      number({ style: 'percent', maximumFractionDigits: 0 }).format(ratio),
    /** A rate in basis points, such as 2000 for 20 %. */
    rate: (basisPoints: number) =>
      number({ style: 'percent', maximumFractionDigits: 2 }).format(basisPoints / 10_000),
    /** The size of a file, in the unit that fits: KB, MB or GB. Only an empty file has no tenth of a KB. */
    fileSize: (bytes: number) => {
      const power = bytes < 2 ** 20 ? 1 : bytes < 2 ** 30 ? 2 : 3
      const unit = (isFrench ? ['Ko', 'Mo', 'Go'] : ['KB', 'MB', 'GB'])[power - 1]
      const size = bytes === 0 ? 0 : Math.max(0.1, bytes / 1024 ** power)
      return `${tenths.format(size)} ${unit}`
    },
    bytes: (bytes: number) => `${tenths.format(bytes / 2 ** 30)} ${gigabytes}`,
    megabytes: (megabytes: number) => `${tenths.format(megabytes / 1024)} ${gigabytes}`,
    date: (instant: string) => short.format(instant),
    /** The last day of a period, whose end is the instant at which it is over. */
    lastDay: ({ start, end }: { start: string; end: string }) => {
      const last = new Date(new Date(end).getTime() - DAY_MS)
      return short.format(last < new Date(start) ? new Date(start) : last)
    },
    /** French writes 1er, Intl does not. */
    day: (instant: string) => day.format(instant).replace(/^1 /, isFrench ? '1er ' : '1 '),
    full: (instant: string | Date) => full.format(instant),
    time: (instant: string) => time.format(instant),
    month: (instant: string) => month.format(instant),
    /** Without cents from 1,000 on: for figures and axes, never for amounts due. */
    moneyRound: (cents: number, currency: string) =>
      number({ style: 'currency', currency, maximumFractionDigits: 0 }).format(
        amountOf(cents, currency),
      ),
    moneyShort: (cents: number, currency: string) =>
      number({
        ...{ style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 },
      }).format(amountOf(cents, currency)),
    moment: (instant: string) => moment.format(instant),
    country: (code: string) => regions.of(code) ?? code,
    /** Options of a country field, sorted by name. */
    countries: (codes: readonly string[]) =>
      codes
        .map((value) => ({ value, label: regions.of(value) ?? value }))
        .sort((one, other) => one.label.localeCompare(other.label, tag)),
    /** How long ago, or in how long. */
    ago: (instant: string, now: number = Date.now()) => {
      const seconds = (new Date(instant).getTime() - now) / 1000
      const size = Math.abs(seconds)
      if (size < 60) return relative.format(0, 'second')
      if (size < 3600) return relative.format(Math.round(seconds / 60), 'minute')
      if (size < 86_400) return relative.format(Math.round(seconds / 3600), 'hour')
      return relative.format(Math.round(seconds / 86_400), 'day')
    },
    uptime: (ms: number) => {
      const hours = Math.floor(ms / 3_600_000)
      return hours >= 24
        ? `${Math.floor(hours / 24)} ${DAYS[locale]} ${hours % 24} h`
        : `${hours} h ${Math.floor(ms / 60_000) % 60} min`
    },
  }
}

/** An amount in the smallest unit as a number of the currency: only for display and files, not for calculations. */
export function amountOf(cents: number, currency: string): number {
  return cents / 10 ** decimalsOf(currency)
}

type Formats = ReturnType<typeof formatsOf>

export function useFormats(): Formats {
  const locale = useLocale()
  const timeZone = useTimeZone()
  return useMemo(() => formatsOf(locale, timeZone), [locale, timeZone])
}
