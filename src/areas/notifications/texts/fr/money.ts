import type { CreditReason, PaymentFailure } from '../kinds.ts'

/** Why a payment failed, and what helps, in French. */
export const PAYMENT_FAILURES: Readonly<Record<PaymentFailure, string>> = {
  amount_not_allowed: 'Ce montant ne peut pas être réglé avec ce moyen de paiement.',
  authentication_required:
    'Votre banque vous demande de confirmer ce paiement. Merci de réessayer.',
  card_not_supported: 'Cette carte n’est pas acceptée. Merci d’en utiliser une autre.',
  declined: 'Le paiement a été refusé. Merci d’essayer un autre moyen de paiement.',
  expired_card: 'La carte a expiré. Merci d’en utiliser une autre.',
  incorrect_cvc: 'Le code de sécurité de la carte est incorrect.',
  incorrect_number: 'Le numéro de la carte est incorrect.',
  insufficient_funds: 'Le solde du compte bancaire est insuffisant.',
  method_gone: 'Ce moyen de paiement n’est plus enregistré. Merci d’en utiliser un autre.',
  provider_error: 'Le paiement n’a pas pu être lancé. Merci d’essayer un autre moyen de paiement.',
  try_again_later: 'La banque ne répond pas. Merci de réessayer plus tard.',
}

/** Why credit was added, in French. */
export const CREDIT_REASONS: Readonly<Record<CreditReason, string>> = {
  overpaid: 'Vous avez payé plus que le montant dû.',
  late_payment: 'Votre paiement est arrivé après la clôture de la facture.',
  refund_failed: 'Un remboursement vers votre moyen de paiement a échoué.',
  goodwill: 'C’est un geste commercial de notre part.',
}
