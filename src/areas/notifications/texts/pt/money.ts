import type { CreditReason, PaymentFailure } from '../kinds.ts'

/** Why a payment failed, and what helps, in Portuguese. */
export const PAYMENT_FAILURES: Readonly<Record<PaymentFailure, string>> = {
  amount_not_allowed: 'Não é possível pagar este valor com este método de pagamento.',
  authentication_required: 'O seu banco pede que confirme este pagamento. Tente novamente.',
  card_not_supported: 'Este cartão não é aceite. Use outro.',
  declined: 'O pagamento foi recusado. Tente com outro método de pagamento.',
  expired_card: 'O cartão expirou. Use outro.',
  incorrect_cvc: 'O código de segurança do cartão está incorreto.',
  incorrect_number: 'O número do cartão está incorreto.',
  insufficient_funds: 'A conta bancária não tem saldo suficiente.',
  method_gone: 'Este método de pagamento já não está guardado. Use outro.',
  provider_error: 'Não foi possível iniciar o pagamento. Tente com outro método de pagamento.',
  try_again_later: 'O banco não responde. Tente novamente mais tarde.',
}

/** Why credit was added, in Portuguese. */
export const CREDIT_REASONS: Readonly<Record<CreditReason, string>> = {
  overpaid: 'Pagou mais do que o valor em dívida.',
  late_payment: 'O seu pagamento chegou depois de a fatura ter sido encerrada.',
  refund_failed: 'Um reembolso para o seu método de pagamento falhou.',
  goodwill: 'É uma oferta da nossa parte.',
}
