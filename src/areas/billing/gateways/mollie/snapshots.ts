import { centsOfDecimal, decimalText, isCurrency } from '#lib/currency.ts'
import { type Cents, cents, sumCents } from '#lib/money.ts'
import { type Instant, instant } from '#lib/time.ts'
import { type Decline, GatewayError, type RetryAdvice } from '../error.ts'
import type {
  Correlation,
  DisputeSnapshot,
  MethodKind,
  MethodSnapshot,
  Money,
  PaymentSnapshot,
  PaymentState,
  RefundSnapshot,
  RefundState,
} from '../snapshots.ts'
import { ownMetadata } from './client.ts'
import type { Chargeback, Mandate, MollieMoney, Payment, Refund } from './schema.ts'

/** Currencies that Mollie takes with the decimals of ISO 4217. */
export const CURRENCIES = [
  ...['AED', 'AUD', 'BRL', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HUF', 'ILS', 'JPY'],
  ...['MXN', 'MYR', 'NOK', 'NZD', 'PHP', 'PLN', 'RON', 'SEK', 'SGD', 'THB', 'TWD', 'USD', 'ZAR'],
] as const

/** An amount in Mollie's form: text with the currency's decimals. Throws `amount_not_allowed`. */
export function amountFor({ amountCents, currency }: Money): MollieMoney {
  if (!CURRENCIES.some((known) => known === currency)) {
    throw new GatewayError('amount_not_allowed', `Mollie: it takes no ${currency}.`)
  }
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0) {
    throw new GatewayError('amount_not_allowed', 'Mollie: the amount must be above 0.')
  }
  return { currency, value: decimalText(amountCents, currency) }
}

/** An amount from Mollie's form. */
export function moneyOf({ value, currency }: MollieMoney): Money {
  if (!isCurrency(currency) || !/^-?\d+(\.\d+)?$/.test(value)) {
    throw new GatewayError('unavailable', 'Mollie: the answer holds no amount.')
  }
  return { amountCents: centsOfDecimal(value, currency), currency }
}

function centsOf(money: MollieMoney | undefined): Cents {
  return money ? moneyOf(money).amountCents : cents(0)
}

const STATES: Readonly<Record<string, PaymentState>> = {
  open: 'open',
  pending: 'processing',
  authorized: 'processing',
  paid: 'paid',
  failed: 'failed',
  canceled: 'canceled',
  expired: 'expired',
}

/** A payment, with its mandate if it created one. An unknown state counts as still under way. */
export function paymentOf(
  payment: Payment,
  { mandate, observedAt }: { mandate?: Mandate | undefined; observedAt: Instant },
): PaymentSnapshot {
  const requested = moneyOf(payment.amount)
  const state = STATES[payment.status] ?? 'processing'
  const correlation = correlationOf(payment.metadata)
  const received = state === 'paid' ? requested.amountCents : cents(0)
  const { customerId, paidAt } = payment
  return {
    ref: {
      ...{ checkoutId: payment.id, paymentId: payment.id },
      ...(customerId && { customerId }),
    },
    ...(correlation && { correlation }),
    ...{ state, requested, received: { amountCents: received, currency: requested.currency } },
    refundedCents: centsOf(payment.amountRefunded),
    disputedCents: chargedBack(payment),
    ...(paidAt && { paidAt: instant(paidAt) }),
    ...(payment.method && { method: methodUsed(payment, mandate) }),
    ...(state === 'failed' && { failure: declineOf(payment) }),
    observedAt,
  }
}

/** What was charged back and not reversed: by the chargebacks, if the answer includes them. */
function chargedBack(payment: Payment): Cents {
  const all = payment._embedded?.chargebacks
  if (!all) return centsOf(payment.amountChargedBack)
  return sumCents(all.filter(({ reversedAt }) => !reversedAt).map(({ amount }) => centsOf(amount)))
}

/** Our ids on one of Mollie's objects; undefined if it has none. */
export function correlationOf(metadata: unknown): Partial<Correlation> | undefined {
  const own = ownMetadata(metadata)
  if (!own.installation_id) return undefined
  return {
    installationId: own.installation_id,
    ...(own.tenant_id && { tenantId: own.tenant_id }),
    ...(own.gateway_id && { gatewayId: own.gateway_id }),
    ...(own.attempt_id && { attemptId: own.attempt_id }),
    ...(own.invoice_id && { invoiceId: own.invoice_id }),
  }
}

/** A mandate can only be read through its customer, so a method's id contains both. */
function methodIdOf(customerId: string, mandateId: string): string {
  return `${customerId}/${mandateId}`
}

/** The customer and mandate of a method's id. Throws `method_gone` for a text in any other form. */
export function mandateIn(methodId: string): { customerId: string; mandateId: string } {
  const [, customerId, mandateId] = /^(cst_\w+)\/(mdt_\w+)$/.exec(methodId) ?? []
  if (!customerId || !mandateId) throw new GatewayError('method_gone', 'Mollie: no such mandate.')
  return { customerId, mandateId }
}

function methodUsed(payment: Payment, mandate: Mandate | undefined): MethodSnapshot {
  if (mandate && payment.customerId) return methodOf(payment.customerId, mandate)
  return {
    methodId: payment.id,
    ...{ reusableOffSession: false, state: 'usable' },
    ...shownOf(payment.method ?? '', payment.details),
  }
}

const MANDATE_STATES: Readonly<Record<string, MethodSnapshot['state']>> = {
  valid: 'usable',
  pending: 'pending',
}

/** A saved method, from the mandate that allows charging it. */
export function methodOf(customerId: string, mandate: Mandate): MethodSnapshot {
  const now = MANDATE_STATES[mandate.status] ?? 'gone'
  return {
    methodId: methodIdOf(customerId, mandate.id),
    ...{ reusableOffSession: now !== 'gone', state: now },
    ...shownOf(mandate.method, mandate.details),
  }
}

const METHOD_KINDS: Readonly<Record<string, MethodKind>> = {
  creditcard: 'card',
  directdebit: 'sepa_debit',
  paypal: 'paypal',
  banktransfer: 'bank_transfer',
}

type Shown = Pick<
  MethodSnapshot,
  'kind' | 'brand' | 'last4' | 'expMonth' | 'expYear' | 'fingerprint' | 'label'
>

function shownOf(method: string, details: Payment['details']): Shown {
  const kind = METHOD_KINDS[method] ?? 'other'
  const text = (name: string) => {
    const value = details?.[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const brand = text('cardLabel')?.toLowerCase()
  const number = text('cardNumber') ?? (kind === 'sepa_debit' ? text('consumerAccount') : undefined)
  const [, year, month] = /^(\d{4})-(\d{2})-\d{2}$/.exec(text('cardExpiryDate') ?? '') ?? []
  const fingerprint = text('cardFingerprint')
  return {
    kind,
    ...(brand && { brand }),
    ...(number && { last4: number.slice(-4) }),
    ...(year && month && { expYear: Number(year), expMonth: Number(month) }),
    ...(fingerprint && { fingerprint }),
    ...(kind === 'other' && { label: method }),
  }
}

const RETRY: Readonly<Record<string, RetryAdvice>> = {
  authentication_abandoned: 'customer_action',
  authentication_failed: 'customer_action',
  authentication_required: 'customer_action',
  authentication_unavailable_acs: 'customer_action',
  card_expired: 'new_method',
  inactive_card: 'new_method',
  invalid_card_number: 'new_method',
  invalid_card_type: 'new_method',
  invalid_cvv: 'customer_action',
  possible_fraud: 'never',
}

// A reason that is not in this list is described in general words.
const MESSAGES: Readonly<Record<string, string>> = {
  authentication_failed: 'payment.authentication_required',
  authentication_required: 'payment.authentication_required',
  card_expired: 'payment.expired_card',
  insufficient_funds: 'payment.insufficient_funds',
  invalid_card_number: 'payment.incorrect_number',
  invalid_card_type: 'payment.card_not_supported',
  invalid_cvv: 'payment.incorrect_cvc',
}

/** Why a payment failed. After an unknown reason, the payment may be tried again later. */
export function declineOf({ details }: Pick<Payment, 'details'>): Decline {
  const told = details?.failureReason
  const code = typeof told === 'string' ? told : 'generic_decline'
  return {
    code,
    retry: RETRY[code] ?? 'later',
    customerMessageKey: MESSAGES[code] ?? 'payment.declined',
  }
}

const REFUND_STATES: Readonly<Record<string, RefundState>> = {
  refunded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
}

/** A refund, ours or one made in Mollie's dashboard; Mollie can cancel it until it is sent. */
export function refundOf(refund: Refund, observedAt: Instant): RefundSnapshot {
  const ourRefundId = ownMetadata(refund.metadata).refund_id
  const { amountCents, currency } = moneyOf(refund.amount)
  const state = REFUND_STATES[refund.status] ?? 'pending'
  return {
    refundId: refund.id,
    payment: { paymentId: refund.paymentId },
    ...(ourRefundId && { ourRefundId }),
    amount: { amountCents: cents(Math.abs(amountCents)), currency },
    state,
    ...(state === 'failed' && { failureCode: 'failed' }),
    observedAt,
  }
}

/** A chargeback: the money is gone when we learn of it, and seldom comes back. */
export function disputeOf(chargeback: Chargeback, observedAt: Instant): DisputeSnapshot {
  const amount = moneyOf(chargeback.amount)
  const isReversed = Boolean(chargeback.reversedAt)
  return {
    disputeId: chargeback.id,
    payment: { paymentId: chargeback.paymentId },
    ...{ amount, state: isReversed ? 'won' : 'lost' },
    fundsHeldCents: isReversed ? cents(0) : amount.amountCents,
    ...{ feeCents: cents(0), feeCurrency: amount.currency },
    ...(chargeback.reason && { reason: chargeback.reason.description }),
    observedAt,
  }
}
