import { COUNTRIES } from '#lib/country.ts'
import { formatAmount } from '#lib/currency.ts'
import { regionOf } from '#lib/languages.ts'
import type { Texts } from '../texts/index.ts'

/** Writes amounts in cents, rates, sizes and countries in the format of a language. */
export function formatsOf({ locale }: Pick<Texts, 'locale'>) {
  const tag = regionOf(locale)
  const number = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 })
  const regions = new Intl.DisplayNames(tag, { type: 'region' })
  const country = (code: string) => regions.of(code) ?? code
  const day = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(tag, {
    ...{ dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' },
  })
  const month = new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  return {
    /** A time of day in UTC, which it names: a page does not know the time zone of its reader. */
    time: (instant: string) => `${time.format(Date.parse(instant))} UTC`,
    times: (from: string, to: string) =>
      `${time.formatRange(Date.parse(from), Date.parse(to)).replaceAll('\u2009', ' ')} UTC`,
    month: (instant: string) => month.format(Date.parse(instant)),
    day: (instant: string) => day.format(Date.parse(instant)),
    money: (cents: number, currency: string) => formatAmount(cents, currency, locale),
    /** `3.4 s`, `15 s`, `1 min 08 s`. */
    duration: (ms: number) => {
      const seconds = ms / 1000
      if (seconds < 10) return `${number.format(seconds)} s`
      const whole = Math.floor(seconds)
      if (whole < 60) return `${whole} s`
      return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
    },
    number: (value: number) => number.format(value),
    percent: (basisPoints: number) => percent.format(basisPoints / 10_000),
    country,
    countries: () =>
      COUNTRIES.map((code) => ({ code, name: country(code) })).sort((one, other) =>
        one.name.localeCompare(other.name, tag),
      ),
  }
}
