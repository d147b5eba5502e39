import assert from 'node:assert/strict'
import fc from 'fast-check'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { instant, later, millis } from '#lib/time.ts'
import { type Database, transact } from '#platform/database/index.ts'
import { createTenant } from '#tenants'
import type { DisputeSnapshot } from '../../src/areas/billing/gateways/snapshots.ts'
import { findService } from '../../src/areas/services/queries.ts'
import { findOpenUpgrade } from '../../src/areas/services/upgrades/queries.ts'
import { type TestApp, testApp } from './app.ts'
import {
  type ActionName,
  type Actor,
  type Cut,
  type Outcome,
  perform,
  type Wanted,
} from './history-actions.ts'
import {
  ACCOUNTS,
  type ReferenceAccount,
  ReferenceBooks,
  type ReferenceChange,
  type ReferenceInvoice,
  type ReferencePayment,
} from './reference-books.ts'
import { TEST_SELLER } from './seller.ts'

const KINDS = [
  ...(['pay', 'pay', 'pay', 'renew', 'renew', 'wait', 'wait', 'upgrade', 'refund'] as const),
  ...(['dispute', 'win', 'lose'] as const),
] as const

/** One thing that happens; `cut` is when the connection to the database is lost in it. */
export type Step = {
  readonly what: (typeof KINDS)[number]
  readonly which: number
  readonly percent: number
  readonly days: number
  readonly toCredit: boolean
  readonly cut: Cut
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...KINDS),
  which: fc.nat({ max: 3 }),
  percent: fc.constantFrom(1, 40, 100, 100, 100, 130),
  days: fc.constantFrom(1, 9, 24, 33, 70),
  toCredit: fc.boolean(),
  cut: fc.constantFrom('never', 'never', 'never', 'before the commit', 'after the commit'),
})

/** Most are short, and there are the more of them: a fault mostly needs two or three things to meet. */
export const histories = (longest: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.array(step, { minLength: 2, maxLength: Math.min(5, longest) }) },
    { weight: 1, arbitrary: fc.array(step, { minLength: 2, maxLength: longest }) },
  )

const FEE = 7
const DISPUTE_FEE = 15
const PRICES = [1000, 2500, 4000]
const START = instant('2026-01-31T10:15:00Z')

const EXACTLY: Step = {
  ...{ what: 'pay', which: 0, percent: 100, days: 0, toCredit: false, cut: 'never' },
}

/**
 * A service in which nobody works on jobs: a history decides when what they stand for happens, and
 * counts those that were written.
 */
export function historyApp(): Promise<TestApp> {
  return testApp(null, { config: { role: 'api' } })
}

/** Who sells to the customers of histories, with whom their payments are, and who does things. */
export type HistoryShop = {
  readonly database: Database
  readonly tenantId: string
  readonly gatewayId: string
  readonly products: readonly { productId: string; planId: string }[]
  readonly actor: Actor
}

/** The default tenant's shop, in which this process does things itself. */
export function shopOf({ deps, tenantId }: TestApp): Promise<HistoryShop> {
  const { database } = deps
  return openShop({ database, tenantId, actor: (action) => perform(database, action) })
}

/** A shop of a new tenant: what is booked in it is seen in its books only. */
export async function shopOfItsOwn(database: Database, actor: Actor): Promise<HistoryShop> {
  const wanted = { name: 'Histories', domains: [`${newId()}.test`], seller: TEST_SELLER }
  const place = { publicUrl: 'http://platform.test' }
  const tenant = await transact(database.everywhere, (tx) => createTenant(tx, place, wanted, START))
  return openShop({ database, tenantId: tenant.id, actor })
}

/** Writes a gateway, and three products each of which may become a dearer one. */
async function openShop(
  shop: Pick<HistoryShop, 'database' | 'tenantId' | 'actor'>,
): Promise<HistoryShop> {
  const { database, tenantId } = shop
  const gatewayId = newId()
  const products = PRICES.map(() => ({ productId: newId(), planId: newId() }))
  await transact(database.of(tenantId), async (tx) => {
    const gateway = { driver: 'sandbox', name: 'Cards', mode: 'test' as const, createdAt: START }
    await tx
      .insertInto('billing.gateways')
      .values({ tenantId, id: gatewayId, ...gateway })
      .execute()
    for (const [index, { productId: id, planId }] of products.entries()) {
      const upgradeTargetIds = products.slice(index + 1).map(({ productId }) => productId)
      const named = {
        slug: id,
        name: `Server ${index}`,
        createdAt: START,
        publishedAt: START,
        sellableSince: START,
      }
      await tx
        .insertInto('store.products')
        .values({ tenantId, id, ...named, upgradeTargetIds })
        .execute()
      const priceCents = cents(PRICES[index] ?? 0)
      const cycle = { interval: 'month' as const, intervalCount: 1, currency: 'EUR' }
      const plan = { tenantId, id: planId, productId: id, name: 'Monthly', createdAt: START }
      await tx
        .insertInto('store.plans')
        .values({ ...plan, ...cycle, priceCents })
        .execute()
    }
  })
  return { ...shop, gatewayId, products }
}

/**
 * Lives through a history, and compares the books with what the rulebook says after it. One shop has
 * one history at a time: the accounts that its customers share tell of no single one.
 */
export async function live(shop: HistoryShop, steps: readonly Step[]): Promise<void> {
  const before = await sharedBalances(shop)
  const history = new History(shop)
  await history.begin()
  for (const it of steps) await history.take(it)
  await history.payEverything()
  await history.assertAsWritten(before)
  const { database, tenantId } = shop
  await database.execute(`delete from jobs.job where data #>> '{payload,tenantId}' = $1`, [
    tenantId,
  ])
}

type Invoices = { id: string; reference: ReferenceInvoice }[]
type Disputed = { payment: ReferencePayment; providerPaymentId: string; told: number }

class History {
  readonly #shop: HistoryShop
  readonly #books = new ReferenceBooks()
  readonly #userId = newId()
  readonly #serviceId = newId()
  readonly #orderId = newId()
  readonly #invoices: Invoices = []
  readonly #payments: Disputed[] = []
  #now = START
  #upgrade: { invoice: ReferenceInvoice; change: ReferenceChange } | null = null

  constructor(shop: HistoryShop) {
    this.#shop = shop
  }

  get #db() {
    return this.#shop.database.of(this.#shop.tenantId)
  }

  get #key() {
    return { tenantId: this.#shop.tenantId, id: this.#serviceId }
  }

  /** Has something done, with the connection lost at the moment that is wanted. */
  #durably<N extends ActionName>(name: N, what: Wanted<N>, cut: Cut): Promise<Outcome<N>> {
    return this.#shop.actor({ tenantId: this.#shop.tenantId, name, what, now: this.#now, cut })
  }

  /** A purchase: an order of one server that is still to be paid. */
  async begin(): Promise<void> {
    const { tenantId, products } = this.#shop
    const [product] = products
    assert.ok(product)
    const priceCents = cents(PRICES[0] ?? 0)
    const of = { tenantId, userId: this.#userId, serviceId: this.#serviceId }
    const what = { ...of, ...product, orderId: this.#orderId, priceCents, key: newId() }
    const bought = await this.#durably('purchase', what, 'never')
    assert.ok(bought, 'a purchase is taken')
    const reference = this.#books.open(priceCents, { issued: false })
    this.#invoices.push({ id: bought.answer.invoiceId, reference })
  }

  async take(it: Step): Promise<void> {
    if (it.what === 'wait') await this.#wait(it)
    else if (it.what === 'pay') await this.#pay(it)
    else if (it.what === 'renew') await this.#renew(it)
    else if (it.what === 'upgrade') await this.#orderUpgrade(it)
    else if (it.what === 'refund') await this.#refund(it)
    else await this.#dispute(it)
  }

  /** Time goes on. A change that is ordered is paid before: unpaid it would be given up in a day. */
  async #wait({ days }: Step): Promise<void> {
    const ordered = this.#upgrade?.invoice
    const which = this.#invoices.findIndex(({ reference }) => reference === ordered)
    if (ordered && which >= 0) await this.#pay({ ...EXACTLY, which }, this.#books.due(ordered))
    this.#now = later(this.#now, days * 86_400_000)
  }

  async #pay({ which, percent, cut }: Step, amount?: number): Promise<void> {
    const chosen = this.#invoices[which % this.#invoices.length]
    assert.ok(chosen)
    const { id: invoiceId, reference } = chosen
    const received = amount ?? Math.max(FEE, Math.round((reference.total * percent) / 100))
    const { tenantId, gatewayId } = this.#shop
    const providerPaymentId = newId()
    const money = {
      ...{ tenantId, userId: this.#userId, gatewayId, providerPaymentId, invoiceId },
      ...{ receivedCents: cents(received), feeCents: cents(FEE) },
    }
    assert.ok(await this.#durably('pay', money, cut), 'money is always booked')
    const payment = this.#books.pay(reference, received, FEE)
    this.#payments.push({ payment, providerPaymentId, told: 0 })
    if (reference.status === 'paid') await this.#settled(chosen, cut)
  }

  /** What those do who hear that an invoice is paid; each more than once when its answer is lost. */
  async #settled({ id: invoiceId, reference }: Invoices[number], cut: Cut): Promise<void> {
    const { tenantId } = this.#shop
    const isFirst = reference === this.#invoices[0]?.reference
    if (isFirst && this.#books.periods.length === 0) {
      await this.#durably('start', { orderId: this.#orderId, service: this.#key }, cut)
      this.#books.begin(reference, millis(this.#now), PRICES[0] ?? 0)
    }
    await this.#durably('settle', { tenantId, invoiceId }, cut)
    this.#books.settlePeriods(reference, millis(this.#now))
    if (this.#upgrade?.invoice === reference) await this.#makeUpgrade(cut)
  }

  async #renew({ cut }: Step): Promise<void> {
    const before = this.#books.periods.length
    this.#books.renew(millis(this.#now))
    const due = this.#books.periods.length - before
    // The run takes one period of a service at a time; with none left it makes no more.
    for (let run = 0; run <= due; run += 1) await this.#durably('renew', this.#key, cut)
    const known = new Set(this.#invoices.map(({ id }) => id))
    const rows = await this.#db
      .selectFrom('billing.invoices')
      .select('id')
      .where('tenantId', '=', this.#shop.tenantId)
      .where('userId', '=', this.#userId)
      .where('kind', '=', 'renewal')
      .orderBy('id')
      .execute()
    const renewals = this.#books.invoices.filter((it) => this.#isRenewal(it))
    assert.equal(rows.length, renewals.length, 'each month has one invoice')
    for (const [index, { id }] of rows.entries()) {
      const reference = renewals[index]
      if (reference && !known.has(id)) this.#invoices.push({ id, reference })
    }
  }

  #isRenewal(invoice: ReferenceInvoice): boolean {
    return this.#books.periods.slice(1).some((period) => period.invoice === invoice)
  }

  async #orderUpgrade({ cut }: Step): Promise<void> {
    const price = PRICES[PRICES.indexOf(this.#books.price) + 1]
    const product = this.#shop.products[PRICES.indexOf(price ?? 0)]
    if (!product || price === undefined) return
    const of = { tenantId: this.#shop.tenantId, userId: this.#userId, serviceId: this.#serviceId }
    const allowed = this.#upgrade === null && this.#books.mayUpgrade(millis(this.#now))
    const ordered = await this.#durably('upgrade', { ...of, ...product, key: newId() }, cut)
    assert.equal(ordered !== null, allowed, 'what may be changed is')
    if (!ordered) return
    const change = this.#books.upgradeOf(price, millis(this.#now))
    const { answer: made } = ordered
    assert.equal(made?.netCents ?? 0, change.net, 'a change costs its share')
    if (!made) return this.#makeUpgrade(cut, change)
    const reference = this.#books.open(change.net, { issued: false })
    this.#invoices.push({ id: made.invoiceId, reference })
    this.#upgrade = { invoice: reference, change }
  }

  /** The change is paid for, and the panel makes it. */
  async #makeUpgrade(cut: Step['cut'], change = this.#upgrade?.change): Promise<void> {
    const open = await findOpenUpgrade(this.#db, this.#shop.tenantId, this.#serviceId)
    if (!open || !change) return
    const { tenantId, id } = open
    await this.#durably('startUpgrade', { tenantId, id }, cut)
    const made = await this.#durably('completeUpgrade', { tenantId, id }, cut)
    assert.ok(made, 'a change that is paid is made')
    this.#books.upgraded(change, millis(this.#now), this.#upgrade?.invoice)
    this.#upgrade = null
  }

  async #refund({ which, percent, toCredit, cut }: Step): Promise<void> {
    const chosen = this.#invoices[which % this.#invoices.length]
    assert.ok(chosen)
    const { id: invoiceId, reference } = chosen
    const amount = Math.max(1, Math.round((this.#books.refundable(reference) * percent) / 100))
    const to = toCredit ? ('credit' as const) : ('payment' as const)
    const wanted = {
      ...{ tenantId: this.#shop.tenantId, invoiceId, amountCents: cents(amount), to },
      ...{ reason: { written: 'Test' }, key: newId() },
    }
    const done = await this.#durably('refund', wanted, cut)
    assert.equal(done !== null, this.#books.mayRefund(reference, amount), 'what may be refunded is')
    if (done) this.#books.refund(reference, amount, to)
  }

  async #dispute({ what, which, cut }: Step): Promise<void> {
    // Of a payment that its invoice took whole.
    const whole = this.#payments.filter(({ payment }) => payment.applied === payment.received)
    const chosen = whole[which % Math.max(1, whole.length)]
    if (!chosen) return
    const { payment, providerPaymentId } = chosen
    if (payment.dispute !== (what === 'dispute' ? 'none' : 'open')) return
    if (what === 'dispute') this.#books.dispute(payment, DISPUTE_FEE)
    else if (what === 'win') this.#books.win(payment)
    else this.#books.lose(payment, millis(this.#now))
    chosen.told += 1
    const amountCents = cents(payment.received)
    const states = { dispute: 'needs_response', win: 'won', lose: 'lost' } as const
    const snapshot: DisputeSnapshot = {
      disputeId: `dp_${providerPaymentId}`,
      payment: { paymentId: providerPaymentId },
      amount: { amountCents, currency: 'EUR' },
      state: states[what as keyof typeof states],
      fundsHeldCents: what === 'win' ? cents(0) : amountCents,
      feeCents: cents(DISPUTE_FEE),
      feeCurrency: 'EUR',
      observedAt: later(this.#now, chosen.told),
    }
    const { tenantId, gatewayId } = this.#shop
    await this.#durably('dispute', { gateway: { tenantId, gatewayId }, snapshot }, cut)
    const invoice = this.#invoices.find(({ reference }) => reference === payment.invoice)
    if (what !== 'lose' || !invoice) return
    await this.#durably('reopen', { tenantId, invoiceId: invoice.id }, cut)
  }

  /** Invariant 19: who has paid everything that is due has a service that runs. */
  async payEverything(): Promise<void> {
    for (const [which, { reference }] of this.#invoices.entries()) {
      const due = this.#books.due(reference)
      if (reference.status === 'open' && due > 0) await this.#pay({ ...EXACTLY, which }, due)
    }
    const service = await findService(this.#db, this.#key)
    assert.deepEqual([service?.suspendReasons, service?.endedAt], [[], null])
  }

  async assertAsWritten(before: ReadonlyMap<string, number>): Promise<void> {
    await this.#assertInvoices()
    const after = await sharedBalances(this.#shop, this.#userId)
    const found = ACCOUNTS.map((it) => {
      const code = codeOf(it, this.#shop, this.#userId)
      return [it, (after.get(code) ?? 0) - (before.get(code) ?? 0)]
    })
    const expected = ACCOUNTS.map((it) => [it, this.#books.balances.get(it) ?? 0])
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected))
    const service = await findService(this.#db, this.#key)
    assert.equal((service?.suspendReasons.length ?? 0) > 0, this.#books.suspended)
    assert.equal(
      expected.reduce((sum, [, amount]) => sum + Number(amount), 0),
      0,
    )
  }

  async #assertInvoices(): Promise<void> {
    const rows = await this.#db
      .selectFrom('billing.invoices')
      .selectAll()
      .where('tenantId', '=', this.#shop.tenantId)
      .where('userId', '=', this.#userId)
      .execute()
    assert.equal(rows.length, this.#books.invoices.length)
    const ids = rows.map(({ id }) => id)
    const { rows: jobs } = await this.#shop.database.execute(
      `select data #>> '{payload,invoiceId}' as id, count(*)::int as count from jobs.job
       where name = 'services.period-paid' and data #>> '{payload,invoiceId}' = any($1) group by 1`,
      [ids],
    )
    const settled = new Map(jobs.map(({ id, count }) => [id, count]))
    for (const { id, reference } of this.#invoices) {
      const it = rows.find((row) => row.id === id)
      assert.ok(it)
      const { status, paidCents, creditedCents, refundedCents, reversedCents } = it
      assert.deepEqual(
        {
          ...{ status, net: it.netCents, tax: it.taxCents, numbered: it.number !== null },
          ...{ paid: paidCents, credited: creditedCents },
          ...{ refunded: refundedCents, reversed: reversedCents, settled: settled.get(it.id) ?? 0 },
        },
        {
          ...{ status: reference.status, net: reference.net, tax: reference.tax },
          ...{ numbered: reference.numbered, paid: reference.paid, credited: reference.credited },
          ...{ refunded: reference.refunded, reversed: reference.reversed },
          settled: reference.settled,
        },
      )
    }
  }
}

const CODES: Partial<Record<ReferenceAccount, string>> = { tax: 'tax:FR:2000' }

function codeOf(account: ReferenceAccount, { gatewayId }: HistoryShop, userId: string): string {
  if (account === 'receivable' || account === 'credit') return `${account}:${userId}`
  return account === 'cash' ? `cash:${gatewayId}` : (CODES[account] ?? account)
}

async function sharedBalances(
  shop: HistoryShop,
  userId = '',
): Promise<ReadonlyMap<string, number>> {
  const codes = ACCOUNTS.map((it) => codeOf(it, shop, userId))
  const rows = await shop.database
    .of(shop.tenantId)
    .selectFrom('ledger.balances as balance')
    .innerJoin('ledger.accounts as account', (join) =>
      join
        .onRef('account.tenantId', '=', 'balance.tenantId')
        .onRef('account.id', '=', 'balance.accountId'),
    )
    .select(['account.code', 'balance.balanceCents'])
    .where('balance.tenantId', '=', shop.tenantId)
    .where('account.code', 'in', codes)
    .execute()
  return new Map(rows.map(({ code, balanceCents }) => [code, balanceCents]))
}
