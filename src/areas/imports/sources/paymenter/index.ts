import { languageWord } from '../languages.ts'
import type { Source } from '../source.ts'
import { hostOf } from '../values.ts'
import { tables } from './tables.ts'

type Settings = ReadonlyMap<string, string>

function isTaxed(settings: Settings): boolean {
  return /^(?:1|true)$/.test(settings.get('tax_enabled') ?? '')
}

/** Whether tax is added to the prices of the catalogue; services and lines have the sum. */
function isTaxedOnTop(settings: Settings): boolean {
  return isTaxed(settings) && settings.get('tax_type') === 'exclusive'
}

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
    wanted: ['default_currency', 'tax_enabled', 'tax_type', 'app_language', 'app_url'],
  },
  // Lines always include the tax, even if the catalogue's prices do not: it is added when an invoice is created.
  describe: (settings) => ({
    ...{ version: null, taxMode: 'inclusive', installation: hostOf(settings.get('app_url')) },
    ...(isTaxedOnTop(settings) && { catalogTaxMode: 'exclusive' }),
  }),
  settledBy: (settings) => ({
    taxOnCatalog: isTaxedOnTop(settings),
    mainCurrency: settings.get('default_currency'),
    language: languageWord(settings.get('app_language') ?? ''),
    taxByCountry: isTaxed(settings),
  }),
  settled: [
    ...(['mainCurrency', 'addresses', 'languages', 'plansOfPrices', 'plansOfServices'] as const),
    'cancellations',
    ...(['couponProducts', 'couponUses', 'orderAmounts', 'payers', 'paymentsOfInvoices'] as const),
    ...(['ratesOfInvoices', 'totalsWithTax', 'limitedCoupons'] as const),
    ...(['currencyOfAffiliates', 'referralsOfOrders'] as const),
  ],
}
