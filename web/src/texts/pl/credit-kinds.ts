import type { CreditKinds, VoucherTexts } from '../credit-kinds.ts'

/** What changed credit, by the kind of the entry. */
export const creditKinds: CreditKinds = {
  top_up: 'Doładowanie',
  payment_received: 'Wpłata powyżej należnej kwoty',
  credit_applied: 'Opłacono fakturę',
  credit_held: 'Zarezerwowano na zamówienie',
  credit_released: 'Rezerwacja zwolniona',
  refund: 'Zwrot',
  refund_failed: 'Nieudany zwrot',
  dispute_taken_from_credit: 'Cofnięto po sporze',
  dispute_recovered: 'Zwrócono po sporze',
  goodwill: 'Środki przyznane w ramach uznania',
  goodwill_removed: 'Cofnięto środki przyznane w ramach uznania',
  voucher_redeemed: 'Zrealizowany bon',
  commission_converted: 'Zamieniono prowizję',
  opening_balance: 'Saldo z poprzedniego systemu',
  credit_forfeited: 'Przepadło wraz z usunięciem konta',
}

/** The form in which customers redeem vouchers. */
export const vouchers: VoucherTexts = {
  title: 'Bon',
  code: 'Kod',
  format: '16 liter i cyfr, z myślnikami lub bez.',
  redeem: 'Zrealizuj',
  redeemed: (amount) => `Dodano ${amount} do Twoich środków`,
}
