import { dumpOf, type Row } from './foreign-dump.ts'
import { COLUMNS } from './paymenter-dump.ts'

const AT = '2025-03-01 12:00:00'

/** What stands in a row that says nothing else. */
const USUAL: Readonly<Record<string, Row>> = {
  users: { first_name: 'Ada', last_name: 'Byron', password: '', created_at: AT },
  products: { category_id: 0, name: 'Server', description: '', hidden: 0 },
  plans: { priceable_type: 'App\\Models\\Product', priceable_id: 1, type: 'recurring' },
  prices: { setup_fee: null, currency_code: 'EUR' },
  orders: { currency_code: 'EUR', created_at: AT },
  services: {
    ...{ status: 'active', product_id: 1, currency_code: 'EUR', quantity: 1, created_at: AT },
    expires_at: '2026-11-03 12:00:00',
  },
  invoices: { currency_code: 'EUR', status: 'paid', due_at: AT, created_at: AT },
  invoice_items: { quantity: 1, description: 'A server', reference_type: 'App\\Models\\Service' },
  invoice_transactions: { gateway_id: 1, fee: '0.00', status: 'succeeded', created_at: AT },
  ext_affiliates: { enabled: 1, visitors: 3, signups: 1, created_at: AT },
}

/** The dump of a Paymenter that has just these rows, euros and a product. */
export function smallPaymenter(given: Readonly<Record<string, readonly Row[]>>): Buffer {
  const shop: Readonly<Record<string, readonly Row[]>> = {
    currencies: [{ code: 'EUR', name: 'Euro' }],
    settings: [{ id: 1, key: 'default_currency', value: 'EUR' }],
    products: [{ id: 1 }],
    ...given,
  }
  const tables = Object.entries(COLUMNS).map(([name, columns]) => {
    const rows = (shop[name] ?? []).map((row) => ({ ...USUAL[name], ...row }))
    return [name, { columns, rows }]
  })
  return dumpOf(Object.fromEntries(tables), 'paymenter')
}
