import { languageWord } from '../languages.ts'
import type { Source } from '../source.ts'
import { tables } from './tables.ts'

/** Paymenter, from version 1 on. */
export const paymenter: Source = {
  system: 'paymenter',
  knownBy: {
    invoice_transactions: ['invoice_id', 'amount', 'transaction_id'],
    plans: ['priceable_type', 'billing_unit'],
    prices: ['plan_id', 'currency_code'],
    users: ['first_name', 'last_name', 'email', 'password'],
    services: ['plan_id', 'currency_code', 'status'],
    invoices: ['user_id', 'currency_code', 'status'],
  },
  // Version 0.
  refused: { order_products: ['order_id', 'product_id'], product_price: ['monthly', 'quarterly'] },
  tables,
  needed: ['invoice_items', 'orders', 'products', 'service_cancellations'],
  settings: {
    table: 'settings',
    name: 'key',
    value: 'value',
    wanted: ['default_currency', 'tax_enabled', 'app_language'],
  },
  // Lines always include the tax, even if the catalogue's prices do not: it is added when an invoice is created.
  describe: () => ({ version: null, taxMode: 'inclusive' }),
  settledBy: (settings) => ({
    mainCurrency: settings.get('default_currency'),
    language: languageWord(settings.get('app_language') ?? ''),
    taxByCountry: /^(?:1|true)$/.test(settings.get('tax_enabled') ?? ''),
  }),
  settled: [
    ...(['mainCurrency', 'addresses', 'languages', 'plansOfPrices', 'plansOfServices'] as const),
    'cancellations',
    ...(['couponProducts', 'couponUses', 'orderAmounts', 'payers', 'paymentsOfInvoices'] as const),
    ...(['ratesOfInvoices', 'totalsWithTax', 'limitedCoupons'] as const),
    ...(['currencyOfAffiliates', 'referralsOfOrders'] as const),
  ],
}
