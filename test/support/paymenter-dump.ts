import { hashSync as argon2 } from '@node-rs/argon2'
import { hashSync as bcrypt } from '@node-rs/bcrypt'
import { type Cell, dumpOf, type Row, seeded, type Tables } from './foreign-dump.ts'

export type PaymenterDump = {
  readonly tables: Tables
  readonly content: Buffer
  readonly logins: { email: string; password: string }[]
}

const USER = 'App\\Models\\User'
const PRODUCT = 'App\\Models\\Product'
const SERVICE = 'App\\Models\\Service'
const AT = '2025-03-01 12:00:00'

/** Columns of version 1.5, in its order, and those of its extension for affiliates. */
export const COLUMNS: Readonly<Record<string, string>> = {
  users:
    'id first_name last_name email role_id email_verified_at password tfa_secret created_at updated_at',
  properties: 'id custom_property_id name key value model_type model_id created_at updated_at',
  currencies: 'code name prefix suffix format',
  categories: 'id slug name description image parent_id full_slug sort created_at updated_at',
  products:
    'id category_id name image slug description stock per_user_limit sort allow_quantity server_id email_template created_at updated_at hidden',
  plans: 'id name priceable_type priceable_id type billing_period billing_unit sort',
  prices: 'id price setup_fee currency_code plan_id',
  tax_rates: 'id name rate country created_at updated_at',
  coupons:
    'id type applies_to recurring code value max_uses max_uses_per_user starts_at expires_at created_at updated_at',
  coupon_products: 'id coupon_id product_id',
  credits: 'id user_id currency_code amount created_at updated_at',
  orders: 'id user_id currency_code created_at updated_at',
  services:
    'id status order_id product_id user_id currency_code quantity price plan_id coupon_id expires_at subscription_id created_at updated_at label',
  service_cancellations: 'id service_id reason type created_at updated_at',
  invoices: 'id number status due_at currency_code user_id created_at updated_at',
  invoice_items:
    'id invoice_id price quantity description reference_type reference_id created_at updated_at',
  invoice_snapshots:
    'id name properties tax_name tax_rate tax_country bill_to invoice_id created_at updated_at',
  invoice_transactions:
    'id invoice_id gateway_id amount fee transaction_id status is_credit_transaction created_at updated_at',
  settings: 'id key value type encrypted settingable_type settingable_id created_at updated_at',
  ext_affiliates: 'id user_id code enabled reward discount visitors signups created_at updated_at',
  ext_affiliate_orders: 'id affiliate_id order_id',
  migrations: 'id migration batch',
  tickets: 'id subject user_id',
}

/** A Paymenter that never was, with what old installations hold beside what is right. */
export function paymenterDump({ people = 8, seed = 1, taxed = true } = {}): PaymenterDump {
  const shop = new Shop(seed)
  shop.settings(taxed)
  shop.catalogue()
  shop.coupons()
  for (let at = 0; at < people; at += 1) shop.customer()
  shop.oddPeople()
  shop.oddSales()
  const tables = Object.fromEntries(
    Object.entries(COLUMNS).map(([name, columns]) => [name, { columns, rows: shop.rows(name) }]),
  )
  return { tables, content: dumpOf(tables, 'paymenter'), logins: shop.logins }
}

type Line = { price: string; quantity?: number; service?: number; type?: string }

class Shop {
  readonly logins: { email: string; password: string }[] = []
  readonly #rows = new Map<string, Row[]>()
  readonly #random: (limit: number) => number

  constructor(seed: number) {
    this.#random = seeded(seed)
  }

  rows(table: string): Row[] {
    const rows = this.#rows.get(table) ?? []
    this.#rows.set(table, rows)
    return rows
  }

  add(table: string, row: Row): number {
    const rows = this.rows(table)
    const id = Number(row.id ?? rows.length + 1)
    rows.push({ id, created_at: AT, updated_at: AT, ...row })
    return id
  }

  settings(taxed: boolean): void {
    for (const [key, value] of [
      ['default_currency', 'EUR'],
      ['tax_enabled', taxed ? '1' : '0'],
      ['tax_type', 'exclusive'],
      ['company_name', "O'Brien; Hosting"],
    ] as const) {
      this.add('settings', { key, value, type: 'string', encrypted: 0 })
    }
    for (const code of ['EUR', 'USD', 'JPY', 'DOG']) this.add('currencies', { code, name: code })
    this.add('tax_rates', { name: 'TVA', rate: '20.00', country: 'FR' })
    this.add('tax_rates', { name: 'MwSt', rate: '19.00', country: 'DE' })
    this.add('tax_rates', { name: 'VAT', rate: '10.00', country: 'all' })
    this.add('tickets', { subject: 'It lags', user_id: 1 })
    this.add('migrations', { migration: '2025_12_17_125349_add_label_to_services', batch: 1 })
  }

  catalogue(): void {
    this.add('categories', { name: 'Games', slug: 'games', parent_id: null, sort: 1 })
    this.add('categories', { name: 'Voice', slug: 'voice', parent_id: 1, sort: 2 })
    const product = (name: string, more: Record<string, Cell> = {}) =>
      this.add('products', {
        category_id: 1,
        name,
        description: '<p>Fast &amp; small</p>',
        ...more,
      })
    product('Minecraft', { stock: 7 })
    product('Teamspeak', { category_id: 2, hidden: 1 })
    product('Trial', { sort: 3 })
    // Its category is gone.
    product('Rust', { category_id: 99 })
    const plan = (of: number, type: string, count: Cell, unit: Cell, kind = PRODUCT) => {
      const what = { priceable_type: kind, priceable_id: of, type }
      return this.add('plans', { ...what, billing_period: count, billing_unit: unit })
    }
    plan(1, 'recurring', 1, 'month')
    plan(1, 'recurring', 1, 'year')
    plan(2, 'recurring', 3, 'month')
    plan(2, 'recurring', 1, 'week')
    plan(3, 'free', null, null)
    plan(4, 'one-time', null, null)
    plan(4, 'recurring', 18, 'month')
    plan(1, 'recurring', 1, 'month')
    plan(1, 'recurring', 1, 'month', 'App\\Models\\ConfigOption')
    plan(77, 'recurring', 1, 'month')
    plan(1, 'sometimes', 1, 'month')
    plan(2, 'recurring', 1, 'day')
    plan(2, 'recurring', 14, 'day')
    const price = (plan: number, amount: Cell, currency = 'EUR', fee: Cell = null) =>
      this.add('prices', { price: amount, setup_fee: fee, currency_code: currency, plan_id: plan })
    price(1, '10.00', 'EUR', '2.50')
    price(1, '11.00', 'USD')
    price(1, '1500.00', 'JPY')
    price(2, '100.00')
    price(3, '15.30')
    // A week, the same cycle again, an option, a plan and a product that are gone; a day, and fourteen.
    for (const plan of [4, 8, 9, 55, 10, 12, 13]) price(plan, '3.00')
    price(6, '49.99')
    price(7, '150.00')
    price(2, '90.00', 'GOLD')
    price(2, '90.00', 'CHF')
    price(2, 'cheap', 'USD')
  }

  coupons(): void {
    const coupon = (code: string, type: string, value: Cell, more: Record<string, Cell> = {}) =>
      this.add('coupons', { code, type, value, applies_to: 'all', ...more })
    coupon('TEN', 'percentage', '10.00', { recurring: 0, max_uses: 50 })
    coupon('ONCE', 'fixed', '5.00', { recurring: 1, max_uses_per_user: 1 })
    coupon('thrice', 'percentage', '33.33', { recurring: 3, expires_at: '2027-01-01 00:00:00' })
    coupon('SETUP', 'percentage', '100.00', { applies_to: 'setup_fee' })
    coupon('ten', 'percentage', '20.00')
    coupon('NOTHING', 'percentage', '0.00')
    coupon('OLD', 'free_setup', null)
    this.add('coupon_products', { coupon_id: 2, product_id: 1 })
    this.add('coupon_products', { coupon_id: 2, product_id: 4 })
  }

  user(email: string, password: string, name = 'Ada Lovelace'): number {
    const [first_name = '', last_name = ''] = name.split(' ')
    return this.add('users', { email, password, first_name, last_name, role_id: null })
  }

  /** Somebody who signs in with a password of their own, as PHP keeps it. */
  person(country: string): number {
    const number = this.rows('users').length + 1
    const [email, password] = [`player${number}@example.org`, `päss word ${number}!`]
    this.logins.push({ email, password })
    // PHP's name for the same algorithm.
    const kept = number % 3 === 0 ? argon(password) : bcrypt(password, 4).replace('$2b$', '$2y$')
    const id = this.user(email, kept, `Player Müller-${number}`)
    for (const [key, value] of [
      ['address', `${number} O'Connell St.`],
      ['city', 'Town'],
      ['zip', '12345'],
      ['country', country],
      ['company_name', number % 2 ? 'Limited \\ Sons' : ''],
    ] as const) {
      this.add('properties', { key, value, model_type: USER, model_id: id })
    }
    return id
  }

  /** A customer with services, and invoices that were paid in several ways. */
  customer(): void {
    const country = ['France', 'DE', 'Korea', 'Nowhere'][this.#random(4)] ?? 'FR'
    const user = this.person(country)
    const currency = user % 4 === 2 ? 'USD' : 'EUR'
    this.add('credits', { user_id: user, currency_code: currency, amount: this.price(5000) })
    if (this.#random(2)) {
      this.add('credits', {
        user_id: user,
        currency_code: 'JPY',
        amount: `${this.#random(900)}.00`,
      })
    }
    const order = this.add('orders', { user_id: user, currency_code: currency })
    for (let count = this.#random(3); count >= 0; count -= 1) {
      const price = this.price(3000)
      const plan = [1, 2, 3, 5, 6, 7][this.#random(6)] ?? 1
      const product = Number(this.rows('plans')[plan - 1]?.priceable_id)
      const service = this.service({ order, user, currency, plan, product, price })
      const lines = [{ price, service, quantity: 2 }, { price: `-${this.price(90)}` }]
      this.invoice({ user, currency, status: 'paid', lines, rate: '20.00' })
      this.invoice({ user, currency, status: 'pending', lines })
    }
  }

  price(limit: number): string {
    const cents = this.#random(limit) + 100
    return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
  }

  service(it: {
    order: number
    user: number
    currency: string
    plan: number
    product: number
    price: Cell
    status?: string
    quantity?: number
  }): number {
    const { order, user, currency, plan, product, price, quantity = 2 } = it
    const states = ['active', 'active', 'suspended', 'pending', 'cancelled']
    return this.add('services', {
      ...{ order_id: order, user_id: user, currency_code: currency, plan_id: plan },
      ...{ product_id: product, price, quantity, coupon_id: this.#random(2) ? 1 : null },
      status: it.status ?? states[this.#random(states.length)] ?? 'active',
      expires_at: plan === 5 || plan === 6 ? null : '2026-04-01 12:00:00',
      label: this.#random(2) ? "my 'server'" : null,
    })
  }

  /** An invoice; what was paid is made of it where it is not said. */
  invoice(it: {
    user: number
    currency: string
    status: string
    lines: Line[]
    rate?: string
    number?: string | null
    payments?: Record<string, Cell>[]
  }): number {
    const { user, currency, status, lines, rate, payments } = it
    const id = this.rows('invoices').length + 1
    this.add('invoices', {
      ...{ id, status, user_id: user, currency_code: currency, due_at: '2025-04-01' },
      number: it.number === undefined ? `INV-${id}` : it.number,
    })
    let total = 0
    for (const { price, quantity = 1, service, type = SERVICE } of lines) {
      total += Math.round(Number(price) * 100) * quantity
      const reference = { reference_type: service ? type : null, reference_id: service ?? null }
      this.add('invoice_items', {
        ...{ invoice_id: id, price, quantity, ...reference },
        description: 'Minecraft (Mar 01, 2025 - Apr 01, 2025)\n2 GB',
      })
    }
    if (rate) this.add('invoice_snapshots', { invoice_id: id, tax_name: 'TVA', tax_rate: rate })
    const fee = currency === 'JPY' ? '0.00' : '0.35'
    const paid = [{ amount: (total / 100).toFixed(2), fee }]
    for (const payment of payments ?? (status === 'paid' ? paid : [])) this.payment(id, payment)
    return id
  }

  payment(invoice: number, it: Record<string, Cell>): void {
    const id = this.rows('invoice_transactions').length + 1
    this.add('invoice_transactions', {
      ...{ id, invoice_id: invoice, gateway_id: 3, fee: '0.35', transaction_id: `tx-${id}` },
      ...{ status: 'succeeded', is_credit_transaction: 0, ...it },
    })
  }

  oddPeople(): void {
    this.user(' PLAYER1@example.org ', 'x')
    this.user('nobody at home', 'x')
    this.user('keyed@example.org', 'eyJpdiI6IkE9PSJ9')
    this.user('greedy@example.org', argon('x').replace(/m=\d+/, 'm=999999'))
    this.add('properties', { key: 'country', value: 'FR', model_type: SERVICE, model_id: 1 })
    for (const [user, currency, amount] of [
      [500, 'EUR', '3.00'],
      [this.id('nobody at home'), 'EUR', '4.00'],
      [this.id(' PLAYER1@example.org '), 'EUR', '-2.00'],
      [1, 'DOG', '7.00'],
      [1, 'KWD', '1.50'],
      [1, 'JPY', '1.50'],
      [1, 'USD', 'much'],
    ] as const) {
      this.add('credits', { user_id: user, currency_code: currency, amount })
    }
  }

  id(email: string): number {
    return Number(this.rows('users').find((it) => it.email === email)?.id)
  }

  oddSales(): void {
    const [user, nobody] = [1, this.id('nobody at home')]
    const order = this.add('orders', { user_id: user, currency_code: 'EUR' })
    this.add('orders', { user_id: 500, currency_code: 'EUR' })
    const sold = { order, user, currency: 'EUR', plan: 1, product: 1, price: '8.00' }
    for (const odd of [
      { user: 500 },
      { user: nobody },
      { product: 77 },
      { plan: 55 },
      { plan: 4, product: 2 },
      { plan: 12, product: 2 },
      { plan: 13, product: 2 },
      { status: 'fraud' },
      { price: 'free' },
      { currency: 'JPY', price: '0.25', quantity: 1 },
      { currency: 'DOG' },
      { currency: 'JPY', price: '900.00', status: 'active' },
    ]) {
      this.service({ ...sold, ...odd })
    }
    const made = { user, currency: 'EUR', status: 'paid', lines: [{ price: '11.90' }] }
    for (const odd of [
      { rate: '19.00', number: null },
      { payments: [{ amount: '11.90', is_credit_transaction: 1 }] },
      { payments: [{ amount: '5.00' }], rate: '19.00' },
      {
        status: 'pending',
        payments: [{ amount: '1.90', is_credit_transaction: 1 }, { amount: '4' }],
      },
      {
        status: 'pending',
        payments: [
          { amount: '9', status: 'failed' },
          { amount: '9', status: 'processing' },
        ],
      },
      { status: 'cancelled' },
      { status: 'lost' },
      { user: 500 },
      { user: nobody },
      { number: 'INV-1' },
      { lines: [{ price: '5.00' }, { price: 'five' }] },
      { currency: 'JPY', lines: [{ price: '1000.00' }], rate: '10.00' },
      { currency: 'JPY', lines: [{ price: '10.50' }] },
      { currency: 'DOG' },
      { lines: [{ price: '20.00', service: 4, type: 'App\\Models\\Credit' }] },
      { lines: [] },
    ]) {
      this.invoice({ ...made, ...odd })
    }
    this.add('invoice_items', { invoice_id: 900, price: '1.00', quantity: 1 })
    for (const odd of [
      { amount: '3.00', invoice: 900 },
      { amount: 'three', invoice: 1 },
      { amount: '3.00', invoice: 1, status: 'perhaps' },
    ]) {
      const { invoice, ...more } = odd
      this.payment(invoice, more)
    }
  }
}

function argon(password: string): string {
  return argon2(password, { memoryCost: 64, timeCost: 1, parallelism: 1 })
}
