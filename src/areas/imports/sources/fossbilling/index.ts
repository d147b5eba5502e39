import type { Source } from '../source.ts'
import { tables } from './tables.ts'

/** The minimum number of digits of invoice numbers, unless a setting has another one. */
const DIGITS = 5
/** A larger number is not a valid setting. */
const MOST_DIGITS = 20

/** FOSSBilling, and BoxBilling, from which it was forked. */
export const fossbilling: Source = {
  system: 'fossbilling',
  knownBy: {
    client_order: ['client_id', 'product_id', 'service_type', 'period'],
    client: ['email', 'pass', 'aid', 'currency'],
    client_balance: ['client_id', 'amount'],
    product_payment: ['type', 'once_price'],
    invoice: ['client_id', 'serie', 'nr', 'taxrate', 'approved'],
  },
  tables,
  needed: ['invoice_item', 'product', 'subscription', 'transaction'],
  settings: {
    table: 'setting',
    name: 'param',
    value: 'value',
    wanted: ['last_patch', 'invoice_number_padding', 'tax_enabled'],
  },
  describe: (settings) => {
    const patch = settings.get('last_patch')
    const taxed = /^(?:1|on|true)$/i.test(settings.get('tax_enabled') ?? '')
    return { version: patch ? `patch ${patch}` : null, taxMode: 'exclusive', taxed }
  },
  settledBy: (settings) => {
    const digits = Number(settings.get('invoice_number_padding') || DIGITS)
    return { numberDigits: Number.isInteger(digits) ? Math.min(digits, MOST_DIGITS) : DIGITS }
  },
  settled: [
    ...(['currencyOfClients', 'creditByEntries', 'pricePeriods', 'pricesOfProducts'] as const),
    'subscriptions',
    ...(['couponProducts', 'payers', 'totalsAndTax', 'invoiceNumbers'] as const),
  ],
}
