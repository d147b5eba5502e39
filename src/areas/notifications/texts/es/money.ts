import type { CreditReason, PaymentFailure } from '../kinds.ts'

/** Why a payment failed, and what helps, in Spanish. */
export const PAYMENT_FAILURES: Readonly<Record<PaymentFailure, string>> = {
  amount_not_allowed: 'Este importe no se puede pagar con este método de pago.',
  authentication_required: 'Tu banco te pide que confirmes este pago. Vuelve a intentarlo.',
  card_not_supported: 'Esta tarjeta no se admite. Usa otra.',
  declined: 'El pago se ha rechazado. Prueba con otro método de pago.',
  expired_card: 'La tarjeta ha caducado. Usa otra.',
  incorrect_cvc: 'El código de seguridad de la tarjeta no es correcto.',
  incorrect_number: 'El número de la tarjeta no es correcto.',
  insufficient_funds: 'No hay fondos suficientes en la cuenta.',
  method_gone: 'Este método de pago ya no está guardado. Usa otro.',
  provider_error: 'No se ha podido iniciar el pago. Prueba con otro método de pago.',
  try_again_later: 'El banco no responde. Inténtalo más tarde.',
}

/** Why credit was added, in Spanish. */
export const CREDIT_REASONS: Readonly<Record<CreditReason, string>> = {
  overpaid: 'Has pagado más de lo que debías.',
  late_payment: 'Tu pago llegó cuando la factura ya estaba cerrada.',
  refund_failed: 'Ha fallado un reembolso a tu método de pago.',
  goodwill: 'Es una compensación por nuestra parte.',
}
