import Stripe from 'stripe'
import { SECOND_MS } from '#lib/time.ts'
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from '../error.ts'
import type { ProviderRef } from '../snapshots.ts'
import { declineOf, needsCustomer } from './declines.ts'

/** A failed read changed nothing; a failed write may have happened all the same. */
export type CallKind = 'read' | 'write'

const KINDS: Readonly<Record<string, GatewayErrorKind>> = {
  resource_missing: 'not_found',
  amount_too_small: 'amount_not_allowed',
  amount_too_large: 'amount_not_allowed',
  invalid_charge_amount: 'amount_not_allowed',
  payment_method_currency_mismatch: 'amount_not_allowed',
  charge_already_refunded: 'already_done',
  charge_already_captured: 'already_done',
  charge_disputed: 'wrong_state',
  refund_disputed_payment: 'wrong_state',
  payment_intent_unexpected_state: 'wrong_state',
  setup_intent_unexpected_state: 'wrong_state',
  payment_method_unexpected_state: 'wrong_state',
  payment_intent_mandate_invalid: 'method_gone',
  idempotency_key_in_use: 'in_progress',
  lock_timeout: 'in_progress',
  api_key_expired: 'credentials',
  platform_api_key_expired: 'credentials',
}

/** The gateway error for a failed call, with or without an answer. Never throws. */
export function failedCall(error: unknown, call: CallKind, secrets: Secrets): GatewayError {
  if (error instanceof GatewayError) return error
  if (!(error instanceof Stripe.errors.StripeError)) return noAnswer(call, 'no usable answer')
  const kind = kindOf(error, call)
  const message = `Stripe: ${withoutSecrets(error.message, secrets)}`
  return new GatewayError(kind, message, detailsOf(error, kind))
}

/** The error for a call without an answer, or with one that did not come from Stripe. */
export function noAnswer(call: CallKind, what: string): GatewayError {
  const kind = call === 'write' ? 'unknown_outcome' : 'unavailable'
  return new GatewayError(kind, `Stripe: ${what}.`)
}

type Secrets = Readonly<Record<string, string>>
type StripeError = InstanceType<typeof Stripe.errors.StripeError>

function kindOf(error: StripeError, call: CallKind): GatewayErrorKind {
  const { errors } = Stripe
  if (error instanceof errors.StripeCardError) {
    return needsCustomer(error) ? 'authentication_required' : 'declined'
  }
  if (error instanceof errors.StripeRateLimitError) return 'rate_limited'
  if (error instanceof errors.StripeIdempotencyError) return 'idempotency_mismatch'
  if (error instanceof errors.StripeAuthenticationError) return 'credentials'
  if (error instanceof errors.StripePermissionError) return 'credentials'
  const known = error.code === undefined ? undefined : KINDS[error.code]
  if (known) return known
  if (error.statusCode === 409) return 'in_progress'
  if (error instanceof errors.StripeInvalidRequestError) return 'invalid_request'
  return noAnswer(call, '').kind
}

/** Blanks our secrets, and everything that looks like one: Stripe repeats parts of a wrong key. */
function withoutSecrets(text: string, secrets: Secrets): string {
  let clean = text
  for (const secret of Object.values(secrets)) {
    if (secret) clean = clean.replaceAll(secret, '***')
  }
  return clean.replace(/\b(sk|rk|whsec)_[!-~]+|\b[a-z]+_\w+_secret_\w+/g, '***')
}

function detailsOf(error: StripeError, kind: GatewayErrorKind): GatewayErrorDetails {
  const ref = refOf(error)
  const retryAfterMs = kind === 'rate_limited' ? retryAfterOf(error) : undefined
  const isDecline = kind === 'declined' || kind === 'authentication_required'
  return {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(isDecline && { decline: declineOf(error) }),
    ...(ref && { ref }),
    ...(error.code && { providerCode: error.code }),
    ...(error.requestId && { providerRequestId: error.requestId }),
  }
}

function refOf({ payment_intent: intent }: StripeError): ProviderRef | undefined {
  if (!intent?.id) return undefined
  const customerId = typeof intent.customer === 'string' ? intent.customer : intent.customer?.id
  return { paymentId: intent.id, ...(customerId && { customerId }) }
}

function retryAfterOf(error: StripeError): number | undefined {
  const seconds = Number(error.headers?.['retry-after'] ?? Number.NaN)
  return seconds >= 0 ? seconds * SECOND_MS : undefined
}
