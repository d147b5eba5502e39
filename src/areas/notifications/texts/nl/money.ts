import type { CreditReason, PaymentFailure } from '../kinds.ts'

/** Why a payment failed, and what helps, in Dutch. */
export const PAYMENT_FAILURES: Readonly<Record<PaymentFailure, string>> = {
  amount_not_allowed: 'Dit bedrag kan niet met deze betaalmethode worden betaald.',
  authentication_required: 'Je bank vraagt je om deze betaling te bevestigen. Probeer het opnieuw.',
  card_not_supported: 'Deze kaart wordt niet ondersteund. Gebruik een andere kaart.',
  declined: 'De betaling is geweigerd. Probeer een andere betaalmethode.',
  expired_card: 'De kaart is verlopen. Gebruik een andere kaart.',
  incorrect_cvc: 'De beveiligingscode van de kaart klopt niet.',
  incorrect_number: 'Het kaartnummer klopt niet.',
  insufficient_funds: 'Er staat niet genoeg saldo op de rekening.',
  method_gone: 'Deze betaalmethode is niet meer opgeslagen. Gebruik een andere.',
  provider_error: 'De betaling kon niet worden gestart. Probeer een andere betaalmethode.',
  try_again_later: 'De bank is niet bereikbaar. Probeer het later opnieuw.',
}

/** Why credit was added, in Dutch. */
export const CREDIT_REASONS: Readonly<Record<CreditReason, string>> = {
  overpaid: 'Je hebt meer betaald dan nodig was.',
  late_payment: 'Je betaling kwam binnen nadat de factuur was gesloten.',
  refund_failed: 'Een terugbetaling naar je betaalmethode is mislukt.',
  goodwill: 'Het is een tegemoetkoming van ons.',
}
