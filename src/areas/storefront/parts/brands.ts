/** Brands whose names are not their code with a capital. */
const NAMES: Readonly<Record<string, string>> = {
  amex: 'American Express',
  american_express: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  paypal: 'PayPal',
  sepa_debit: 'SEPA',
  unionpay: 'UnionPay',
}

/** The brand of a card, or the kind of a method, as people write it: `visa` is Visa. */
export function brandName(code: string): string {
  const plain = code.replaceAll('_', ' ')
  return NAMES[code.toLowerCase()] ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}
