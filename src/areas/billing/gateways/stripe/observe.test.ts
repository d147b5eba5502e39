import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import Stripe from 'stripe'
import { gatewayContext } from '#test/gateway-context.ts'
import { scriptedServer } from '#test/scripted-server.ts'
import type { EventEnvelope } from '../contract.ts'
import { stripeGateway } from './gateway.ts'

const ours = { installation_id: 'inst-1', gateway_id: 'gateway-1', attempt_id: 'attempt-1' }
const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  status: 'canceled',
  amount: 1250,
  amount_received: 0,
  currency: 'eur',
  customer: 'cus_1',
  created: 1_893_456_000,
  latest_charge: null,
  payment_method: null,
  last_payment_error: null,
  metadata: ours,
}
const method = { id: 'pm_1', object: 'payment_method', type: 'card', customer: null }

type Changes = {
  type?: string
  account?: string
  api_version?: string
  livemode?: boolean
  previous?: object
}

function envelope(object: object, changes: Changes = {}): EventEnvelope {
  const { previous, ...rest } = changes
  const payload = {
    id: 'evt_1',
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: 1_893_456_000,
    livemode: false,
    type: 'payment_intent.canceled',
    data: { object, ...(previous && { previous_attributes: previous }) },
    ...rest,
  }
  return { eventKey: payload.id, type: payload.type, payload }
}

async function observe(t: TestContext, event: EventEnvelope, answers: readonly object[] = []) {
  const script = answers.map((body) => ({ body }))
  const { url, requests } = await scriptedServer(t, script)
  const gateway = stripeGateway({ driver: 'sandbox', baseUrl: url })
  const observations = await gateway.observe(gatewayContext(), event)
  return { observations, asked: requests.map(({ path }) => path) }
}

test('a final state in our version is taken from the payload, as of the event', async (t) => {
  const { observations, asked } = await observe(t, envelope(intent))
  assert.deepEqual(asked, [])
  assert.ok(observations[0]?.type === 'payment')
  const { state, observedAt, correlation } = observations[0].payment
  assert.equal(state, 'canceled')
  assert.equal(observedAt, '2030-01-01T00:00:00.000Z')
  assert.equal(correlation?.attemptId, 'attempt-1')
})

test('acceptance 21: a payload of another version is not believed: the object is read again', async (t) => {
  const event = envelope(intent, { api_version: '2020-01-01' })
  const now = { ...intent, status: 'succeeded', amount_received: 1250 }
  const { observations, asked } = await observe(t, event, [now])
  assert.deepEqual(asked, ['/v1/payment_intents/pi_1'])
  assert.ok(observations[0]?.type === 'payment')
  assert.equal(observations[0].payment.state, 'paid')
  assert.equal(observations[0].payment.received.amountCents, 1250)
})

test('a state that can change is read again: a late failure does not undo a payment', async (t) => {
  const failed = { ...intent, status: 'requires_payment_method' }
  const event = envelope(failed, { type: 'payment_intent.payment_failed' })
  const { observations } = await observe(t, event, [
    { ...intent, status: 'succeeded', amount_received: 1250 },
  ])
  assert.ok(observations[0]?.type === 'payment')
  assert.equal(observations[0].payment.state, 'paid')
})

const strangers = [
  ['not_ours', { ...intent, metadata: {} }, {}],
  ['not_ours', { ...intent, metadata: { ...ours, installation_id: 'inst-2' } }, {}],
  ['other_gateway', { ...intent, metadata: { ...ours, gateway_id: 'gateway-2' } }, {}],
  ['other_mode', intent, { livemode: true }],
  ['irrelevant_type', intent, { type: 'invoice.paid' }],
] as const

for (const [why, object, changes] of strangers) {
  test(`acceptance 20: an event that is ${why} is ignored without asking: ${JSON.stringify(changes)}`, async (t) => {
    const { observations, asked } = await observe(t, envelope(object, changes))
    assert.deepEqual(observations, [{ type: 'ignored', why }])
    assert.deepEqual(asked, [])
  })
}

test('what happened in another account is told of, never read as ours (hardening 33)', async (t) => {
  const account = 'acct_another'
  const { observations, asked } = await observe(t, envelope(intent, { account }))
  assert.deepEqual(observations, [{ type: 'elsewhere', objectId: 'pi_1', accountId: account }])
  assert.deepEqual(asked, [])
  const strange = await observe(t, envelope({ ...intent, metadata: {} }, { account }))
  assert.deepEqual(strange.observations, [{ type: 'ignored', why: 'not_ours' }])
})

test('a payment of another gateway is ignored after it was read, too', async (t) => {
  const event = envelope(intent, { api_version: '2020-01-01' })
  const { observations } = await observe(t, event, [
    { ...intent, metadata: { ...ours, gateway_id: 'gateway-2' } },
  ])
  assert.deepEqual(observations, [{ type: 'ignored', why: 'other_gateway' }])
})

test('a refund from the dashboard is known by its payment, which comes first', async (t) => {
  const refund = {
    id: 're_1',
    object: 'refund',
    amount: 500,
    currency: 'eur',
    status: 'succeeded',
    metadata: {},
    payment_intent: { ...intent, status: 'succeeded', amount_received: 1250 },
  }
  const event = envelope({ id: 're_1', object: 'refund' }, { type: 'refund.created' })
  const { observations } = await observe(t, event, [refund])
  assert.deepEqual(
    observations.map(({ type }) => type),
    ['payment', 'refund'],
  )
  assert.ok(observations[1]?.type === 'refund')
  assert.equal(observations[1].refund.ourRefundId, undefined)
  assert.deepEqual(observations[1].refund.payment, { paymentId: 'pi_1', customerId: 'cus_1' })
})

test('a refund of a payment that is not ours is ignored', async (t) => {
  const refund = { id: 're_1', object: 'refund', metadata: ours, payment_intent: null }
  const { observations } = await observe(t, envelope(refund, { type: 'refund.updated' }), [refund])
  assert.deepEqual(observations, [{ type: 'ignored', why: 'not_ours' }])
})

test('a removed method is gone, from the customer it had', async (t) => {
  const event = envelope(method, {
    type: 'payment_method.detached',
    previous: { customer: 'cus_1' },
  })
  const { observations } = await observe(t, event)
  assert.ok(observations[0]?.type === 'method')
  assert.equal(observations[0].customerId, 'cus_1')
  assert.equal(observations[0].method.state, 'gone')
})

test('a method is known as ours by its customer', async (t) => {
  const owner = { id: 'cus_1', object: 'customer', metadata: ours }
  const event = envelope(method, { type: 'payment_method.updated' })
  const own = await observe(t, event, [{ ...method, customer: owner }])
  assert.equal(own.observations[0]?.type, 'method')
  const stranger = { ...owner, metadata: {} }
  const other = await observe(t, event, [{ ...method, customer: stranger }])
  assert.deepEqual(other.observations, [{ type: 'ignored', why: 'not_ours' }])
})

test('an inactive mandate takes its method with it', async (t) => {
  const mandate = { id: 'mandate_1', object: 'mandate', status: 'inactive', payment_method: 'pm_1' }
  const event = envelope(mandate, { type: 'mandate.updated' })
  const debit = { ...method, type: 'sepa_debit', sepa_debit: { last4: '3000' } }
  const { observations } = await observe(t, event, [mandate, debit])
  assert.ok(observations[0]?.type === 'method')
  assert.equal(observations[0].method.kind, 'sepa_debit')
  assert.equal(observations[0].method.state, 'gone')
})

test('a deleted customer is gone, and is not asked for', async (t) => {
  const event = envelope(
    { id: 'cus_1', object: 'customer', metadata: ours },
    { type: 'customer.deleted' },
  )
  const { observations, asked } = await observe(t, event)
  assert.deepEqual(observations, [{ type: 'customer_gone', customerId: 'cus_1' }])
  assert.deepEqual(asked, [])
})

const disputes = [
  ['warning_needs_response', [], 'inquiry', 0],
  ['needs_response', [{ amount: -1250, fee: 2000, currency: 'eur' }], 'needs_response', 1250],
  ['lost', [{ amount: -1250, fee: 2000, currency: 'eur' }], 'lost', 1250],
  ['lost', [{ amount: -1400, fee: 2000, currency: 'usd' }], 'lost', 1250],
  [
    'won',
    [
      { amount: -1250, fee: 2000, currency: 'eur' },
      { amount: 1250, fee: 0, currency: 'eur' },
    ],
    'won',
    0,
  ],
  ['prevented', [], 'closed_without_loss', 0],
  ['prevented', [{ amount: -1250, fee: 0, currency: 'eur' }], 'lost', 1250],
  ['a_state_of_the_future', [], 'needs_response', 0],
] as const

for (const [status, moves, state, held] of disputes) {
  test(`a dispute that is ${status}, ${moves.length} moves, is ${state} and holds ${held}`, async (t) => {
    const dispute = {
      id: 'dp_1',
      object: 'dispute',
      amount: 1250,
      currency: 'eur',
      status,
      reason: 'fraudulent',
      evidence_details: { due_by: null },
      balance_transactions: moves,
      payment_intent: { ...intent, status: 'succeeded' },
    }
    const event = envelope(dispute, { type: 'charge.dispute.updated' })
    const { observations } = await observe(t, event, [dispute])
    assert.ok(observations[1]?.type === 'dispute')
    assert.equal(observations[1].dispute.state, state)
    assert.equal(observations[1].dispute.fundsHeldCents, held)
  })
}
