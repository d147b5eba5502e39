import assert from 'node:assert/strict'
import { test } from 'node:test'
import { later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { enterSeller, TEST_SELLER } from '#test/seller.ts'
import { keepSettings } from '#test/settings.ts'
import { type Made, shopOf } from '#test/shop.ts'
import { updateService } from '../queries.ts'
import { listPeriods, updatePeriod } from '../renewals/queries.ts'

/**
 * A shop whose prices include French VAT sells to customers outside the EU at the price less that VAT
 * (R1.6): what they paid, and hold, is without it.
 */
const shop = await gameShop()
const { app, db, tenantId, gatewayId, eggId, nodeId } = shop
await enterSeller(app.deps.database, tenantId, { ...TEST_SELLER, priceMode: 'inclusive' })
await keepSettings(app, 'services', { immediateCredit: true, creditOnCancel: true })

type Offer = { product: Made; plan: Made }

const catalog = shopOf(shop.admin)
const provisioning = (memoryMb: number) => ({
  ...{ eggId, nodeIds: [nodeId], limits: { memoryMb, diskMb: 1024, cpuPercent: 100 } },
})
const large = await catalog.offer({ priceCents: 3000 }, { provisioning: provisioning(1024) })
const small = await catalog.offer(
  { priceCents: 1200 },
  { provisioning: provisioning(512), upgradeTargetIds: [large.product.id] },
)
const back = await shop.admin.patch(`/v1/admin/products/${large.product.id}`, {
  upgradeTargetIds: [small.product.id],
})
assert.equal(back.status, 200, back.text)

const MONTH_MS = 30 * 86_400_000

type Customer = { person: Person; id: string }

async function customer(country: string, how: object = {}): Promise<Customer> {
  const person = await shop.customer(country)
  const placed = await shop.order(person, small.plan.id, how)
  await shop.complete(placed.payment.redirectUrl)
  const { id } = await shop.serviceBecame(person, 'active')
  return { person, id }
}

/** Half of the first of its periods, of thirty days each, is over. */
async function halfIsUsed({ id }: Customer): Promise<void> {
  const start = later(app.deps.clock.now(), -MONTH_MS / 2)
  await transact(db, async (tx) => {
    const key = { tenantId, id }
    for (const [index, period] of (await listPeriods(tx, key)).entries()) {
      const startsAt = later(start, index * MONTH_MS)
      await updatePeriod(tx, period, { startsAt, endsAt: later(startsAt, MONTH_MS) })
    }
    const end = later(start, MONTH_MS)
    await updateService(tx, key, {
      ...{ anchorAt: start, currentPeriodStart: start, currentPeriodEnd: end },
    })
  })
}

const change = ({ person, id }: Customer, { product }: Offer, more: object = {}) =>
  person.post(`/v1/services/${id}/upgrade`, { productId: product.id, gatewayId, ...more })

async function changed(of: Customer, to: Offer) {
  const { status, body, text } = await change(of, to)
  assert.equal(status, 200, text)
  if (body.payment) await shop.complete(body.payment.redirectUrl)
  await until('the service is changed', async () => {
    return (await of.person.get(`/v1/services/${of.id}`)).body.product.id === to.product.id
  })
  return body
}

type Proration = { creditCents: number; chargeCents: number; totalCents: number }

/** Within a cent for each second that the test took. */
function near({ creditCents, chargeCents, totalCents }: Proration, wanted: readonly number[]) {
  const seen = [creditCents, chargeCents, totalCents]
  const isNear = seen.every((it, index) => Math.abs(it - (wanted[index] ?? 0)) <= 3)
  assert.ok(isNear, `${seen} is not ${wanted}`)
}

test('R4.9: a change credits what was paid without VAT, and charges the new price without VAT, there and back', async () => {
  const ada = await customer('US')
  await halfIsUsed(ada)
  const { proration } = await changed(ada, large)
  near(proration, [500, 1250, 750])
  const returned = await changed(ada, small)
  near(returned.proration, [1250, 500, -750])
  assert.equal(await shop.creditOf(ada.person), -returned.proration.totalCents)
  await shop.assertSound()
})

test('R4.9: a month paid ahead without VAT is credited at what it cost', async () => {
  const ada = await customer('US')
  const { body, text } = await ada.person.post(`/v1/services/${ada.id}/renew`, { gatewayId })
  assert.equal(body.invoice?.totalCents, 1000, text)
  await shop.complete(body.payment.redirectUrl)
  await until('the month is paid', async () => {
    const periods = await listPeriods(db, { tenantId, id: ada.id })
    return periods.every(({ paidAt }) => paidAt !== null)
  })
  await halfIsUsed(ada)
  near((await change(ada, large, { preview: true })).body.proration, [1500, 3750, 2250])
})

test('R4.9: half of a refunded month that was sold without VAT is half of its value', async () => {
  const ada = await customer('US')
  const [invoice] = (await ada.person.get('/v1/billing/invoices')).body.data
  const refund = { to: 'credit', amountCents: 500 }
  const refunded = await shop.admin.post(`/v1/admin/invoices/${invoice.id}/refund`, refund)
  assert.ok(refunded.status < 300, refunded.text)
  await halfIsUsed(ada)
  near((await change(ada, large, { preview: true })).body.proration, [250, 1250, 1000])
})

test('R4.9: a customer who moves into the EU is credited what they paid, and charged with VAT', async () => {
  const ada = await customer('US')
  await halfIsUsed(ada)
  await changed(ada, large)
  const moved = await ada.person.patch('/v1/users/me', { country: 'FR' })
  assert.equal(moved.status, 200, moved.text)
  const { status, body, text } = await change(ada, small, { preview: true })
  assert.equal(status, 200, text)
  near(body.proration, [1250, 600, 600])
})

test('R4.9: a customer who leaves the EU is credited with VAT, and charged without', async () => {
  const ada = await customer('FR', { immediateStart: true })
  await halfIsUsed(ada)
  const moved = await ada.person.patch('/v1/users/me', { country: 'US' })
  assert.equal(moved.status, 200, moved.text)
  const { proration } = await changed(ada, large)
  near(proration, [600, 1250, 1250])
  const credit = await shop.creditOf(ada.person)
  assert.ok(Math.abs(credit - 600) <= 3, String(credit))
  await shop.assertSound()
})
