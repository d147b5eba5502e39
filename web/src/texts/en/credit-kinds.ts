/** What changed credit, by the kind of the entry. */
export const creditKinds = {
  top_up: 'Top-up',
  payment_received: 'Payment of more than was due',
  credit_applied: 'Paid an invoice',
  credit_held: 'Set aside for an order',
  credit_released: 'No longer set aside',
  refund: 'Refund',
  refund_failed: 'Refund that failed',
  dispute_taken_from_credit: 'Taken back after a dispute',
  dispute_recovered: 'Returned after a dispute',
  goodwill: 'Goodwill credit',
  goodwill_removed: 'Goodwill credit removed',
  voucher_redeemed: 'Voucher redeemed',
  commission_converted: 'Commission converted',
  opening_balance: 'Balance from the previous system',
  credit_forfeited: 'Forfeited when the account was deleted',
}

/** The form in which customers redeem vouchers. */
export const vouchers = {
  title: 'Voucher',
  code: 'Code',
  format: '16 letters and digits, with or without dashes.',
  redeem: 'Redeem',
  redeemed: (amount: string) => `${amount} was added to your credit`,
}
