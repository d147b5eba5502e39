import assert from 'node:assert/strict'
import fc from 'fast-check'
import { areas } from '#app/areas.ts'
import { type InvoiceRow, openInvoice } from '#billing'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { Problem } from '#lib/problem.ts'
import { type Instant, instant, later, millis } from '#lib/time.ts'
import { type Tx, transact } from '#platform/database/index.ts'
import { createServices, startServices } from '#services'
import { insertUser } from '#users'
import { applyDispute } from '../../src/areas/billing/disputes/apply.ts'
import type { DisputeSnapshot } from '../../src/areas/billing/gateways/snapshots.ts'
import { bookPayment } from '../../src/areas/billing/payments/booking.ts'
import { refundInvoice } from '../../src/areas/billing/refunds/actions.ts'
import { findService, updateService } from '../../src/areas/services/queries.ts'
import { renewOne } from '../../src/areas/services/renewals/run.ts'
import { reopenPeriods, settlePeriods } from '../../src/areas/services/renewals/settlement.ts'
import {
  completeUpgrade,
  orderUpgrade,
  startUpgrade,
} from '../../src/areas/services/upgrades/actions.ts'
import { findOpenUpgrade } from '../../src/areas/services/upgrades/queries.ts'
import { type TestApp, testApp } from './app.ts'
import { documentOf } from './billing-shop.ts'
import {
  ACCOUNTS,
  type ReferenceAccount,
  ReferenceBooks,
  type ReferenceInvoice,
  type ReferencePayment,
} from './reference-books.ts'

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
  readonly cut: 'never' | 'before the commit' | 'after the commit'
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...KINDS),
  which: fc.nat({ max: 3 }),
  percent: fc.constantFrom(1, 40, 100, 100, 100, 130),
  days: fc.constantFrom(1, 9, 24, 33, 70),
  toCredit: fc.boolean(),
  cut: fc.constantFrom('never', 'never', 'never', 'before the commit', 'after the commit'),
})

export const histories = (longest: number) => fc.array(step, { minLength: 2, maxLength: longest })

const FEE = 7
const DISPUTE_FEE = 15
const PRICES = [1000, 2500, 4000]
const START = instant('2026-01-31T10:15:00Z')

const EXACTLY: Step = {
  ...{ what: 'pay', which: 0, percent: 100, days: 0, toCredit: false, cut: 'never' },
}

class ConnectionLost extends Error {}

/**
 * A service in which nobody works on jobs: a history decides when what they stand for happens, and
 * counts those that were written.
 */
export async function historyApp(): Promise<TestApp> {
  // The queue learns of its queues by the first job of each, which must not be in a transaction of the
  // embedded database: it has one connection.
  const everything = areas.map(({ jobs = [], ...area }) => {
    return { ...area, jobs: jobs.map((job) => ({ ...job, everyMs: 86_400_000 })) }
  })
  const app = await testApp(null, { areas: everything, config: { role: 'api' } })
  await app.deps.queue.runSchedules()
  await app.deps.database.execute('delete from jobs.job')
  return app
}

type Catalogue = { gatewayId: string; products: readonly { productId: string; planId: string }[] }

/** Writes a gateway, and three products each of which may become a dearer one. */
export async function catalogueOf({ deps, tenantId }: TestApp): Promise<Catalogue> {
  const gatewayId = newId()
  const products = PRICES.map(() => ({ productId: newId(), planId: newId() }))
  await transact(deps.database.of(tenantId), async (tx) => {
    const gateway = { driver: 'sandbox', name: 'Cards', mode: 'test' as const, createdAt: START }
    await tx
      .insertInto('billing.gateways')
      .values({ tenantId, id: gatewayId, ...gateway })
      .execute()
    for (const [index, { productId: id, planId }] of products.entries()) {
      const upgradeTargetIds = products.slice(index + 1).map(({ productId }) => productId)
      const named = { slug: id, name: `Server ${index}`, createdAt: START }
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
  return { gatewayId, products }
}

/** Lives through a history, and compares the books with what the rulebook says after it. */
export async function live(app: TestApp, shop: Catalogue, steps: readonly Step[]): Promise<void> {
  const before = await sharedBalances(app, shop)
  const history = new History(app, shop)
  await history.begin()
  for (const it of steps) await history.take(it)
  await history.payEverything()
  await history.assertAsWritten(before)
  await app.deps.database.execute('delete from jobs.job')
}

type Invoices = { row: Pick<InvoiceRow, 'id'>; reference: ReferenceInvoice }[]
type Disputed = { payment: ReferencePayment; providerPaymentId: string; told: number }

class History {
  readonly #app: TestApp
  readonly #shop: Catalogue
  readonly #books = new ReferenceBooks()
  readonly #userId = newId()
  readonly #serviceId = newId()
  readonly #invoices: Invoices = []
  readonly #payments: Disputed[] = []
  #now = START
  #upgrade: { invoice: ReferenceInvoice; price: number } | null = null

  constructor(app: TestApp, shop: Catalogue) {
    this.#app = app
    this.#shop = shop
  }

  get #db() {
    return this.#app.deps.database.of(this.#app.tenantId)
  }

  get #key() {
    return { tenantId: this.#app.tenantId, id: this.#serviceId }
  }

  /** Does something that may be repeated, with the connection lost at the moment that is wanted. */
  async #durably(work: (tx: Tx) => Promise<unknown>, cut: Step['cut']): Promise<boolean> {
    if (cut === 'before the commit') {
      const lost = transact(this.#db, async (tx) => {
        await work(tx)
        throw new ConnectionLost()
      })
      await assert.rejects(lost, (error) => error instanceof ConnectionLost || isRefusal(error))
    }
    const done = await this.#once(work)
    if (done && cut === 'after the commit') await this.#once(work)
    return done
  }

  async #once(work: (tx: Tx) => Promise<unknown>): Promise<boolean> {
    try {
      await transact(this.#db, work)
      return true
    } catch (error) {
      if (isRefusal(error)) return false
      throw error
    }
  }

  /** A purchase: an order of one server that is still to be paid. */
  async begin(): Promise<void> {
    const { tenantId } = this.#app
    const [userId, serviceId, orderId] = [this.#userId, this.#serviceId, newId()]
    const [product] = this.#shop.products
    assert.ok(product)
    const [priceCents, none] = [cents(PRICES[0] ?? 0), cents(0)]
    await transact(this.#db, async (tx) => {
      const email = `${userId}@example.org`
      const person = { name: 'Ada', country: 'FR', passwordHash: null, emailVerifiedAt: START }
      await insertUser(tx, { tenantId, id: userId, email, createdAt: START, ...person })
      const document = documentOf([{ totalCents: 1200, rate: 2000 }])
      const lines = document.lines.map((line) => ({ ...line, serviceId }))
      const sold = { ...document, lines }
      const about = { tenantId, userId, kind: 'checkout' as const, reference: orderId }
      const row = await openInvoice(tx, { ...about, document: sold, dueAt: START }, START)
      const order = { tenantId, userId, orderId, invoiceId: row.id, immediateStart: false }
      const service = {
        ...{ ...product, id: serviceId, orderItemId: newId(), name: 'Server', environment: {} },
        ...{ priceCents, valueCents: priceCents, currency: 'EUR', interval: 'month' as const },
        ...{ intervalCount: 1, trialDays: 0, priceMicros: null, setupFeeCents: none, coupons: [] },
      }
      await createServices(tx, order, [service], START)
      const reference = this.#books.open(priceCents, { issued: false })
      this.#invoices.push({ row, reference })
    })
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
    const { row, reference } = chosen
    const received = amount ?? Math.max(FEE, Math.round((reference.total * percent) / 100))
    const { tenantId } = this.#app
    const providerPaymentId = newId()
    const method = { methodKind: null, methodBrand: null, methodLast4: null, fingerprint: null }
    const money = {
      ...{ tenantId, userId: this.#userId, gatewayId: this.#shop.gatewayId, attemptId: null },
      ...{ providerPaymentId, receivedCents: cents(received), feeCents: cents(FEE), method },
      ...{ currency: 'EUR', paidAt: this.#now },
    }
    const booked = await this.#durably((tx) => bookPayment(tx, money, [row.id], this.#now), cut)
    assert.ok(booked, 'money is always booked')
    const payment = this.#books.pay(reference, received, FEE)
    this.#payments.push({ payment, providerPaymentId, told: 0 })
    if (reference.status === 'paid') await this.#settled(chosen, cut)
  }

  /** What those do who hear that an invoice is paid; each more than once when its answer is lost. */
  async #settled({ row, reference }: Invoices[number], cut: Step['cut']): Promise<void> {
    const { tenantId } = this.#app
    const now = this.#now
    const isFirst = reference === this.#invoices[0]?.reference
    if (isFirst && this.#books.periods.length === 0) {
      const service = await findService(this.#db, this.#key)
      const order = { tenantId, orderId: service?.orderId ?? '', paidAt: now }
      await this.#durably(async (tx) => {
        await startServices(tx, order, now)
        await updateService(tx, this.#key, { activatedAt: now })
      }, cut)
      this.#books.begin(reference, millis(now), PRICES[0] ?? 0)
    }
    await this.#durably((tx) => settlePeriods(tx, { tenantId, invoiceId: row.id }, now), cut)
    this.#books.settlePeriods(reference, millis(now))
    if (this.#upgrade?.invoice === reference) await this.#makeUpgrade(cut)
  }

  async #renew({ cut }: Step): Promise<void> {
    // One period of a service at a time, as the run takes it, until none is due.
    let next: Instant | null
    do {
      await this.#durably((tx) => renewOne(tx, this.#key, this.#now), cut)
      const service = await findService(this.#db, this.#key)
      next = service?.suspendReasons.length === 0 ? service.nextInvoiceAt : null
    } while (next && next <= this.#now && this.#books.periods.length > 0)
    this.#books.renew(millis(this.#now))
    const known = this.#invoices.length
    const rows = await this.#db
      .selectFrom('billing.invoices')
      .select('id')
      .where('tenantId', '=', this.#app.tenantId)
      .where('userId', '=', this.#userId)
      .where('kind', '=', 'renewal')
      .orderBy('id')
      .execute()
    const renewals = this.#books.invoices.filter((it) => this.#isRenewal(it))
    assert.equal(rows.length, renewals.length, 'each month has one invoice')
    for (const [index, row] of rows.entries()) {
      const reference = renewals[index]
      if (reference && !this.#invoices.slice(0, known).some((it) => it.row.id === row.id)) {
        this.#invoices.push({ row, reference })
      }
    }
  }

  #isRenewal(invoice: ReferenceInvoice): boolean {
    return this.#books.periods.slice(1).some((period) => period.invoice === invoice)
  }

  async #orderUpgrade({ cut }: Step): Promise<void> {
    const price = PRICES[PRICES.indexOf(this.#books.price) + 1]
    const product = this.#shop.products[PRICES.indexOf(price ?? 0)]
    if (!product || price === undefined) return
    const caller = {
      ...{ kind: 'user' as const, tenantId: this.#app.tenantId, userId: this.#userId, email: '' },
      ...{ permissions: new Set<string>(), via: 'session' as const, credentialId: newId() },
      ...{ readOnly: false, impersonatorId: null },
    }
    const wanted = { serviceId: this.#serviceId, ...product }
    let invoice: InvoiceRow | null = null
    const ordered = await this.#durably(
      async (tx) => {
        invoice = (await orderUpgrade(tx, caller, wanted, this.#now)).invoice
      },
      // Ordered twice it is refused the second time: there is nothing to repeat.
      cut === 'after the commit' ? 'never' : cut,
    )
    if (!ordered) return
    const net = this.#books.upgradeCost(price, millis(this.#now))
    const made = invoice as InvoiceRow | null
    assert.equal(made?.netCents ?? 0, net, 'a change costs its share')
    if (!made) return this.#makeUpgrade(cut, price)
    const reference = this.#books.open(net, { issued: false })
    this.#invoices.push({ row: made, reference })
    this.#upgrade = { invoice: reference, price }
  }

  /** The change is paid for, and the panel makes it. */
  async #makeUpgrade(cut: Step['cut'], price = this.#upgrade?.price): Promise<void> {
    const open = await findOpenUpgrade(this.#db, this.#app.tenantId, this.#serviceId)
    if (!open || price === undefined) return
    await this.#durably((tx) => startUpgrade(tx, open, this.#now), cut)
    await this.#durably((tx) => completeUpgrade(tx, open, this.#now), cut)
    this.#books.upgraded(price, millis(this.#now))
    this.#upgrade = null
  }

  async #refund({ which, percent, toCredit, cut }: Step): Promise<void> {
    const chosen = this.#invoices[which % this.#invoices.length]
    assert.ok(chosen)
    const { row, reference } = chosen
    const amount = Math.max(1, Math.round((this.#books.refundable(reference) * percent) / 100))
    const to = toCredit ? ('credit' as const) : ('payment' as const)
    const { tenantId } = this.#app
    const wanted = { tenantId, invoiceId: row.id, amountCents: cents(amount), to, reason: 'Test' }
    const done = await this.#durably(
      (tx) => refundInvoice(tx, wanted, this.#now),
      // A second one is another refund: its repetition is the HTTP layer's to recognise.
      cut === 'after the commit' ? 'never' : cut,
    )
    assert.equal(done, this.#books.mayRefund(reference, amount), 'what may be refunded is')
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
    const { tenantId } = this.#app
    const gateway = { tenantId, gatewayId: this.#shop.gatewayId }
    await this.#durably((tx) => applyDispute(tx, gateway, snapshot, this.#now), cut)
    const invoice = this.#invoices.find(({ reference }) => reference === payment.invoice)
    if (what !== 'lose' || !invoice) return
    const about = { tenantId, invoiceId: invoice.row.id }
    await this.#durably((tx) => reopenPeriods(tx, about, { suspend: true }, this.#now), cut)
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
    const after = await sharedBalances(this.#app, this.#shop, this.#userId)
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
      .where('tenantId', '=', this.#app.tenantId)
      .where('userId', '=', this.#userId)
      .execute()
    assert.equal(rows.length, this.#books.invoices.length)
    const { rows: jobs } = await this.#app.deps.database.execute(
      `select data #>> '{payload,invoiceId}' as id, count(*)::int as count from jobs.job
       where name = 'services.period-paid' group by 1`,
    )
    const settled = new Map(jobs.map(({ id, count }) => [id, count]))
    for (const { row, reference } of this.#invoices) {
      const it = rows.find(({ id }) => id === row.id)
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

function isRefusal(error: unknown): boolean {
  return error instanceof Problem
}

const CODES: Partial<Record<ReferenceAccount, string>> = { tax: 'tax:FR:2000' }

function codeOf(account: ReferenceAccount, { gatewayId }: Catalogue, userId: string): string {
  if (account === 'receivable' || account === 'credit') return `${account}:${userId}`
  return account === 'cash' ? `cash:${gatewayId}` : (CODES[account] ?? account)
}

async function sharedBalances(
  { deps, tenantId }: TestApp,
  shop: Catalogue,
  userId = '',
): Promise<ReadonlyMap<string, number>> {
  const codes = ACCOUNTS.map((it) => codeOf(it, shop, userId))
  const rows = await deps.database
    .of(tenantId)
    .selectFrom('ledger.balances as balance')
    .innerJoin('ledger.accounts as account', (join) =>
      join
        .onRef('account.tenantId', '=', 'balance.tenantId')
        .onRef('account.id', '=', 'balance.accountId'),
    )
    .select(['account.code', 'balance.balanceCents'])
    .where('account.code', 'in', codes)
    .execute()
  return new Map(rows.map(({ code, balanceCents }) => [code, balanceCents]))
}
