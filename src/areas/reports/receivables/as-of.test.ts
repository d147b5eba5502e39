import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, type Day, dayOf, instant, later } from '#lib/time.ts'
import { billingShop } from '#test/billing-shop.ts'
import type { Answer } from '#test/client.ts'
import type { Person } from '#test/people.ts'

type Row = Record<string, number> & { userId: string; code: string }

const shop = await billingShop()
const { app, admin } = shop
const [ada, bob] = [await shop.buyer(), await shop.buyer()]
const REPORTS = '/v1/admin/reports'

function today(): Day {
  return dayOf(app.deps.clock.now())
}

/** Goes to the middle of the next day, and answers its name. */
async function nextDay(days = 1): Promise<Day> {
  const noon = later(instant(`${today()}T12:00:00Z`), days * DAY_MS)
  await app.advance((Date.parse(noon) - Date.parse(app.deps.clock.now())) / 1000)
  return today()
}

async function ok(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body, text } = await answer
  assert.ok(status < 300, text)
  return body
}

/** What is owed at the end of a day, as the report has it, by customer too. */
async function owed(day: Day) {
  const { at, data } = await ok(admin.get(`${REPORTS}/receivables?asOf=${day}`))
  const { data: each } = await ok(admin.get(`${REPORTS}/receivables/customers?asOf=${day}`))
  const of = (person: Person) => each.find((it: Row) => it.userId === person.userId)?.dueCents ?? 0
  return { at, all: data[0], ada: of(ada), bob: of(bob) }
}

/** What the accounts of customers stood at, as the books have it. */
async function booked(day: Day): Promise<number> {
  const at = `${day}T23:59:59.999Z`
  const { data } = await ok(admin.get(`${REPORTS}/trial-balance?at=${at}`))
  const row = data.find(({ code }: Row) => code === 'receivable')
  return row ? row.debitCents - row.creditCents : 0
}

const act = (id: string, what: string, body: object) =>
  ok(admin.post(`/v1/admin/invoices/${id}/${what}`, body))

const days: Record<string, Day> = {}
days.before = await nextDay(2)
days.issued = await nextDay()
const dueAt = later(app.deps.clock.now(), 3 * DAY_MS)
const first = await shop.invoice(ada, { totalCents: 10_000, kind: 'manual', dueAt })
const second = await shop.invoice(bob, { totalCents: 6000, kind: 'renewal', dueAt })
const third = await shop.invoice(bob, { totalCents: 2500, kind: 'manual', dueAt })
days.partlyPaid = await nextDay()
const payment = { gatewayId: shop.gatewayId, reference: 'entry-1', amountCents: 4000 }
await act(first.id, 'mark-paid', payment)
days.credited = await nextDay()
await act(second.id, 'credit-note', { amountCents: 1500, reason: 'Slow' })
days.paid = await nextDay()
await act(first.id, 'mark-paid', { ...payment, reference: 'entry-2', amountCents: 6000 })
days.refunded = await nextDay()
await act(first.id, 'refund', { amountCents: 3000, to: 'credit', reason: 'Late' })
days.given = await nextDay()
await act(third.id, 'write-off', {})
days.late = await nextDay(40)
await act(second.id, 'credit-note', { reason: 'All of it' })
days.end = await nextDay()

const wanted: [keyof typeof days, { ada: number; bob: number }][] = [
  ['before', { ada: 0, bob: 0 }],
  ['issued', { ada: 10_000, bob: 8500 }],
  ['partlyPaid', { ada: 6000, bob: 8500 }],
  ['credited', { ada: 6000, bob: 7000 }],
  ['paid', { ada: 0, bob: 7000 }],
  ['refunded', { ada: 0, bob: 7000 }],
  ['given', { ada: 0, bob: 4500 }],
  ['late', { ada: 0, bob: 0 }],
  ['end', { ada: 0, bob: 0 }],
]

for (const [name, { ada: ofAda, bob: ofBob }] of wanted) {
  test(`what was owed on the day “${name}” is what the books had then, to the cent`, async () => {
    const day = days[name]
    assert.ok(day)
    const { all, ...seen } = await owed(day)
    assert.deepEqual([seen.ada, seen.bob], [ofAda, ofBob])
    assert.equal(all?.dueCents ?? 0, ofAda + ofBob)
    assert.equal(await booked(day), ofAda + ofBob)
  })
}

test('ages are counted from the day that is asked for', async () => {
  assert.ok(days.issued && days.given && days.late)
  assert.equal((await owed(days.issued)).all.notDueCents, 18_500)
  const given = (await owed(days.given)).all
  assert.deepEqual([given.notDueCents, given.days1To30Cents], [0, 4500])
  const dayBefore = dayOf(later(instant(`${days.late}T00:00:00Z`), -DAY_MS))
  const late = (await owed(dayBefore)).all
  assert.deepEqual([late.days1To30Cents, late.days31To60Cents], [0, 4500])
  assert.equal(late.invoices, 1)
})

test('a day that is not over yet is as it is now, and one that is none is refused', async () => {
  const { at } = await owed(today())
  assert.ok(at <= app.deps.clock.now())
  assert.equal((await admin.get(`${REPORTS}/receivables?asOf=2026-02-30`)).status, 400)
})

test('a past day as CSV has the figures of the JSON', async () => {
  const { data } = await ok(admin.get(`${REPORTS}/receivables?asOf=${days.credited}`))
  const { text } = await admin.get(`${REPORTS}/receivables?asOf=${days.credited}&format=csv`)
  const [head = '', row = ''] = text.split('\r\n')
  const cells = row.split(',')
  const read = Object.fromEntries(head.split(',').map((name, at) => [name, cells[at]]))
  assert.equal(read.dueCents, '13000')
  for (const [name, value] of Object.entries(data[0])) assert.equal(read[name], String(value))
})

test('what is noted of every invoice adds up to what is owed on it', async () => {
  const noted = await shop.db
    .selectFrom('billing.dues')
    .select(['invoiceId', (it) => it.fn.sum('changeCents').as('cents')])
    .groupBy('invoiceId')
    .execute()
  const sums = new Map(noted.map(({ invoiceId, cents }) => [invoiceId, Number(cents)]))
  for (const { id } of [first, second, third]) assert.equal(sums.get(id), 0)
})
