import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import type { Answer, Client } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, person } from '#test/people.ts'
import { controlsOf } from '#test/sandbox.ts'
import { ONE_PURCHASE, since, type Tally, tallyOf } from '#test/tally.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, gatewayId } = shop
const { plan } = await shop.server()
const provider = controlsOf(shop.provider)
const panel = controlsOf(shop.panel)
// Keys, because sessions end while the clock is moved.
const admin = await withKey(shop.admin)
const CREATE = 'POST /api/application/servers'

const deliveries: [what: string, delivery: object][] = [
  ['delivered', { mode: 'auto' }],
  ['sent twice', { mode: 'duplicate', n: 20 }],
  ['sent in the wrong order', { mode: 'reverse', n: 3 }],
  ['sent before the provider has answered', { mode: 'before-response', n: 20 }],
  ['sent with a wrong signature first', { mode: 'bad-signature', n: 3 }],
  ['sent with an old signature first', { mode: 'old-timestamp', n: 3 }],
  ['lost', { mode: 'drop', n: 20 }],
]

for (const [what, delivery] of deliveries) {
  test(`a purchase ends the same when webhooks are ${what}`, async () => {
    await provider.post('delivery', delivery)
    await boughtOnce(async () => {})
    await provider.post('delivery', { mode: 'auto' })
  })
}

test('a purchase ends the same when webhooks are lost and the customer comes back', async () => {
  await provider.post('delivery', { mode: 'drop', n: 20 })
  await boughtOnce(async (placed) => {
    const { status } = await app.get(`/v1/billing/return/${placed.payment.id}`)
    assert.equal(status, 303)
  })
  await provider.post('delivery', { mode: 'auto' })
})

test('a webhook that is forged changes nothing', async () => {
  const customer = await newCustomer()
  const placed = await shop.order(customer, plan.id)
  const session = placed.payment.redirectUrl.split('/').at(-1)
  const object = { id: session, object: 'checkout.session', payment_status: 'paid' }
  const event = { id: 'evt_forged', object: 'event', type: 'checkout.session.completed' }
  const seconds = Math.floor(Date.now() / 1000)
  const headers = { 'stripe-signature': `t=${seconds},v1=${'0'.repeat(64)}` }
  const path = `/v1/billing/webhooks/${gatewayId}`
  const forged = { ...event, livemode: false, data: { object } }
  assert.equal((await app.post(path, forged, { headers })).status, 400)
  assert.equal((await app.post(path, forged)).status, 400)
  const { body } = await customer.get(`/v1/billing/invoices/${placed.invoice.id}`)
  assert.equal(body.status, 'open')
  assert.equal(body.number, null)
})

const faults: [what: string, kind: string, n: number][] = [
  ['answers 500 after it made the server', 'commit-then-500', 1],
  ['hangs up after it made the server', 'commit-then-hangup', 1],
  ['answers half of its JSON', 'truncated-json', 1],
  ['answers with nothing', 'empty-body', 1],
  ['answers 429', '429', 2],
  ['answers with a page of its proxy', 'html-502', 2],
  ['cannot reach its machine', '504-before', 2],
]

for (const [what, kind, n] of faults) {
  test(`a purchase ends the same when the panel ${what}`, async () => {
    await panel.fault(CREATE, kind, { n })
    await boughtOnce(async () => {})
    assert.equal(await panel.faultsLeft(), 0)
  })
}

test('a server that no machine has room for is made once there is some', async () => {
  await boughtOnce(
    async (placed, customer) => {
      await serviceIs(customer, 'provisioning')
      await until('the panel was asked in vain', async () => {
        const { body } = await admin.get(
          `/v1/admin/services/${placed.order.items[0].serviceIds[0]}`,
        )
        return body.provisioning?.lastError
      })
      assert.deepEqual((await customer.get('/v1/services')).body.data[0].status, 'provisioning')
      await setFreeAllocations(10)
    },
    () => setFreeAllocations(0),
  )
})

test('an installation that fails is told to the customer, and an operator gets it going', async () => {
  await panel.post('installs', { outcome: 'fail' })
  const before = await tally()
  const customer = await newCustomer()
  const placed = await shop.buy(customer, plan.id)
  const failed = await serviceIs(customer, 'failed')
  assert.ok(failed.failure.message)
  const { body: news } = await customer.get('/v1/notifications')
  assert.ok(news.data.some((it: Body) => it.kind === 'service_failed'))
  const { body: invoice } = await customer.get(`/v1/billing/invoices/${placed.invoice.id}`)
  assert.equal(invoice.status, 'paid')

  await panel.post('installs', { outcome: 'succeed' })
  const { status, text } = await admin.post(`/v1/admin/services/${failed.id}/reprovision`)
  assert.equal(status, 200, text)
  await serviceIs(customer, 'active')
  assert.deepEqual(since(before, await tally()), ONE_PURCHASE)
  await shop.assertSound()
})

type Meanwhile = (placed: Body, customer: Client) => Promise<void>

/** One purchase, paid on the provider's page: one of each in the end, and sound books. */
async function boughtOnce(
  afterPaying: Meanwhile,
  beforePaying: () => Promise<void> = async () => {},
): Promise<void> {
  const before = await tally()
  const customer = await newCustomer()
  const placed = await shop.order(customer, plan.id)
  await beforePaying()
  await shop.complete(placed.payment.redirectUrl)
  await afterPaying(placed, customer)
  await serviceIs(customer, 'active')
  assert.deepEqual(since(before, await tally()), ONE_PURCHASE)
  const { body: notices } = await customer.get('/v1/notifications')
  assert.equal(notices.data.filter((it: Body) => it.kind === 'service_active').length, 1)
  await shop.assertSound()
}

/** Waits until the customer's service has a status, while time goes by. */
function serviceIs(customer: Client, status: string): Promise<Body> {
  return until(`the service is ${status}`, async () => {
    const { body } = await customer.get('/v1/services')
    const [service] = body.data
    if (service.status === status) return service
    await app.advance(10)
  })
}

function tally(): Promise<Tally> {
  return tallyOf({ admin, provider: shop.provider, panel: shop.panel })
}

async function newCustomer() {
  return withKey(await person(app, { country: 'FR' }))
}

async function withKey<P extends { tenantId: string; userId: string }>(who: P) {
  return { ...who, ...(await apiKey(app, who, { permission: 'read-write' })) }
}

async function setFreeAllocations(free: number): Promise<void> {
  for (const nodeId of [1, 2, 3]) await panel.post('allocations', { nodeId, free })
}
