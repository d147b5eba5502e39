import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listSalesByDay } from '#ledger'
import { decimalText } from '#lib/currency.ts'
import { portion, roundDiv } from '#lib/money.ts'
import { boundary, type Cycle } from '#lib/periods.ts'
import { DAY_MS, dayOf, type Instant, instant, later, millis } from '#lib/time.ts'
import { json, transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { faults } from '#test/imports.ts'
import { otherTenant, type Person, person } from '#test/people.ts'
import { TEST_SELLER } from '#test/seller.ts'
import { filesInZip } from '#test/zip.ts'

type Body = Answer['body']

/**
 * What a shop goes through in a month, by the ways customers and administrators go; then every
 * figure is compared with the books, the documents and the services it is about.
 */
const shop = await gameShop()
const { app, admin, db, tenantId, catalog, gatewayId } = shop
const REPORTS = '/v1/admin/reports'
const MONTHLY = { interval: 'month', intervalCount: 1 } as const
// Eight days before a quarter ends, so that the story goes on in the next one.
await goTo(later(quarterAfter(app.deps.clock.now()), -8 * DAY_MS))
const start = app.deps.clock.now()
const nextQuarter = quarterAfter(start)

const large = await catalog.offer(
  { priceCents: 2500 },
  {
    provisioning: {
      ...{ eggId: shop.eggId, nodeIds: [shop.nodeId] },
      limits: { memoryMb: 4096, diskMb: 5120, cpuPercent: 100 },
    },
  },
)
const small = await shop.server({ upgradeTargetIds: [large.product.id] })
const yearly = await catalog.plan(small.product.id, {
  ...{ name: 'Yearly', interval: 'year', priceCents: 9990, setupFeeCents: 500 },
})

/** The instant the quarter after this one begins. */
function quarterAfter(at: Instant): Instant {
  const [year, month] = [Number(at.slice(0, 4)), Number(at.slice(5, 7))]
  return instant(Date.UTC(year, month + 2 - ((month - 1) % 3), 1))
}

/** The name of the quarter an instant falls into. */
function quarterOf(at: Instant): string {
  return `${at.slice(0, 4)}-Q${Math.floor((Number(at.slice(5, 7)) - 1) / 3) + 1}`
}

type Customer = { person: Person; id: string; anchor: Instant; invoiceId: string }

async function customer(planId = small.plan.id, country = 'FR', how: object = {}) {
  const person = await shop.customer(country)
  const placed = await shop.order(person, planId, how)
  await shop.complete(placed.payment.redirectUrl)
  const { id, currentPeriodStart: anchor } = await shop.serviceBecame(person, 'active')
  return { person, id, anchor, invoiceId: placed.invoice.id } as Customer
}

async function goTo(at: Instant): Promise<void> {
  const seconds = (millis(at) - millis(app.deps.clock.now())) / 1000 + 60
  if (seconds > 0) await app.advance(Math.ceil(seconds))
}

async function ok(answer: Promise<Answer>): Promise<Body> {
  const { status, body, text } = await answer
  assert.ok(status < 300, text)
  return body
}

const read = (path: string): Promise<Body> => ok(admin.get(`${REPORTS}/${path}`))

/** The rows of a CSV answer, each as its cells by column. */
async function csv(path: string): Promise<Record<string, string>[]> {
  const { status, headers, text } = await admin.get(`${REPORTS}/${path}`)
  assert.equal(status, 200, text)
  assert.match(headers['content-type'] ?? '', /^text\/csv/)
  const [head = '', ...lines] = text.trimEnd().split('\r\n')
  const columns = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']))
  })
}

/** A JSON row as its CSV cells, for the columns the CSV has. */
function asCells(row: Body, columns: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    columns.map((column) => [column, row[column] === null ? '' : String(row[column])]),
  )
}

async function sameAsCsv(path: string, rows: readonly Body[]): Promise<void> {
  const lines = await csv(`${path}${path.includes('?') ? '&' : '?'}format=csv`)
  assert.ok(rows.length > 0, path)
  const columns = Object.keys(lines[0] ?? {})
  assert.deepEqual(
    lines,
    rows.map((row) => asCells(row, columns)),
  )
}

function total(rows: readonly Body[], field: string): number {
  return rows.reduce((sum, row) => sum + row[field], 0)
}

/** What is posted on the accounts of a kind, debits less credits. */
async function posted(pattern: string): Promise<number> {
  const rows = await db
    .selectFrom('ledger.postings as posting')
    .innerJoin('ledger.accounts as account', 'account.id', 'posting.accountId')
    .select('posting.amountCents')
    .where('account.code', 'like', pattern)
    .execute()
  return total(rows, 'amountCents')
}

async function issued(userId: string, unitPriceCents: number): Promise<string> {
  const lines = [{ description: 'By hand', unitPriceCents }]
  const { id } = await ok(admin.post('/v1/admin/invoices', { userId, lines }))
  await ok(admin.post(`/v1/admin/invoices/${id}/issue`))
  return id
}

let renewed: Customer
let german: Customer
let upgraded: Customer
let left: Customer
let annual: Customer
let disputed: Customer

before(async () => {
  renewed = await customer(small.plan.id, 'FR', { savePaymentMethod: true })
  german = await customer(small.plan.id, 'DE')
  upgraded = await customer()
  left = await customer()
  annual = await customer(yearly.id)
  disputed = await customer()
  await ok(admin.post(`/v1/admin/invoices/${renewed.invoiceId}/refund`, { amountCents: 250 }))
  await ok(
    admin.post(`/v1/admin/invoices/${annual.invoiceId}/credit-note`, {
      ...{ amountCents: 333, reason: 'An hour of downtime' },
    }),
  )
  await ok(
    admin.post(`/v1/admin/users/${left.person.userId}/credits`, {
      ...{ amountCents: 700, reason: '=SUM(A1)' },
    }),
  )
  await dispute(disputed)
  await app.advance((10 * DAY_MS) / 1000)
  await moveToLarge(upgraded)
  const { userId } = german.person
  await ok(admin.post(`/v1/admin/invoices/${await issued(userId, 1100)}/void`, { reason: 'Wrong' }))
  await ok(admin.post(`/v1/admin/invoices/${await issued(userId, 1300)}/write-off`))
  for (const [days, totalCents] of Object.entries({ 20: 101, 50: 102, 80: 104, 120: 108 })) {
    const dueAt = later(app.deps.clock.now(), -Number(days) * DAY_MS)
    await shop.invoice(german.person, { kind: 'manual', totalCents, dueAt })
  }
  const dueAt = later(start, 90 * DAY_MS)
  await shop.invoice(renewed.person, { kind: 'manual', totalCents: 116, dueAt })
  await ok(
    left.person.post(`/v1/services/${left.id}/cancel`, { at: 'period_end', reason: 'Enough' }),
  )
  await goTo(later(boundary(renewed.anchor, MONTHLY, 1), -6 * DAY_MS))
  await app.eventually('renewals are invoiced', async () => (await renewals()).length === 3)
  await goTo(boundary(renewed.anchor, MONTHLY, 1))
  await app.eventually('some services are renewed, others have ended', async () => {
    const { currentPeriodStart } = await serviceOf(renewed)
    const ended = [await serviceOf(left), await serviceOf(disputed)]
    const isRenewed = currentPeriodStart === boundary(renewed.anchor, MONTHLY, 1)
    return isRenewed && ended.every(({ status }) => status === 'ended')
  })
  // Over a sale of the quarter before: a correction of that quarter.
  await ok(admin.post(`/v1/admin/invoices/${german.invoiceId}/refund`, { amountCents: 119 }))
  await shop.quiet()
})

/** The invoices of renewals: of the services of three customers, whoever pays them. */
const renewals = () =>
  db.selectFrom('billing.invoices').select('id').where('kind', '=', 'renewal').execute()

const serviceOf = ({ person, id }: Customer) => ok(person.get(`/v1/services/${id}`))

async function dispute({ invoiceId, person }: Customer): Promise<void> {
  const { intent } = await db
    .selectFrom('billing.payments as payment')
    .innerJoin('billing.payment_allocations as part', 'part.paymentId', 'payment.id')
    .select('payment.providerPaymentId as intent')
    .where('part.invoiceId', '=', invoiceId)
    .executeTakeFirstOrThrow()
  const { id } = await shop.control('disputes', { paymentIntent: intent })
  await shop.control(`disputes/${id}/close`, { outcome: 'lost' })
  await shop.became(person, invoiceId, 'open')
}

async function moveToLarge({ person, id }: Customer): Promise<void> {
  const wanted = { productId: large.product.id, planId: large.plan.id, gatewayId }
  const { payment } = await ok(person.post(`/v1/services/${id}/upgrade`, wanted))
  await shop.complete(payment.redirectUrl)
  await until('the service is on the new product', async () => {
    const { product } = await ok(person.get(`/v1/services/${id}`))
    return product.id === large.product.id
  })
}

test('the books balance before anything is compared with them', () => shop.assertSound())

test('revenue is what was posted on revenue and tax, and refunds what went back', async () => {
  const { data } = await read('revenue')
  assert.equal(total(data, 'netCents'), -(await posted('revenue')))
  assert.equal(total(data, 'taxCents'), -(await posted('tax:%')))
  assert.equal(total(data, 'invoicedCents') - total(data, 'creditedCents'), total(data, 'netCents'))
  const refunds = await db
    .selectFrom('billing.refunds')
    .select('amountCents')
    .where('tenantId', '=', tenantId)
    .execute()
  assert.ok(refunds.length >= 2)
  assert.equal(total(data, 'refundedCents'), total(refunds, 'amountCents'))
  await sameAsCsv('revenue', data)
  const daily = await read(`revenue?interval=day&from=${dayOf(start)}`)
  assert.equal(total(daily.data, 'netCents'), total(data, 'netCents'))
  assert.ok(daily.data.length > data.length)
})

test('the net sales that are kept for each day are those of the report', async () => {
  const [startOn, endOn] = [dayOf(start), dayOf(app.deps.clock.now())]
  const kept = await listSalesByDay(db, { tenantId, startOn, endOn })
  const { data } = await read(`revenue?interval=day&from=${startOn}&to=${endOn}`)
  const days = (rows: readonly Body[], day: string) =>
    rows.map((it) => `${it[day]} ${it.currency} ${it.netCents}`).sort()
  assert.ok(kept.length > 2)
  assert.deepEqual(
    days(kept, 'day').filter((it) => !it.endsWith(' 0')),
    days(data, 'startOn').filter((it) => !it.endsWith(' 0')),
  )
})

test('the doctor finds net sales of a day that are not those of its postings', async () => {
  const found = async () => (await faults(app)).filter((it) => /net sales/.test(it))
  assert.deepEqual(await found(), [])
  const change = (by: number) =>
    app.deps.database.execute(`update ledger.sales_days set net_cents = net_cents + ${by}
      where (currency, day) = (select currency, day from ledger.sales_days order by 1, 2 limit 1)`)
  await change(100)
  assert.match((await found()).join(), /The net sales of \d{4}-\d\d-\d\d are kept as /)
  await change(-100)
  assert.deepEqual(await found(), [])
})

test('tax is that of the documents, and what is posted for each country and rate', async () => {
  const { data } = await read('tax?interval=quarter')
  const taxed = data.filter(({ category }: Body) => category === 'S')
  for (const { country, rateBasisPoints } of taxed) {
    const same = taxed.filter(
      (it: Body) => it.country === country && it.rateBasisPoints === rateBasisPoints,
    )
    assert.equal(total(same, 'taxCents'), -(await posted(`tax:${country}:${rateBasisPoints}`)))
  }
  const invoiced = await db
    .selectFrom('billing.invoices')
    .select(['netCents', 'taxCents'])
    .where('number', 'is not', null)
    .execute()
  const notes = await db
    .selectFrom('billing.credit_notes')
    .select(['netCents', 'taxCents'])
    .execute()
  for (const field of ['netCents', 'taxCents'] as const) {
    assert.equal(total(data, field), total(invoiced, field) - total(notes, field))
  }
  await sameAsCsv('tax?interval=quarter', data)
})

test('the One-Stop-Shop return has the sales of its quarter, and corrections of former ones', async () => {
  const sold = quarterOf(start)
  const first = await read(`tax/oss?quarter=${sold}`)
  const { startOn, endOn } = first
  assert.ok(startOn <= dayOf(start) && dayOf(start) <= endOn)
  const { data } = await read(`tax?interval=quarter&from=${startOn}&to=${endOn}`)
  const german = data.filter(({ country }: Body) => country === 'DE')
  assert.deepEqual(
    first.sales.map(({ country, rateBasisPoints }: Body) => [country, rateBasisPoints]),
    [['DE', 1900]],
  )
  assert.equal(first.sales[0].netCents, total(german, 'netCents'))
  assert.equal(first.sales[0].taxCents, total(german, 'taxCents'))
  assert.deepEqual(first.corrections, [])
  const quarter = quarterOf(nextQuarter)
  const next = await read(`tax/oss?quarter=${quarter}`)
  const correction = { country: 'DE', quarter: sold, rateBasisPoints: 1900, currency: 'EUR' }
  assert.deepEqual(next.corrections, [{ ...correction, netCents: -100, taxCents: -19 }])
  const lines = await csv(`tax/oss?quarter=${quarter}&format=csv`)
  assert.ok(lines.some(({ kind, taxCents }) => kind === 'correction' && taxCents === '-19'))
})

test('receivables are the books’, and those of the invoices that are open', async () => {
  const { data } = await read('receivables')
  const open = await db
    .selectFrom('billing.invoices')
    .select(['userId', 'dueAt', 'totalCents', 'creditedCents', 'paidCents'])
    .select(['refundedCents', 'reversedCents'])
    .where('status', '=', 'open')
    .where('number', 'is not', null)
    .execute()
  const now = millis(app.deps.clock.now())
  const dueOf = (it: (typeof open)[number]) =>
    it.totalCents - it.creditedCents - (it.paidCents - it.refundedCents - it.reversedCents)
  const late = (from: number, to: number) =>
    open
      .filter(({ dueAt }) => {
        const days = (now - millis(dueAt ?? start)) / DAY_MS
        return days > from && days <= to
      })
      .reduce((sum, it) => sum + dueOf(it), 0)
  const [all] = data
  assert.equal(data.length, 1)
  assert.equal(all.dueCents, await posted('receivable:%'))
  assert.equal(all.dueCents, late(-10_000, 10_000))
  assert.equal(all.days1To30Cents, late(0, 30))
  assert.equal(all.days31To60Cents, late(30, 60))
  assert.equal(all.days61To90Cents, late(60, 90))
  assert.equal(all.days91AndMoreCents, late(90, 10_000))
  assert.equal(all.notDueCents, late(-10_000, 0))
  assert.equal(all.invoices, open.length)
  const ages = [all.days1To30Cents, all.days31To60Cents, all.days61To90Cents]
  assert.ok([all.notDueCents, ...ages, all.days91AndMoreCents].every((cents) => cents > 0))
})

test('each customer’s receivable is their account, a page after the other', async () => {
  const rows: Body[] = []
  for (let path = 'receivables/customers?limit=1'; ; ) {
    const { data, nextCursor } = await read(path)
    rows.push(...data)
    if (nextCursor === null) break
    path = `receivables/customers?limit=1&cursor=${nextCursor}`
  }
  assert.ok(rows.length >= 2)
  for (const { userId, dueCents, name } of rows) {
    assert.equal(dueCents, await posted(`receivable:${userId}`))
    assert.equal(name, 'Ada Lovelace')
  }
  assert.equal(total(rows, 'dueCents'), (await read('receivables')).data[0].dueCents)
  await sameAsCsv('receivables/customers', rows)
})

test('the trial balance sums to 0 now and at any time before, account for account', async () => {
  const halfway = later(start, 20 * DAY_MS)
  for (const at of [app.deps.clock.now(), halfway]) {
    const { data, totals } = await read(`trial-balance?at=${at}`)
    assert.equal(totals.length, 1)
    assert.equal(totals[0].debitCents, totals[0].creditCents)
    assert.ok(totals[0].debitCents > 0)
    const each: Body[] = []
    for (let cursor = ''; ; ) {
      const page = await read(`trial-balance?accounts=each&limit=5&at=${at}${cursor}`)
      each.push(...page.data)
      if (page.nextCursor === null) break
      cursor = `&cursor=${page.nextCursor}`
    }
    const net = (rows: Body[], code: string) =>
      total(
        rows.filter((it) => it.code === code || it.code.startsWith(`${code}:`)),
        'debitCents',
      ) -
      total(
        rows.filter((it) => it.code === code || it.code.startsWith(`${code}:`)),
        'creditCents',
      )
    for (const code of ['receivable', 'credit', 'revenue', 'tax', 'cash', 'badDebt', 'fees']) {
      assert.equal(net(each, code), net(data, code), code)
    }
    await sameAsCsv(`trial-balance?accounts=each&at=${at}`, each)
  }
  const before = await db
    .selectFrom('ledger.postings as posting')
    .innerJoin('ledger.transactions as transaction', 'transaction.id', 'posting.transactionId')
    .innerJoin('ledger.accounts as account', 'account.id', 'posting.accountId')
    .select('posting.amountCents')
    .where('transaction.createdAt', '<=', halfway)
    .where('account.code', '=', 'revenue')
    .execute()
  const { data } = await read(`trial-balance?at=${halfway}`)
  const revenue = data.find(({ code }: Body) => code === 'revenue')
  assert.equal(revenue.creditCents, -total(before, 'amountCents'))
  assert.ok(data.some(({ code, name }: Body) => code.startsWith('cash:') && name === 'Cards'))
})

/** What is left to earn of every line, reckoned once more from the documents and the plans. */
async function leftToEarn(at: Instant): Promise<number> {
  const invoices = await db
    .selectFrom('billing.invoices')
    .select(['id', 'kind', 'issuedAt', 'netCents'])
    .where('number', 'is not', null)
    .where('issuedAt', '<=', at)
    .execute()
  let sum = 0
  for (const { id, kind, issuedAt, netCents } of invoices) {
    assert.ok(issuedAt)
    const lines = await db
      .selectFrom('billing.invoice_lines')
      .selectAll()
      .where('invoiceId', '=', id)
      .orderBy('position')
      .execute()
    const notes = await db
      .selectFrom('billing.credit_notes')
      .select('netCents')
      .where('invoiceId', '=', id)
      .where('issuedAt', '<=', at)
      .execute()
    const left = netCents - total(notes, 'netCents')
    let [upTo, shared] = [0, 0]
    for (const line of lines) {
      upTo += line.netCents
      const amount = portion(upTo, left, netCents) - shared
      shared += amount
      const cycle: Cycle =
        id === annual.invoiceId ? { interval: 'year', intervalCount: 1 } : MONTHLY
      const begins = line.periodStart ?? issuedAt
      const ends = line.periodEnd ?? (kind === 'checkout' ? exactly(issuedAt, cycle) : begins)
      if (ends <= at) continue
      const whole = millis(ends) - millis(begins)
      const over = Math.max(0, millis(at) - millis(begins))
      sum += amount - Number(roundDiv(BigInt(amount) * BigInt(over), BigInt(whole)))
    }
  }
  return sum
}

/** A cycle later, to the millisecond. */
function exactly(at: Instant, cycle: Cycle): Instant {
  return later(boundary(at, cycle, 1), millis(at) % 1000)
}

test('deferred revenue is what the lines’ periods leave to be earned, and adds up', async () => {
  for (const at of [later(start, 5 * DAY_MS), later(start, 20 * DAY_MS), app.deps.clock.now()]) {
    const { totals, schedule } = await read(`deferred-revenue?at=${at}`)
    const [{ bookedCents, recognizedCents, deferredCents }] = totals
    assert.equal(deferredCents, await leftToEarn(at))
    assert.equal(total(schedule, 'recognizedCents'), deferredCents)
    assert.equal(recognizedCents + deferredCents, bookedCents)
    assert.ok(deferredCents > 0)
    const quarters = await read(`deferred-revenue?interval=quarter&at=${at}`)
    assert.equal(total(quarters.schedule, 'recognizedCents'), deferredCents)
    await sameAsCsv(`deferred-revenue?at=${at}`, schedule)
  }
})

test('what services bring in per month is theirs, and its movements lead from one month to the next', async () => {
  const { data } = await read('mrr')
  let before = 0
  for (const part of data) {
    assert.equal(part.openingCents, before)
    const moved =
      part.newCents + part.reactivationCents + part.expansionCents + part.contractionCents
    assert.equal(part.openingCents + moved + part.churnCents, part.closingCents)
    before = part.closingCents
  }
  const running = await db
    .selectFrom('services.services')
    .select(['interval', 'valueCents'])
    .where('endedAt', 'is', null)
    .where('paidAt', 'is not', null)
    .execute()
  const monthly = running.map(({ interval, valueCents }) =>
    interval === 'year' ? portion(valueCents, 1, 12) : valueCents,
  )
  assert.equal(
    before,
    monthly.reduce((sum, value) => sum + value, 0),
  )
  await sameAsCsv('mrr', data)
  const daily = await read(`mrr?interval=day&from=${dayOf(start)}`)
  const [first] = daily.data
  assert.deepEqual([first.openingCents, first.newCents], [0, 5 * 1000 + 833])
  assert.equal(total(daily.data, 'expansionCents'), 1500)
  assert.ok(total(daily.data, 'churnCents') <= -1000)
  assert.equal(daily.data.at(-1).closingCents, before)
})

test('who left is counted once, and what ended is known by its reason', async () => {
  const { data } = await read('churn')
  const mrr = (await read('mrr')).data
  assert.deepEqual(
    data.map(({ customersAtEnd }: Body) => customersAtEnd),
    mrr.map(({ customers }: Body) => customers),
  )
  const ended = await db
    .selectFrom('services.services')
    .select('endReason')
    .where('endedAt', 'is not', null)
    .execute()
  assert.equal(total(data, 'servicesEnded'), ended.length)
  assert.equal(
    total(data, 'servicesUnpaid'),
    ended.filter(({ endReason }) => endReason === 'unpaid').length,
  )
  assert.equal(
    total(data, 'customersWon') - total(data, 'customersLost'),
    data.at(-1).customersAtEnd,
  )
  await sameAsCsv('churn', data)
})

test('a statement goes from its opening to its closing balance, page after page', async () => {
  const { userId } = german.person
  const path = `users/${userId}/statement`
  const rows: Body[] = []
  let balances: Body[] = []
  for (let cursor = ''; ; ) {
    const page = await read(`${path}?limit=2${cursor}`)
    rows.push(...page.data)
    balances = page.balances
    if (page.nextCursor === null) break
    cursor = `&cursor=${page.nextCursor}`
  }
  assert.deepEqual(
    balances.map(({ openingCents }) => openingCents),
    [0],
  )
  let balance = 0
  for (const row of rows) {
    balance += row.owedCents - row.creditCents
    assert.equal(row.balanceCents, balance)
  }
  assert.equal(balances[0].closingCents, balance)
  assert.equal(balance, (await posted(`receivable:${userId}`)) + (await posted(`credit:${userId}`)))
  const kinds = new Set(rows.map(({ kind }) => kind))
  for (const kind of [
    'invoice_issued',
    'payment_received',
    'credit_note',
    'refund',
    'written_off',
  ]) {
    assert.ok(kinds.has(kind), `${kind} in ${[...kinds]}`)
  }
  assert.ok(rows.every(({ kind, documentNumber }) => kind !== 'invoice_issued' || documentNumber))
  await sameAsCsv(path, rows)
  const middle = rows[Math.floor(rows.length / 2)]
  const later = await read(`${path}?from=${dayOf(middle.createdAt)}`)
  const sameDay = rows.filter(({ createdAt }) => dayOf(createdAt) < dayOf(middle.createdAt))
  assert.equal(later.balances[0].openingCents, sameDay.at(-1)?.balanceCents ?? 0)
  assert.equal(later.data.length, rows.length - sameDay.length)
})

test('no cell of a statement is run by a spreadsheet', async () => {
  const { text } = await admin.get(`${REPORTS}/users/${left.person.userId}/statement?format=csv`)
  assert.match(text, /"'=SUM\(A1\)"/)
})

test('series of numbers are without gaps', async () => {
  const { series, gaps } = await read('number-gaps')
  assert.deepEqual(gaps, [])
  const codes = new Set(series.map(({ code }: Body) => code))
  assert.deepEqual(codes, new Set(['INV', 'CN']))
  const { text } = await admin.get(`${REPORTS}/number-gaps`, { headers: { accept: 'text/csv' } })
  assert.equal(text, 'code,year,from,to,kind\r\n')
})

test('what cannot be asked is a 400, and whom nothing belongs to sees nothing', async () => {
  for (const query of [
    'revenue?from=2026-02-30',
    'revenue?from=2026-02-02&to=2026-02-01',
    'revenue?interval=day&from=2000-01-01',
    'mrr?interval=week',
    'tax/oss?quarter=2026-Q5',
    'trial-balance?at=yesterday',
    'trial-balance?accounts=each&cursor=bm90aGluZw',
    'receivables/customers?cursor=bm90aGluZw',
    `users/${left.person.userId}/statement?cursor=bm90aGluZw`,
    'revenue?format=pdf',
  ]) {
    const { status, text } = await admin.get(`${REPORTS}/${query}`)
    assert.equal(status, 400, `${query} ${text}`)
  }
  const clerk = await person(app, { permissions: ['invoices:read'] })
  assert.equal((await clerk.get(`${REPORTS}/revenue`)).status, 403)
  const reader = await person(app, { permissions: ['reports:read'] })
  assert.equal((await reader.get(`${REPORTS}/revenue`)).status, 200)
  const elsewhere = await person(app, {
    ...{ tenantId: await otherTenant(app, 'other.test'), permissions: ['reports:read'] },
  })
  assert.deepEqual((await elsewhere.get(`${REPORTS}/revenue`)).body, { data: [] })
  const { body } = await elsewhere.get(`${REPORTS}/trial-balance`)
  assert.deepEqual([body.data, body.totals], [[], []])
  const path = `${REPORTS}/users/${left.person.userId}/statement`
  assert.equal((await elsewhere.get(path)).status, 404)
})

type Cells = Record<string, string>

/** The archive of a period, by the names of its files. */
async function archiveOf(
  contents: 'tables' | 'pdf' | 'xml',
  { from, to }: { from: string; to: string },
): Promise<{ bytes: Buffer; files: Map<string, Buffer> }> {
  const { token } = await person(app, { permissions: ['exports:read'] })
  const answer = await fetch(
    `${app.url}${REPORTS}/export?contents=${contents}&from=${from}&to=${to}`,
    { headers: { authorization: `Bearer ${token}` } },
  )
  assert.equal(answer.status, 200)
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { bytes, files: filesInZip(bytes) }
}

function cellsOf(file: Buffer | undefined): Cells[] {
  const [head = '', ...lines] = String(file).trimEnd().split('\r\n')
  const columns = head.split(',')
  return lines.map((line) => {
    const cells = line.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? []
    return Object.fromEntries(
      columns.map((column, at) => [column, (cells[at] ?? '').replace(/,$/, '')]),
    )
  })
}

const summed = (rows: readonly Cells[], column: string) =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0)

test('V68 the sums of the exported tables are those of the tax report and of the ledger', async () => {
  await goTo(later(app.deps.clock.now(), DAY_MS))
  const days = { from: dayOf(start), to: dayOf(later(app.deps.clock.now(), -DAY_MS)) }
  const { files } = await archiveOf('tables', days)
  const table = (name: string) => cellsOf(files.get(`${name}.csv`))
  const taxes = (await read(`tax?from=${days.from}&to=${days.to}`)).data
  const groups = table('invoice_taxes').filter(({ kind }) => kind !== 'top_up')
  for (const amount of ['net', 'tax'] as const) {
    const capital = amount === 'net' ? 'Net' : 'Tax'
    assert.equal(summed(groups, `${amount}Cents`), total(taxes, `invoiced${capital}Cents`))
    const credited = total(taxes, `credited${capital}Cents`)
    assert.ok(credited > 0)
    assert.equal(summed(table('credit_note_lines'), `${amount}Cents`), credited)
    assert.equal(summed(table('credit_notes'), `${amount}Cents`), credited)
  }
  const invoices = table('invoices')
  assert.equal(summed(table('invoice_lines'), 'totalCents'), summed(invoices, 'totalCents'))
  assert.equal(new Set(invoices.map(({ number }) => number)).size, invoices.length)
  const bookings = table('bookings')
  assert.equal(summed(bookings, 'amountCents'), 0)
  const onAccounts = (kind: string) => bookings.filter(({ account }) => account?.startsWith(kind))
  for (const kind of ['cash:', 'revenue', 'tax:', 'receivable:', 'credit:', 'fees', 'badDebt']) {
    assert.equal(summed(onAccounts(kind), 'amountCents'), await posted(`${kind}%`), kind)
  }
  assert.ok(table('fees').length > 0)
  assert.equal(summed(table('fees'), 'amountCents'), await posted('fees'))
  const received = summed(table('payments'), 'amountCents')
  const sent = table('refunds').filter(({ gatewayId }) => gatewayId !== '')
  const returned = summed(sent, 'amountCents')
  assert.ok(returned > 0)
  const moved = bookings.filter(({ account, kind }) => {
    const isOfThese = ['payment_received', 'top_up', 'refund'].includes(kind ?? '')
    return account?.startsWith('cash:') && isOfThese
  })
  assert.equal(received - returned, summed(moved, 'amountCents'))
  for (const { totalCents, total: text } of invoices) {
    assert.equal(text, decimalText(Number(totalCents), 'EUR'))
  }
})

test('an export defuses formulas, and is the same for the same days', async () => {
  const days = { from: dayOf(start), to: dayOf(later(app.deps.clock.now(), -DAY_MS)) }
  const [first, second] = [await archiveOf('tables', days), await archiveOf('tables', days)]
  assert.ok(first.bytes.equals(second.bytes))
  const text = String(first.files.get('bookings.csv'))
  assert.ok(text.includes(`"'=SUM(A1)"`))
  assert.doesNotMatch(text, /(^|,)=SUM/m)
})

test('an export of documents has a file for each invoice and credit note', async () => {
  const days = { from: dayOf(start), to: dayOf(later(app.deps.clock.now(), -DAY_MS)) }
  // Jobs make the files, after the documents were issued.
  await until('all documents are made', async () => {
    const { files } = await archiveOf('pdf', days)
    return !files.has('missing.csv')
  })
  const numbers = cellsOf((await archiveOf('tables', days)).files.get('invoices.csv'))
  for (const [contents, begins, ending] of [
    ['pdf', '%PDF-', 'pdf'],
    ['xml', '<?xml', 'xml'],
  ] as const) {
    const { files } = await archiveOf(contents, days)
    for (const { number = '' } of numbers) {
      const file = files.get(`invoices/${number}.${ending}`)
      assert.equal(file?.toString('latin1', 0, 5), begins, number)
    }
    assert.ok([...files.keys()].some((name) => name.startsWith('credit-notes/')))
    assert.equal(files.has('missing.csv'), false)
  }
})

test('an export is of days that are over, and for those with its permission', async () => {
  const today = dayOf(app.deps.clock.now())
  for (const query of [`from=${today}&to=${today}`, 'from=2026-02-02&to=2026-02-01']) {
    assert.equal((await admin.get(`${REPORTS}/export?${query}`)).status, 400, query)
  }
  const query = 'from=2026-01-01&to=2026-01-31'
  const reader = await person(app, { permissions: ['reports:read'] })
  assert.equal((await reader.get(`${REPORTS}/export?${query}`)).status, 403)
  const accountant = await person(app, { permissions: ['exports:read'] })
  assert.equal((await accountant.get(`${REPORTS}/export?${query}`)).status, 200)
  const { status, headers } = await accountant.get(`${REPORTS}/export`)
  const lastMonth = dayOf(instant(`${today.slice(0, 7)}-01T00:00:00Z`))
  assert.equal(status, 200)
  const name = String(headers['content-disposition'])
  assert.ok(name.includes(`-${dayOf(later(instant(`${lastMonth}T00:00:00Z`), -DAY_MS))}.zip`), name)
  assert.equal((await accountant.request('HEAD', `${REPORTS}/export?${query}`)).status, 200)
})

test('where prices hold tax, what a service brings in is without it', async () => {
  const closing = async () => (await read('mrr')).data.at(-1).closingCents
  const before = await closing()
  await transact(db, (tx) =>
    tx
      .updateTable('tenants.tenants')
      .set({ seller: json({ ...TEST_SELLER, priceMode: 'inclusive' }) })
      .where('id', '=', tenantId)
      .execute(),
  )
  const { person: ada, id } = await customer()
  const [{ netCents }] = (await ok(ada.get('/v1/billing/invoices'))).data
  assert.equal(netCents, 833)
  assert.equal(await closing(), before + netCents)
  await ok(admin.post(`/v1/admin/services/${id}/terminate`, {}))
  await app.eventually('it has ended', async () => {
    const { status } = await ok(ada.get(`/v1/services/${id}`))
    return status === 'ended'
  })
  assert.equal(await closing(), before)
})
