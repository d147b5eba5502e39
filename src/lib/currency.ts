import { decimalsOf } from './currencies.ts'
import { type Cents, cents } from './money.ts'

export { CURRENCIES, decimalsOf, isCurrency } from './currencies.ts'

/** An amount as plain decimal text, as documents and payment providers need it: 1299 is `12.99`. */
export function decimalText(amountCents: number, currency: string): `${number}` {
  const amount = cents(amountCents)
  const decimals = decimalsOf(currency)
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = decimals > 0 ? `.${digits.slice(point)}` : ''
  return `${amount < 0 ? '-' : ''}${digits.slice(0, point)}${fraction}` as `${number}`
}

/**
 * Parses what `decimalText` writes. RangeError for more decimals than the currency has, or for text
 * that is not a number.
 */
export function centsOfDecimal(text: string, currency: string): Cents {
  const decimals = decimalsOf(currency)
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const kept = fraction.slice(0, decimals).padEnd(decimals, '0')
  const lost = fraction.slice(decimals)
  if (whole === '' || /[1-9]/.test(lost)) throw new RangeError(`Not an amount of ${currency}`)
  return cents(BigInt(`${sign}${whole}${kept}`))
}

/** An amount for people, in their language: 1299 EUR is `€12.99` in `en` and `12,99 €` in `de`. */
export function formatAmount(amountCents: number, currency: string, locale = 'en'): string {
  const decimals = decimalsOf(currency)
  // Intl uses Brazilian Portuguese for `pt`.
  const format = new Intl.NumberFormat(locale === 'pt' ? 'pt-PT' : locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(decimalText(amountCents, currency))
}
