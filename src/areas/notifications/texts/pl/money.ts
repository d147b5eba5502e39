import type { CreditReason, PaymentFailure } from '../kinds.ts'

/** Why a payment failed, and what helps, in Polish. */
export const PAYMENT_FAILURES: Readonly<Record<PaymentFailure, string>> = {
  amount_not_allowed: 'Tej kwoty nie można zapłacić tą metodą płatności.',
  authentication_required: 'Twój bank prosi o potwierdzenie tej płatności. Spróbuj ponownie.',
  card_not_supported: 'Ta karta nie jest obsługiwana. Użyj innej.',
  declined: 'Płatność została odrzucona. Spróbuj innej metody płatności.',
  expired_card: 'Karta straciła ważność. Użyj innej.',
  incorrect_cvc: 'Kod zabezpieczający karty jest nieprawidłowy.',
  incorrect_number: 'Numer karty jest nieprawidłowy.',
  insufficient_funds: 'Na rachunku nie ma wystarczających środków.',
  method_gone: 'Ta metoda płatności nie jest już zapisana. Użyj innej.',
  provider_error: 'Nie udało się rozpocząć płatności. Spróbuj innej metody płatności.',
  try_again_later: 'Nie można połączyć się z bankiem. Spróbuj ponownie później.',
}

/** Why credit was added, in Polish. */
export const CREDIT_REASONS: Readonly<Record<CreditReason, string>> = {
  overpaid: 'Wpłata była wyższa niż należność.',
  late_payment: 'Twoja płatność wpłynęła po zamknięciu faktury.',
  refund_failed: 'Zwrot na twoją metodę płatności nie powiódł się.',
  goodwill: 'To gest z naszej strony.',
}
