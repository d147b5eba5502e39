import { OTHER_CYCLE, WEEKS } from '../../staging/resources.ts'
import { type Cells, RowFault } from '../cells.ts'
import { meant, monthsOf } from '../values.ts'

const UNITS: ReadonlyMap<string, string> = new Map([
  ['D', 'day'],
  ['W', 'week'],
  ['M', 'month'],
  ['Y', 'year'],
])

/** The cycle of a period such as `3M` or `2W`, as a value of a column of months. */
export function periodMonths(code: string): number {
  const [, count, letter = ''] = /^(\d{1,3})([A-Z])$/.exec(code.trim().toUpperCase()) ?? []
  const unit = UNITS.get(letter)
  if (count === undefined || !unit) throw new RowFault('unknown_cycle', code.slice(0, 50))
  return monthsOf(Number(count), unit)
}

/** The columns of a price row, in versions that have one for each period. */
const PERIODS = [
  { column: 'w', months: WEEKS + 1 },
  { column: 'm', months: 1 },
  { column: 'q', months: 3 },
  { column: 'b', months: 6 },
  { column: 'a', months: 12 },
  { column: 'bia', months: 24 },
  { column: 'tria', months: 36 },
] as const

/** In place of a price: the period is not sold. */
const NOT_SOLD = -1

const PAYING = new Map([
  ['free', 'free'],
  ['once', 'one_time'],
  ['recurrent', 'recurring'],
])

/** The prices of a product, side by side; empty if periods have rows of their own. */
export function pricesIn(cells: Cells) {
  const type = cells.text('type').trim()
  const pays = PAYING.get(type)
  if (!pays) throw new RowFault('unknown_payment_type', type.slice(0, 50))
  if (pays !== 'recurring') {
    const [amounts, fees] = [[cells.amount('once_price')], [cells.amount('once_setup_price')]]
    return { pays, months: [0], amounts, setup_fees: fees }
  }
  const sold = PERIODS.filter(({ column }) => cells.has(`${column}_price`))
  return {
    pays,
    months: sold.map(({ months }) => months),
    amounts: sold.map(({ column }) =>
      cells.flag(`${column}_enabled`) ? cells.amount(`${column}_price`) : NOT_SOLD,
    ),
    setup_fees: sold.map(({ column }) => cells.amount(`${column}_setup_price`)),
  }
}

/** The price of one period that is a row of its own. */
export function periodPrice(cells: Cells) {
  const months = periodMonths(cells.text('code'))
  const sold = cells.flag('enabled') && months !== OTHER_CYCLE
  return { months, amount: sold ? cells.amount('price') : NOT_SOLD }
}

const CLIENT_STATES = new Map([
  ['active', 'active'],
  ['suspended', 'closed'],
  ['canceled', 'closed'],
])

/** Suspended and canceled clients cannot sign in. */
export function clientState(status: string): string {
  return meant(CLIENT_STATES, status || 'active')
}

const SERVICE_STATES = new Map([
  ['pending_setup', 'pending'],
  ['failed_setup', 'pending'],
  ['active', 'active'],
  ['failed_renew', 'active'],
  ['suspended', 'suspended'],
  ['canceled', 'ended'],
])

export function serviceState(status: string): { state: string; status: string } {
  return { state: meant(SERVICE_STATES, status), status }
}

const INVOICE_STATES = new Map([
  ['unpaid', 'open'],
  ['paid', 'paid'],
  ['refunded', 'refunded'],
  ['canceled', 'void'],
])

/** An unapproved invoice was never sent to its client: it is a draft. */
export function invoiceState(cells: Cells): { state: string; status: string } {
  const status = cells.text('status')
  const state = meant(INVOICE_STATES, status)
  return { state: state === 'open' && !cells.flag('approved') ? 'draft' : state, status }
}

const PAYMENT_STATES = new Set(['received', 'approved', 'processing', 'processed', 'error'])
/** Types of transactions that are payment agreements, in the words of FOSSBilling and PayPal. */
const NO_PAYMENT = /^(?:subscription_(?:create|cancel)|subscr_(?:signup|cancel|modify|eot|failed))$/

/** The money that came in or went out with a transaction. Only a processed transaction has moved money. */
export function movementIn(cells: Cells) {
  const status = cells.text('status').trim()
  if (!PAYMENT_STATES.has(status)) throw new RowFault('unknown_status', status.slice(0, 50))
  const type = cells.text('type').trim().toLowerCase()
  if (status !== 'processed' || NO_PAYMENT.test(type)) {
    // The amount of other transactions may be anything: older versions store it as text.
    const state = status === 'processed' ? type : status
    return { amount_in: 0, amount_out: 0, state }
  }
  const amount = cells.amount('amount')
  const size = amount < 0 ? -amount : amount
  return type === 'refund' || amount < 0
    ? { amount_in: 0, amount_out: size, state: null }
    : { amount_in: size, amount_out: 0, state: null }
}

const LINE_TYPES = new Map([
  ['order', 'Hosting'],
  ['deposit', 'AddFunds'],
])

/** The type of an invoice line, in the terms that are used for all systems. */
export function lineType(type: string): string {
  return LINE_TYPES.get(type) ?? 'Item'
}

/** The ids in a list that is stored as JSON of any shape; empty for none. */
export function idsIn(json: string): string {
  return (json.match(/\d+/g) ?? []).join(',')
}

const COUPON_TYPES = new Map([
  ['absolute', 'fixed'],
  ['percentage', 'percent'],
])

/** The type of a coupon as it is called here; the old system's word for types that we do not have. */
export function couponType(type: string): string {
  return COUPON_TYPES.get(type) ?? type
}

/** Whether a list that is stored as JSON contains anything. */
export function isFilled(json: string): boolean {
  return /[A-Za-z0-9]/.test(json) && !/^\s*null\s*$/i.test(json)
}
