import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer, Client } from '#test/client.ts'
import { realShop } from '#test/real-shop.ts'
import { ONE_PURCHASE, since } from '#test/tally.ts'

const shop = await realShop()
const { provider, panel, gatewayId, planId } = shop
const LONG_MS = 600_000
/** Processes start, and a server waits for the heartbeats of the one that died. */
const PATIENCE = { waitMs: 60_000 }

type Login = Awaited<ReturnType<typeof shop.customer>>
type Body = Answer['body']

test('killed after the payment was written down, before the provider heard of it (hardening 43)', async () => {
  await provider.fault('POST /v1/customers', 'timeout-before', { ms: LONG_MS, n: 3 })
  await oncePaid(async (login) => {
    await orderAndLose(login, async () => (await provider.faultsLeft()) < 3)
    await provider.clearFaults()
    await shop.start()
    await payOrder(await shop.signIn(login))
  })
})

test('killed after the provider made its page, before we heard of it (hardening 43)', async () => {
  const { sessions } = await shop.tally()
  await provider.fault('POST /v1/checkout/sessions', 'timeout-after', { ms: LONG_MS })
  await oncePaid(async (login) => {
    const made = async () => (await shop.tally()).sessions > sessions
    await orderAndLose(login, made)
    await shop.start()
    await payOrder(await shop.signIn(login))
  })
})

test('killed after the webhook was stored, before it was read (hardening 43)', async () => {
  await oncePaid(async (login) => {
    const { payment } = await order(await shop.signIn(login))
    // What a webhook means is asked of the provider, after the webhook itself was answered.
    await provider.fault('GET *', 'timeout-before', { ms: LONG_MS, n: 3 })
    await shop.pay(payment.redirectUrl)
    const isRead = async () => (await provider.faultsLeft()) < 3
    await until('the webhook is being read', isRead, PATIENCE)
    await shop.kill()
    await provider.clearFaults()
    await shop.start()
  })
})

test('killed after the invoice was paid, before the panel heard of it (hardening 43)', async () => {
  await panel.fault('GET /api/application/servers/external/{id}', 'latency', { ms: LONG_MS })
  await oncePaid(async (login) => {
    const customer = await shop.signIn(login)
    const { payment, invoice } = await order(customer)
    await shop.pay(payment.redirectUrl)
    const isAsked = async () => (await panel.faultsLeft()) === 0
    await until('the panel is asked', isAsked, PATIENCE)
    const { body } = await customer.get(`/v1/billing/invoices/${invoice.id}`)
    assert.equal(body.status, 'paid')
    await shop.kill()
    await shop.start()
  })
})

test('killed after the panel made the server, before we heard of it (hardening 43, 44)', async () => {
  const { servers } = await shop.tally()
  await panel.fault('POST /api/application/servers', 'commit-then-hang')
  await oncePaid(async (login) => {
    const { payment } = await order(await shop.signIn(login))
    await shop.pay(payment.redirectUrl)
    const isMade = async () => (await shop.tally()).servers > servers
    await until('the server is there', isMade, PATIENCE)
    await shop.kill()
    await shop.start()
  })
})

test('what was answered before a kill is there after it', async () => {
  const admin = shop.admin()
  const answered: string[] = []
  let writing = true
  async function write(): Promise<void> {
    while (writing) {
      const made = await admin.post('/v1/admin/categories', { name: 'Kept' }).catch(() => null)
      if (made?.status === 201) answered.push(made.body.id)
    }
  }
  const writers = [write(), write(), write(), write()]
  await until('there is enough to lose', () => answered.length >= 40, PATIENCE)
  await shop.kill()
  writing = false
  await Promise.all(writers)
  await shop.start()
  for (const id of answered) {
    const { status } = await shop.admin().get(`/v1/admin/categories/${id}`)
    assert.equal(status, 200, `${id} of ${answered.length} is gone`)
  }
})

/** A purchase through a crash: one page, one charge, one number, one server, one active service. */
async function oncePaid(through: (login: Login) => Promise<void>): Promise<void> {
  const before = await shop.tally()
  const login = await shop.customer()
  await through(login)
  const customer = await shop.signIn(login)
  const isActive = async () => {
    // Time goes on: leases of the process that died run out.
    await shop.admin().post('/v1/admin/clock', { advanceSeconds: 30 })
    const { body } = await customer.get('/v1/services')
    return body.data[0]?.status === 'active'
  }
  await until('the service is active', isActive, { ...PATIENCE, everyMs: 500 })
  assert.deepEqual(since(before, await shop.tally()), ONE_PURCHASE)
  const mailed = async () => {
    const query = `recipient=${encodeURIComponent(login.email)}&limit=100`
    const { data } = (await shop.admin().get(`/v1/admin/mails?${query}`)).body
    return data.filter((it: Body) => it.kind === 'service_active').length
  }
  await until('it is mailed', async () => (await mailed()) > 0, PATIENCE)
  assert.equal(await mailed(), 1, 'one mail says that the server is ready')
  const { body } = await customer.get('/v1/billing/invoices')
  assert.deepEqual(
    body.data.map((it: Body) => it.status),
    ['paid'],
  )
}

async function order(customer: Client): Promise<Body> {
  await customer.post('/v1/cart/items', { planId })
  const { status, body, text } = await checkOut(customer, { gatewayId })
  assert.equal(status, 201, text)
  return body
}

/** Checks out, and kills the service at a moment before it has answered. */
async function orderAndLose(login: Login, moment: () => Promise<boolean>): Promise<void> {
  const customer = await shop.signIn(login)
  await customer.post('/v1/cart/items', { planId })
  const answer = checkOut(customer, { gatewayId })
  const lost = assert.rejects(answer, 'The answer came before the service was killed')
  await until('the moment has come', moment, PATIENCE)
  await shop.kill()
  await lost
}

/** What a customer does whose checkout was never answered: looks up the order, and pays it. */
async function payOrder(customer: Client): Promise<void> {
  const { body: orders } = await customer.get('/v1/billing/orders')
  assert.equal(orders.data.length, 1)
  const [{ invoiceId }] = orders.data
  const { status, body, text } = await customer.post(`/v1/billing/invoices/${invoiceId}/pay`, {
    gatewayId,
  })
  assert.equal(status, 200, text)
  await shop.pay(body.redirectUrl)
}
