import type { Decline, RetryAdvice } from '../error.ts'

const RETRY: Readonly<Record<string, RetryAdvice>> = {
  expired_card: 'new_method',
  lost_card: 'new_method',
  stolen_card: 'new_method',
  pickup_card: 'new_method',
  invalid_account: 'new_method',
  restricted_card: 'new_method',
  card_not_supported: 'new_method',
  incorrect_number: 'new_method',
  fraudulent: 'never',
  stop_payment_order: 'never',
  revocation_of_authorization: 'never',
  revocation_of_all_authorizations: 'never',
  merchant_blacklist: 'never',
  authentication_required: 'customer_action',
  incorrect_cvc: 'customer_action',
}

const GENERIC_MESSAGE = 'payment.declined'

// A reason that is not in this list is described in general words: nobody should learn from us that
// a card was reported stolen, or that a payment looked like fraud.
const MESSAGES: Readonly<Record<string, string>> = {
  authentication_required: 'payment.authentication_required',
  card_not_supported: 'payment.card_not_supported',
  expired_card: 'payment.expired_card',
  incorrect_cvc: 'payment.incorrect_cvc',
  incorrect_number: 'payment.incorrect_number',
  insufficient_funds: 'payment.insufficient_funds',
  issuer_not_available: 'payment.try_again_later',
  processing_error: 'payment.try_again_later',
  try_again_later: 'payment.try_again_later',
}

/** The fields of a Stripe error that contain why a bank refused. */
export interface StripeDecline {
  readonly code?: string | null
  readonly decline_code?: string | null
  readonly advice_code?: string | null
  readonly network_decline_code?: string | null
}

/** Reads a decline. After an unknown reason, the payment may be tried again later. */
export function declineOf(error: StripeDecline): Decline {
  const code = error.decline_code || error.code || 'generic_decline'
  const retry = error.advice_code === 'do_not_try_again' ? 'never' : RETRY[code]
  return {
    code,
    retry: retry ?? 'later',
    customerMessageKey: MESSAGES[code] ?? GENERIC_MESSAGE,
    ...(error.network_decline_code && { network: error.network_decline_code }),
  }
}

/** Whether the bank wants the customer to confirm the payment in person. */
export function needsCustomer(error: StripeDecline): boolean {
  return [error.code, error.decline_code].includes('authentication_required')
}
