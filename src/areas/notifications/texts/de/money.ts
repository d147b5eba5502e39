import type { CreditReason, PaymentFailure } from '../kinds.ts'

/** Why a payment failed, and what helps, in German. */
export const PAYMENT_FAILURES: Readonly<Record<PaymentFailure, string>> = {
  amount_not_allowed: 'Dieser Betrag kann mit dieser Zahlungsmethode nicht bezahlt werden.',
  authentication_required:
    'Deine Bank bittet dich, diese Zahlung zu bestätigen. Bitte versuche es erneut.',
  card_not_supported: 'Diese Karte wird nicht unterstützt. Bitte verwende eine andere.',
  declined: 'Die Zahlung wurde abgelehnt. Bitte versuche es mit einer anderen Zahlungsmethode.',
  expired_card: 'Die Karte ist abgelaufen. Bitte verwende eine andere.',
  incorrect_cvc: 'Die Prüfnummer der Karte ist falsch.',
  incorrect_number: 'Die Kartennummer ist falsch.',
  insufficient_funds: 'Das Konto ist nicht ausreichend gedeckt.',
  method_gone: 'Diese Zahlungsmethode ist nicht mehr gespeichert. Bitte verwende eine andere.',
  provider_error:
    'Die Zahlung konnte nicht gestartet werden. Bitte versuche es mit einer anderen Zahlungsmethode.',
  try_again_later: 'Die Bank ist nicht erreichbar. Bitte versuche es später erneut.',
}

/** Why credit was added, in German. */
export const CREDIT_REASONS: Readonly<Record<CreditReason, string>> = {
  overpaid: 'Du hast mehr bezahlt als nötig.',
  late_payment: 'Deine Zahlung kam an, als die Rechnung schon geschlossen war.',
  refund_failed: 'Eine Erstattung auf deine Zahlungsmethode ist fehlgeschlagen.',
  goodwill: 'Das ist eine Gutschrift aus Kulanz.',
}
