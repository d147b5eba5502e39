import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import { instant, SECOND_MS } from '#lib/time.ts'
import { gatewayContext, SECRET_KEY } from '#test/gateway-context.ts'
import { stripeGateway } from './gateway.ts'

const gateway = stripeGateway({ driver: 'stripe' })
const receivedAt = instant('2030-01-08T00:00:00.000Z')
const event = {
  id: 'evt_1',
  object: 'event',
  api_version: '2020-01-01',
  created: 1_893_456_000,
  livemode: false,
  type: 'payment_intent.succeeded',
  data: { object: { id: 'pi_1', object: 'payment_intent', description: 'Café €' } },
}

function receive(secrets: Record<string, string>, payload: unknown, secret = 'whsec_abcdefgh') {
  const body = JSON.stringify(payload)
  const timestamp = Date.parse(receivedAt) / SECOND_MS
  const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
  return gateway.receiveWebhook(
    gatewayContext({ secrets: { secretKey: SECRET_KEY, ...secrets } }),
    {
      headers: { 'stripe-signature': header },
      body: Buffer.from(body),
      query: {},
      receivedAt,
    },
  )
}

test('an authentic message becomes one envelope with the event as payload', async () => {
  assert.deepEqual(await receive({ webhookSecret: 'whsec_abcdefgh' }, event), [
    {
      eventKey: 'evt_1',
      type: 'payment_intent.succeeded',
      objectId: 'pi_1',
      apiVersion: '2020-01-01',
      occurredAt: '2030-01-01T00:00:00.000Z',
      mode: 'test',
      payload: event,
    },
  ])
})

test('the secret of the endpoint before counts too', async () => {
  const secrets = { webhookSecret: 'whsec_newnewnew', webhookSecretPrevious: 'whsec_abcdefgh' }
  assert.equal((await receive(secrets, event)).length, 1)
})

test('a message signed with another secret is rejected', async () => {
  const call = receive({ webhookSecret: 'whsec_newnewnew' }, event)
  await assert.rejects(call, { kind: 'webhook_rejected' })
})

test('acceptance 18: a gateway without a webhook secret has no webhook, whatever was signed with', async () => {
  await assert.rejects(receive({}, event), { kind: 'not_found' })
  await assert.rejects(receive({ webhookSecret: '' }, event), { kind: 'not_found' })
  await assert.rejects(receive({ webhookSecret: ' ' }, event, ' '), { kind: 'not_found' })
})

const strange = [
  ['null', null],
  ['a text', 'evt_1'],
  ['an event of the other kind', { ...event, object: 'v2.core.event' }],
  ['an event without an object', { ...event, data: {} }],
] as const

for (const [what, payload] of strange) {
  test(`${what} is rejected, signed or not`, async () => {
    const call = receive({ webhookSecret: 'whsec_abcdefgh' }, payload)
    await assert.rejects(call, { kind: 'webhook_rejected' })
  })
}
