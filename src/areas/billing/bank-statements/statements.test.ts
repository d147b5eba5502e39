import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { dayOf } from '#lib/time.ts'
import { until } from '#test/app.ts'
import { camtStatement, type WantedEntry } from '#test/bank-files.ts'
import { billingShop } from '#test/billing-shop.ts'
import type { Answer } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { erase } from '../erasure/actions.ts'
import { referenceOf } from '../gateways/bank-transfer/reference.ts'

type Body = Answer['body']

const shop = await billingShop()
const { app, admin, db, tenantId } = shop
const IBAN = 'DE02120300000000202051'
const gateway = await admin.post('/v1/admin/gateways', {
  ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true },
  settings: { holder: 'Host', iban: IBAN },
})
const gatewayId: string = gateway.body.id
const today = dayOf(app.deps.clock.now())

afterEach(() => shop.assertSound())

async function upload(entries: readonly WantedEntry[], iban = IBAN) {
  const content = camtStatement(
    entries.map((it) => ({ day: today, ...it })),
    iban,
  )
  return admin.post('/v1/admin/bank-statements', { gatewayId, format: 'camt.053', content })
}

/** The entries of a file once each was looked at. */
async function matched(entries: readonly WantedEntry[]): Promise<Body[]> {
  const { status, body, text } = await upload(entries)
  assert.equal(status, 201, text)
  return until('every entry was looked at', async () => {
    const { body: page } = await admin.get(`/v1/admin/bank-entries?statementId=${body.id}`)
    const done = page.data.every((it: Body) => it.status !== 'new')
    return done && page.data.length === entries.length && page.data
  })
}

async function owed(person: Person, totalCents = 1200) {
  const { invoice, payment } = await shop.checkout(person, totalCents, { gatewayId })
  return { id: invoice.id, reference: payment.instructions.reference as string }
}

function invoiceOf(person: Person, id: string): Promise<Body> {
  return person.get(`/v1/billing/invoices/${id}`).then(({ body }) => body)
}

const ada = await shop.buyer()

test('money with the reference of an invoice is booked on it; part of it leaves the rest due', async () => {
  const { id, reference } = await owed(ada)
  const text = `Rechnung ${reference.replace(/.{4}/g, '$& ')} danke`
  const [part] = await matched([{ amount: '7.00', text }])
  assert.equal(part.status, 'booked')
  assert.equal(part.userId, ada.userId)
  assert.equal(part.settledBy, null)
  assert.deepEqual([(await invoiceOf(ada, id)).dueCents], [500])
  const [rest] = await matched([{ amount: '6.00', text }])
  assert.equal(rest.status, 'booked')
  assert.equal((await invoiceOf(ada, id)).status, 'paid')
  assert.equal(await shop.creditOf(ada), 100)
  const payment = await db
    .selectFrom('billing.payments')
    .selectAll()
    .where('id', '=', rest.paymentId)
    .executeTakeFirstOrThrow()
  assert.deepEqual([payment.methodKind, payment.methodLast4], ['bank_transfer', '3000'])
  assert.ok(payment.paidAt <= app.deps.clock.now())
})

test('the same file twice, and a file with more around it, change nothing that is known', async () => {
  const { id, reference } = await owed(ada)
  const one = { amount: '5.00', text: reference, id: `bank-${newId()}` }
  await matched([one])
  const again = await upload([one])
  assert.deepEqual([again.body.entryCount, again.body.newCount], [1, 0])
  const more = await upload([one, { amount: '1.00', text: 'another' }, { ...one, debit: true }])
  assert.deepEqual([more.body.entryCount, more.body.newCount, more.body.debitCount], [2, 1, 1])
  assert.equal((await invoiceOf(ada, id)).paidCents, 500)
})

test('the same file many times at once is booked once', async () => {
  const { id, reference } = await owed(ada)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => upload([{ amount: '12.00', text: reference }])),
  )
  const added = answers.reduce((sum, { body }) => sum + body.newCount, 0)
  assert.equal(added, 1)
  await shop.became(ada, id, 'paid')
  const parts = await db
    .selectFrom('billing.payment_allocations')
    .select('paymentId')
    .where('invoiceId', '=', id)
    .execute()
  assert.equal(parts.length, 1)
})

test('what nobody can know is listed with proposals, and a person says what it is for', async () => {
  const grace = await shop.buyer({ name: 'Grace Hopper' })
  const { id } = await owed(grace, 3100)
  const wanted = { amount: '31.00', name: 'HOPPER GRACE', text: 'my server' }
  const [entry] = await matched([wanted])
  assert.equal(entry.status, 'open')
  await until('administrators are told', async () =>
    (await admin.get('/v1/notifications')).text.includes('transfer with an unknown reference'),
  )
  const { body: shown } = await admin.get(`/v1/admin/bank-entries/${entry.id}`)
  assert.deepEqual(
    [shown.proposals[0].invoiceId, shown.proposals[0].reasons],
    [id, ['amount', 'name']],
  )
  const url = `/v1/admin/bank-entries/${entry.id}`
  assert.equal((await admin.post(`${url}/assign`, { invoiceId: newId() })).status, 404)
  const yen = await shop.invoice(grace, { totalCents: 500, currency: 'JPY' })
  assert.equal((await admin.post(`${url}/assign`, { invoiceId: yen.id })).body.code, 'currencies')
  const { body: assigned } = await admin.post(`${url}/assign`, { invoiceId: id })
  assert.deepEqual([assigned.status, assigned.settledBy], ['booked', admin.userId])
  await shop.became(grace, id, 'paid')
  const twice = await admin.post(`${url}/assign`, { invoiceId: id })
  assert.deepEqual([twice.status, twice.body.code], [409, 'entry_booked'])
})

test('money in another currency than the invoice waits for a person', async () => {
  const { reference } = await owed(ada)
  const [entry] = await matched([{ amount: '12.00', currency: 'USD', text: reference }])
  assert.equal(entry.status, 'open')
})

test('references of two customers in one text are for a person to tell apart', async () => {
  const [one, other] = [await owed(ada), await owed(await shop.buyer())]
  const [entry] = await matched([{ amount: '24.00', text: `${one.reference} ${other.reference}` }])
  assert.equal(entry.status, 'open')
})

test('two invoices of one customer in one transfer are both paid', async () => {
  const [one, other] = [await owed(ada, 700), await owed(ada, 800)]
  const [entry] = await matched([{ amount: '15.00', text: `${one.reference} ${other.reference}` }])
  assert.equal(entry.status, 'booked')
  await shop.became(ada, one.id, 'paid')
  await shop.became(ada, other.id, 'paid')
})

test('what a person has booked by hand under the bank’s id is not booked again', async () => {
  const { id, reference } = await owed(ada)
  const bankId = `bank-${newId()}`
  const url = `/v1/admin/invoices/${id}/mark-paid`
  await admin.post(url, { gatewayId, amountCents: 1200, reference: bankId })
  const [entry] = await matched([{ amount: '12.00', text: reference, id: bankId }])
  assert.equal(entry.status, 'booked')
  assert.equal((await invoiceOf(ada, id)).paidCents, 1200)
})

test('money for nothing is dismissed with a word, and can still be assigned', async () => {
  const [entry] = await matched([{ amount: '9.00', text: 'tax refund' }])
  const url = `/v1/admin/bank-entries/${entry.id}`
  assert.equal((await admin.post(`${url}/dismiss`, {})).status, 400)
  const { body } = await admin.post(`${url}/dismiss`, { note: 'From the tax office' })
  assert.deepEqual([body.status, body.note], ['dismissed', 'From the tax office'])
  assert.equal((await admin.post(`${url}/dismiss`, { note: 'x' })).status, 409)
  const { id } = await owed(ada, 900)
  assert.equal((await admin.post(`${url}/assign`, { invoiceId: id })).body.status, 'booked')
})

test('a CSV file is read by the shape that is given with it', async () => {
  const { id, reference } = await owed(ada)
  const file = {
    ...{ gatewayId, format: 'csv', fileName: 'statement.csv' },
    content: `Date,Description,Amount\n${today},${reference},"12.00"\n${today},Rent,-900.00\n`,
  }
  const without = await admin.post('/v1/admin/bank-statements', file)
  assert.deepEqual([without.status, without.body.details[0].path], [400, 'csv'])
  const columns = { bookedOn: 'Date', amount: 'Amount', remittance: 'Description' }
  const { body } = await admin.post('/v1/admin/bank-statements', { ...file, csv: { columns } })
  assert.deepEqual([body.entryCount, body.debitCount, body.fileName], [1, 1, 'statement.csv'])
  await shop.became(ada, id, 'paid')
})

test('the statement of another account, or for another kind of gateway, is refused', async () => {
  const other = await upload([{ amount: '1.00' }], 'DE89370400440532013000')
  assert.deepEqual([other.status, other.body.code], [422, 'other_account'])
  const content = camtStatement([])
  const cards = { gatewayId: shop.gatewayId, format: 'camt.053', content }
  const { body } = await admin.post('/v1/admin/bank-statements', cards)
  assert.equal(body.code, 'no_bank_transfers')
})

test('who leaves takes along who paid; that money came stays', async () => {
  const grace = await shop.buyer()
  const { id, reference } = await owed(grace)
  const [entry] = await matched([{ amount: '12.00', name: 'Grace', text: `Grace ${reference}` }])
  await shop.became(grace, id, 'paid')
  const { userId, email, name } = grace
  const leaving = { tenantId, userId, email, name, emails: [email], forfeitCredit: true }
  await shop.inLedger((tx) => erase(tx, leaving, app.deps.clock.now()))
  const { body } = await admin.get(`/v1/admin/bank-entries/${entry.id}`)
  assert.deepEqual([body.payerName, body.payerIban, body.remittance], [null, null, null])
  assert.equal(body.amountCents, 1200)
})

test('a transfer with the printed reference pays an invoice that nobody began to pay', async () => {
  const grace = await shop.buyer()
  const { id } = await shop.invoice(grace, { totalCents: 1200, kind: 'renewal' })
  const [entry] = await matched([{ amount: '12.00', text: referenceOf(id) }])
  assert.equal(entry.status, 'booked')
  assert.equal((await invoiceOf(grace, id)).status, 'paid')
})

test('a transfer of just what is due with the number of an open invoice pays it', async () => {
  const grace = await shop.buyer()
  const { id, number } = await shop.invoice(grace, { totalCents: 1300, kind: 'renewal' })
  const [entry] = await matched([{ amount: '13.00', text: `Facture ${number}, merci` }])
  assert.equal(entry.status, 'booked')
  assert.equal((await invoiceOf(grace, id)).status, 'paid')
  const [again] = await matched([{ amount: '13.00', text: `Facture ${number}, encore` }])
  assert.equal(again.status, 'open', 'what is paid is not paid again by its number')
})

test('a number with another amount, two numbers and another currency are left to a person', async () => {
  const grace = await shop.buyer()
  const one = await shop.invoice(grace, { totalCents: 1400, kind: 'renewal' })
  const two = await shop.invoice(grace, { totalCents: 1400, kind: 'renewal' })
  const entries = await matched([
    { amount: '13.99', text: `${one.number}` },
    { amount: '14.01', text: `${one.number}` },
    { amount: '14.00', text: `${one.number} ${two.number}` },
    { amount: '14.00', text: `${one.number}7` },
    { amount: '14.00', text: `${one.number}`, currency: 'USD' },
  ])
  assert.deepEqual(
    entries.map(({ status }) => status),
    ['open', 'open', 'open', 'open', 'open'],
  )
  assert.equal((await invoiceOf(grace, one.id)).paidCents, 0)
})
