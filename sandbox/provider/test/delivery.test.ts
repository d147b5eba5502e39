import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type Stripe from 'stripe'
import type { ProviderOptions } from '../server.ts'
import { type Receiver, receiver, sandbox } from './harness.ts'

async function withEndpoint(t: TestContext, options: ProviderOptions = {}) {
  const it = await sandbox(t, options)
  const hook = await receiver(t)
  const types = ['customer.created', 'customer.updated'] as const
  const endpoint = await it.stripe.webhookEndpoints.create({
    url: hook.url,
    enabled_events: [...types],
  })
  return { ...it, hook, endpoint }
}

/** The ids of the customers an endpoint has heard of, in order. */
function heardOf(hook: Receiver): string[] {
  return hook.received.map(({ body }) => JSON.parse(body).data.object.id)
}

async function customers(stripe: Stripe, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push((await stripe.customers.create()).id)
  return ids
}

/** Waits for a condition in real time; the test runner's own limit ends it. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve))
}

test('an endpoint hears of the types it asked for, signed with its secret', async (t) => {
  const { stripe, hook, endpoint, settled } = await withEndpoint(t)
  const { id } = await stripe.customers.create({ name: 'Café €' }, { idempotencyKey: 'k1' })
  await stripe.products.create({ name: 'Nobody asked' })
  await settled()
  assert.equal(hook.received.length, 1)
  const [first] = hook.received
  const signature = first?.headers['stripe-signature'] ?? ''
  const secret = endpoint.secret ?? ''
  const event = stripe.webhooks.constructEvent(first?.body ?? '', signature, secret)
  assert.equal(event.type, 'customer.created')
  assert.equal(event.request?.idempotency_key, 'k1')
  assert.equal(event.pending_webhooks, 1)
  const kept = await stripe.events.retrieve(event.id)
  assert.equal(kept.pending_webhooks, 0)
  assert.deepEqual(heardOf(hook), [id])
})

test('an endpoint of another version gets its own', async (t) => {
  const { stripe, settled } = await sandbox(t)
  const hook = await receiver(t)
  await stripe.webhookEndpoints.create({
    url: hook.url,
    enabled_events: ['*'],
    api_version: '2025-03-31.basil',
  })
  await stripe.customers.create()
  await settled()
  assert.equal(JSON.parse(hook.received[0]?.body ?? '').api_version, '2025-03-31.basil')
})

test('an event that was refused is tried again, in real time and by the clock', async (t) => {
  const { stripe, hook, post, settled, deliveries } = await withEndpoint(t, {
    retryPlanMs: [20, 3_600_000, 7_200_000],
  })
  hook.status = 500
  await stripe.customers.create()
  await until(() => hook.received.length === 2)
  await settled()
  const [event] = (await stripe.events.list({ delivery_success: false })).data
  assert.equal(event?.pending_webhooks, 1)
  hook.status = 200
  await post('clock', { advanceSeconds: 3600 })
  await settled()
  assert.equal(hook.received.length, 3)
  const signatures = new Set(hook.received.map(({ headers }) => headers['stripe-signature']))
  assert.ok(signatures.size >= 1)
  const { past } = await deliveries()
  assert.deepEqual(
    past.map((it) => [it.state, it.answers]),
    [['delivered', [500, 500, 200]]],
  )
  assert.equal((await stripe.events.list({ delivery_success: true })).data.length, 1)
})

test('an event is given up after the last try', async (t) => {
  const { stripe, hook, deliveries } = await withEndpoint(t, { retryPlanMs: [0] })
  hook.status = 302
  await stripe.customers.create()
  await until(async () => (await deliveries()).past.length === 1)
  assert.equal((await deliveries()).past[0]?.state, 'failed')
  assert.equal(hook.received.length, 2)
})

test('what is held arrives when it is let go, in order', async (t) => {
  const { stripe, hook, post, settled } = await withEndpoint(t)
  await post('delivery', { mode: 'hold' })
  const ids = await customers(stripe, 3)
  await settled()
  assert.deepEqual(heardOf(hook), [])
  await post('delivery', { mode: 'auto' })
  await settled()
  assert.deepEqual(heardOf(hook), ids)
})

test('the next events are dropped, and can be sent by hand', async (t) => {
  const { stripe, hook, post, settled } = await withEndpoint(t)
  await post('delivery', { mode: 'drop', n: 2 })
  const ids = await customers(stripe, 3)
  await settled()
  assert.deepEqual(heardOf(hook), ids.slice(2))
  const [lost] = (await stripe.events.list({ delivery_success: false })).data
  await post('delivery', { mode: 'redeliver', event: lost?.id })
  await settled()
  assert.deepEqual(heardOf(hook), [ids[2], ids[1]])
  await assert.rejects(post('delivery', { mode: 'redeliver', event: 'evt_x' }), { status: 400 })
})

test('events arrive twice, or in reverse, when they are asked to', async (t) => {
  const { stripe, hook, post, settled } = await withEndpoint(t)
  await post('delivery', { mode: 'duplicate', n: 1 })
  const [twice = ''] = await customers(stripe, 1)
  await settled()
  assert.deepEqual(heardOf(hook), [twice, twice])
  const events = hook.received.map(({ body }) => JSON.parse(body).id)
  assert.equal(new Set(events).size, 1)

  await post('delivery', { mode: 'reverse', n: 3 })
  const ids = await customers(stripe, 3)
  await settled()
  assert.deepEqual(heardOf(hook).slice(2), ids.toReversed())
})

test('an event waits when it is asked to', async (t) => {
  const { stripe, hook, post, settled } = await withEndpoint(t)
  await post('delivery', { mode: 'delay', ms: 60_000, n: 1 })
  await stripe.customers.create()
  await settled()
  assert.equal(hook.received.length, 0)
  await post('clock', { advanceSeconds: 60 })
  await settled()
  assert.equal(hook.received.length, 1)
})

test('an event can arrive before the answer that caused it', async (t) => {
  const { stripe, hook, post, endpoint } = await withEndpoint(t)
  await post('delivery', { mode: 'before-response', endpoint: endpoint.id })
  const { id } = await stripe.customers.create()
  assert.deepEqual(heardOf(hook), [id])
})

test('a bad signature and an old time are what a receiver must refuse', async (t) => {
  const { stripe, hook, post, endpoint, settled } = await withEndpoint(t)
  for (const mode of ['bad-signature', 'old-timestamp']) {
    await post('delivery', { mode, n: 1 })
    await stripe.customers.create()
    await settled()
  }
  assert.equal(hook.received.length, 2)
  for (const { body, headers } of hook.received) {
    const signature = headers['stripe-signature'] ?? ''
    const verify = () => stripe.webhooks.constructEvent(body, signature, endpoint.secret ?? '', 300)
    assert.throws(verify, { type: 'StripeSignatureVerificationError' })
  }
})

test('an endpoint that is off, or gone, hears nothing', async (t) => {
  const { stripe, hook, endpoint, settled } = await withEndpoint(t)
  await stripe.webhookEndpoints.update(endpoint.id, { disabled: true })
  await customers(stripe, 1)
  await stripe.webhookEndpoints.update(endpoint.id, { disabled: false })
  await customers(stripe, 1)
  await settled()
  await stripe.webhookEndpoints.del(endpoint.id)
  await customers(stripe, 1)
  await settled()
  assert.equal(hook.received.length, 1)
})

test('what was not delivered when the sandbox stopped is delivered by the next one', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'provider-'))
  t.after(() => rm(folder, { recursive: true }))
  const snapshotFile = join(folder, 'snapshot.json')
  const before = await sandbox(t, { snapshotFile })
  const hook = await receiver(t)
  await before.stripe.webhookEndpoints.create({ url: hook.url, enabled_events: ['*'] })
  await before.post('delivery', { mode: 'hold' })
  const { id } = await before.stripe.customers.create({ name: 'Ada' })
  const { secretKey, url } = before.provider
  await before.stop()

  const after = await sandbox(t, { snapshotFile })
  assert.equal(after.provider.secretKey, secretKey)
  assert.notEqual(after.provider.url, url)
  const ada = await after.stripe.customers.retrieve(id)
  assert.ok(!ada.deleted && ada.name === 'Ada')
  await after.post('delivery', { mode: 'auto' })
  await after.settled()
  assert.deepEqual(heardOf(hook), [id])
  // Before the folder goes.
  await after.stop()
})

test('a snapshot goes back in time, a reset to the beginning', async (t) => {
  const { stripe, get, post } = await sandbox(t)
  const { id } = await stripe.customers.create()
  const snapshot = await get<object>('snapshot')
  await stripe.customers.del(id)
  await post('clock', { advanceSeconds: 1000, freeze: true })
  await post('restore', snapshot)
  assert.equal((await stripe.customers.retrieve(id)).deleted, undefined)
  assert.equal((await get<{ frozen: boolean }>('clock')).frozen, false)
  await post('reset')
  assert.equal((await stripe.customers.list()).data.length, 0)
  await assert.rejects(post('restore', { wrong: 1 }), { status: 400 })
})

test('a frozen clock stands still until it is moved', async (t) => {
  const { stripe, post } = await sandbox(t)
  const { now } = await post<{ now: number }>('clock', { freeze: true })
  await post('clock', { advanceSeconds: 86_400 })
  assert.equal((await stripe.customers.create()).created, now + 86_400)
})
