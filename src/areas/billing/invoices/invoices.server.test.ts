import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { instant, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { billingShop, documentOf } from '#test/billing-shop.ts'
import { otherTenant } from '#test/people.ts'
import { preparePayment } from '../attempts/prepare.ts'
import { addCredit } from '../credits/actions.ts'
import { bookPayment } from '../payments/booking.ts'
import { openInvoice } from './actions.ts'
import { takeNumber } from './series.ts'

const shop = await billingShop()
const { app, db, tenantId, gatewayId } = shop

const NO_METHOD = { methodKind: null, methodBrand: null, methodLast4: null, fingerprint: null }

function sequences(numbers: readonly (string | null)[]): number[] {
  return numbers.map((number) => Number(number?.split('-').at(-1))).sort((a, b) => a - b)
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** Does something for each item, as many at once as there are connections. */
async function inLanes<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>) {
  const results: R[] = []
  const waiting = items.entries()
  async function lane(): Promise<void> {
    for (const [index, item] of waiting) results[index] = await work(item, index)
  }
  await Promise.all(Array.from({ length: 10 }, lane))
  return results
}

test('E25: of 50 numbers taken at once 10 roll back, and 1 to 40 are there (hardening 38)', async () => {
  const now = app.deps.clock.now()
  const taken: string[] = []
  const take = (index: number) =>
    transact(db, async (tx) => {
      const { number } = await takeNumber(tx, { tenantId, code: 'E25' }, now)
      if (index % 5 === 0) throw new Error('rolled back')
      return number
    }).then(
      (number) => void taken.push(number),
      () => {},
    )
  await Promise.all(Array.from({ length: 50 }, (_, index) => take(index)))
  assert.deepEqual(sequences(taken), upTo(40))
})

test('200 numbers of two tenants at the end of a year are 1 to 50 in each, in the order of their dates (hardening 38)', async () => {
  const tenants = [tenantId, await otherTenant(app, 'numbers.test')]
  const times = [instant('2040-12-31T23:59:59.900Z'), instant('2041-01-01T00:00:00.100Z')]
  const wanted = tenants.flatMap((id) =>
    times.flatMap((at) => upTo(50).map((n) => ({ id, at, n }))),
  )
  const places = await inLanes(
    wanted.toSorted((a, b) => a.n - b.n),
    ({ id, at, n }) =>
      transact(app.deps.database.of(id), async (tx) => {
        const place = await takeNumber(tx, { tenantId: id, code: 'YEAR' }, later(at, -(n % 7)))
        return { ...place, series: `${id} ${at.slice(0, 4)}` }
      }),
  )
  const series = [...Map.groupBy(places, (it) => it.series).values()]
  assert.equal(series.length, 4)
  for (const those of series) {
    assert.deepEqual(sequences(those.map(({ number }) => number)), upTo(50))
    const dates = those.toSorted((a, b) => (a.number < b.number ? -1 : 1)).map((it) => it.issuedAt)
    assert.deepEqual([...dates].sort(), dates)
  }
})

test('200 invoices paid at once have numbers without a gap, none twice, in date order (hardening 38)', async () => {
  const ada = await shop.buyer()
  const now = app.deps.clock.now()
  const document = documentOf([{ totalCents: 1200, rate: 2000 }])
  const about = { tenantId, userId: ada.userId, kind: 'checkout' as const, reference: newId() }
  const invoices = await inLanes(upTo(200), () =>
    shop.inLedger((tx) => openInvoice(tx, { ...about, document, dueAt: now }, now)),
  )
  const money = { receivedCents: cents(1200), currency: 'EUR', feeCents: cents(10), paidAt: now }
  const from = { tenantId, userId: ada.userId, gatewayId, attemptId: null, method: NO_METHOD }
  await inLanes(invoices, ({ id }, index) => {
    const payment = { ...from, ...money, providerPaymentId: `p${index}` }
    const at = app.deps.clock.now()
    return shop.inLedger((tx) => bookPayment(tx, payment, [id], at))
  })
  const rows = await db
    .selectFrom('billing.invoices')
    .select(['number', 'issuedAt', 'status'])
    .where('userId', '=', ada.userId)
    .orderBy('number')
    .execute()
  assert.ok(rows.every(({ status }) => status === 'paid'))
  assert.deepEqual(sequences(rows.map(({ number }) => number)), upTo(200))
  const dates = rows.map(({ issuedAt }) => issuedAt)
  assert.deepEqual([...dates].sort(), dates)
  await shop.assertSound()
})

test('one payment told 50 times at once is booked once (hardening 34)', async () => {
  const ada = await shop.buyer()
  const { id } = await shop.invoice(ada)
  const now = app.deps.clock.now()
  const money = { receivedCents: cents(1200), currency: 'EUR', feeCents: cents(0), paidAt: now }
  const from = { tenantId, userId: ada.userId, gatewayId, attemptId: null, method: NO_METHOD }
  const payment = { ...from, ...money, providerPaymentId: 'once' }
  const booked = await Promise.all(
    Array.from({ length: 50 }, () => shop.inLedger((tx) => bookPayment(tx, payment, [id], now))),
  )
  assert.equal(booked.filter(Boolean).length, 1)
  await shop.assertSound()
})

test('two distinct payments of one invoice at once: one pays it, the other becomes credit (hardening 35)', async () => {
  const ada = await shop.buyer()
  const { id } = await shop.invoice(ada)
  const now = app.deps.clock.now()
  const money = { receivedCents: cents(1200), currency: 'EUR', feeCents: cents(0), paidAt: now }
  const from = { tenantId, userId: ada.userId, gatewayId, attemptId: null, method: NO_METHOD }
  await Promise.all(
    ['one', 'other'].map((providerPaymentId) =>
      shop.inLedger((tx) => bookPayment(tx, { ...from, ...money, providerPaymentId }, [id], now)),
    ),
  )
  assert.equal(await shop.creditOf(ada), 1200)
  assert.equal((await ada.get(`/v1/billing/invoices/${id}`)).body.paidCents, 1200)
  await shop.assertSound()
})

test('50 orders at once never use more credit than there is (hardening 36)', async () => {
  const ada = await shop.buyer()
  const now = app.deps.clock.now()
  const eventId = newId()
  const gift = { tenantId, userId: ada.userId, currency: 'EUR', amountCents: cents(1000) }
  const rest = { eventId, key: eventId, description: 'A gift' }
  await shop.inLedger((tx) => addCredit(tx, { ...gift, ...rest }, now))
  const invoices = []
  for (let made = 0; made < 50; made += 1)
    invoices.push(await shop.invoice(ada, { totalCents: 300 }))
  await Promise.all(
    invoices.map(({ id }) =>
      shop.inLedger((tx) =>
        preparePayment(tx, ada, { invoiceId: id, gatewayId, useCredits: true }, now),
      ),
    ),
  )
  const rows = await db
    .selectFrom('billing.invoices')
    .select(['paidCents', 'heldCreditCents'])
    .where('userId', '=', ada.userId)
    .execute()
  const used = rows.reduce((sum, row) => sum + row.paidCents + row.heldCreditCents, 0)
  assert.equal(used, 1000)
  assert.equal(await shop.creditOf(ada), 0)
  await shop.assertSound()
})

test('the return page and the webhook, 50 times at the same moment, book once each (hardening 34)', async () => {
  const users = await Promise.all(Array.from({ length: 10 }, () => shop.buyer()))
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(
      users.map(async (user) => {
        const { invoice, payment, url } = await shop.checkout(user)
        await Promise.all([
          shop.complete(url),
          app.get(`/v1/billing/return/${payment.id}`),
          app.get(`/v1/billing/return/${payment.id}`),
        ])
        await shop.became(user, invoice.id, 'paid')
        await app.get(`/v1/billing/return/${payment.id}`)
      }),
    )
  }
  await shop.settled()
  const ids = users.map(({ userId }) => userId)
  const payments = await db
    .selectFrom('billing.payments')
    .select('receivedCents')
    .where('userId', 'in', ids)
    .execute()
  assert.equal(payments.length, 50)
  await shop.assertSound()
})
