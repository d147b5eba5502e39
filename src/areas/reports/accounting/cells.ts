import { decimalText } from '#lib/currency.ts'
import type { Day } from '#lib/time.ts'

/** An amount above 0 as the programs of accountants read it: with a comma, and at least two decimals. */
export function amountCell(amountCents: number, currency: string): string {
  const [whole = '', fraction = ''] = decimalText(amountCents, currency).split('.')
  return `${whole},${fraction.padEnd(2, '0')}`
}

/** A day as YYYYMMDD. */
export function dayCell(on: Day): string {
  return on.replaceAll('-', '')
}
