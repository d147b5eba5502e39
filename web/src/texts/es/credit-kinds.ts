import type { CreditKinds, VoucherTexts } from '../credit-kinds.ts'

/** What changed credit, by the kind of the entry. */
export const creditKinds: CreditKinds = {
  top_up: 'Recarga',
  payment_received: 'Pago superior al importe pendiente',
  credit_applied: 'Factura pagada',
  credit_held: 'Reservado para un pedido',
  credit_released: 'Ya no está reservado',
  refund: 'Reembolso',
  refund_failed: 'Reembolso fallido',
  dispute_taken_from_credit: 'Retirado tras una disputa',
  dispute_recovered: 'Devuelto tras una disputa',
  goodwill: 'Saldo de cortesía',
  goodwill_removed: 'Saldo de cortesía retirado',
  voucher_redeemed: 'Vale canjeado',
  commission_converted: 'Comisión convertida',
  opening_balance: 'Saldo del sistema anterior',
  credit_forfeited: 'Perdido al eliminar la cuenta',
}

/** The form in which customers redeem vouchers. */
export const vouchers: VoucherTexts = {
  title: 'Vale',
  code: 'Código',
  format: '16 letras y cifras, con o sin guiones.',
  redeem: 'Canjear',
  redeemed: (amount) => `Se han añadido ${amount} a tu saldo`,
}
