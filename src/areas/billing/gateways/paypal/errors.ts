import { SECOND_MS } from '#lib/time.ts'
import type { OutboundResponse } from '#platform/outbound.ts'
import { type Decline, GatewayError, type GatewayErrorKind, type RetryAdvice } from '../error.ts'

const LONGEST_TEXT = 300

/** The error for a call without an answer, or with one that did not come from PayPal. */
export function noAnswer(write: boolean, what: string): GatewayError {
  const kind = write ? 'unknown_outcome' : 'unavailable'
  return new GatewayError(kind, `PayPal: ${what}.`)
}

const KINDS: Readonly<Record<number, GatewayErrorKind>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'not_found',
  409: 'in_progress',
  429: 'rate_limited',
}

/** What PayPal's issues mean; any other issue is a bug of ours or a wrong setting. */
const ISSUES: Readonly<Record<string, GatewayErrorKind>> = {
  AGREEMENT_ALREADY_CANCELLED: 'method_gone',
  AMOUNT_MISMATCH: 'invalid_request',
  BILLING_AGREEMENT_NOT_FOUND: 'method_gone',
  CANNOT_BE_ZERO_OR_NEGATIVE: 'amount_not_allowed',
  CAPTURE_FULLY_REFUNDED: 'already_done',
  CURRENCY_NOT_SUPPORTED: 'amount_not_allowed',
  CURRENCY_NOT_SUPPORTED_FOR_COUNTRY: 'amount_not_allowed',
  DECIMAL_PRECISION: 'amount_not_allowed',
  // This attempt was captured before: look the capture up, and create nothing.
  DUPLICATE_INVOICE_ID: 'unknown_outcome',
  MAX_VALUE_EXCEEDED: 'amount_not_allowed',
  ORDER_ALREADY_CAPTURED: 'already_done',
  ORDER_NOT_APPROVED: 'wrong_state',
  PAYER_ACTION_REQUIRED: 'authentication_required',
  PENDING_CAPTURE: 'wrong_state',
  REFUND_AMOUNT_EXCEEDED: 'already_done',
  REFUND_NOT_ALLOWED: 'wrong_state',
  REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK: 'wrong_state',
  TOKEN_EXPIRED: 'method_gone',
  TOKEN_ID_NOT_FOUND: 'method_gone',
  TRANSACTION_AMOUNT_EXCEEDS_MONTHLY_MAX_LIMIT: 'amount_not_allowed',
  TRANSACTION_DISPUTED: 'wrong_state',
}

const DECLINES: Readonly<Record<string, RetryAdvice>> = {
  COMPLIANCE_VIOLATION: 'never',
  DOMESTIC_TRANSACTION_REQUIRED: 'new_method',
  INSTRUMENT_DECLINED: 'later',
  PAYEE_BLOCKED_TRANSACTION: 'never',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'new_method',
  PAYER_ACCOUNT_RESTRICTED: 'new_method',
  PAYER_CANNOT_PAY: 'later',
  TRANSACTION_BLOCKED_BY_PAYEE: 'never',
  TRANSACTION_LIMIT_EXCEEDED: 'later',
  TRANSACTION_RECEIVING_LIMIT_EXCEEDED: 'later',
  TRANSACTION_REFUSED: 'later',
}

/** Why a payment failed, in the words the core acts on. An unknown reason may be tried again. */
export function declineOf(code: string): Decline {
  return { code, retry: DECLINES[code] ?? 'later', customerMessageKey: 'payment.declined' }
}

/** Errors whose details are sentences. */
const NAMED: ReadonlySet<string> = new Set(['NOT_AUTHORIZED', 'RESULTSET_TOO_LARGE'])

type Told = { name?: unknown; message?: unknown; details?: { issue?: unknown }[] }

/** The error for an unsuccessful answer. Answers that do not come from PayPal decide nothing. */
export function refusalOf(
  { status, headers, text }: OutboundResponse,
  write: boolean,
): GatewayError {
  const { name, message, details } = toldIn(text)
  if (status >= 500 || status < 400 || typeof name !== 'string') {
    return noAnswer(write, `no usable answer (${status})`)
  }
  const issue = Array.isArray(details) && !NAMED.has(name) ? details[0]?.issue : undefined
  const code = typeof issue === 'string' ? issue : name
  const seconds = Number(headers['retry-after'])
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * SECOND_MS : undefined
  const told = `PayPal: ${String(message ?? name).slice(0, LONGEST_TEXT)} (${code})`
  const more = { providerCode: code, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  if (code in DECLINES) {
    return new GatewayError('declined', told, { ...more, decline: declineOf(code) })
  }
  const kind = ISSUES[code] ?? KINDS[status] ?? 'invalid_request'
  if (kind !== 'authentication_required') return new GatewayError(kind, told, more)
  return new GatewayError(kind, told, { ...more, decline: AUTHENTICATION })
}

/** PayPal requires the customer's confirmation. */
export const AUTHENTICATION: Decline = {
  code: 'PAYER_ACTION_REQUIRED',
  retry: 'customer_action',
  customerMessageKey: 'payment.authentication_required',
}

function toldIn(text: string): Told {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Told) : {}
  } catch {
    return {}
  }
}
