import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCredit } from '#billing'
import { cents, portion } from '#lib/money.ts'
import { boundary } from '#lib/periods.ts'
import { dayOf, type Instant, later, millis, secondsBetween } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin, db, tenantId } = shop
const { product, plan } = await shop.server()

const DAY_SECONDS = 86_400
/** A year of them is in the long tests. */
const MONTHS = 2
const MONTHLY = { interval: 'month', intervalCount: 1 } as const

type Customer = { person: Person; id: string; anchor: Instant }

/** Somebody with an active service; with a saved card when they wish. */
async function customer(planId: string = plan.id, how: object = {}): Promise<Customer> {
  const person = await shop.customer()
  const placed = await shop.order(person, planId, how)
  const url = placed.payment?.redirectUrl
  if (url) await shop.complete(url)
  const { id, currentPeriodStart: anchor } = await shop.serviceBecame(person, 'active')
  if ('savePaymentMethod' in how) {
    await app.eventually('the card is saved', async () => {
      const { body } = await person.get('/v1/billing/payment-methods')
      return body.data.length > 0
    })
  }
  return { person, id, anchor }
}

const serviceOf = async ({ person, id }: Customer): Promise<Body> =>
  (await person.get(`/v1/services/${id}`)).body
const invoicesOf = async ({ person }: Customer): Promise<Body[]> =>
  (await person.get('/v1/billing/invoices')).body.data
const told = async ({ person }: Customer, kind: string): Promise<Body[]> =>
  (await person.get('/v1/notifications')).body.data.filter((it: Body) => it.kind === kind)

function became(of: Customer, status: string): Promise<Body> {
  return app.eventually(`the service is ${status}`, async () => {
    const service = await serviceOf(of)
    return service.status === status && service
  })
}

function invoiced(of: Customer, count: number): Promise<Body[]> {
  return app.eventually(`there are ${count} invoices`, async () => {
    const invoices = await invoicesOf(of)
    return invoices.length >= count && invoices
  })
}

/** Moves the clock to an instant, or a little past it. */
async function goTo(at: Instant, moreSeconds = 60): Promise<void> {
  const seconds = (millis(at) - millis(app.deps.clock.now())) / 1000 + moreSeconds
  if (seconds > 0) await app.advance(Math.ceil(seconds))
}

async function serverOf({ id }: Customer): Promise<Body> {
  const { externalId } = (await admin.get(`/v1/admin/services/${id}`)).body
  return (await shop.servers()).find((it) => it.externalId === externalId)
}

// What happens without a saved card is told here, too.
await keepSettings(app, 'orders', { trialNeedsMethod: false, hourlyNeedsMethod: false })

test('renewals are charged to the saved card, each month once', async () => {
  const ada = await customer(plan.id, { savePaymentMethod: true })
  for (let month = 1; month <= MONTHS; month += 1) {
    const start = boundary(ada.anchor, MONTHLY, month)
    await goTo(later(start, -7 * DAY_SECONDS * 1000))
    const [newest] = await invoiced(ada, month + 1)
    assert.equal(newest.dueAt, start)
    assert.equal(newest.lines[0].periodStart, start)
    await goTo(start)
    await app.eventually(`month ${month} is paid for`, async () => {
      const { currentPeriodStart } = await serviceOf(ada)
      return currentPeriodStart === start
    })
  }
  const invoices = await invoicesOf(ada)
  assert.equal(invoices.length, MONTHS + 1)
  assert.deepEqual(new Set(invoices.map(({ status }) => status)), new Set(['paid']))
  assert.deepEqual(new Set(invoices.map(({ totalCents }) => totalCents)), new Set([1200]))
  assert.equal((await told(ada, 'renewal_invoice')).length, MONTHS)
  assert.equal((await serviceOf(ada)).status, 'active')
  await shop.assertSound()
})

test('E43: unpaid, a service is reminded, suspended after 3 days and ended after 14', async () => {
  const ada = await customer()
  const start = boundary(ada.anchor, MONTHLY, 1)
  const day = (days: number) => later(start, days * DAY_SECONDS * 1000)
  await goTo(day(-7))
  const [renewal] = await invoiced(ada, 2)
  assert.deepEqual([renewal.status, renewal.dueAt], ['open', start])
  await goTo(day(-3))
  await app.eventually('a reminder', async () => (await told(ada, 'payment_reminder')).length === 1)
  await goTo(day(2))
  await app.eventually(
    'a second one',
    async () => (await told(ada, 'payment_reminder')).length === 2,
  )
  assert.equal((await serviceOf(ada)).status, 'active')
  await goTo(day(3))
  const suspended = await became(ada, 'suspended')
  assert.equal(dayOf(suspended.suspendedAt), dayOf(day(3)))
  assert.equal((await serverOf(ada)).status, 'suspended')
  await goTo(day(10))
  const last = await app.eventually('the final warning', async () => {
    const [newest] = await told(ada, 'payment_reminder')
    return newest.data.next === 'end' && newest
  })
  assert.equal(last.data.on, dayOf(day(14)))
  await goTo(day(14))
  const ended = await became(ada, 'ended')
  assert.equal(ended.endReason, 'unpaid')
  const after = await ada.person.get(`/v1/billing/invoices/${renewal.id}`)
  // R4.6: the days until the suspension stay due.
  const whole = secondsBetween(start, boundary(ada.anchor, MONTHLY, 2))
  const used = portion(1200, secondsBetween(start, suspended.suspendedAt), whole)
  assert.deepEqual([after.body.status, after.body.dueCents], ['open', used])
  assert.equal((await serverOf(ada)).status, 'suspended')
  await goTo(day(21), 600)
  await app.eventually('the data is deleted', async () => (await serverOf(ada)) === undefined)
  await shop.assertSound()
})

test('a suspended server does come back after payment, and the period does not move', async () => {
  const ada = await customer()
  const start = boundary(ada.anchor, MONTHLY, 1)
  await goTo(later(start, -3 * DAY_SECONDS * 1000))
  const [renewal] = await invoiced(ada, 2)
  await app.eventually('a reminder', async () => (await told(ada, 'payment_reminder')).length > 0)
  await goTo(later(start, 5 * DAY_SECONDS * 1000))
  await became(ada, 'suspended')
  const paying = await ada.person.post(`/v1/services/${ada.id}/renew`, {
    gatewayId: shop.gatewayId,
  })
  assert.equal(paying.status, 200, paying.text)
  assert.equal(paying.body.invoice.id, renewal.id)
  await shop.complete(paying.body.payment.redirectUrl)
  const back = await became(ada, 'active')
  assert.equal(back.currentPeriodStart, start)
  assert.equal((await serverOf(ada)).status, null)
})

test('credit pays a renewal first', async () => {
  const ada = await customer()
  const start = boundary(ada.anchor, MONTHLY, 1)
  const gift = {
    ...{ tenantId, userId: ada.person.userId, currency: 'EUR', amountCents: cents(1200) },
    ...{ eventId: ada.id, key: `gift:${ada.id}`, description: 'A gift' },
  }
  await transact(db, (tx) => addCredit(tx, gift, app.deps.clock.now()))
  await goTo(later(start, -DAY_SECONDS * 1000))
  await invoiced(ada, 2)
  await goTo(start)
  await app.eventually(
    'it is paid for',
    async () => (await serviceOf(ada)).currentPeriodStart === start,
  )
  assert.equal(await shop.creditOf(ada.person), 0)
})

test('a card of which the bank wants another one is charged once, and not again', async () => {
  const ada = await customer(plan.id, { savePaymentMethod: true })
  const { providerMethodId } = await db
    .selectFrom('billing.payment_methods')
    .select('providerMethodId')
    .where('userId', '=', ada.person.userId)
    .executeTakeFirstOrThrow()
  await shop.control(`payment-methods/${providerMethodId}/expire`)
  const start = boundary(ada.anchor, MONTHLY, 1)
  await goTo(later(start, -2 * DAY_SECONDS * 1000))
  await invoiced(ada, 2)
  await goTo(start)
  await app.eventually(
    'the charge failed',
    async () => (await told(ada, 'payment_failed')).length === 1,
  )
  await goTo(later(start, 2 * DAY_SECONDS * 1000))
  await app.eventually('a reminder', async () => (await told(ada, 'payment_reminder')).length > 1)
  assert.equal((await told(ada, 'payment_failed')).length, 1)
})

test('E42: a trial is paid for at its end, from which its periods are counted', async () => {
  const trial = await shop.catalog.plan(product.id, { trialDays: 7, setupFeeCents: 500 })
  const ada = await customer(trial.id)
  const [unnumbered] = await invoicesOf(ada)
  assert.deepEqual([unnumbered?.status, unnumbered?.number], ['paid', null])
  const { currentPeriodEnd: end } = await serviceOf(ada)
  assert.equal(end, later(ada.anchor, 7 * DAY_SECONDS * 1000))
  await app.advance(60)
  const [first] = await app.eventually('its invoice', async () => {
    const invoices = await invoicesOf(ada)
    return invoices.some(({ totalCents }) => totalCents > 0) && invoices
  })
  assert.deepEqual([first?.dueAt, first?.totalCents], [end, 1800])
  assert.match(String(first?.number), /^INV-/)
  await goTo(later(end, -3 * DAY_SECONDS * 1000))
  await app.eventually('a reminder', async () => (await told(ada, 'payment_reminder')).length === 1)
  await goTo(end, 3600)
  await app.eventually('no grace', async () => {
    const { body } = await admin.get(`/v1/admin/services/${ada.id}`)
    return body.suspendReasons.includes('unpaid') || body.status === 'suspended'
  })
})

test('a service that does not renew is announced to end, ends, and keeps its data for a week', async () => {
  const ada = await customer()
  await ada.person.patch(`/v1/services/${ada.id}`, { autoRenew: false })
  const { currentPeriodEnd: end } = await serviceOf(ada)
  await goTo(later(end, -7 * DAY_SECONDS * 1000))
  await app.eventually('the notice', async () => (await told(ada, 'service_ending')).length === 1)
  assert.equal((await invoicesOf(ada)).length, 1)
  await goTo(end)
  assert.equal((await became(ada, 'ended')).endReason, 'completed')
  assert.equal((await serverOf(ada)).status, 'suspended')
})

test('a cancellation voids the renewal that is open, and ends the service with its period', async () => {
  const ada = await customer()
  const { currentPeriodEnd: end } = await serviceOf(ada)
  await goTo(later(end, -5 * DAY_SECONDS * 1000))
  const [renewal] = await invoiced(ada, 2)
  await ada.person.post(`/v1/services/${ada.id}/cancel`, { at: 'period_end' })
  const voided = await ada.person.get(`/v1/billing/invoices/${renewal.id}`)
  assert.equal(voided.body.status, 'void')
  await goTo(end)
  assert.equal((await became(ada, 'ended')).endReason, 'canceled')
})

test('E13: a coupon for three periods lowers three invoices, whatever became of it', async () => {
  const coupon = await shop.catalog.coupon({ duration: 'cycles', durationCycles: 3 })
  const person = await shop.customer()
  await person.post('/v1/cart/items', { planId: plan.id })
  await person.put(`/v1/cart/coupons/${coupon.code}`)
  const how = { gatewayId: shop.gatewayId, savePaymentMethod: true }
  const { body: placed } = await checkOut(person, how)
  await shop.complete(placed.payment.redirectUrl)
  await admin.delete(`/v1/admin/coupons/${coupon.id}`)
  const { id, currentPeriodStart: anchor } = await shop.serviceBecame(person, 'active')
  const ada = { person, id, anchor }
  for (const month of [1, 2, 3]) {
    const start = boundary(anchor, MONTHLY, month)
    await goTo(start)
    await app.eventually(
      'it is paid',
      async () => (await serviceOf(ada)).currentPeriodStart === start,
    )
  }
  const totals = (await invoicesOf(ada)).map(({ totalCents }) => totalCents)
  assert.deepEqual(totals, [1200, 1080, 1080, 1080])
})

test('E46: a price from a day on counts for the first period that starts on or after it', async () => {
  const ada = await customer()
  const [second, third] = [1, 2].map((k) => boundary(ada.anchor, MONTHLY, k)) as Instant[]
  assert.ok(second && third)
  const effectiveFrom = dayOf(later(third, -2 * DAY_SECONDS * 1000))
  const path = `/v1/admin/services/${ada.id}`
  const changed = await admin.patch(path, { priceCents: 2000, effectiveFrom })
  assert.equal(changed.status, 200, changed.text)
  const early = await ada.person.post(`/v1/services/${ada.id}/renew`, {
    gatewayId: shop.gatewayId,
  })
  assert.equal(early.body.invoice.totalCents, 1200)
  await shop.complete(early.body.payment.redirectUrl)
  await goTo(later(third, -DAY_SECONDS * 1000))
  const [dear] = await invoiced(ada, 3)
  assert.equal(dear.totalCents, 2400)
})

test('R4.11: metered hours are invoiced when their month is over, and at most a month’s price', async () => {
  // Above a month's price in the shortest month too: which one it is depends on today.
  const hourly = await shop.catalog.plan(product.id, {
    ...{ name: 'By the hour', interval: 'hour', priceCents: 999, priceMicros: 20_000 },
  })
  const ada = await customer(hourly.id)
  await app.advance(60)
  assert.equal((await invoicesOf(ada)).filter(({ totalCents }) => totalCents > 0).length, 0)
  const end = boundary(ada.anchor, MONTHLY, 1)
  await goTo(end)
  const used = await app.eventually('the month is invoiced', async () => {
    const [newest] = await invoicesOf(ada)
    return newest.netCents > 0 && newest
  })
  assert.equal(used.netCents, 999)
  assert.deepEqual([used.lines[0].periodStart, used.lines[0].periodEnd], [ada.anchor, end])
  assert.equal((await serviceOf(ada)).currentPeriodStart, end)
})

test('money that the bank takes back for good suspends the service, and paying brings it back', async () => {
  const ada = await customer()
  const payment = await db
    .selectFrom('billing.payments')
    .select('providerPaymentId')
    .where('userId', '=', ada.person.userId)
    .executeTakeFirstOrThrow()
  const { id } = await shop.control('disputes', { paymentIntent: payment.providerPaymentId })
  await shop.control(`disputes/${id}/close`, { outcome: 'lost' })
  await became(ada, 'suspended')
  await app.advance(60)
  const reminder = await app.eventually('a reminder', async () => {
    const [newest] = await told(ada, 'payment_reminder')
    return newest
  })
  assert.equal(reminder.data.amountCents, 1200)
  const { body } = await ada.person.post(`/v1/services/${ada.id}/renew`, {
    gatewayId: shop.gatewayId,
  })
  assert.equal(body.invoice.totalCents, 1200)
  await shop.complete(body.payment.redirectUrl)
  await became(ada, 'active')
  await shop.assertSound()
})

test('R3.10: what was sold once, and a change, are suspended as well when their money is taken back', async () => {
  const once = await shop.catalog.plan(product.id, { interval: 'one_time', priceCents: 2000 })
  const large = await shop.server({}, { priceCents: 2500 })
  const targets = { upgradeTargetIds: [large.product.id] }
  await admin.patch(`/v1/admin/products/${product.id}`, targets)
  const [ada, bob] = [await customer(once.id), await customer()]
  const wanted = { productId: large.product.id, gatewayId: shop.gatewayId }
  const changed = await bob.person.post(`/v1/services/${bob.id}/upgrade`, wanted)
  await shop.complete(changed.body.payment.redirectUrl)
  await app.eventually('it is changed', async () => {
    return (await serviceOf(bob)).product.id === large.product.id
  })
  for (const who of [ada, bob]) {
    const [newest] = await invoicesOf(who)
    const { providerPaymentId } = await db
      .selectFrom('billing.payments as payment')
      .innerJoin('billing.payment_allocations as part', 'part.paymentId', 'payment.id')
      .select('payment.providerPaymentId')
      .where('part.invoiceId', '=', newest.id)
      .executeTakeFirstOrThrow()
    const { id } = await shop.control('disputes', { paymentIntent: providerPaymentId })
    await shop.control(`disputes/${id}/close`, { outcome: 'lost' })
    await became(who, 'suspended')
    const means = { gatewayId: shop.gatewayId }
    const paying = await who.person.post(`/v1/billing/invoices/${newest.id}/pay`, means)
    await shop.complete(paying.body.redirectUrl)
    await became(who, 'active')
  }
  await shop.assertSound()
})
