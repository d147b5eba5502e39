import type { CreditKinds, VoucherTexts } from '../credit-kinds.ts'

/** What changed credit, by the kind of the entry. */
export const creditKinds: CreditKinds = {
  top_up: 'Aufladung',
  payment_received: 'Zahlung über den fälligen Betrag hinaus',
  credit_applied: 'Rechnung bezahlt',
  credit_held: 'Für eine Bestellung reserviert',
  credit_released: 'Nicht mehr reserviert',
  refund: 'Erstattung',
  refund_failed: 'Fehlgeschlagene Erstattung',
  dispute_taken_from_credit: 'Nach einer Rückbuchung abgezogen',
  dispute_recovered: 'Nach einer Rückbuchung zurückgegeben',
  goodwill: 'Kulanzguthaben',
  goodwill_removed: 'Kulanzguthaben entfernt',
  voucher_redeemed: 'Gutschein eingelöst',
  commission_converted: 'Provision umgewandelt',
  opening_balance: 'Guthaben aus dem bisherigen System',
  credit_forfeited: 'Mit dem Konto verfallen',
}

/** The form in which customers redeem vouchers. */
export const vouchers: VoucherTexts = {
  title: 'Gutschein',
  code: 'Code',
  format: '16 Buchstaben und Ziffern, mit oder ohne Bindestriche.',
  redeem: 'Einlösen',
  redeemed: (amount) => `${amount} wurden deinem Guthaben hinzugefügt`,
}
