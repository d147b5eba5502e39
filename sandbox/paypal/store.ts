import { randomBytes } from 'node:crypto'

export type Money = { currency_code: string; value: string }

export type Refund = {
  id: string
  status: string
  amount: Money
  custom_id?: string
  create_time: string
}

export type Capture = {
  id: string
  status: string
  amount: Money
  custom_id?: string
  invoice_id?: string
  create_time: string
  seller_receivable_breakdown: { paypal_fee: Money }
  supplementary_data: { related_ids: { order_id: string } }
}

export type Order = {
  id: string
  status: string
  create_time: string
  update_time: string
  amount: Money
  customId: string | undefined
  invoiceId: string | undefined
  returnUrl: string | undefined
  cancelUrl: string | undefined
  /** Whose wallet is to be kept once it has paid. */
  savesFor: string | null
  token: Token | null
  /** What a capture comes to, and later charges of a wallet that is saved here. */
  outcome: string
  laterCharges: string
  captures: Capture[]
  refunds: Refund[]
}

export type Token = {
  id: string
  merchantCustomerId: string
  /** What a charge of it comes to: `paid`, or the issue that it fails with. */
  outcome: string
  gone: boolean
}

export type Dispute = {
  dispute_id: string
  create_time: string
  status: string
  reason: string
  dispute_amount: Money
  dispute_life_cycle_stage: string
  dispute_outcome?: { outcome_code: string; amount_refunded?: Money }
  disputed_transactions: { seller_transaction_id: string }[]
}

export type Event = {
  id: string
  event_type: string
  create_time: string
  resource_version: string
  resource: Record<string, unknown>
}

export type Webhook = { id: string; url: string; event_types: { name: string }[] }

/** Everything that was made, oldest first. */
export type Store = {
  orders: Map<string, Order>
  tokens: Map<string, Token>
  disputes: Map<string, Dispute>
  webhooks: Map<string, Webhook>
  events: Event[]
  search: Search
}

/** How the list of transactions behaves. */
export type Search = {
  /** Whether the app may search at all. */
  allowed: boolean
  /** How long it takes until a transaction is listed. */
  behindMs: number
  /** The most transactions that one question may come to. */
  most: number
}

export function emptyStore(): Store {
  return {
    ...{ orders: new Map(), tokens: new Map(), disputes: new Map(), webhooks: new Map() },
    ...{ events: [], search: { allowed: true, behindMs: 0, most: 10_000 } },
  }
}

const ID_BYTES = 9

export function newId(): string {
  return randomBytes(ID_BYTES).toString('hex').slice(0, 17).toUpperCase()
}

const WHOLE = new Set(['HUF', 'JPY', 'TWD'])

export function unitsOf({ value }: Money): number {
  return Number(value.replace('.', ''))
}

export function hasRightDecimals({ currency_code: currency, value }: Money): boolean {
  return (WHOLE.has(currency) ? /^\d+$/ : /^\d+\.\d{2}$/).test(value)
}

export function moneyOf(units: number, currency: string): Money {
  const text = String(Math.abs(units)).padStart(3, '0')
  const whole = WHOLE.has(currency) ? text.replace(/^0+(?=\d)/, '') : null
  const value = whole ?? `${text.slice(0, -2)}.${text.slice(-2)}`
  return { currency_code: currency, value: units < 0 ? `-${value}` : value }
}

export function captureAt(store: Store, id: string): { order: Order; capture: Capture } | null {
  for (const order of store.orders.values()) {
    const capture = order.captures.find((it) => it.id === id)
    if (capture) return { order, capture }
  }
  return null
}

export function refundedOf({ refunds }: Order): number {
  const counted = refunds.filter(({ status }) => status !== 'FAILED' && status !== 'CANCELLED')
  return counted.reduce((sum, { amount }) => sum + unitsOf(amount), 0)
}
