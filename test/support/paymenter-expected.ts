import type { Expected } from './dumps.ts'
import {
  byId,
  type Cell,
  currencyFate,
  DECIMALS,
  type Fate,
  failed,
  hundredths,
  IMPORTED,
  ownerFate,
  peopleOf,
  type Row,
  skipped,
  Tally,
  unread,
} from './foreign-dump.ts'
import type { PaymenterDump } from './paymenter-dump.ts'

const NAMES = {
  ...{ users: 'users', categories: 'categories', products: 'products', plans: 'prices' },
  ...{ coupons: 'coupons', taxRates: 'tax_rates', services: 'services', orders: 'orders' },
  ...{ invoices: 'invoices', invoiceItems: 'invoice_items', creditBalances: 'credits' },
  transactions: 'invoice_transactions',
}

/** What has to be reported of a dump, reckoned row by row from what is in it. */
export function paymenterExpected({ tables, logins }: PaymenterDump, taxed = true): Expected {
  const reckoning = new Reckoning((name) => tables[name]?.rows ?? [], taxed)
  reckoning.all()
  return {
    source: { version: null, taxType: 'Inclusive' },
    tables: Object.fromEntries(
      Object.entries(tables).map(([name, { rows }]) => [name, { rows: rows.length, use: '' }]),
    ),
    import: reckoning.tally.import,
    controls: reckoning.tally.controls,
    statuses: {},
    plans: reckoning.plans(),
    hashes: reckoning.hashes(),
    warnings: reckoning.warnings,
    logins: logins.map((login) => ({ ...login, clientId: 0, hash: '' })),
  }
}

class Reckoning {
  readonly tally = new Tally(NAMES)
  readonly warnings: Expected['warnings'] = {}
  readonly #rows: (table: string) => readonly Row[]
  readonly #taxed: boolean
  readonly #people: Map<number, Fate>
  readonly #invoices = new Map<number, Fate>()

  constructor(rows: (table: string) => readonly Row[], taxed: boolean) {
    this.#rows = rows
    this.#taxed = taxed
    this.#people = peopleOf(rows('users'))
  }

  all(): void {
    for (const [id, fate] of this.#people) this.tally.add('users', id, fate)
    for (const name of ['categories', 'products'] as const) {
      for (const { id } of this.#rows(name)) this.tally.add(name, Number(id), IMPORTED)
    }
    for (const { id } of this.#rows('tax_rates')) this.tally.add('taxRates', Number(id), IMPORTED)
    this.#prices()
    this.#coupons()
    this.#credits()
    this.#services()
    this.#orders()
    for (const row of this.#rows('invoices')) this.#invoice(row)
    this.#items()
    this.#payments()
    this.#warn('missing_category', 'products', [4])
    const unusable = this.#rows('users').filter(({ password, id }) => {
      const kept = this.#people.get(Number(id))?.outcome === 'imported'
      return kept && formOf(password) === 'encrypted'
    })
    this.#warn('password_reset_required', 'users', idsOf(unusable))
  }

  #warn(code: string, table: string, ids: number[]): void {
    if (ids.length > 0) this.warnings[code] = { table, count: ids.length, ids }
  }

  /** The name that a sum has: what is not in the list of currencies has none. */
  #currency(code: Cell | undefined): string {
    return this.#rows('currencies').some((it) => it.code === code) ? String(code) : 'UNKNOWN'
  }

  #plan(id: Cell | undefined): Row | undefined {
    return this.#rows('plans').find((it) => it.id === id && it.type !== 'sometimes')
  }

  /** Every price with what becomes of it. */
  #pricesWithFates(): { row: Row; plan: Row | undefined; fate: Fate }[] {
    const taken = new Set<string>()
    return this.#rows('prices').map((row) => {
      const plan = this.#plan(row.plan_id)
      const fate = this.#price(row, plan)
      const cycle = `${plan?.priceable_type} ${plan?.priceable_id} ${cycleOf(plan)} ${row.currency_code}`
      const again = fate === IMPORTED && taken.has(cycle)
      taken.add(cycle)
      return { row, plan, fate: again ? skipped('duplicate_cycle') : fate }
    })
  }

  #price({ price, currency_code }: Row, plan: Row | undefined): Fate {
    if (hundredths(price) === null) return unread('invalid_amount')
    if (!plan) return skipped('orphan_plan')
    if (!String(plan.priceable_type).endsWith('Product')) return skipped('unsupported_pricing_type')
    if (!byId(this.#rows('products')).has(Number(plan.priceable_id))) {
      return skipped('orphan_product')
    }
    if (plan.billing_unit === 'day' && plan.billing_period === 1)
      return skipped('unsupported_cycle')
    return this.#currency(currency_code) === 'UNKNOWN' ? skipped('unknown_currency') : IMPORTED
  }

  #prices(): void {
    for (const { row, fate } of this.#pricesWithFates()) {
      this.tally.add('plans', Number(row.id), fate)
    }
  }

  plans(): Expected['plans'] {
    const sold = this.#pricesWithFates().filter(({ fate }) => fate === IMPORTED)
    const priced = new Set(this.#rows('prices').map((it) => it.plan_id))
    const free = this.#rows('plans').filter((it) => it.type === 'free' && !priced.has(it.id ?? 0))
    const all = [...sold.map(({ plan }) => plan), ...free]
    const distinct = new Map(all.map((it) => [`${it?.priceable_id} ${cycleOf(it)}`, cycleOf(it)]))
    const byCycle: Record<string, number> = {}
    for (const cycle of distinct.values()) byCycle[cycle] = (byCycle[cycle] ?? 0) + 1
    return { distinct: distinct.size, priceRows: all.length, byCycle }
  }

  #coupons(): void {
    const codes = new Set<string>()
    for (const { id, code, type, value } of this.#rows('coupons')) {
      const known = type === 'percentage' || type === 'fixed'
      const again = known && codes.has(String(code).toLowerCase())
      if (known) codes.add(String(code).toLowerCase())
      const fate = !known
        ? skipped('unsupported_coupon_type')
        : (hundredths(value) ?? 0) < 1
          ? failed('invalid_value')
          : again
            ? skipped('duplicate_code')
            : IMPORTED
      this.tally.add('coupons', Number(id), fate)
    }
  }

  #credits(): void {
    for (const { id, user_id, currency_code, amount } of this.#rows('credits')) {
      const cents = hundredths(amount)
      const currency = this.#currency(currency_code)
      const fate =
        cents === null
          ? unread('invalid_amount')
          : (ownerFate(this.#people, Number(user_id)) ?? currencyFate(currency, cents) ?? IMPORTED)
      const amounts = { balance: cents ?? 0 }
      this.tally.add('creditBalances', Number(id), fate, { currency, amounts })
    }
  }

  #services(): void {
    for (const row of this.#rows('services')) {
      const amount = (hundredths(row.price) ?? 0) * Number(row.quantity)
      const amounts = { recurring: amount, first: 0 }
      const currency = this.#currency(row.currency_code)
      this.tally.add('services', Number(row.id), this.#service(row, currency, amount), {
        ...{ currency, amounts },
      })
    }
  }

  #service({ status, price, user_id, product_id, plan_id }: Row, currency: string, amount: number) {
    if (!['pending', 'active', 'suspended', 'cancelled'].includes(String(status))) {
      return unread('unknown_status')
    }
    if (hundredths(price) === null) return unread('invalid_amount')
    const owner = ownerFate(this.#people, Number(user_id))
    if (owner) return owner
    if (!byId(this.#rows('products')).has(Number(product_id))) return skipped('orphan_product')
    const plan = this.#plan(plan_id)
    if (!plan) return skipped('orphan_plan')
    if (plan.billing_unit === 'day' && plan.billing_period === 1)
      return skipped('unsupported_cycle')
    return currencyFate(currency, amount) ?? IMPORTED
  }

  #orders(): void {
    for (const { id, user_id, currency_code } of this.#rows('orders')) {
      const readable = this.#rows('services').filter(
        (it) => it.order_id === id && it.status !== 'fraud' && hundredths(it.price) !== null,
      )
      const amount = readable.reduce(
        (sum, it) => sum + (hundredths(it.price) ?? 0) * Number(it.quantity),
        0,
      )
      const currency = this.#currency(currency_code)
      const fate =
        ownerFate(this.#people, Number(user_id)) ?? currencyFate(currency, amount) ?? IMPORTED
      this.tally.add('orders', Number(id), fate, { currency, amounts: { amount } })
    }
  }

  #linesOf(invoice: Cell | undefined): readonly Row[] {
    return this.#rows('invoice_items').filter((it) => it.invoice_id === invoice)
  }

  #moneyFor(invoice: Cell | undefined): readonly Row[] {
    return this.#rows('invoice_transactions').filter(
      (it) =>
        it.invoice_id === invoice && it.status === 'succeeded' && hundredths(it.amount) !== null,
    )
  }

  /** The rate it was paid with, else that of the country, where tax is shown at all. */
  #rate({ id, user_id }: Row): { percent: number; kept: boolean } {
    const kept = this.#rows('invoice_snapshots').find((it) => it.invoice_id === id)
    if (kept) return { percent: Number(kept.tax_rate), kept: true }
    if (!this.#taxed) return { percent: 0, kept: false }
    const country = this.#rows('properties').find(
      (it) =>
        it.model_id === user_id && it.key === 'country' && String(it.model_type).endsWith('User'),
    )?.value
    const codes: Record<string, string> = { France: 'FR', DE: 'DE' }
    const code = codes[String(country)]
    const rates = this.#rows('tax_rates')
    const rate = rates.find((it) => it.country === code) ?? rates.find((it) => it.country === 'all')
    return { percent: Number(rate?.rate), kept: false }
  }

  #invoice(row: Row): void {
    const { id, status, user_id, currency_code } = row
    const currency = this.#currency(currency_code)
    const lines = this.#linesOf(id)
    const gross = lines.reduce(
      (sum, it) => sum + (hundredths(it.price) ?? 0) * Number(it.quantity),
      0,
    )
    const { percent, kept } = this.#rate(row)
    const unit = DECIMALS[currency] === 0 ? 100 : 1
    const inside = (gross - gross / (1 + percent / 100)) / unit
    const tax = Math.sign(inside) * Math.round(Math.abs(inside)) * unit
    const money = this.#moneyFor(id)
    const credit = sumOf(money.filter((it) => it.is_credit_transaction === 1))
    const amounts = { subtotal: gross - tax, tax, tax2: 0, credit, total: gross - credit, gross }
    const fate = !['pending', 'paid', 'cancelled'].includes(String(status))
      ? unread('unknown_status')
      : (ownerFate(this.#people, Number(user_id)) ??
        (lines.some((it) => hundredths(it.price) === null) ? failed('unreadable_line') : null) ??
        currencyFate(currency, gross - tax, tax, credit, gross - credit) ??
        IMPORTED)
    this.#invoices.set(Number(id), fate)
    this.tally.add('invoices', Number(id), fate, { currency, amounts })
    if (!fate.unread && row.number === 'INV-1' && id !== 1) {
      this.#warn('duplicate_invoice_number', 'invoices', [Number(id)])
    }
    if (fate !== IMPORTED || status !== 'paid') return
    if (sumOf(money) !== gross) this.#also('paid_differs', Number(id))
    if (tax !== 0 && !kept) this.#also('tax_not_stored', Number(id))
  }

  #also(code: string, id: number): void {
    this.#warn(code, 'invoices', [...(this.warnings[code]?.ids ?? []), id])
  }

  #items(): void {
    for (const { id, invoice_id, price, quantity } of this.#rows('invoice_items')) {
      const cents = hundredths(price)
      const invoice = byId(this.#rows('invoices')).get(Number(invoice_id))
      const fate = this.#invoices.get(Number(invoice_id))
      const lost = !fate || fate.outcome === 'failed'
      const currency = lost ? 'UNKNOWN' : this.#currency(invoice?.currency_code)
      const own =
        cents === null
          ? failed('invalid_amount')
          : lost
            ? skipped('orphan_invoice')
            : fate.outcome === 'skipped'
              ? skipped('invoice_not_imported')
              : IMPORTED
      const amounts = { amount: (cents ?? 0) * Number(quantity) }
      this.tally.add('invoiceItems', Number(id), own, { currency, amounts })
    }
  }

  #payments(): void {
    for (const row of this.#rows('invoice_transactions')) {
      const { id, invoice_id, amount, fee, status, is_credit_transaction } = row
      const invoice = byId(this.#rows('invoices')).get(Number(invoice_id))
      const there = invoice && this.#invoices.get(Number(invoice.id))?.unread !== true
      const currency = there ? this.#currency(invoice.currency_code) : 'UNKNOWN'
      const amounts = {
        amountIn: hundredths(amount) ?? 0,
        amountOut: 0,
        fees: hundredths(fee) ?? 0,
      }
      const known = ['succeeded', 'failed', 'processing'].includes(String(status))
      const fate = !known
        ? unread('unknown_status')
        : hundredths(amount) === null
          ? unread('invalid_amount')
          : !there
            ? skipped('orphan_invoice')
            : (ownerFate(this.#people, Number(invoice.user_id)) ??
              (is_credit_transaction === 1 && status === 'succeeded'
                ? skipped('credit_used')
                : null) ??
              (status === 'succeeded' ? null : skipped('no_money_moved')) ??
              currencyFate(currency, amounts.amountIn, amounts.fees) ??
              IMPORTED)
      this.tally.add('transactions', Number(id), fate, { currency, amounts })
    }
  }

  hashes(): Record<string, number> {
    const forms: Record<string, number> = {}
    for (const { id, password } of this.#rows('users')) {
      if (this.#people.get(Number(id))?.outcome !== 'imported') continue
      const form = formOf(password)
      forms[form] = (forms[form] ?? 0) + 1
    }
    return forms
  }
}

function formOf(password: Cell | undefined): string {
  const text = String(password)
  if (text.startsWith('$2y$')) return 'bcrypt'
  return text.startsWith('$argon2id$') && !text.includes('m=999999') ? 'argon2' : 'encrypted'
}

const CYCLES: Readonly<Record<string, string>> = {
  ...{ '1 month': 'Monthly', '3 month': 'Quarterly', '1 year': 'Annually' },
  ...{ '18 month': '18 months', '1 week': '1 weeks', '14 day': '2 weeks' },
}

function cycleOf(plan: Row | undefined): string {
  if (plan?.type === 'free') return 'Free Account'
  if (plan?.type === 'one-time') return 'One Time'
  return CYCLES[`${plan?.billing_period} ${plan?.billing_unit}`] ?? 'Other'
}

function sumOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { amount }) => sum + (hundredths(amount) ?? 0), 0)
}

function idsOf(rows: readonly Row[]): number[] {
  return rows.map(({ id }) => Number(id))
}
