import type { CreditKinds, VoucherTexts } from '../credit-kinds.ts'

/** What changed credit, by the kind of the entry. */
export const creditKinds: CreditKinds = {
  top_up: 'Opwaardering',
  payment_received: 'Betaling boven het openstaande bedrag',
  credit_applied: 'Factuur betaald',
  credit_held: 'Gereserveerd voor een bestelling',
  credit_released: 'Niet meer gereserveerd',
  refund: 'Terugbetaling',
  refund_failed: 'Mislukte terugbetaling',
  dispute_taken_from_credit: 'Teruggenomen na een betwisting',
  dispute_recovered: 'Teruggegeven na een betwisting',
  goodwill: 'Tegoed uit coulance',
  goodwill_removed: 'Tegoed uit coulance verwijderd',
  voucher_redeemed: 'Cadeaubon verzilverd',
  commission_converted: 'Commissie omgezet',
  opening_balance: 'Saldo uit het vorige systeem',
  credit_forfeited: 'Vervallen bij het verwijderen van het account',
}

/** The form in which customers redeem vouchers. */
export const vouchers: VoucherTexts = {
  title: 'Cadeaubon',
  code: 'Code',
  format: '16 letters en cijfers, met of zonder streepjes.',
  redeem: 'Verzilveren',
  redeemed: (amount) => `${amount} is aan je tegoed toegevoegd`,
}
