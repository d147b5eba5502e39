import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, later } from '#lib/time.ts'
import { chargeInput } from '#test/gateway-context.ts'
import { paymentInput, stripeSandbox } from '#test/stripe-sandbox.ts'
import type { Observation } from '../snapshots.ts'
import { everyOf } from './client.ts'
import { EVENT_TYPES } from './webhooks.ts'

const DAY_SECONDS = 24 * 60 * 60

test('the credentials answer the account, in test mode', async (t) => {
  const { gateway, context } = await stripeSandbox(t)
  const account = await gateway.verifyCredentials(context)
  assert.match(account.accountId, /^acct_/)
  assert.equal(account.mode, 'test')
  const wrong = { ...context, secrets: { secretKey: 'sk_test_wrong' } }
  await assert.rejects(gateway.verifyCredentials(wrong), { kind: 'credentials' })
})

test('of two gateways on one account each ignores what is the other’s', async (t) => {
  const { gateway, context, complete, observed, received } = await stripeSandbox(t)
  const { ref } = await gateway.startPayment(context, paymentInput())
  await complete(ref.checkoutId)
  const seen = await observed({ ...context, gatewayId: 'gateway-2' })
  assert.ok(seen.length > 0)
  for (const it of seen) assert.deepEqual(it, { type: 'ignored', why: 'other_gateway' })
  assert.deepEqual(await received(), [])
})

test('what somebody else does in the account is ignored', async (t) => {
  const { observed, sdk } = await stripeSandbox(t)
  const { id } = await sdk.paymentIntents.create({
    amount: 1000,
    currency: 'eur',
    payment_method: 'pm_card_visa',
    allowed_payment_method_types: ['card'],
    confirm: true,
  })
  await sdk.refunds.create({ payment_intent: id })
  const seen = await observed()
  assert.ok(seen.length >= 3)
  for (const it of seen) assert.deepEqual(it, { type: 'ignored', why: 'not_ours' })
})

test('events in reverse and twice end in the same state', async (t) => {
  const { gateway, context, complete, control, observed } = await stripeSandbox(t)
  const { ref } = await gateway.startPayment(context, paymentInput())
  await complete(ref.checkoutId, { card: 'pm_card_chargeDeclined' })
  await observed()
  await control('delivery', { mode: 'duplicate', n: 2 })
  await complete(ref.checkoutId)
  const seen = await observed()
  assert.equal(seen.length, 4)
  for (const it of seen) {
    assert.ok(it.type === 'payment')
    assert.equal(it.payment.state, 'paid')
  }
})

test('an event may come before the answer to the call that caused it', async (t) => {
  const { gateway, context, savedCard, control, received } = await stripeSandbox(t)
  const saved = await savedCard()
  await received()
  await control('delivery', { mode: 'before-response' })
  const paid = await gateway.chargeSaved(context, chargeInput(saved))
  const [message] = await received()
  assert.ok(message)
  const [event] = await gateway.receiveWebhook(context, message)
  assert.ok(event)
  const [seen] = await gateway.observe(context, event)
  assert.ok(seen?.type === 'payment')
  assert.deepEqual(seen.payment.ref, paid.ref)
})

for (const mode of ['bad-signature', 'old-timestamp']) {
  test(`a message with a ${mode} is rejected`, async (t) => {
    const { gateway, context, savedCard, control, received } = await stripeSandbox(t)
    await control('delivery', { mode, n: 1 })
    await savedCard()
    const messages = await received()
    const results = await Promise.allSettled(
      messages.map((message) => gateway.receiveWebhook(context, message)),
    )
    const rejected = results.filter(({ status }) => status === 'rejected')
    assert.equal(rejected.length, 1)
  })
}

test('a message of an endpoint of another version is understood by reading again', async (t) => {
  const { gateway, context, complete, received, sdk } = await stripeSandbox(t)
  const endpoint = await sdk.webhookEndpoints.create({
    url: context.webhookUrl,
    enabled_events: ['payment_intent.succeeded'],
    api_version: '2023-08-16',
  })
  const both = { ...context.secrets, webhookSecretPrevious: endpoint.secret ?? '' }
  const { ref } = await gateway.startPayment(context, paymentInput())
  await complete(ref.checkoutId)
  const versions: (string | undefined)[] = []
  for (const message of await received()) {
    const [event] = await gateway.receiveWebhook({ ...context, secrets: both }, message)
    assert.ok(event)
    versions.push(event.apiVersion)
    const [seen] = await gateway.observe(context, event)
    assert.ok(seen?.type === 'payment')
    assert.equal(seen.payment.state, 'paid')
  }
  assert.ok(versions.includes('2023-08-16'))
})

test('what was missed in four days of downtime is in the log of changes', async (t) => {
  const { gateway, context, complete, control, received } = await stripeSandbox(t)
  const before = instant(Date.now())
  await control('delivery', { mode: 'drop' })
  const { ref } = await gateway.startPayment(context, paymentInput())
  await complete(ref.checkoutId)
  await control('clock', { advanceSeconds: 4 * DAY_SECONDS })
  assert.deepEqual(await received(), [])
  const seen: Observation[] = []
  for await (const event of gateway.listChanges(context, later(before, -60_000))) {
    seen.push(...(await gateway.observe(context, event)))
  }
  assert.ok(seen.some((it) => it.type === 'payment' && it.payment.state === 'paid'))
  const soon = later(before, 3 * DAY_SECONDS * 1000)
  assert.equal((await everyOf(gateway.listChanges(context, soon))).length, 0)
})

test('an endpoint that fits is kept, and the others of this gateway are removed', async (t) => {
  const { gateway, context, sdk } = await stripeSandbox(t)
  const metadata = { installation_id: 'inst-1', gateway_id: 'gateway-1' }
  const others = [metadata, { ...metadata, gateway_id: 'gateway-2' }].map((it) =>
    sdk.webhookEndpoints.create({ url: context.webhookUrl, enabled_events: ['*'], metadata: it }),
  )
  const [ours, another] = await Promise.all(others)
  const again = await gateway.ensureWebhook(context)
  assert.deepEqual(again, { endpointId: context.webhookEndpointId })
  const { data } = await sdk.webhookEndpoints.list()
  const left = data.map(({ id }) => id)
  assert.ok(another && left.includes(another.id) && !left.includes(ours?.id ?? ''))
  assert.deepEqual(
    data.find(({ id }) => id === again.endpointId)?.enabled_events.toSorted(),
    [...EVENT_TYPES].toSorted(),
  )
})

test('an endpoint with other events is given ours', async (t) => {
  const { gateway, context, sdk } = await stripeSandbox(t)
  const id = context.webhookEndpointId ?? ''
  await sdk.webhookEndpoints.update(id, { enabled_events: ['*'] })
  await gateway.ensureWebhook(context)
  const { enabled_events } = await sdk.webhookEndpoints.retrieve(id)
  assert.deepEqual(enabled_events.toSorted(), [...EVENT_TYPES].toSorted())
})

const outdated = [
  ['whose secret was lost', { secrets: {} }],
  ['for another address', { webhookUrl: 'https://shop.example/moved' }],
  ['that we do not know', { webhookEndpointId: 'we_lost' }],
] as const

for (const [what, changes] of outdated) {
  test(`an endpoint ${what} is replaced, and stays until the new secret is stored`, async (t) => {
    const { gateway, context, provider, sdk } = await stripeSandbox(t)
    const { secretKey } = provider
    const secrets = { ...context.secrets, ...('secrets' in changes && { webhookSecret: '' }) }
    const before = { ...context, ...changes, secrets: { ...secrets, secretKey } }
    const { endpointId, newSecret = '' } = await gateway.ensureWebhook(before)
    assert.match(newSecret, /^whsec_/)
    assert.equal((await sdk.webhookEndpoints.list()).data.length, 2)
    const after = {
      ...before,
      webhookEndpointId: endpointId,
      secrets: { secretKey, webhookSecret: newSecret },
    }
    assert.deepEqual(await gateway.ensureWebhook(after), { endpointId })
    const { data } = await sdk.webhookEndpoints.list()
    assert.deepEqual(
      data.map(({ id }) => id),
      [endpointId],
    )
  })
}
