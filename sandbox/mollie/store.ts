import { randomBytes } from 'node:crypto'

export type Money = { currency: string; value: string }

export type Payment = {
  id: string
  createdAt: string
  status: 'open' | 'pending' | 'paid' | 'failed' | 'canceled' | 'expired'
  amount: Money
  description: string
  metadata: unknown
  method: string | null
  sequenceType: 'oneoff' | 'first' | 'recurring'
  customerId: string | null
  mandateId: string | null
  redirectUrl: string | null
  cancelUrl: string | null
  webhookUrl: string | null
  paidAt: string | null
  expiresAt: string | null
  details: Record<string, unknown> | null
}

export type Refund = {
  id: string
  paymentId: string
  createdAt: string
  status: 'queued' | 'pending' | 'refunded' | 'failed' | 'canceled'
  amount: Money
  metadata: unknown
}

export type Chargeback = {
  id: string
  paymentId: string
  createdAt: string
  amount: Money
  reversedAt: string | null
}

export type Customer = { id: string; createdAt: string; fields: Record<string, unknown> }

export type Mandate = {
  id: string
  customerId: string
  createdAt: string
  status: 'valid' | 'pending' | 'invalid'
  method: string
  details: Record<string, unknown>
  /** What a charge of it comes to; what a card of the real world would keep to itself. */
  outcome: string
}

/** Everything that was made, oldest first. */
export type Store = {
  payments: Map<string, Payment>
  refunds: Map<string, Refund>
  chargebacks: Map<string, Chargeback>
  customers: Map<string, Customer>
  mandates: Map<string, Mandate>
}

export function emptyStore(): Store {
  return {
    payments: new Map(),
    refunds: new Map(),
    chargebacks: new Map(),
    customers: new Map(),
    mandates: new Map(),
  }
}

const ID_BYTES = 8

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(ID_BYTES).toString('hex')}`
}

const DECIMALS: Readonly<Record<string, number>> = { JPY: 0 }

/** The decimals Mollie wants for a currency. */
export function decimalsOf(currency: string): number {
  return DECIMALS[currency] ?? 2
}

export function unitsOf({ value }: Money): number {
  return Number(value.replace('.', ''))
}

export function moneyOf(units: number, currency: string): Money {
  const decimals = decimalsOf(currency)
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return { currency, value: decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}` }
}

/** What of a payment went back, or is on its way back. */
export function refundedOf(store: Store, paymentId: string): number {
  const refunds = [...store.refunds.values()].filter((it) => it.paymentId === paymentId)
  const counted = refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  return counted.reduce((sum, { amount }) => sum + unitsOf(amount), 0)
}

export function chargedBackOf(store: Store, paymentId: string): number {
  const all = [...store.chargebacks.values()].filter((it) => it.paymentId === paymentId)
  const counted = all.filter(({ reversedAt }) => reversedAt === null)
  return counted.reduce((sum, { amount }) => sum + unitsOf(amount), 0)
}
