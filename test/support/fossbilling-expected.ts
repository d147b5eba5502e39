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
import type { FossbillingDump } from './fossbilling-dump.ts'

const NAMES = {
  ...{ users: 'client', creditBalances: 'client', categories: 'product_category' },
  ...{ products: 'product', plans: 'product_payment', coupons: 'promo', taxRates: 'tax' },
  ...{ services: 'client_order', invoices: 'invoice', invoiceItems: 'invoice_item' },
  ...{ transactions: 'transaction', creditLedger: 'client_balance' },
}

/** What has to be reported of a dump, reckoned row by row from what is in it. */
export function fossbillingExpected({ tables, logins }: FossbillingDump): Expected {
  const reckoning = new Reckoning((name) => tables[name]?.rows ?? [])
  reckoning.all()
  return {
    source: { version: 'patch 91', taxType: 'Exclusive' },
    tables: Object.fromEntries(
      Object.entries(tables).map(([name, { rows }]) => [name, { rows: rows.length, use: '' }]),
    ),
    import: reckoning.tally.import,
    controls: reckoning.tally.controls,
    statuses: {},
    // 1 month: Minecraft, Backups, Old; a week, a year, a quarter, three years; once; free.
    plans: {
      ...{ distinct: 9, priceRows: 9 },
      byCycle: {
        ...{ Monthly: 3, Annually: 1, Quarterly: 1, Triennially: 1 },
        ...{ '1 weeks': 1, 'One Time': 1, 'Free Account': 1 },
      },
    },
    hashes: reckoning.hashes(),
    warnings: reckoning.warnings,
    logins: logins.map((login) => ({ ...login, clientId: 0, hash: '' })),
  }
}

class Reckoning {
  readonly tally = new Tally(NAMES)
  readonly warnings: Expected['warnings'] = {}
  readonly #rows: (table: string) => readonly Row[]
  readonly #clients: readonly Row[]
  readonly #people: Map<number, Fate>
  readonly #invoices = new Map<number, Fate>()

  constructor(rows: (table: string) => readonly Row[]) {
    this.#rows = rows
    this.#clients = rows('client').filter(({ status }) => status !== 'sleeping')
    this.#people = peopleOf(this.#clients)
  }

  all(): void {
    for (const row of this.#rows('client')) this.#client(row)
    for (const { id } of this.#rows('product_category')) {
      this.tally.add('categories', Number(id), IMPORTED)
    }
    for (const { id } of this.#rows('product')) this.tally.add('products', Number(id), IMPORTED)
    for (const { id, type } of this.#rows('product_payment')) {
      const used = this.#rows('product').some((it) => it.product_payment_id === id)
      const fate = type === 'donation' ? unread('unknown_payment_type') : IMPORTED
      this.tally.add(
        'plans',
        Number(id),
        fate === IMPORTED && !used ? skipped('orphan_product') : fate,
      )
    }
    for (const { id, taxrate } of this.#rows('tax')) {
      const fate = taxrate === 'some' ? unread('invalid_amount') : IMPORTED
      this.tally.add('taxRates', Number(id), fate)
    }
    this.#promos()
    for (const row of this.#rows('client_order')) this.#order(row)
    for (const row of this.#rows('invoice')) this.#invoice(row)
    for (const row of this.#rows('invoice_item')) this.#item(row)
    for (const row of this.#rows('transaction')) this.#payment(row)
    this.#entries()
    this.#warn('missing_category', [5])
    this.#warn('rate_too_fine', [2])
  }

  #warn(code: string, ids: number[]): void {
    const known = this.warnings[code]?.ids ?? []
    const all = [...known, ...ids]
    if (all.length > 0) this.warnings[code] = { table: '', count: all.length, ids: all }
  }

  #currency(code: Cell | undefined, client: Cell | undefined): string {
    const named = String(code ?? '').trim()
    if (named !== '') {
      return this.#rows('currency').some((it) => it.code === named) ? named : 'UNKNOWN'
    }
    const row = this.#clients.find(({ id }) => id === client)
    return row ? String(row.currency ?? 'EUR') : 'UNKNOWN'
  }

  #client({ id, status, pass, currency }: Row): void {
    const number = Number(id)
    const fate = this.#people.get(number) ?? unread('unknown_status')
    this.tally.add('users', number, fate)
    const credit = this.#rows('client_balance')
      .filter((it) => it.client_id === id)
      .reduce((sum, it) => sum + (hundredths(it.amount) ?? 0), 0)
    const own: Fate =
      fate.outcome === 'merged'
        ? IMPORTED
        : fate.outcome === 'skipped'
          ? skipped('client_not_imported')
          : fate
    const money = { currency: String(currency ?? 'EUR'), amounts: { balance: credit } }
    this.tally.add('creditBalances', number, own, money)
    if (status === 'sleeping' || fate.outcome !== 'imported') return
    if (formOf(pass) === 'encrypted') this.#warn('password_reset_required', [number])
  }

  #promos(): void {
    const codes = new Set<string>()
    for (const { id, code, type, value } of this.#rows('promo')) {
      const known = code !== 'SETUP' && (type === 'percentage' || type === 'absolute')
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

  #order(row: Row): void {
    const { id, client_id, currency: code, price, quantity, discount } = row
    const amount = (hundredths(price) ?? 0) * Number(quantity ?? 1)
    const first = amount - (hundredths(discount) ?? 0)
    const currency = this.#currency(code, client_id)
    const fate = this.#orderFate(row, currency, amount, first)
    const amounts = { recurring: amount, first }
    this.tally.add('services', Number(id), fate, { currency, amounts })
  }

  #orderFate(row: Row, currency: string, ...amounts: number[]): Fate {
    const { client_id, product_id, period, status, price } = row
    if (hundredths(price) === null) return unread('invalid_amount')
    if (period === 'monthly') return unread('unknown_cycle')
    if (status === 'exploded') return unread('unknown_status')
    const owner = ownerFate(this.#people, Number(client_id))
    if (owner) return owner
    if (!byId(this.#rows('product')).has(Number(product_id))) return skipped('orphan_product')
    if (String(period).endsWith('D')) return skipped('unsupported_cycle')
    return currencyFate(currency, ...amounts) ?? IMPORTED
  }

  #invoice(row: Row): void {
    const { id, client_id, currency: code, status, taxrate } = row
    const currency = this.#currency(code, client_id)
    const lines = this.#rows('invoice_item').filter((it) => it.invoice_id === id)
    const sum = (rows: readonly Row[]) =>
      rows.reduce((all, it) => all + (hundredths(it.price) ?? 0) * Number(it.quantity ?? 1), 0)
    const subtotal = sum(lines)
    const unit = DECIMALS[currency] === 0 ? 100 : 1
    // In thousandths, so that it is exact: PHP rounds what is half away from zero.
    const thousandths = Math.round(Number(String(taxrate ?? '0').replace(',', '.')) * 1000)
    const exact = sum(lines.filter(({ taxed }) => taxed === 1)) * thousandths
    const tax = Math.sign(exact) * Math.floor(Math.abs(exact) / (100_000 * unit) + 0.5) * unit
    const total = subtotal + tax
    const amounts = { subtotal, tax, tax2: 0, credit: 0, total, gross: total }
    const fate: Fate =
      taxrate === '19,6'
        ? unread('invalid_amount')
        : status === 'bounced'
          ? unread('unknown_status')
          : (ownerFate(this.#people, Number(client_id)) ??
            (lines.some((it) => hundredths(it.price) === null)
              ? failed('unreadable_line')
              : null) ??
            currencyFate(currency, subtotal, tax) ??
            IMPORTED)
    this.#invoices.set(Number(id), fate)
    this.tally.add('invoices', Number(id), fate, { currency, amounts })
    if (row.nr === '101' && id !== 1) this.#warn('duplicate_invoice_number', [Number(id)])
  }

  #item({ id, invoice_id, price, quantity }: Row): void {
    const cents = hundredths(price)
    const fate = this.#invoices.get(Number(invoice_id))
    const lost = !fate || fate.outcome === 'failed'
    const invoice = byId(this.#rows('invoice')).get(Number(invoice_id))
    const currency = lost ? 'UNKNOWN' : this.#currency(invoice?.currency, invoice?.client_id)
    const own =
      cents === null
        ? failed('invalid_amount')
        : lost
          ? skipped('orphan_invoice')
          : fate.outcome === 'skipped'
            ? skipped('invoice_not_imported')
            : IMPORTED
    const amounts = { amount: (cents ?? 0) * Number(quantity ?? 1) }
    this.tally.add('invoiceItems', Number(id), own, { currency, amounts })
  }

  #payment({ id, invoice_id, currency: code, amount, type, status }: Row): void {
    const moved = status === 'processed' && type !== 'subscription_create'
    const cents = moved ? hundredths(amount) : 0
    const back = type === 'refund' || (cents ?? 0) < 0
    const size = Math.abs(cents ?? 0)
    const amounts = { amountIn: back ? 0 : size, amountOut: back ? size : 0, fees: 0 }
    const invoice = byId(this.#rows('invoice')).get(Number(invoice_id))
    const there = invoice && this.#invoices.get(Number(invoice_id))?.unread !== true
    const currency = this.#currency(code, invoice?.client_id)
    const fate =
      status === 'maybe'
        ? unread('unknown_status')
        : cents === null
          ? unread('invalid_amount')
          : invoice_id === null
            ? skipped('no_client')
            : !there
              ? skipped('orphan_invoice')
              : (ownerFate(this.#people, Number(invoice.client_id)) ??
                (moved ? null : skipped('no_money_moved')) ??
                currencyFate(currency, size) ??
                IMPORTED)
    this.tally.add('transactions', Number(id), fate, { currency, amounts })
  }

  #entries(): void {
    for (const { id, client_id, amount } of this.#rows('client_balance')) {
      const cents = hundredths(amount)
      const fate =
        cents === null
          ? unread('invalid_amount')
          : (ownerFate(this.#people, Number(client_id)) ?? IMPORTED)
      const currency = this.#currency(null, client_id)
      this.tally.add('creditLedger', Number(id), fate, {
        currency,
        amounts: { amount: cents ?? 0 },
      })
    }
  }

  hashes(): Record<string, number> {
    const forms: Record<string, number> = {}
    for (const { id, pass } of this.#clients) {
      if (this.#people.get(Number(id))?.outcome !== 'imported') continue
      const form = formOf(pass)
      forms[form] = (forms[form] ?? 0) + 1
    }
    return forms
  }
}

function formOf(pass: Cell | undefined): string {
  const text = String(pass)
  if (text.startsWith('$2')) return 'bcrypt'
  return text.startsWith('$argon2id$') ? 'argon2' : 'encrypted'
}
