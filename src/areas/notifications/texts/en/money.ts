import type { CreditReason, PaymentFailure } from '../kinds.ts'

/** Why a payment failed, and what helps, in English. */
export const PAYMENT_FAILURES: Readonly<Record<PaymentFailure, string>> = {
  amount_not_allowed: 'This amount cannot be paid with this payment method.',
  authentication_required: 'Your bank asks you to confirm this payment. Please try again.',
  card_not_supported: 'This card is not supported. Please use another one.',
  declined: 'The payment was declined. Please try another payment method.',
  expired_card: 'The card has expired. Please use another one.',
  incorrect_cvc: 'The card’s security code is wrong.',
  incorrect_number: 'The card number is wrong.',
  insufficient_funds: 'There are not enough funds in the account.',
  method_gone: 'This payment method is no longer saved. Please use another one.',
  provider_error: 'The payment could not be started. Please try another payment method.',
  try_again_later: 'The bank cannot be reached. Please try again later.',
}

/** Why credit was added, in English. */
export const CREDIT_REASONS: Readonly<Record<CreditReason, string>> = {
  overpaid: 'You paid more than was due.',
  late_payment: 'Your payment arrived after the invoice was closed.',
  refund_failed: 'A refund to your payment method failed.',
  goodwill: 'It is a goodwill credit.',
}
