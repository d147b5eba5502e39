import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, instant, later, MINUTE_MS } from '#lib/time.ts'
import { enqueue } from '#platform/jobs.ts'
import { until } from '#test/app.ts'
import type { Person } from '#test/people.ts'
import { type ProviderBench, providerShop } from '#test/providers.ts'
import { forgetOldEvents } from '../inbox/retention.ts'
import { compareBooks } from '../work.ts'

const shop = await providerShop()
const { app, db, tenantId, admin, mollie, paypal, inLedger } = shop
const ada = await shop.buyer()

async function paid(bench: ProviderBench, user: Person = ada) {
  const { gatewayId } = bench
  const { invoice, url } = await shop.checkout(user, 1200, { gatewayId })
  await bench.pay(url)
  await shop.became(user, invoice.id, 'paid')
  const row = await db
    .selectFrom('billing.payments as payment')
    .innerJoin('billing.payment_allocations as part', 'part.paymentId', 'payment.id')
    .select(['payment.id', 'payment.providerPaymentId', 'payment.paidAt'])
    .where('part.invoiceId', '=', invoice.id)
    .executeTakeFirstOrThrow()
  return { ...row, invoiceId: invoice.id }
}

/** Nothing of a payment has moved for hours. */
async function rested({ id, paidAt }: Awaited<ReturnType<typeof paid>>): Promise<void> {
  const before = later(paidAt, -3 * HOUR_MS)
  await inLedger((tx) =>
    tx
      .updateTable('billing.payments')
      .set({ paidAt: before, createdAt: before })
      .where('id', '=', id)
      .execute(),
  )
}

/** Compares the books of a gateway now. */
async function compare({ gatewayId }: ProviderBench): Promise<void> {
  const read = () =>
    db
      .selectFrom('billing.gateways')
      .select('comparedAt')
      .where('id', '=', gatewayId)
      .executeTakeFirstOrThrow()
  const before = await read()
  await inLedger((tx) => enqueue(tx, compareBooks, { tenantId, gatewayId }))
  await until('the books are compared', async () => {
    const { comparedAt } = await read()
    return comparedAt !== before.comparedAt
  })
}

async function breaksOf(objectId: string) {
  const { body } = await admin.get('/v1/admin/breaks')
  return body.data.filter((it: { objectId: string }) => it.objectId === objectId)
}

for (const bench of shop.benches) {
  test(`${bench.driver}: a payment nobody told us of is booked at night`, async (t) => {
    t.after(() => bench.deliver(true))
    await bench.deliver(false)
    const { invoice, url } = await shop.checkout(ada, 1200, { gatewayId: bench.gatewayId })
    await bench.payUntold(url)
    await compare(bench)
    await shop.became(ada, invoice.id, 'paid')
  })

  test(`${bench.driver}: a refund nobody told us of is taken over at night`, async () => {
    const { invoiceId, providerPaymentId } = await paid(bench)
    await bench.settled()
    await bench.deliver(false)
    await bench.refundThere(providerPaymentId, 400)
    await compare(bench)
    const { body } = await ada.get(`/v1/billing/invoices/${invoiceId}`)
    assert.equal(body.refundedCents, 400)
    assert.deepEqual(await breaksOf(providerPaymentId), [])
    await bench.deliver(true)
  })

  test(`${bench.driver}: amounts that differ are a break, told and seen to once`, async () => {
    const payment = await paid(bench)
    await rested(payment)
    const setReceived = (received: number) =>
      inLedger((tx) =>
        tx
          .updateTable('billing.payments')
          .set((it) => ({ receivedCents: it.val(received as never) }))
          .where('id', '=', payment.id)
          .execute(),
      )
    await setReceived(1100)
    await compare(bench)
    await compare(bench)
    const [found, ...others] = await breaksOf(payment.providerPaymentId)
    assert.deepEqual(others, [])
    assert.equal(found.kind, 'payment_amount_differs')
    assert.equal(found.details.provider.receivedCents, 1200)
    assert.equal(found.details.booked.receivedCents, 1100)
    const url = `/v1/admin/breaks/${found.id}`
    assert.equal((await admin.post(`${url}/resolve`, {})).status, 400)
    const resolution = 'Looked at it'
    const { body } = await admin.post(`${url}/resolve`, { resolution })
    assert.equal(body.status, 'resolved')
    assert.equal(body.resolvedBy, admin.userId)
    assert.equal((await admin.post(`${url}/resolve`, { resolution })).status, 409)
    await compare(bench)
    assert.equal((await admin.get(url)).body.status, 'resolved')
    await setReceived(1000)
    await compare(bench)
    assert.equal((await admin.get(url)).body.status, 'open')
    await setReceived(1200)
  })
}

function benchOf(driver: string): ProviderBench {
  const bench = shop.benches.find((it) => it.driver === driver)
  assert.ok(bench)
  return bench
}

test('a list that is hours behind differs from nothing that was booked since', async (t) => {
  const bench = benchOf('sandbox_paypal')
  const payment = await paid(bench)
  const hidden = await paid(bench)
  await rested(payment)
  await rested(hidden)
  t.after(() => Object.assign(paypal.store.search, { behindMs: 0 }))
  const refund = { amountCents: 500, to: 'payment', reason: 'Asked for' }
  const { status, text } = await admin.post(
    `/v1/admin/invoices/${payment.invoiceId}/refund`,
    refund,
  )
  assert.ok(status < 300, text)
  await bench.settled()
  const order = [...paypal.store.orders.values()].find(({ captures }) =>
    captures.some(({ id }) => id === payment.providerPaymentId),
  )
  await until('the refund is made there', async () => (order?.refunds.length ?? 0) > 0)
  // The list has the payment by now, but neither the refund nor the other payment.
  for (const capture of order?.captures ?? []) {
    capture.create_time = later(instant(Date.now()), -4 * HOUR_MS)
  }
  paypal.store.search.behindMs = 3 * HOUR_MS
  const hoursAgo = later(payment.paidAt, -3 * HOUR_MS)
  await inLedger((tx) =>
    tx
      .updateTable('billing.refunds')
      .set({ createdAt: hoursAgo, sentAt: hoursAgo })
      .where('paymentId', '=', payment.id)
      .execute(),
  )
  await compare(bench)
  assert.deepEqual(await breaksOf(payment.providerPaymentId), [])
  assert.deepEqual(await breaksOf(hidden.providerPaymentId), [])
})

test('a dispute nobody told us of is taken over at night', async () => {
  const bench = benchOf('sandbox_paypal')
  const { providerPaymentId } = await paid(bench)
  await bench.settled()
  await bench.deliver(false)
  await bench.chargeBack(providerPaymentId)
  await compare(bench)
  const { body } = await admin.get('/v1/admin/disputes')
  const dispute = body.data.find(
    (it: { providerPaymentId: string }) => it.providerPaymentId === providerPaymentId,
  )
  assert.equal(dispute?.status, 'needs_response')
  const { email } = (await admin.get(`/v1/admin/users/${ada.userId}`)).body
  assert.equal(dispute.customerEmail, email)
  assert.deepEqual((await admin.get(`/v1/admin/disputes/${dispute.id}`)).body, dispute)
  assert.deepEqual(await breaksOf(providerPaymentId), [])
  await bench.deliver(true)
})

test('an account that may not list its payments is told of once, and asked again', async (t) => {
  const bench = benchOf('sandbox_paypal')
  t.after(() => Object.assign(paypal.store.search, { allowed: true }))
  paypal.store.search.allowed = false
  await compare(bench)
  await compare(bench)
  const [found, ...others] = await breaksOf(bench.gatewayId)
  assert.deepEqual(others, [])
  assert.equal(found?.kind, 'books_not_read')
  assert.deepEqual(found.details, { code: 'NOT_AUTHORIZED' })
  await until('administrators are told', async () => {
    const { text } = await admin.get('/v1/notifications')
    return text.includes('refused access to its list of payments')
  })
})

test('a payment that the provider does not know is a break', async () => {
  const bench = benchOf('sandbox_mollie')
  const payment = await paid(bench)
  await rested(payment)
  mollie.store.payments.delete(payment.providerPaymentId)
  await compare(bench)
  const [found] = await breaksOf(payment.providerPaymentId)
  assert.equal(found?.kind, 'payment_not_at_provider')
  await until('administrators are told', async () => {
    const { text } = await admin.get('/v1/notifications')
    return text.includes('records of a payment provider')
  })
})

test('a payment that does not fit what was asked for is listed once', async () => {
  const bench = benchOf('sandbox_mollie')
  await bench.deliver(false)
  const { url } = await shop.checkout(ada, 1200, { gatewayId: bench.gatewayId })
  const id = url.split('/').at(-1) ?? ''
  const there = mollie.store.payments.get(id)
  assert.ok(there)
  there.amount = { currency: 'EUR', value: '10.00' }
  await bench.pay(url)
  await compare(bench)
  await compare(bench)
  const found = await breaksOf(id)
  assert.deepEqual(
    found.map(({ kind }: { kind: string }) => kind),
    ['payment_mismatch'],
  )
  await bench.deliver(true)
})

test('each gateway’s books are compared once a day', async () => {
  const [bench] = shop.benches
  assert.ok(bench)
  const comparedAt = async () => {
    const { gatewayId } = bench
    const row = await db
      .selectFrom('billing.gateways')
      .select('comparedAt')
      .where('id', '=', gatewayId)
      .executeTakeFirstOrThrow()
    return row.comparedAt
  }
  const before = await comparedAt()
  await app.advance((23 * HOUR_MS) / 1000)
  await app.advance(MINUTE_MS / 1000)
  assert.equal(await comparedAt(), before)
  await app.advance(HOUR_MS / 1000)
  await until('they are compared', async () => (await comparedAt()) !== before)
})

test('what providers told us is forgotten after 90 days, what failed later', async () => {
  const now = app.deps.clock.now()
  const [done, , failed] = await db
    .selectFrom('billing.provider_events')
    .select('id')
    .where('state', '=', 'done')
    .limit(3)
    .execute()
  assert.ok(done && failed)
  const age = (id: string, state: 'done' | 'failed', days: number) =>
    inLedger((tx) =>
      tx
        .updateTable('billing.provider_events')
        .set({ state, receivedAt: later(now, -days * DAY_MS) })
        .where('id', '=', id)
        .execute(),
    )
  const left = async () => {
    const rows = await db.selectFrom('billing.provider_events').select('id').execute()
    return rows.map(({ id }) => id)
  }
  const total = (await left()).length
  await age(done.id, 'done', 91)
  await age(failed.id, 'failed', 91)
  assert.equal(forgetOldEvents.everyMs, DAY_MS)
  await app.advance(DAY_MS / 1000)
  await until('it is forgotten', async () => !(await left()).includes(done.id))
  assert.ok((await left()).includes(failed.id))
  assert.ok((await left()).length >= total - 1)
})
