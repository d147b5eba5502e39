import type { CreditReason, PaymentFailure } from '../kinds.ts'

/** Why a payment failed, and what helps, in English. */
export const PAYMENT_FAILURES: Readonly<Record<PaymentFailure, string>> = {
  amount_not_allowed: 'This amount cannot be paid this way.',
  authentication_required: 'Your bank wants you to confirm this payment. Please pay once more.',
  card_not_supported: 'This card is not supported. Please use another one.',
  declined: 'The payment was declined. Please try another way to pay.',
  expired_card: 'The card has expired. Please use another one.',
  incorrect_cvc: 'The card’s security code is wrong.',
  incorrect_number: 'The card number is wrong.',
  insufficient_funds: 'There is not enough money on the account.',
  method_gone: 'This payment method is no longer saved. Please use another one.',
  provider_error: 'The payment could not be started. Please try another way to pay.',
  try_again_later: 'The bank cannot be reached. Please try again later.',
}

/** Why somebody has more credit than before, in English. */
export const CREDIT_REASONS: Readonly<Record<CreditReason, string>> = {
  overpaid: 'More was paid than was due.',
  late_payment: 'The invoice was no longer open.',
  refund_failed: 'A refund could not be paid out.',
  goodwill: 'It is a gift.',
}
