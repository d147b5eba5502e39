import type { CreditReason, PaymentFailure } from '../kinds.ts'

/** Why a payment failed, and what helps, in Italian. */
export const PAYMENT_FAILURES: Readonly<Record<PaymentFailure, string>> = {
  amount_not_allowed: 'Questo importo non si può pagare con questo metodo di pagamento.',
  authentication_required: 'La tua banca ti chiede di confermare il pagamento. Riprova.',
  card_not_supported: 'Questa carta non è supportata. Usane un’altra.',
  declined: 'Il pagamento è stato rifiutato. Prova con un altro metodo di pagamento.',
  expired_card: 'La carta è scaduta. Usane un’altra.',
  incorrect_cvc: 'Il codice di sicurezza della carta è errato.',
  incorrect_number: 'Il numero della carta è errato.',
  insufficient_funds: 'I fondi sul conto non sono sufficienti.',
  method_gone: 'Questo metodo di pagamento non è più salvato. Usane un altro.',
  provider_error:
    'Non è stato possibile avviare il pagamento. Prova con un altro metodo di pagamento.',
  try_again_later: 'La banca non è raggiungibile. Riprova più tardi.',
}

/** Why credit was added, in Italian. */
export const CREDIT_REASONS: Readonly<Record<CreditReason, string>> = {
  overpaid: 'Hai pagato più del dovuto.',
  late_payment: 'Il tuo pagamento è arrivato dopo la chiusura della fattura.',
  refund_failed: 'Un rimborso sul tuo metodo di pagamento non è riuscito.',
  goodwill: 'È un omaggio da parte nostra.',
}
