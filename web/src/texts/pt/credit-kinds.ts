import type { CreditKinds, VoucherTexts } from '../credit-kinds.ts'

/** What changed credit, by the kind of the entry. */
export const creditKinds: CreditKinds = {
  top_up: 'Carregamento',
  payment_received: 'Pagamento acima do valor em dívida',
  credit_applied: 'Fatura paga',
  credit_held: 'Reservado para uma encomenda',
  credit_released: 'Já não está reservado',
  refund: 'Reembolso',
  refund_failed: 'Reembolso falhado',
  dispute_taken_from_credit: 'Retirado após uma contestação',
  dispute_recovered: 'Devolvido após uma contestação',
  goodwill: 'Crédito de cortesia',
  goodwill_removed: 'Crédito de cortesia removido',
  voucher_redeemed: 'Vale resgatado',
  commission_converted: 'Comissão convertida',
  opening_balance: 'Saldo do sistema anterior',
  credit_forfeited: 'Perdido com a eliminação da conta',
}

/** The form in which customers redeem vouchers. */
export const vouchers: VoucherTexts = {
  title: 'Vale',
  code: 'Código',
  format: '16 letras e algarismos, com ou sem hífenes.',
  redeem: 'Resgatar',
  redeemed: (amount) => `${amount} adicionados ao seu crédito`,
}
