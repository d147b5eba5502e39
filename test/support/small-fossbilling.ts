import { dumpOf, type Row } from './foreign-dump.ts'
import { COLUMNS } from './fossbilling-dump.ts'

const AT = '2025-03-01 12:00:00'

/** What stands in a row that says nothing else. */
const USUAL: Readonly<Record<string, Row>> = {
  client: {
    ...{ first_name: 'Ada', last_name: 'Byron', pass: '', status: 'active', currency: 'EUR' },
    ...{ country: 'FR', tax_exempt: 0, email_approved: 0, created_at: AT },
  },
  product: { product_payment_id: 1, title: 'Server', status: 'enabled', created_at: AT },
  product_payment: { type: 'recurrent', m_price: '10.00', m_enabled: 1, once_price: '0.00' },
  client_order: {
    ...{ product_id: 1, title: 'Server', currency: 'EUR', period: '1M', quantity: 1 },
    ...{ price: '10.00', discount: '0.00', status: 'active', created_at: AT },
  },
  invoice: {
    ...{ serie: 'F', currency: 'EUR', approved: 1, status: 'paid', taxrate: '0' },
    ...{ due_at: AT, paid_at: AT, created_at: AT },
  },
  invoice_item: { type: 'order', title: 'A server', quantity: 1, price: '10.00', taxed: 1 },
  subscription: { rel_type: 'invoice', status: 'active', period: '1M', created_at: AT },
}

/** The dump of a FOSSBilling that has just these rows, euros and a product. */
export function smallFossbilling(given: Readonly<Record<string, readonly Row[]>>): Buffer {
  const shop: Readonly<Record<string, readonly Row[]>> = {
    currency: [{ id: 1, code: 'EUR', is_default: 1 }],
    setting: [{ id: 1, param: 'tax_enabled', value: '1' }],
    product: [{ id: 1 }],
    product_payment: [{ id: 1 }],
    ...given,
  }
  const tables = Object.entries(COLUMNS).map(([name, columns]) => {
    const rows = (shop[name] ?? []).map((row) => ({ ...USUAL[name], ...row }))
    return [name, { columns, rows }]
  })
  return dumpOf(Object.fromEntries(tables), 'fossbilling')
}
