import type { CreditKinds, VoucherTexts } from '../credit-kinds.ts'

/** What changed credit, by the kind of the entry. */
export const creditKinds: CreditKinds = {
  top_up: 'Rechargement',
  payment_received: 'Trop-perçu',
  credit_applied: 'Facture payée',
  credit_held: 'Réservé pour une commande',
  credit_released: 'Réservation levée',
  refund: 'Remboursement',
  refund_failed: 'Remboursement échoué',
  dispute_taken_from_credit: 'Litige perdu',
  dispute_recovered: 'Litige gagné',
  goodwill: 'Geste commercial',
  goodwill_removed: 'Geste commercial annulé',
  voucher_redeemed: 'Bon utilisé',
  commission_converted: 'Commission convertie',
  opening_balance: 'Solde de l’ancien système',
  credit_forfeited: 'Compte supprimé',
}

/** The form in which customers redeem vouchers. */
export const vouchers: VoucherTexts = {
  title: 'Bon cadeau',
  code: 'Code',
  format: '16 lettres et chiffres, avec ou sans tirets.',
  redeem: 'Utiliser le bon',
  redeemed: (amount) => `${amount} ajoutés à votre crédit`,
}
