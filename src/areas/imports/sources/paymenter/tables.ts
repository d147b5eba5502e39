import type { Cells } from '../cells.ts'
import { languageWord } from '../languages.ts'
import { mapping, type TableMapping } from '../source.ts'
import { countIn, currencyId, currencyOf, lineOf, timesOf } from '../values.ts'
import { countryCode } from './countries.ts'
import {
  cycleIn,
  invoiceState,
  kindOf,
  lineType,
  NO_CYCLE,
  paymentState,
  serviceState,
} from './values.ts'

function currencyIn(cells: Cells): number | null {
  return currencyId(cells.text('currency_code'))
}

/** The details of a person, by the key of the property. */
const DETAILS: Readonly<Record<string, string>> = {
  company_name: 'company',
  phone: 'phone',
  address: 'line1',
  address2: 'line2',
  city: 'city',
  state: 'region',
  zip: 'postcode',
  country: 'country',
  language: 'language',
  locale: 'language',
}

function meantBy(key: string, value: string): string {
  if (key === 'country') return countryCode(value)
  return key === 'language' ? languageWord(value) : value
}

const people: Record<string, TableMapping> = {
  currencies: mapping(
    'currencies',
    (cells) => currencyOf(cells.text('code'), false),
    (cells) => currencyId(cells.text('code')) ?? 0,
  ),
  users: mapping('clients', (cells) => ({
    // All of their services and invoices name their own currency.
    currency: null,
    email: cells.text('email'),
    name: `${cells.text('first_name')} ${cells.text('last_name')}`.trim(),
    ...{ company: null, address_line1: null, address_line2: null, city: null, region: null },
    ...{ postcode: null, country: null, phone: null, tax_number: null, tax_exempt: false },
    credit: 0,
    status: 'active',
    language: '',
    password: cells.text('password'),
    created_at: cells.instant('created_at'),
    confirmed: cells.instant('email_verified_at') !== null,
    notes: null,
    second_factor: cells.filled('tfa_secret') !== null,
  })),
  properties: mapping('details', (cells) => {
    const said = cells.text('key')
    if (!said || kindOf(cells.text('model_type')) !== 'User') return null
    const known = Object.hasOwn(DETAILS, said) ? DETAILS[said] : undefined
    const key = known ?? `fact:${cells.text('name').trim() || said}`
    const value = cells.text('value')
    return {
      client: cells.number('model_id'),
      key,
      value: meantBy(key, value),
    }
  }),
  credits: mapping('balances', (cells) => ({
    client: cells.number('user_id'),
    currency: currencyIn(cells),
    amount: cells.amount('amount'),
  })),
}

const catalogue: Record<string, TableMapping> = {
  categories: mapping('categories', (cells) => ({
    name: cells.text('name'),
    hidden: false,
    position: cells.number('sort'),
  })),
  products: mapping('products', (cells) => ({
    category: cells.number('category_id'),
    name: cells.text('name'),
    description: cells.text('description'),
    hidden: cells.flag('hidden'),
    retired: false,
    stock: cells.filled('stock') === null ? null : cells.number('stock'),
    position: cells.number('sort'),
    pays: null,
    taxable: true,
  })),
  plans: mapping('plans', (cells) => {
    const kind = kindOf(cells.text('priceable_type'))
    return {
      product: cells.number('priceable_id'),
      kind: kind === 'Product' ? 'product' : kind,
      ...cycleIn(cells),
    }
  }),
  prices: mapping('prices', (cells) => ({
    plan: cells.number('plan_id'),
    currency: currencyIn(cells),
    amounts: [cells.amount('price')],
    setup_fees: [cells.amount('setup_fee')],
    ...{ kind: null, product: null, months: [NO_CYCLE.months] },
  })),
  tax_rates: mapping('tax_rates', (cells) => {
    const country = cells.text('country').trim()
    return {
      level: 1,
      name: cells.text('name'),
      region: '',
      country: country.toLowerCase() === 'all' ? '' : countryCode(country) || country,
      rate: cells.decimal('rate', 3),
    }
  }),
  coupons: mapping('coupons', (cells) => {
    const type = cells.text('type').trim()
    const cycles = cells.filled('recurring') === null ? 1 : cells.number('recurring')
    const perPerson = cells.number('max_uses_per_user')
    return {
      code: cells.text('code').trim(),
      type: type === 'percentage' ? 'percent' : type,
      value: cells.amount('value'),
      // 0: every cycle; otherwise this many cycles, including the first.
      recurring: cycles !== 1,
      recurrences: Math.max(cycles - 1, 0),
      starts_at: cells.instant('starts_at'),
      ends_at: cells.instant('expires_at'),
      max_uses: cells.number('max_uses'),
      uses: 0,
      once_per_client: perPerson === 1,
      new_clients_only: false,
      products: '',
      restricted: perPerson > 1 || (cells.filled('applies_to') ?? 'all') !== 'all',
    }
  }),
  coupon_products: mapping('coupon_products', (cells) => ({
    coupon: cells.number('coupon_id'),
    product: cells.number('product_id'),
  })),
}

const sales: Record<string, TableMapping> = {
  services: mapping('services', (cells) => {
    const { state, status } = serviceState(cells.text('status'))
    return {
      client: cells.number('user_id'),
      order_ref: cells.number('order_id'),
      product: cells.number('product_id'),
      plan: cells.number('plan_id'),
      coupon: cells.number('coupon_id'),
      currency: currencyIn(cells),
      name: cells.text('label'),
      // Only the invoice has the first amount.
      first_amount: 0,
      amount: timesOf(cells, 'price', 'quantity'),
      ...NO_CYCLE,
      next_due_at: cells.instant('expires_at'),
      created_at: cells.instant('created_at'),
      ended_at: state === 'ended' ? cells.instant('updated_at') : null,
      ...{ state, status },
      quantity: countIn(cells, 'quantity'),
      subscription: cells.filled('subscription_id'),
    }
  }),
  service_cancellations: mapping('cancellations', (cells) => ({
    service: cells.number('service_id'),
    kind: cells.text('type').trim() === 'immediate' ? 'immediate' : 'period_end',
    requested_at: cells.instant('created_at'),
  })),
  orders: mapping('orders', (cells) => ({
    client: cells.number('user_id'),
    currency: currencyIn(cells),
    number: cells.text('id'),
    created_at: cells.instant('created_at'),
    ...{ amount: 0, status: '', invoice: 0 },
  })),
  invoices: mapping('invoices', (cells) => ({
    client: cells.number('user_id'),
    currency: currencyIn(cells),
    number: cells.text('number').trim(),
    issued_at: cells.instant('created_at'),
    due_at: cells.instant('due_at'),
    ...invoiceState(cells.text('status')),
    ...{ paid_at: null, subtotal: 0, credit: 0, tax: 0, tax2: 0, total: 0, rate: 0, rate2: 0 },
    note: '',
  })),
  invoice_snapshots: mapping('invoice_rates', (cells) => ({
    invoice: cells.number('invoice_id'),
    // A rate without a name is not the invoice's own: Paymenter shows the current rate instead.
    rate: cells.filled('tax_name') === null ? null : cells.decimal('tax_rate', 3),
  })),
  invoice_items: mapping('invoice_items', (cells) =>
    lineOf(cells.number('invoice_id'), () => ({
      type: lineType(cells.text('reference_type')),
      reference: cells.number('reference_id'),
      description: cells.text('description'),
      amount: timesOf(cells, 'price', 'quantity'),
      taxed: true,
    })),
  ),
  invoice_transactions: mapping('transactions', (cells) => ({
    client: cells.number('invoice_id') === 0 ? 0 : null,
    currency: null,
    gateway: cells.text('gateway_id'),
    happened_at: cells.instant('created_at'),
    description: '',
    amount_in: cells.amount('amount'),
    fees: cells.amount('fee'),
    amount_out: 0,
    reference: cells.text('transaction_id'),
    invoice: cells.number('invoice_id'),
    refund_of: 0,
    state: paymentState(cells),
  })),
}

/** Affiliates, of the extension. Their earnings become credit at once in Paymenter, and are imported as credit. */
const affiliation: Record<string, TableMapping> = {
  ext_affiliates: mapping('affiliates', (cells) => ({
    client: cells.number('user_id'),
    created_at: cells.instant('created_at'),
    visitors: cells.number('visitors'),
    code: cells.text('code').trim(),
    reward: cells.filled('reward') === null ? null : cells.number('reward'),
    ...{ balance: 0, withdrawn: 0 },
  })),
  ext_affiliate_orders: mapping('referrals', (cells) => ({
    affiliate: cells.number('affiliate_id'),
    order_ref: cells.number('order_id'),
    service: null,
  })),
}

/** The mapping of each table; rows of other tables are only counted. */
export const tables: Readonly<Record<string, TableMapping>> = {
  ...people,
  ...catalogue,
  ...sales,
  ...affiliation,
}
