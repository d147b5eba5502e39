import { decimalsOf, isCurrency } from '#lib/currency.ts'
import { OTHER_CYCLE, type Staged, WEEKS } from '../staging/resources.ts'
import { type Cells, RowFault } from './cells.ts'

/** What no currency is called. */
const NO_CURRENCY = -1

/**
 * The id of a currency in systems that know it by its code alone: a number that stands for the code. Null
 * where none is named.
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

/** The most intervals that a plan here can have. */
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
 * A cycle of so many units, as columns of months hold it. Days and hours are whole weeks or no cycle here:
 * hours are metered and paid afterwards (R4.11), and nobody agreed to that who pays ahead.
 */
export function monthsOf(count: number, unit: string): number {
  const months = count * (MONTHS.get(unit) ?? 0)
  if (months > 0) return months <= MOST ? months : OTHER_CYCLE
  const weeks = (count * (HOURS.get(unit) ?? 0)) / HOURS_PER_WEEK
  return Number.isInteger(weeks) && weeks > 0 && weeks <= MOST ? WEEKS + weeks : OTHER_CYCLE
}

/** How many there are; one, unless it is said. */
export function countIn(cells: Cells, quantity: string): number {
  return cells.filled(quantity) === null ? 1 : cells.number(quantity)
}

/** A price for one, times how many, in hundredths. Throws a RowFault for more than can be reckoned. */
export function timesOf(cells: Cells, price: string, quantity: string): bigint {
  const amount = BigInt(cells.amount(price)) * BigInt(countIn(cells, quantity))
  if (amount > MOST_AMOUNT || amount < -MOST_AMOUNT) throw new RowFault('invalid_amount', price)
  return amount
}

const MOST_AMOUNT = 10n ** 16n

type Line = Omit<Staged<'invoice_items'>, 'invoice' | 'client' | 'fault'>

/**
 * A line of an invoice whose total is the sum of its lines. One that cannot be read is kept as that: its
 * invoice has to know.
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

/** What a status means here. Nothing is open or active because nobody knew what it is. */
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
