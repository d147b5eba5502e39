import { decimalsOf, decimalText } from '#lib/currency.ts'
import type { Day } from '#lib/time.ts'
import type { PrintedTexts } from '#notifications'
import type { PrintedDocument, PrintedTax } from './content.ts'
import { unitPriceText } from './electronic.ts'

type Reader = Pick<PrintedDocument, 'texts' | 'currency'>

/** Formats are expensive to create, and there is one for each language and currency. */
const made = new Map<string, Wording>()

/** Amounts, days and rates as the reader of a document writes them. */
export function wordingOf(reader: Reader): Wording {
  const key = `${reader.texts.locale} ${reader.currency}`
  const wording = made.get(key) ?? wordingFor(reader)
  made.set(key, wording)
  return wording
}

function wordingFor({ texts, currency }: Reader) {
  const { region } = texts
  const decimals = decimalsOf(currency)
  const money = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const amounts = new Intl.NumberFormat(region, money)
  const prices = new Intl.NumberFormat(region, { ...money, maximumFractionDigits: 6 })
  const numbers = new Intl.NumberFormat(region, { maximumFractionDigits: 2 })
  const days = new Intl.DateTimeFormat(region, { dateStyle: 'long', timeZone: 'UTC' })
  const shortDays = new Intl.DateTimeFormat(region, { dateStyle: 'short', timeZone: 'UTC' })
  const countries = new Intl.DisplayNames(region, { type: 'region' })
  return {
    /** An amount without its currency: `1,299.00`. */
    amount: (value: number) => amounts.format(decimalText(value, currency)),
    /** An amount with its currency: `1,299.00 EUR`. */
    money: (value: number) => `${amounts.format(decimalText(value, currency))} ${currency}`,
    unitPrice: (line: Parameters<typeof unitPriceText>[0]) =>
      prices.format(unitPriceText(line, currency) as `${number}`),
    quantity: (value: number) => numbers.format(value),
    day: (day: Day) => days.format(new Date(day)),
    shortDay: (day: Day) => shortDays.format(new Date(day)),
    country: (code: string) => countries.of(code) ?? code,
    rate: (tax: Pick<PrintedTax, 'category' | 'rateBasisPoints'>) => rateText(tax, numbers, texts),
  }
}

export type Wording = ReturnType<typeof wordingFor>

function rateText(
  { category, rateBasisPoints }: Pick<PrintedTax, 'category' | 'rateBasisPoints'>,
  numbers: Intl.NumberFormat,
  { noTax }: PrintedTexts,
): string {
  if (category !== 'S' || rateBasisPoints === null) return noTax
  return `${numbers.format(decimalText(rateBasisPoints, 'EUR'))} %`
}
