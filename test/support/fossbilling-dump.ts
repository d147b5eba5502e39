import { hashSync as argon2 } from '@node-rs/argon2'
import { hashSync as bcrypt } from '@node-rs/bcrypt'
import { type Cell, dumpOf, type Row, seeded, type Tables } from './foreign-dump.ts'

export type FossbillingDump = {
  readonly tables: Tables
  readonly content: Buffer
  readonly logins: { email: string; password: string }[]
}

const AT = '2025-03-01 12:00:00'
const PERIODS = ['w', 'm', 'q', 'b', 'a', 'bia', 'tria']
const each = (end: string) => PERIODS.map((it) => `${it}_${end}`).join(' ')

/** Columns of version 0.8, in its order; those of later price rows stand in a table of their own. */
export const COLUMNS: Readonly<Record<string, string>> = {
  client:
    'id aid client_group_id role auth_type email pass salt status email_approved tax_exempt type first_name last_name phone_cc phone company company_vat company_number address_1 address_2 city state postcode country notes currency lang created_at updated_at',
  client_balance: 'id client_id type rel_id amount description created_at updated_at',
  client_order:
    'id client_id product_id promo_id group_id group_master title currency unpaid_invoice_id service_id service_type period quantity price discount status expires_at activated_at canceled_at created_at updated_at',
  currency: 'id code is_default conversion_rate created_at updated_at',
  invoice:
    'id client_id serie nr hash currency currency_rate credit base_income refund notes status gateway_id approved taxname taxrate due_at paid_at created_at updated_at',
  invoice_item:
    'id invoice_id type rel_id task status title period quantity unit price charged taxed created_at updated_at',
  transaction:
    'id invoice_id gateway_id txn_id txn_status amount currency type status note created_at updated_at',
  product:
    'id product_category_id product_payment_id title slug description status hidden is_addon stock_control quantity_in_stock priority type created_at updated_at',
  product_category: 'id title description created_at updated_at',
  product_payment: `id type once_price once_setup_price ${each('price')} ${each('setup_price')} ${each('enabled')}`,
  promo:
    'id code description type value maxuses used freesetup once_per_client recurring active products periods client_groups start_at end_at created_at updated_at',
  tax: 'id level name country state taxrate created_at updated_at',
  setting: 'id param value public category created_at updated_at',
  subscription:
    'id client_id pay_gateway_id sid rel_type rel_id period amount currency status created_at updated_at',
  session: 'id content',
}

/** Price rows as they are in versions after 0.8. */
const LATER = {
  product_payment: 'id type once_price once_setup_price',
  product_payment_period: 'id product_payment_id code price setup_price enabled sort_order',
}

/** A FOSSBilling that never was, with what old installations hold beside what is right. */
export function fossbillingDump({ people = 8, seed = 1, later = false } = {}): FossbillingDump {
  const shop = new Shop(seed, later)
  shop.settings()
  shop.catalogue()
  shop.promotions()
  for (let at = 0; at < people; at += 1) shop.customer()
  shop.oddPeople()
  shop.oddSales()
  const columns = { ...COLUMNS, ...(later && LATER) }
  const tables = Object.fromEntries(
    Object.entries(columns).map(([name, it]) => [name, { columns: it, rows: shop.rows(name) }]),
  )
  return { tables, content: dumpOf(tables, 'fossbilling'), logins: shop.logins }
}

type Line = { price: string; quantity?: Cell; taxed?: number; type?: string; order?: number }
type Cells = Record<string, Cell>

class Shop {
  readonly logins: { email: string; password: string }[] = []
  readonly #rows = new Map<string, Row[]>()
  readonly #random: (limit: number) => number
  readonly #later: boolean

  constructor(seed: number, later: boolean) {
    this.#random = seeded(seed)
    this.#later = later
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

  settings(): void {
    this.add('setting', { param: 'last_patch', value: '91' })
    this.add('setting', { param: 'invoice_number_padding', value: '6' })
    this.add('setting', { param: 'company_name', value: 'Hosts "R" Us' })
    this.add('session', { content: "INSERT INTO `client` VALUES (1,'trap');" })
    this.add('currency', { code: 'USD', is_default: 0, conversion_rate: '1.100000' })
    this.add('currency', { code: 'EUR', is_default: 1, conversion_rate: '1.000000' })
    this.add('currency', { code: 'JPY', is_default: 0, conversion_rate: '160.000000' })
    this.add('currency', { code: 'BTC', is_default: 0, conversion_rate: '0.000010' })
    this.add('tax', { name: 'TVA', country: 'FR', state: null, taxrate: '20' })
    this.add('tax', { name: 'GST', country: null, state: null, taxrate: '9.975' })
    this.add('tax', { name: 'Odd', country: 'XX', state: '', taxrate: 'some' })
  }

  /** A product with its price row: monthly, yearly and weekly, or whatever is said. */
  product(title: string, type: string, prices: Record<string, string> = {}, more: Cells = {}) {
    const payment = this.rows('product_payment').length + 1
    const cells: Cells = { type, once_price: prices.once ?? '0.00', once_setup_price: '1.00' }
    for (const period of PERIODS) {
      cells[`${period}_price`] = prices[period] ?? '0.00'
      cells[`${period}_setup_price`] = '0.50'
      cells[`${period}_enabled`] = prices[period] ? 1 : 0
    }
    this.add('product_payment', { id: payment, ...cells })
    for (const [period, code] of Object.entries(CODES)) {
      if (!this.#later || !prices[period]) continue
      const row = { product_payment_id: payment, code, price: prices[period] }
      this.add('product_payment_period', { ...row, setup_price: '0.50', enabled: 1 })
    }
    const row = { product_category_id: 1, product_payment_id: payment, title, status: 'enabled' }
    return this.add('product', { ...row, hidden: 0, is_addon: 0, stock_control: 0, ...more })
  }

  catalogue(): void {
    this.add('product_category', { title: 'Game servers' })
    this.product('Minecraft', 'recurrent', { w: '2.00', m: '6.00', a: '60.00' })
    this.product(
      'Voice',
      'recurrent',
      { q: '9.00', tria: '99.00' },
      { stock_control: 1, quantity_in_stock: 4 },
    )
    this.product('Setup help', 'once', { once: '25.00' })
    this.product('Trial', 'free', {}, { hidden: 1 })
    this.product('Backups', 'recurrent', { m: '1.00' }, { is_addon: 1, product_category_id: 9 })
    this.product('Old', 'recurrent', { m: '3.00' }, { status: 'disabled' })
    this.add('product_payment', { type: 'recurrent', m_price: '1.00', m_enabled: 1 })
    this.add('product_payment', { type: 'donation' })
  }

  promotions(): void {
    const promo = (code: string, type: string, value: Cell, more: Cells = {}) =>
      this.add('promo', { code, type, value, active: 1, recurring: 0, freesetup: 0, ...more })
    promo('TEN', 'percentage', '10.00', { recurring: 1, maxuses: 20, used: 3, products: '[]' })
    promo('FIVE', 'absolute', '5.00', { products: '["1","3"]', once_per_client: 1 })
    promo('GONE', 'percentage', '50.00', { active: 0 })
    promo('YEARS', 'percentage', '15.00', { periods: '["1Y"]' })
    promo('SETUP', 'percentage', '0.00', { freesetup: 1 })
    promo('TRY', 'trial', '14.00')
    promo('five', 'absolute', '6.00')
    promo('ZERO', 'absolute', '0.00')
  }

  client(email: Cell, pass: Cell, more: Cells = {}): number {
    const name = { first_name: 'Grace', last_name: 'Hopper', company: 'Fleet & Co' }
    return this.add('client', {
      ...{ email, pass, status: 'active', currency: 'EUR', ...name },
      ...{ address_1: '1 Harbour\nRoad', city: 'Brest', postcode: '29200', country: 'FR' },
      ...more,
    })
  }

  customer(): void {
    const number = this.rows('client').length + 1
    const [email, password] = [`client${number}@example.net`, `clé ${number} <secret>`]
    this.logins.push({ email, password })
    const kept = number % 3 === 0 ? argon(password) : bcrypt(password, 4).replace('$2b$', '$2y$')
    const currency = number % 4 === 2 ? 'USD' : 'EUR'
    const client = this.client(email, kept, { currency, lang: number % 2 ? 'fr_FR' : 'en_US' })
    for (let count = this.#random(3); count >= 0; count -= 1) {
      const order = this.order({ client, currency })
      const price = this.price(2500)
      const lines: Line[] = [
        { price, quantity: 2, order },
        { price: `-${this.price(80)}`, taxed: this.#random(2) },
        { price: '3.33', quantity: null, type: 'custom' },
      ]
      const invoice = this.invoice({ client, currency, lines, status: 'paid', rate: '20' })
      this.balance(client, '50.00')
      this.balance(client, `-${this.price(4000)}`)
      this.payment(invoice, currency, { amount: '50.00' })
      this.invoice({ client, currency, lines, status: 'unpaid', rate: '9.975' })
    }
  }

  price(limit: number): string {
    const cents = this.#random(limit) + 100
    return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
  }

  order(it: { client: number; currency: string } & Cells): number {
    const { client, currency, ...more } = it
    const states = ['active', 'failed_renew', 'suspended', 'pending_setup', 'canceled']
    const [product, period] =
      (
        [
          [1, '1M'],
          [1, '1Y'],
          [2, '3M'],
          [3, null],
          [4, null],
        ] as const
      )[this.#random(5)] ?? []
    const price = product === 4 ? '0.00' : this.price(3000)
    const status = states[this.#random(states.length)] ?? 'active'
    return this.add('client_order', {
      ...{ client_id: client, product_id: product ?? 1, currency, period: period ?? null, price },
      ...{ quantity: this.#random(2) ? 2 : null, discount: '1.00', title: 'My "server"', status },
      expires_at: period ? '2026-04-01 12:00:00' : null,
      canceled_at: status === 'canceled' ? '2025-09-01 08:00:00' : null,
      ...more,
    })
  }

  balance(client: number, amount: Cell): void {
    this.add('client_balance', { client_id: client, amount, type: 'invoice', description: 'Paid' })
  }

  invoice(
    it: { client: number; currency: Cell; lines: Line[]; status: string; rate?: Cell } & {
      more?: Cells
    },
  ): number {
    const { client, currency, lines, status, rate = '0', more = {} } = it
    const id = this.rows('invoice').length + 1
    this.add('invoice', {
      ...{ id, client_id: client, currency, status, taxrate: rate, approved: 1 },
      ...{ serie: status === 'paid' ? 'P-' : 'FOSS', nr: `${id + 100}`, due_at: AT },
      ...{ paid_at: status === 'paid' ? AT : null, notes: 'Thank you', ...more },
    })
    for (const { price, quantity = 1, taxed = 1, type = 'order', order } of lines) {
      const line = { type, rel_id: order ?? '{"a":1}', title: 'Server', quantity, price, taxed }
      this.add('invoice_item', { invoice_id: id, ...line })
    }
    return id
  }

  payment(invoice: Cell, currency: Cell, more: Cells): void {
    const id = this.rows('transaction').length + 1
    const row = { id, invoice_id: invoice, gateway_id: 2, txn_id: `pi_${id}`, currency }
    this.add('transaction', { ...row, type: 'payment', status: 'processed', ...more })
  }

  oddPeople(): void {
    this.client(' CLIENT1@example.net', 'x')
    this.client(null, 'x')
    this.client('sha@example.net', 'da39a3ee5e6b4b0d3255bfef95601890afd80709', { currency: null })
    this.client('left@example.net', bcrypt('x', 4), { status: 'canceled' })
    this.client('odd@example.net', 'x', { status: 'sleeping' })
    for (const [email, amount] of [
      ['sha@example.net', '12.34'],
      [' CLIENT1@example.net', '1.00'],
      ['odd@example.net', '2.00'],
    ] as const) {
      this.balance(this.id(email), amount)
    }
    this.balance(700, '3.00')
    this.balance(1, 'plenty')
  }

  id(email: Cell): number {
    return Number(this.rows('client').find((it) => it.email === email)?.id)
  }

  oddSales(): void {
    const nobody = this.id(null)
    const sold = {
      client: 1,
      currency: 'EUR',
      product_id: 1,
      period: '1M',
      price: '5.00',
      status: 'active',
    }
    for (const odd of [
      { client: 700 },
      { client: nobody },
      { product_id: 77 },
      { period: '2W' },
      { period: '45D' },
      { period: 'monthly' },
      { status: 'exploded' },
      { price: 'gratis' },
      { currency: 'JPY', price: '0.50', quantity: 1, discount: null },
      { currency: 'BTC' },
      { currency: 'DOLLARS' },
      { period: '18M' },
    ] as const) {
      this.order({ ...sold, ...odd })
    }
    const made = {
      client: 1,
      currency: 'EUR',
      status: 'paid',
      rate: '20',
      lines: [{ price: '10.00' }],
    }
    for (const odd of [
      { status: 'unpaid', more: { approved: 0 } },
      { status: 'refunded', lines: [{ price: '-10.00' }], more: { serie: 'CN-', nr: '1' } },
      { status: 'canceled' },
      { status: 'bounced' },
      { client: 700 },
      { client: nobody },
      { more: { nr: '101', serie: 'P-' } },
      { more: { nr: 'draft', serie: null } },
      { rate: null, lines: [{ price: '0.10', quantity: 3 }] },
      { rate: '19,6' },
      { lines: [{ price: '1.00' }, { price: 'one' }] },
      { currency: 'JPY', rate: '9.975', lines: [{ price: '333.00' }] },
      { currency: 'JPY', lines: [{ price: '0.50' }] },
      { currency: null },
      { lines: [] },
      { lines: [{ price: '30.00', type: 'deposit', taxed: 0 }] },
    ]) {
      this.invoice({ ...made, ...odd })
    }
    this.add('invoice_item', { invoice_id: 900, price: '1.00', quantity: 1, type: 'custom' })
    const unpaid = 2
    this.payment(unpaid, 'EUR', { amount: '4.00' })
    this.payment(1, 'EUR', { amount: '5.00', type: 'refund' })
    this.payment(1, 'EUR', { amount: '-2.00', type: 'web_accept' })
    this.payment(1, 'EUR', { amount: '9.00', type: 'subscription_create' })
    this.payment(1, 'EUR', { amount: 'EUR 9', status: 'error' })
    this.payment(1, 'EUR', { amount: null, status: 'received', type: null })
    this.payment(1, 'EUR', { amount: 'EUR 9' })
    this.payment(1, 'EUR', { amount: '1.00', status: 'maybe' })
    this.payment(900, 'EUR', { amount: '1.00' })
    this.payment(null, 'EUR', { amount: '1.00' })
    this.payment(1, 'BTC', { amount: '1.00' })
  }
}

const CODES: Readonly<Record<string, string>> = {
  ...{ w: '1W', m: '1M', q: '3M', b: '6M', a: '1Y', bia: '2Y', tria: '3Y' },
}

function argon(password: string): string {
  return argon2(password, { memoryCost: 64, timeCost: 1, parallelism: 1 })
}
