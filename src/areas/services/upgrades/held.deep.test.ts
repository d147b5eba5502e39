import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { later, millis } from '#lib/time.ts'
import { json, transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, type Person } from '#test/people.ts'
import { type Made, shopOf } from '#test/shop.ts'
import { updateService } from '../queries.ts'
import { listPeriods, updatePeriod } from '../renewals/queries.ts'
import { settlePeriods } from '../renewals/settlement.ts'
import { serviceSettings } from '../settings.ts'

type Body = Answer['body']
type Offer = { product: Made; plan: Made }

const shop = await gameShop()
const { app, db, tenantId, eggId, nodeId, gatewayId } = shop
const admin = await apiKey(app, shop.admin, { permission: 'read-write' })
const catalog = shopOf(admin)

const MONTH_MS = 30 * 86_400_000
const offer = (priceCents: number, memoryMb: number, product: object = {}) => {
  const limits = { memoryMb, diskMb: 5120, cpuPercent: 100 }
  return catalog.offer(
    { priceCents },
    { provisioning: { eggId, nodeIds: [nodeId], limits }, ...product },
  )
}

let tiny: Offer | undefined
let small: Offer | undefined
let middle: Offer | undefined
let large: Offer | undefined
before(async () => {
  tiny = await offer(500, 1024)
  large = await offer(3000, 4096)
  middle = await offer(2500, 3072)
  small = await shop.server()
  for (const [from, to] of [
    [small, [tiny, middle, large]],
    [large, [small]],
  ] as const) {
    const upgradeTargetIds = to.flatMap((it) => it?.product.id ?? [])
    const { status } = await admin.patch(`/v1/admin/products/${from.product.id}`, {
      upgradeTargetIds,
    })
    assert.equal(status, 200)
  }
  const values = json({ immediateCredit: true, creditOnCancel: true })
  const updatedAt = app.deps.clock.now()
  await transact(db, (tx) =>
    tx
      .insertInto('tenants.settings')
      .values({ tenantId, section: serviceSettings.name, values, updatedAt })
      .execute(),
  )
})

type Customer = Person & { id: string; invoiceId: string }

/** A customer with an active service, bought with a coupon if one is given. */
async function customerOf(
  { plan }: Offer = small ?? assert.fail(),
  coupon?: object,
): Promise<Customer> {
  const someone = await shop.customer()
  const customer = { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
  const couponCodes = coupon ? [(await catalog.coupon(coupon)).code] : []
  const added = await customer.post('/v1/cart/items', { planId: plan.id })
  assert.equal(added.status, 201, added.text)
  for (const code of couponCodes) {
    const applied = await customer.put(`/v1/cart/coupons/${code}`)
    assert.ok(applied.status < 300, applied.text)
  }
  const placed = await checkOut(customer, { gatewayId })
  assert.equal(placed.status, 201, placed.text)
  const { order, payment } = placed.body
  if (payment?.redirectUrl) await shop.complete(payment.redirectUrl)
  const { id } = await shop.serviceBecame(customer, 'active')
  return { ...customer, id, invoiceId: order.invoiceId }
}

/**
 * Puts the whole service, with all its periods, at an exact share of a period of thirty days: what is
 * billed does not depend on how long the test takes.
 */
async function beginsAt({ id }: Customer, share: number): Promise<void> {
  const now = app.deps.clock.now()
  const start = later(now, -Math.round(MONTH_MS * share))
  await transact(db, async (tx) => {
    const key = { tenantId, id }
    for (const [index, period] of (await listPeriods(tx, key)).entries()) {
      const startsAt = later(start, index * MONTH_MS)
      await updatePeriod(tx, period, { startsAt, endsAt: later(startsAt, MONTH_MS) })
    }
    await updateService(tx, key, {
      ...{ anchorAt: start, currentPeriodStart: start, currentPeriodEnd: later(start, MONTH_MS) },
    })
  })
}

const change = (customer: Customer, to: Offer | undefined, more: object = {}) =>
  customer.post(`/v1/services/${customer.id}/upgrade`, {
    productId: to?.product.id,
    gatewayId,
    ...more,
  })

const isOn = (customer: Customer, to: Offer | undefined) =>
  until('the service is changed', async () => {
    const { body } = await customer.get(`/v1/services/${customer.id}`)
    return body.product.id === to?.product.id
  })

async function renewAhead(customer: Customer, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { body, status, text } = await customer.post(`/v1/services/${customer.id}/renew`, {
      gatewayId,
    })
    assert.equal(status, 200, text)
    await shop.complete(body.payment.redirectUrl)
    await until('the period is paid', async () => {
      const periods = await listPeriods(db, { tenantId, id: customer.id })
      return periods.every(({ paidAt }) => paidAt !== null)
    })
  }
}

async function refund(invoiceId: string): Promise<void> {
  const { status, text } = await admin.post(`/v1/admin/invoices/${invoiceId}/refund`, {
    to: 'credit',
  })
  assert.ok(status < 300, text)
}

/** Within a cent for each second that the test took: seconds pass between a wish and its answer. */
function near({ proration }: Body, [credit, charge, net]: readonly number[], cents = 3): void {
  const { creditCents, chargeCents, netCents } = proration
  const off = [creditCents - (credit ?? 0), chargeCents - (charge ?? 0), netCents - (net ?? 0)]
  assert.ok(
    off.every((it) => Math.abs(it) <= cents),
    `${creditCents}, ${chargeCents}, ${netCents}`,
  )
}

const once = (percent: number) => ({
  type: 'percent',
  percentBasisPoints: percent * 100,
  duration: 'once',
})

test('E65: five months paid ahead after a free first one cost their difference on an upgrade', async () => {
  const ada = await customerOf(small, once(100))
  await renewAhead(ada, 5)
  await beginsAt(ada, 0)
  const { status, body, text } = await change(ada, middle, { preview: true })
  assert.equal(status, 200, text)
  near(body, [5000, 15_000, 10_000])
  const ordered = await change(ada, middle)
  await shop.complete(ordered.body.payment.redirectUrl)
  await isOn(ada, middle)
  const periods = await listPeriods(db, { tenantId, id: ada.id })
  assert.deepEqual(
    periods.map(({ valueCents }) => valueCents),
    new Array(6).fill(2500),
  )
  await shop.assertSound()
})

test('E66: a downgrade after a fixed coupon gives the prepaid months back in full', async () => {
  const fixed = { type: 'fixed', amountCents: 500, currency: 'EUR', duration: 'once' }
  const ada = await customerOf(small, fixed)
  await renewAhead(ada, 3)
  await beginsAt(ada, 0)
  const { body, status, text } = await change(ada, tiny)
  assert.equal(status, 200, text)
  near(body, [3500, 2000, -1500])
  assert.equal(body.effect, 'credit_note')
  await isOn(ada, tiny)
  assert.equal(await shop.creditOf(ada), -body.proration.totalCents)
  const canceled = await ada.post(`/v1/services/${ada.id}/cancel`, { at: 'now' })
  assert.equal(canceled.status, 200, canceled.text)
  const credit = await shop.creditOf(ada)
  // 600 and three times 1200 were paid: nothing of it was used.
  assert.ok(credit <= 4200 && credit >= 4195, String(credit))
  await shop.assertSound()
})

test('E67: an upgrade that was refunded is not credited on the way back', async () => {
  const ada = await customerOf()
  await beginsAt(ada, 0.5)
  const { body } = await change(ada, large)
  near(body, [500, 1500, 1000])
  await shop.complete(body.payment.redirectUrl)
  await isOn(ada, large)
  await refund(body.invoice.id)
  const credit = await shop.creditOf(ada)
  assert.equal(credit, body.invoice.totalCents)
  const back = await change(ada, small)
  assert.equal(back.status, 200, back.text)
  near(back.body, [500, 500, 0])
  await shop.assertSound()
})

test('E68: after its first invoice was refunded a service has no value to credit', async () => {
  const ada = await customerOf()
  await refund(ada.invoiceId)
  await beginsAt(ada, 0.5)
  near((await change(ada, middle, { preview: true })).body, [0, 1250, 1250])
})

test('E69: a coupon for the first invoice lowers what an upgrade credits, and not its price', async () => {
  const list = await offer(2000, 2048, { upgradeTargetIds: [large?.product.id] })
  const ada = await customerOf(list, once(25))
  await beginsAt(ada, 0.5)
  const { body } = await change(ada, large, { preview: true })
  near(body, [750, 1500, 750])
  assert.ok(Math.abs(body.proration.totalCents - 900) <= 4)
})

test('a refund of one half is not given back again when the service is canceled now', async () => {
  const ada = await customerOf()
  const path = `/v1/admin/invoices/${ada.invoiceId}/refund`
  assert.ok((await admin.post(path, { to: 'credit', amountCents: 600 })).status < 300)
  await beginsAt(ada, 0.5)
  const canceled = await ada.post(`/v1/services/${ada.id}/cancel`, { at: 'now' })
  assert.equal(canceled.status, 200, canceled.text)
  const credit = await shop.creditOf(ada)
  assert.ok(Math.abs(credit - 900) <= 3, String(credit))
})

test('a month that was paid after a change was priced becomes credit, and is invoiced again at the new price', async () => {
  const ada = await customerOf()
  await beginsAt(ada, 0.5)
  const ordered = await change(ada, middle)
  assert.equal(ordered.status, 200, ordered.text)
  // Both pages are open before either is paid.
  const renewal = await ada.post(`/v1/services/${ada.id}/renew`, { gatewayId })
  assert.equal(renewal.status, 200, renewal.text)
  await shop.complete(renewal.body.payment.redirectUrl)
  await until('the month is paid', async () => {
    const periods = await listPeriods(db, { tenantId, id: ada.id })
    return periods.length === 2 && periods.every(({ paidAt }) => paidAt !== null)
  })
  await shop.complete(ordered.body.payment.redirectUrl)
  await isOn(ada, middle)
  assert.equal(await shop.creditOf(ada), 1200)
  const left = (await listPeriods(db, { tenantId, id: ada.id })).filter(({ paidAt }) => paidAt)
  assert.deepEqual(
    left.map(({ valueCents }) => valueCents),
    [2500],
  )
  const { body } = await ada.get(`/v1/services/${ada.id}`)
  assert.ok(millis(body.currentPeriodEnd) > millis(app.deps.clock.now()))
  const again = await ada.post(`/v1/services/${ada.id}/renew`, { gatewayId })
  assert.equal(again.body.invoice.totalCents, 3000, again.text)
  await shop.assertSound()
})

test('renewing again before the payment of a renewal was noted renews the month after it', async () => {
  const ada = await customerOf()
  await renewAhead(ada, 1)
  const key = { tenantId, id: ada.id }
  const [, paid] = await listPeriods(db, key)
  assert.ok(paid)
  // As it is between the payment and the job that hears of it.
  await transact(db, (tx) => updatePeriod(tx, paid, { paidAt: null }))
  const { status, body, text } = await ada.post(`/v1/services/${ada.id}/renew`, { gatewayId })
  assert.equal(status, 200, text)
  assert.notEqual(body.invoice.id, paid.invoiceId)
  assert.equal(body.invoice.lines[0].periodStart, paid.endsAt)
  const noted = (await listPeriods(db, key)).find(({ id }) => id === paid.id)
  assert.ok(noted?.paidAt)
})

test('a month paid ahead under another tax is credited with the tax it was sold with', async () => {
  const ada = await customerOf()
  const moved = await ada.patch('/v1/users/me', { country: 'US' })
  assert.equal(moved.status, 200, moved.text)
  await renewAhead(ada, 1)
  await beginsAt(ada, 0.5)
  const { body, status, text } = await change(ada, middle)
  assert.equal(status, 200, text)
  near(body, [1500, 3750, 2250])
  await shop.complete(body.payment.redirectUrl)
  await isOn(ada, middle)
  // Half of 1200 with French VAT, and 1000 without.
  const credit = await shop.creditOf(ada)
  assert.ok(Math.abs(credit - 1600) <= 3, String(credit))
  await shop.assertSound()
})

test('the value of a year that was changed to a month is credited with that month', async () => {
  const { product } = small ?? assert.fail()
  const year = await catalog.offer(
    { interval: 'year', priceCents: 12_000 },
    {
      provisioning: {
        eggId,
        nodeIds: [nodeId],
        limits: { memoryMb: 512, diskMb: 1, cpuPercent: 1 },
      },
      upgradeTargetIds: [product.id],
    },
  )
  const ada = await customerOf(year)
  const { body, status, text } = await change(ada, small, { planId: small?.plan.id })
  assert.equal(status, 200, text)
  assert.equal(body.effect, 'credit_note')
  await isOn(ada, small)
  const before = await shop.creditOf(ada)
  assert.ok(Math.abs(before - 13_200) <= 3, String(before))
  const canceled = await ada.post(`/v1/services/${ada.id}/cancel`, { at: 'now' })
  assert.equal(canceled.status, 200, canceled.text)
  const credit = await shop.creditOf(ada)
  assert.ok(Math.abs(credit - 14_400) <= 3, String(credit))
  await shop.assertSound()
})

test('a payment for a renewal that was replaced before it was recorded becomes credit, with that reason', async () => {
  const ada = await customerOf()
  await renewAhead(ada, 1)
  const [, paid] = await listPeriods(db, { tenantId, id: ada.id })
  assert.ok(paid?.invoiceId)
  const { invoiceId } = paid
  await transact(db, async (tx) => {
    // As it is between the payment and the job that hears of it.
    await updatePeriod(tx, paid, { paidAt: null, voidedAt: app.deps.clock.now() })
    await settlePeriods(tx, { tenantId, invoiceId }, app.deps.clock.now())
  })
  assert.equal(await shop.creditOf(ada), 1200)
  const [note] = (await ada.get('/v1/billing/credit-notes')).body.data
  assert.equal(note.reason, 'The renewal was replaced by another one')
  assert.equal((await ada.get(`/v1/services/${ada.id}`)).body.status, 'active')
})
