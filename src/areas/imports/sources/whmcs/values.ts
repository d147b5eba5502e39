import { RowFault } from '../cells.ts'

/** The columns of a price row. */
export const CYCLES = [
  { column: 'monthly', setup: 'msetupfee', months: 1 },
  { column: 'quarterly', setup: 'qsetupfee', months: 3 },
  { column: 'semiannually', setup: 'ssetupfee', months: 6 },
  { column: 'annually', setup: 'asetupfee', months: 12 },
  { column: 'biennially', setup: 'bsetupfee', months: 24 },
  { column: 'triennially', setup: 'tsetupfee', months: 36 },
] as const

const MONTHS = new Map<string, number | null>([
  ...CYCLES.map(({ column, months }) => [column, months] as const),
  ['onetime', 0],
  ['free', null],
  ['freeaccount', null],
])

/** The months of a billing cycle, in any spelling: 0 for one-time, null for free of charge. */
export function cycleOf(text: string): number | null {
  const months = MONTHS.get(text.toLowerCase().replace(/[^a-z]/g, ''))
  if (months === undefined) throw new RowFault('unknown_cycle', text.slice(0, 50))
  return months
}

const PAYING = new Map([
  ['free', 'free'],
  ['onetime', 'one_time'],
  ['recurring', 'recurring'],
])

/** How a product is paid for. */
export function payingOf(text: string): string {
  const pays = PAYING.get(text.toLowerCase().replace(/[^a-z]/g, ''))
  if (!pays) throw new RowFault('unknown_payment_type', text.slice(0, 50))
  return pays
}

const OPTION_KINDS = new Map([
  ['1', 'select'],
  ['2', 'select'],
  ['3', 'toggle'],
  ['4', 'quantity'],
])

/** The kind of a configurable option: dropdowns and radio buttons are both a choice of one value. */
export function optionKindOf(text: string): string {
  const kind = OPTION_KINDS.get(text.trim())
  if (!kind) throw new RowFault('unknown_option_type', text.slice(0, 50))
  return kind
}

const SERVICE_STATES = new Map([
  ['Pending', 'pending'],
  ['Active', 'active'],
  ['Suspended', 'suspended'],
  ...['Terminated', 'Cancelled', 'Fraud', 'Completed'].map((it) => [it, 'ended'] as const),
])

/** Our state for the status of a service, with that status. */
export function serviceState(status: string): { state: string; status: string } {
  return { state: known(SERVICE_STATES, status), status }
}

const INVOICE_STATES = new Map([
  ['Draft', 'draft'],
  ['Unpaid', 'open'],
  ['Payment Pending', 'open'],
  ['Paid', 'paid'],
  ['Cancelled', 'void'],
  ['Refunded', 'refunded'],
  ['Collections', 'uncollectible'],
])

/** Our state for the status of an invoice, with that status. */
export function invoiceState(status: string): { state: string; status: string } {
  return { state: known(INVOICE_STATES, status), status }
}

/** Throws a RowFault for an unknown status, instead of assuming that it is open or active. */
function known(states: ReadonlyMap<string, string>, status: string): string {
  const state = states.get(status)
  if (!state) throw new RowFault('unknown_status', status.slice(0, 50))
  return state
}

/** Whether a service is suspended for non-payment: the reason is empty, or the one that the system sets itself. */
export function isOverdue(reason: string): boolean {
  return /^\s*$|overdue|unpaid|non.?payment/i.test(reason)
}
