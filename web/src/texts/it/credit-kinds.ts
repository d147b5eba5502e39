import type { CreditKinds, VoucherTexts } from '../credit-kinds.ts'

/** What changed credit, by the kind of the entry. */
export const creditKinds: CreditKinds = {
  top_up: 'Ricarica',
  payment_received: 'Pagamento superiore all’importo dovuto',
  credit_applied: 'Fattura pagata',
  credit_held: 'Riservato per un ordine',
  credit_released: 'Non più riservato',
  refund: 'Rimborso',
  refund_failed: 'Rimborso non riuscito',
  dispute_taken_from_credit: 'Ripreso dopo una contestazione',
  dispute_recovered: 'Restituito dopo una contestazione',
  goodwill: 'Credito di cortesia',
  goodwill_removed: 'Credito di cortesia rimosso',
  voucher_redeemed: 'Buono riscattato',
  commission_converted: 'Commissione convertita',
  opening_balance: 'Saldo del sistema precedente',
  credit_forfeited: 'Perso con l’eliminazione dell’account',
}

/** The form in which customers redeem vouchers. */
export const vouchers: VoucherTexts = {
  title: 'Buono',
  code: 'Codice',
  format: '16 lettere e cifre, con o senza trattini.',
  redeem: 'Riscatta',
  redeemed: (amount) => `${amount} aggiunti al tuo credito`,
}
