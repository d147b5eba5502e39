import { createHash } from 'node:crypto'
import { centsOfDecimal, decimalText, isCurrency } from '#lib/currency.ts'
import { type Cents, cents, sumCents } from '#lib/money.ts'
import { type Instant, instant } from '#lib/time.ts'
import type { GatewayContext } from '../contract.ts'
import { GatewayError } from '../error.ts'
import type {
  Correlation,
  DisputeSnapshot,
  DisputeState,
  MethodSnapshot,
  Money,
  PaymentSnapshot,
  PaymentState,
  RefundSnapshot,
  RefundState,
} from '../snapshots.ts'
import { declineOf } from './errors.ts'
import type { Capture, Dispute, Order, PaypalMoney, Refund, Wallet } from './schema.ts'

/** Currencies PayPal takes with the decimals of ISO 4217, unlike forints and Taiwan dollars. */
export const CURRENCIES = [
  ...['AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'ILS', 'JPY', 'MXN'],
  ...['MYR', 'NOK', 'NZD', 'PHP', 'PLN', 'SEK', 'SGD', 'THB', 'USD'],
] as const

/** An amount in PayPal's form. Throws `amount_not_allowed`. */
export function amountFor({ amountCents, currency }: Money): PaypalMoney {
  if (!CURRENCIES.some((known) => known === currency)) {
    throw new GatewayError('amount_not_allowed', `PayPal: it takes no ${currency}.`)
  }
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0) {
    throw new GatewayError('amount_not_allowed', 'PayPal: the amount must be above 0.')
  }
  return { currency_code: currency, value: decimalText(amountCents, currency) }
}

/** An amount from PayPal's form. */
export function moneyOf({ value, currency_code: currency }: PaypalMoney): Money {
  try {
    if (isCurrency(currency)) return { amountCents: centsOfDecimal(value, currency), currency }
  } catch {
    // The error is thrown below.
  }
  throw new GatewayError('unavailable', 'PayPal: the answer holds no amount.')
}

/** Our ids in the one field PayPal stores for us; `tenant` and `invoice` follow from the attempt. */
export function customIdFor({ installationId, gatewayId, attemptId }: Correlation): string {
  return [installationId, gatewayId, attemptId].join('.')
}

/** Our ids on one of PayPal's objects; undefined if it has none. */
export function correlationIn(customId: string | null | undefined) {
  const [installationId, gatewayId, attemptId, more] = customId?.split('.') ?? []
  if (!installationId || !gatewayId || !attemptId || more !== undefined) return undefined
  return { installationId, gatewayId, attemptId }
}

/** Our id for a customer at PayPal; a different one for each gateway of an account. */
export function customerIdFor(
  { installationId, gatewayId }: GatewayContext,
  userId: string,
): string {
  const digest = createHash('sha256').update(JSON.stringify([installationId, gatewayId, userId]))
  return digest.digest('base64url')
}

const ORDER_STATES: Readonly<Record<string, PaymentState>> = {
  CREATED: 'open',
  SAVED: 'open',
  PAYER_ACTION_REQUIRED: 'open',
  VOIDED: 'canceled',
}

const CAPTURE_STATES: Readonly<Record<string, PaymentState>> = {
  COMPLETED: 'paid',
  PARTIALLY_REFUNDED: 'paid',
  REFUNDED: 'paid',
  DECLINED: 'failed',
  FAILED: 'failed',
}

/**
 * An order with what was captured of it. Approved is not paid: the money comes once it is captured. An
 * unknown state counts as still under way. Disputes are reported separately.
 */
export function paymentOf(order: Order, observedAt: Instant): PaymentSnapshot {
  const [unit] = order.purchase_units
  if (!unit) throw new GatewayError('unavailable', 'PayPal: the order holds nothing.')
  const requested = moneyOf(unit.amount)
  const capture = captureOf(order)
  const state = capture
    ? (CAPTURE_STATES[capture.status] ?? 'processing')
    : (ORDER_STATES[order.status] ?? 'processing')
  const correlation = correlationIn(unit.custom_id)
  const nothing = { amountCents: cents(0), currency: requested.currency }
  const fee = capture?.seller_receivable_breakdown?.paypal_fee
  const method = walletOf(order)
  const { currency } = requested
  return {
    ref: { checkoutId: order.id, ...(capture && { paymentId: capture.id }) },
    ...(correlation && { correlation }),
    ...{ state, requested },
    received: capture && state === 'paid' ? moneyOf(capture.amount) : nothing,
    refundedCents: sumCents(
      refundsIn(order)
        .filter(({ status }) => (REFUND_STATES[status] ?? 'pending') !== 'failed')
        .map(({ amount }) => moneyOf(amount))
        .filter((it) => it.currency === currency)
        .map(({ amountCents }) => amountCents),
    ),
    disputedCents: cents(0),
    ...(capture?.create_time && state === 'paid' && { paidAt: instant(capture.create_time) }),
    ...(fee && state === 'paid' && { fee: moneyOf(fee) }),
    ...(method && capture && { method }),
    ...(capture &&
      state === 'failed' && {
        failure: declineOf(capture.processor_response?.response_code ?? capture.status),
      }),
    ...(!capture && order.status === 'APPROVED' && { toSettle: true as const }),
    observedAt,
  }
}

/** The capture that counts: one that brought money, otherwise the last one. */
function captureOf(order: Order): Capture | undefined {
  const captures = order.purchase_units[0]?.payments?.captures ?? []
  return captures.find(({ status }) => CAPTURE_STATES[status] === 'paid') ?? captures.at(-1)
}

function refundsIn(order: Order): readonly Refund[] {
  return order.purchase_units[0]?.payments?.refunds ?? []
}

/** All refunds of an order's capture, also those made in PayPal's own pages. */
export function refundsOf(order: Order, observedAt: Instant): RefundSnapshot[] {
  const paymentId = captureOf(order)?.id
  if (!paymentId) return []
  return refundsIn(order).map((it) => refundOf(it, paymentId, observedAt))
}

function walletOf({ id, payment_source: source }: Order): MethodSnapshot | undefined {
  const wallet = source?.paypal
  if (!wallet) return undefined
  const token = wallet.attributes?.vault
  const country = wallet.address?.country_code
  return {
    ...methodOf(token?.id ?? id, wallet),
    reusableOffSession: Boolean(token?.id) && token?.status === 'VAULTED',
    ...(country && { country }),
  }
}

/** A saved wallet; people recognize it by its e-mail address at PayPal. */
export function methodOf(methodId: string, wallet: Wallet | null | undefined): MethodSnapshot {
  const { email_address: label, account_id: fingerprint } = wallet ?? {}
  return {
    ...{ methodId, kind: 'paypal', reusableOffSession: true, state: 'usable' },
    ...(label && { label }),
    ...(fingerprint && { fingerprint }),
  }
}

const REFUND_STATES: Readonly<Record<string, RefundState>> = {
  COMPLETED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'canceled',
}

/** A refund, ours or one made in PayPal's own pages. */
export function refundOf(refund: Refund, paymentId: string, observedAt: Instant): RefundSnapshot {
  const state = REFUND_STATES[refund.status] ?? 'pending'
  // A refund made in PayPal's own pages has the order's text in this field, without our mark.
  const ours = refund.custom_id?.startsWith(REFUND_MARK) && refund.custom_id.slice(1)
  return {
    refundId: refund.id,
    payment: { paymentId },
    ...(ours && { ourRefundId: ours }),
    amount: moneyOf(refund.amount),
    state,
    ...(state === 'failed' && { failureCode: 'failed' }),
    observedAt,
  }
}

const REFUND_MARK = 'r'

/** The mark of our refunds at PayPal. */
export function refundMarkFor(ourRefundId: string): string {
  return `${REFUND_MARK}${ourRefundId}`
}

const LOST = new Set(['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'])
const UNHELD = new Set(['INQUIRY'])

/** A dispute. PayPal takes the money when it becomes a claim, not while it is an inquiry. */
export function disputeOf(
  dispute: Dispute,
  paymentId: string,
  observedAt: Instant,
): DisputeSnapshot {
  const amount = moneyOf(dispute.dispute_amount)
  const inquiry = UNHELD.has(dispute.dispute_life_cycle_stage ?? '')
  const state = disputeStateOf(dispute, inquiry)
  const held = state === 'needs_response' || state === 'under_review' || state === 'lost'
  const dueAt = dispute.seller_response_due_date
  return {
    disputeId: dispute.dispute_id,
    payment: { paymentId },
    ...{ amount, state },
    fundsHeldCents: held ? takenBy(dispute, amount) : cents(0),
    ...{ feeCents: cents(0), feeCurrency: amount.currency },
    ...(dispute.reason && { reason: dispute.reason }),
    ...(dueAt && { respondBy: instant(dueAt) }),
    observedAt,
  }
}

/** The amount that the claim takes: all that was claimed or, if PayPal decided on less, that. */
function takenBy({ dispute_outcome: outcome }: Dispute, claimed: Money): Cents {
  const given = outcome?.amount_refunded && moneyOf(outcome.amount_refunded)
  if (!given || given.currency !== claimed.currency) return claimed.amountCents
  return cents(Math.min(given.amountCents, claimed.amountCents))
}

function disputeStateOf({ status, dispute_outcome: outcome }: Dispute, inquiry: boolean) {
  const code = outcome?.outcome_code ?? ''
  const over = status === 'RESOLVED'
  const states: readonly (readonly [boolean, DisputeState])[] = [
    [over && LOST.has(code), 'lost'],
    [over && inquiry, 'closed_without_loss'],
    [over, 'won'],
    [inquiry, 'inquiry'],
    [status === 'UNDER_REVIEW', 'under_review'],
  ]
  return states.find(([fits]) => fits)?.[1] ?? 'needs_response'
}
