import { CYCLE_OF_PLAN } from '../../staging/resources.ts'
import { type Cells, RowFault } from '../cells.ts'
import { meant, monthsOf } from '../values.ts'

/** The class that a row refers to, without its namespace: `App\Models\User` is `User`. */
export function kindOf(type: string): string {
  return type.slice(type.lastIndexOf('\\') + 1)
}

const PAYING = new Map([
  ['free', 'free'],
  ['one-time', 'one_time'],
  ['recurring', 'recurring'],
])

/** How a plan is paid, and in which cycle. */
export function cycleIn(cells: Cells): { pays: string; months: number | null; cycle: string } {
  const type = cells.text('type').trim()
  const pays = PAYING.get(type)
  if (!pays) throw new RowFault('unknown_payment_type', type.slice(0, 50))
  if (pays !== 'recurring') return { pays, months: pays === 'free' ? null : 0, cycle: type }
  const unit = cells.text('billing_unit').trim()
  const count = cells.number('billing_period')
  return { pays, months: monthsOf(count, unit), cycle: `${count} ${unit}` }
}

/** The cycle of a service until its plan is found. */
export const NO_CYCLE = { months: CYCLE_OF_PLAN, cycle: '' }

const SERVICE_STATES = new Map([
  ['pending', 'pending'],
  ['active', 'active'],
  ['suspended', 'suspended'],
  ['cancelled', 'ended'],
])

export function serviceState(status: string): { state: string; status: string } {
  return { state: meant(SERVICE_STATES, status), status }
}

const INVOICE_STATES = new Map([
  ['pending', 'open'],
  ['paid', 'paid'],
  ['cancelled', 'void'],
])

export function invoiceState(status: string): { state: string; status: string } {
  return { state: meant(INVOICE_STATES, status), status }
}

const PAYMENT_STATES = new Map([
  ['succeeded', null],
  ['processing', 'processing'],
  ['failed', 'failed'],
])

/**
 * Null: money that came in; `credit`: paid from credit that came in earlier. Early versions store only
 * successful payments.
 */
export function paymentState(cells: Cells): string | null {
  const state = meant(PAYMENT_STATES, cells.text('status') || 'succeeded')
  return state ?? (cells.flag('is_credit_transaction') ? 'credit' : null)
}

const LINE_TYPES = new Map([
  ['Service', 'Hosting'],
  ['ServiceUpgrade', 'Upgrade'],
  ['Credit', 'AddFunds'],
])

/** The type of an invoice line, in the terms that are used for all systems. */
export function lineType(reference: string): string {
  return LINE_TYPES.get(kindOf(reference)) ?? 'Item'
}
