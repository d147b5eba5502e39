import type { Cells } from '../cells.ts'
import { languageWord } from '../languages.ts'
import { mapping, type TableMapping } from '../source.ts'
import { countIn, currencyId, currencyOf, lineOf, timesOf } from '../values.ts'
import {
  clientState,
  couponType,
  idsIn,
  invoiceState,
  isFilled,
  lineType,
  movementIn,
  periodMonths,
  periodPrice,
  pricesIn,
  serviceState,
} from './values.ts'

function currencyIn(cells: Cells): number | null {
  return currencyId(cells.text('currency'))
}

const CUSTOM_FIELDS = Array.from({ length: 10 }, (_, index) => `custom_${index + 1}`)

/** The notes of staff, and the custom fields, which have no labels in FOSSBilling. */
function notesIn(cells: Cells): string {
  const custom = CUSTOM_FIELDS.flatMap((name) => {
    const text = cells.filled(name)
    return text ? [`${name}: ${text}`] : []
  })
  return [cells.text('notes').trim(), ...custom].filter(Boolean).join('\n')
}

const people: Record<string, TableMapping> = {
  currency: mapping(
    'currencies',
    (cells) => currencyOf(cells.text('code'), cells.flag('is_default')),
    (cells) => currencyId(cells.text('code')) ?? 0,
  ),
  client: mapping('clients', (cells) => ({
    currency: currencyIn(cells),
    email: cells.text('email'),
    name: `${cells.text('first_name')} ${cells.text('last_name')}`.trim(),
    company: cells.text('company'),
    address_line1: cells.text('address_1'),
    address_line2: cells.text('address_2'),
    city: cells.text('city'),
    region: cells.text('state'),
    postcode: cells.text('postcode'),
    country: cells.text('country').trim().toUpperCase(),
    phone: `${cells.text('phone_cc')} ${cells.text('phone')}`.trim(),
    tax_number: cells.text('company_vat'),
    tax_exempt: cells.flag('tax_exempt'),
    credit: 0,
    status: clientState(cells.text('status').trim()),
    language: languageWord(cells.text('lang')),
    password: cells.text('pass'),
    created_at: cells.instant('created_at'),
    confirmed: cells.flag('email_approved'),
    notes: notesIn(cells),
  })),
  client_balance: mapping('credit_entries', (cells) => ({
    client: cells.number('client_id'),
    happened_at: cells.instant('created_at'),
    description: cells.text('description'),
    amount: cells.amount('amount'),
  })),
}

const catalogue: Record<string, TableMapping> = {
  product_category: mapping('categories', (cells) => ({
    name: cells.text('title'),
    hidden: false,
    position: 0,
  })),
  product: mapping('products', (cells) => ({
    category: cells.number('product_category_id'),
    payment: cells.number('product_payment_id'),
    name: cells.text('title'),
    description: cells.text('description'),
    // Addons are sold only together with other products.
    hidden: cells.flag('hidden') || cells.flag('is_addon'),
    retired: cells.text('status').trim() === 'disabled',
    stock: cells.flag('stock_control') ? cells.number('quantity_in_stock') : null,
    position: cells.number('priority'),
    pays: null,
    taxable: true,
  })),
  product_payment: mapping('prices', (cells) => ({
    kind: 'product',
    ...{ product: null, currency: null },
    ...pricesIn(cells),
  })),
  product_payment_period: mapping('price_periods', (cells) => ({
    price: cells.number('product_payment_id'),
    ...periodPrice(cells),
    setup_fee: cells.amount('setup_price'),
  })),
  promo: mapping('coupons', (cells) => {
    const type = cells.text('type').trim()
    const value = cells.amount('value')
    const freeSetup = cells.flag('freesetup')
    return {
      code: cells.text('code').trim(),
      type: freeSetup && value === 0 ? 'free_setup' : couponType(type),
      value,
      recurring: cells.flag('recurring'),
      recurrences: 0,
      starts_at: cells.instant('start_at'),
      ends_at: cells.instant('end_at'),
      max_uses: cells.number('maxuses'),
      uses: cells.number('used'),
      once_per_client: cells.flag('once_per_client'),
      new_clients_only: false,
      products: idsIn(cells.text('products')),
      restricted:
        freeSetup ||
        !cells.flag('active') ||
        ['periods', 'client_groups'].some((it) => isFilled(cells.text(it))),
    }
  }),
  tax: mapping('tax_rates', (cells) => ({
    level: 1,
    name: cells.text('name'),
    region: cells.text('state'),
    country: cells.text('country').trim().toUpperCase(),
    rate: cells.decimal('taxrate', 3),
  })),
}

/** The months of an order: without a period it was paid once, or is free. */
function orderMonths(cells: Cells): number | null {
  const period = cells.filled('period')
  if (period !== null) return periodMonths(period)
  return cells.amount('price') === 0 ? null : 0
}

const sales: Record<string, TableMapping> = {
  client_order: mapping('services', (cells) => {
    const full = timesOf(cells, 'price', 'quantity')
    const discount = BigInt(cells.amount('discount'))
    // A recurring promotion deducts the discount from each renewal, down to nothing.
    const lasting = cells.flag('promo_recurring') ? discount : 0n
    const amount = lasting > full ? 0n : full - lasting
    return {
      client: cells.number('client_id'),
      product: cells.number('product_id'),
      currency: currencyIn(cells),
      order_ref: 0,
      name: cells.text('title'),
      first_amount: full - discount,
      amount,
      months: orderMonths(cells),
      cycle: cells.text('period').trim(),
      next_due_at: cells.instant('expires_at'),
      created_at: cells.instant('created_at'),
      ended_at: cells.instant('canceled_at'),
      ...serviceState(cells.text('status')),
      quantity: countIn(cells, 'quantity'),
    }
  }),
  subscription: mapping('subscriptions', (cells) => {
    const isOver = /^(?:cancel+ed|ended|expired)$/i.test(cells.text('status').trim())
    if (isOver) return null
    const isOfInvoice = cells.text('rel_type').trim().toLowerCase() === 'invoice'
    return {
      client: cells.number('client_id'),
      invoice: isOfInvoice ? cells.number('rel_id') : 0,
      reference: cells.filled('sid') ?? cells.text('id'),
    }
  }),
  invoice: mapping('invoices', (cells) => ({
    client: cells.number('client_id'),
    currency: currencyIn(cells),
    series: cells.text('serie'),
    number: numberIn(cells),
    issued_at: cells.instant('created_at'),
    due_at: cells.instant('due_at'),
    paid_at: cells.instant('paid_at'),
    ...{ subtotal: 0, credit: 0, tax: 0, tax2: 0, total: 0, rate2: 0 },
    rate: cells.decimal('taxrate', 3),
    // Payments become credit first, and an invoice is always paid from credit in full.
    paid: 0,
    ...invoiceState(cells),
    note: cells.text('notes'),
  })),
  invoice_item: mapping('invoice_items', (cells) =>
    lineOf(cells.number('invoice_id'), () => ({
      type: lineType(cells.text('type')),
      // In lines of other types, this column is text.
      reference: /^\d{1,15}$/.test(cells.text('rel_id')) ? cells.number('rel_id') : 0,
      description: cells.text('title'),
      amount: timesOf(cells, 'price', 'quantity'),
      taxed: cells.flag('taxed'),
    })),
  ),
  transaction: mapping('transactions', (cells) => ({
    client: cells.number('invoice_id') === 0 ? 0 : null,
    currency: currencyIn(cells),
    gateway: cells.text('gateway_id'),
    happened_at: cells.instant('created_at'),
    description: cells.text('note'),
    fees: 0,
    ...movementIn(cells),
    reference: cells.text('txn_id'),
    invoice: cells.number('invoice_id'),
    refund_of: 0,
  })),
}

/** The number of an invoice, as FOSSBilling shows it after the series; the id if it has none. */
function numberIn(cells: Cells): string {
  const number = cells.text('nr').trim()
  return /^\d{1,15}$/.test(number) ? `${Number(number)}` : cells.text('id')
}

/** The mapping of each table; rows of other tables are only counted. */
export const tables: Readonly<Record<string, TableMapping>> = { ...people, ...catalogue, ...sales }
