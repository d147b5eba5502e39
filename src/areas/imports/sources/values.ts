import { decimalsOf, isCurrency } from '#lib/currency.ts'
import { OTHER_CYCLE, type Staged, WEEKS } from '../staging/resources.ts'
import { type Cells, RowFault } from './cells.ts'

/** The id for text that is not a currency code. */
const NO_CURRENCY = -1

/**
 * The id of a currency in systems that name currencies only by code: a number computed from the code. Null
 * if none is named.
 */
export function currencyId(text: string): number | null {
  const code = text.trim().toUpperCase()
  if (code === '') return null
  return /^[A-Z]{3}$/.test(code) ? Number.parseInt(code, 36) : NO_CURRENCY
}

/** A currency by its code. */
export function currencyOf(text: string, main: boolean): Staged<'currencies'> {
  const code = text.trim().toUpperCase()
  return { code, decimals: isCurrency(code) ? decimalsOf(code) : null, main }
}

/** The most intervals that a plan of ours can have. */
const MOST = 120

const MONTHS: ReadonlyMap<string, number> = new Map([
  ['month', 1],
  ['year', 12],
])
const HOURS: ReadonlyMap<string, number> = new Map([
  ['hour', 1],
  ['day', 24],
  ['week', 7 * 24],
])
const HOURS_PER_WEEK = 7 * 24

/**
 * A cycle of this many units, as a value of a column of months. Days and hours must add up to whole weeks,
 * else there is no such cycle here: hourly plans are metered and paid afterwards (R4.11), to which a
 * customer who pays in advance has not agreed.
 */
export function monthsOf(count: number, unit: string): number {
  const months = count * (MONTHS.get(unit) ?? 0)
  if (months > 0) return months <= MOST ? months : OTHER_CYCLE
  const weeks = (count * (HOURS.get(unit) ?? 0)) / HOURS_PER_WEEK
  return Number.isInteger(weeks) && weeks > 0 && weeks <= MOST ? WEEKS + weeks : OTHER_CYCLE
}

/** A quantity; 1 if there is none. */
export function countIn(cells: Cells, quantity: string): number {
  return cells.filled(quantity) === null ? 1 : cells.number(quantity)
}

/** A unit price times its quantity, in hundredths. Throws a RowFault for a result that is too large. */
export function timesOf(cells: Cells, price: string, quantity: string): bigint {
  const amount = BigInt(cells.amount(price)) * BigInt(countIn(cells, quantity))
  if (amount > MOST_AMOUNT || amount < -MOST_AMOUNT) throw new RowFault('invalid_amount', price)
  return amount
}

const MOST_AMOUNT = 10n ** 16n

type Line = Omit<Staged<'invoice_items'>, 'invoice' | 'client' | 'fault'>

/**
 * A line of an invoice whose total is the sum of its lines. An unreadable line is staged with its fault,
 * because it makes the total of its invoice unknown.
 */
export function lineOf(invoice: number, read: () => Line): Staged<'invoice_items'> {
  try {
    return { invoice, client: null, ...read() }
  } catch (error) {
    if (!(error instanceof RowFault)) throw error
    const unknown = { type: '', reference: 0, description: '', amount: 0, taxed: false }
    return { invoice, client: null, ...unknown, fault: error.code }
  }
}

/** Our state for a status. Throws a RowFault for an unknown status, instead of assuming that it is open or active. */
export function meant<T>(states: ReadonlyMap<string, T>, status: string): T {
  const state = states.get(status)
  if (state === undefined) throw new RowFault('unknown_status', status.slice(0, 50))
  return state
}

/** The normalized host and path of a URL. */
export function hostOf(address: string | undefined): string | null {
  const plain = (address ?? '').trim().toLowerCase()
  return (
    plain
      .replace(/^https?:\/\//, '')
      .replace(/^www\./, '')
      .replace(/\/+$/, '') || null
  )
}

/** The longest key that options and their values have here. */
const MAX_KEY = 40

/**
 * The key and the name of an option or a value that may be written as `key|Label`. Customers see the label; without a
 * bar, the key is derived from it.
 */
export function namedKey(text: string): { readonly key: string; readonly name: string } {
  const bar = text.indexOf('|')
  const [key, label] = bar < 0 ? [text, text] : [text.slice(0, bar), text.slice(bar + 1)]
  return { key: keyFrom(key) || keyFrom(label), name: label.trim() || key.trim() }
}

/** A text in the form of a key, without two underscores in a row; empty if it has no letter or digit. */
function keyFrom(text: string): string {
  const plain = text
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const key = /^\d/.test(plain) ? `v${plain}` : plain
  return key.slice(0, MAX_KEY).replace(/_+$/, '')
}
