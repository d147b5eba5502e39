import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cents } from '#lib/money.ts'
import { instant } from '#lib/time.ts'
import { chargeInput, correlation, gatewayContext } from '#test/gateway-context.ts'
import { type ScriptedAnswer, scriptedServer } from '#test/scripted-server.ts'
import type { StartPaymentInput } from '../contract.ts'
import { stripeGateway } from './gateway.ts'

const session = {
  id: 'cs_test_1',
  object: 'checkout.session',
  mode: 'payment',
  status: 'open',
  payment_status: 'unpaid',
  url: 'http://provider.example/c/pay/cs_test_1',
  expires_at: 1_893_456_000,
  amount_total: 1250,
  currency: 'eur',
  customer: 'cus_1',
  payment_intent: null,
  metadata: { installation_id: 'inst-1', attempt_id: 'attempt-1', gateway_id: 'gateway-1' },
}
const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  status: 'succeeded',
  amount: 1250,
  amount_received: 1250,
  currency: 'eur',
  customer: 'cus_1',
  created: 1_893_456_000,
  latest_charge: null,
  payment_method: null,
  last_payment_error: null,
  metadata: session.metadata,
}
const list = (...data: object[]) => ({ body: { object: 'list', data, has_more: false } })
const refusal = (code?: string) => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', message: 'No.', ...(code && { code }) } },
})

async function scripted(t: TestContext, answers: readonly ScriptedAnswer[]) {
  const { url, requests } = await scriptedServer(t, answers)
  return { gateway: stripeGateway({ driver: 'sandbox', baseUrl: url }), requests }
}

function paymentInput(changes: Partial<StartPaymentInput> = {}): StartPaymentInput {
  return {
    correlation: correlation(),
    idempotencyKey: 'inst-1:checkout:attempt-1:1',
    amount: { amountCents: cents(1250), currency: 'EUR' },
    description: 'Order 1042',
    customerId: 'cus_1',
    locale: 'de-AT',
    saveMethod: false,
    returnUrl: 'https://shop.example/return',
    cancelUrl: 'https://shop.example/cancel',
    ...changes,
  }
}

test('a payment begins with one line, our key, and our ids on the session and the payment', async (t) => {
  const { gateway, requests } = await scripted(t, [{ body: session }])
  const started = await gateway.startPayment(
    gatewayContext({ settings: { allowedPaymentMethodTypes: ['card'] } }),
    paymentInput({ saveMethod: true, expiresAt: instant('2030-01-01T00:00:00Z') }),
  )
  const [request] = requests
  assert.equal(request?.headers['idempotency-key'], 'inst-1:checkout:attempt-1:1')
  assert.equal(request?.headers['stripe-version'], '2026-10-28.endive')
  assert.equal(request?.headers['x-stripe-client-telemetry'], undefined)
  assert.deepEqual(Object.fromEntries(request?.form ?? []), {
    mode: 'payment',
    customer: 'cus_1',
    client_reference_id: 'attempt-1',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '1250',
    'line_items[0][price_data][product_data][name]': 'Order 1042',
    ...metadataFields('metadata'),
    ...metadataFields('payment_intent_data[metadata]'),
    'payment_intent_data[description]': 'Order 1042',
    'payment_intent_data[setup_future_usage]': 'off_session',
    success_url: 'https://shop.example/return',
    cancel_url: 'https://shop.example/cancel',
    locale: 'de',
    expires_at: '1893456000',
    'allowed_payment_method_types[0]': 'card',
  })
  assert.deepEqual(started, {
    ref: { checkoutId: 'cs_test_1', customerId: 'cus_1' },
    state: 'open',
    next: { kind: 'redirect', url: session.url, expiresAt: '2030-01-01T00:00:00.000Z' },
  })
})

function metadataFields(parent: string): Record<string, string> {
  return {
    [`${parent}[installation_id]`]: 'inst-1',
    [`${parent}[tenant_id]`]: 'tenant-1',
    [`${parent}[gateway_id]`]: 'gateway-1',
    [`${parent}[attempt_id]`]: 'attempt-1',
    [`${parent}[invoice_id]`]: 'invoice-1',
  }
}

test('a method cannot be saved for nobody', async (t) => {
  const { gateway } = await scripted(t, [])
  const { customerId: _, ...nobody } = paymentInput({ saveMethod: true })
  await assert.rejects(gateway.startPayment(gatewayContext(), nobody), { kind: 'invalid_request' })
})

const states = [
  ['an open page is open', { status: 'open' }, null, 'open'],
  ['a page that ran out is expired', { status: 'expired' }, null, 'expired'],
  [
    'a declined card on an open page is a note',
    { status: 'open' },
    { status: 'requires_payment_method', last_payment_error: { code: 'card_declined' } },
    'open',
  ],
  [
    'a debit under way is processing',
    { status: 'complete' },
    { status: 'processing' },
    'processing',
  ],
  [
    'a debit that came back has failed',
    { status: 'complete' },
    { status: 'requires_payment_method', last_payment_error: { code: 'debit_declined' } },
    'failed',
  ],
  ['a paid page is paid', { status: 'complete' }, { status: 'succeeded' }, 'paid'],
  ['money on a page that ran out is money', { status: 'expired' }, { status: 'succeeded' }, 'paid'],
  [
    'a status of the future is looked at later',
    { status: 'complete' },
    { status: 'new' },
    'processing',
  ],
] as const

for (const [what, page, payment, state] of states) {
  test(what, async (t) => {
    const payment_intent = payment && { ...intent, ...payment }
    const { gateway } = await scripted(t, [{ body: { ...session, ...page, payment_intent } }])
    const snapshot = await gateway.fetchPayment(gatewayContext(), { checkoutId: 'cs_test_1' })
    assert.equal(snapshot.state, state)
    assert.equal(snapshot.correlation?.attemptId, 'attempt-1')
  })
}

test('amount, fee, refunds and method come from the payment itself', async (t) => {
  const charge = {
    id: 'ch_1',
    created: 1_893_456_001,
    amount_refunded: 250,
    disputed: true,
    balance_transaction: { id: 'txn_1', fee: 43, currency: 'usd' },
  }
  const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034, fingerprint: 'abc' }
  const dispute = {
    id: 'dp_1',
    object: 'dispute',
    amount: 1000,
    currency: 'eur',
    balance_transactions: [{ amount: -1000, fee: 1500, currency: 'eur' }],
  }
  const payment_method = { id: 'pm_1', type: 'card', customer: 'cus_1', card }
  const paid = { ...intent, amount_received: 1000, latest_charge: charge, payment_method }
  const { gateway } = await scripted(t, [{ body: paid }, list(dispute)])
  const now = instant('2030-01-08T00:00:00Z')
  const snapshot = await gateway.fetchPayment(gatewayContext({ now: () => now }), {
    paymentId: 'pi_1',
  })
  assert.deepEqual(snapshot, {
    ref: { paymentId: 'pi_1', customerId: 'cus_1' },
    correlation: { installationId: 'inst-1', gatewayId: 'gateway-1', attemptId: 'attempt-1' },
    state: 'paid',
    requested: { amountCents: 1250, currency: 'EUR' },
    received: { amountCents: 1000, currency: 'EUR' },
    refundedCents: 250,
    disputedCents: 1000,
    paidAt: '2030-01-01T00:00:01.000Z',
    fee: { amountCents: 43, currency: 'USD' },
    method: {
      methodId: 'pm_1',
      kind: 'card',
      reusableOffSession: true,
      brand: 'visa',
      last4: '4242',
      expMonth: 12,
      expYear: 2034,
      fingerprint: 'abc',
      state: 'usable',
    },
    observedAt: '2030-01-08T00:00:00.000Z',
  })
})

test('a failed payment without a page has failed', async (t) => {
  const failed = { status: 'requires_payment_method', last_payment_error: { code: 'expired_card' } }
  const { gateway } = await scripted(t, [{ body: { ...intent, ...failed } }, list()])
  const snapshot = await gateway.fetchPayment(gatewayContext(), { paymentId: 'pi_1' })
  assert.equal(snapshot.state, 'failed')
  assert.equal(snapshot.failure?.code, 'expired_card')
})

test('ending what was paid meanwhile answers that it is paid', async (t) => {
  const complete = { ...session, status: 'complete', payment_intent: intent }
  const { gateway } = await scripted(t, [refusal(), { body: complete }])
  const key = { idempotencyKey: 'inst-1:expire:attempt-1:1' }
  const snapshot = await gateway.cancelPayment(gatewayContext(), { checkoutId: 'cs_test_1' }, key)
  assert.equal(snapshot.state, 'paid')
})

test('ending what stays open is refused as Stripe refused it', async (t) => {
  const { gateway } = await scripted(t, [refusal(), { body: session }])
  const key = { idempotencyKey: 'inst-1:expire:attempt-1:1' }
  const call = gateway.cancelPayment(gatewayContext(), { checkoutId: 'cs_test_1' }, key)
  await assert.rejects(call, { kind: 'invalid_request' })
})

test('an attempt is found among all pages of payments, the paid one before others', async (t) => {
  const canceled = { ...intent, id: 'pi_9', status: 'canceled' }
  const stranger = { ...intent, id: 'pi_8', metadata: { attempt_id: 'attempt-2' } }
  const { gateway, requests } = await scripted(t, [
    { body: { object: 'list', data: [canceled, stranger], has_more: true } },
    list(intent),
    { body: intent },
  ])
  const since = instant('2030-01-01T00:00:00Z')
  const query = { correlation: correlation(), customerId: 'cus_1', since }
  const found = await gateway.findByAttempt(gatewayContext(), query)
  assert.equal(found?.state, 'paid')
  assert.equal(requests[0]?.query.get('customer'), 'cus_1')
  assert.equal(requests[0]?.query.get('created[gte]'), String(1_893_456_000 - 600))
  assert.equal(requests[1]?.query.get('starting_after'), 'pi_8')
  assert.equal(requests[2]?.path, '/v1/payment_intents/pi_1')
})

test('an attempt whose page was made and not used is found, too', async (t) => {
  const { gateway } = await scripted(t, [list(), list(session), { body: session }])
  const since = instant('2030-01-01T00:00:00Z')
  const query = { correlation: correlation(), customerId: 'cus_1', since }
  const found = await gateway.findByAttempt(gatewayContext(), query)
  assert.deepEqual(found?.ref, { checkoutId: 'cs_test_1', customerId: 'cus_1' })
})

test('an attempt Stripe knows nothing of is not found', async (t) => {
  const { gateway } = await scripted(t, [list(), list()])
  const query = { correlation: correlation(), since: instant('2030-01-01T00:00:00Z') }
  assert.equal(await gateway.findByAttempt(gatewayContext(), query), null)
})

test('a repeated charge answers how the payment stands now, not how it stood then', async (t) => {
  const charge = { id: 'ch_1', created: 1_893_456_000, amount_refunded: 1250, disputed: false }
  const replayed = { headers: { 'idempotent-replayed': 'true' }, body: intent }
  const { gateway } = await scripted(t, [
    replayed,
    { body: { ...intent, latest_charge: { ...charge, balance_transaction: null } } },
  ])
  const snapshot = await gateway.chargeSaved?.(gatewayContext(), chargeInput())
  assert.equal(snapshot?.refundedCents, 1250)
})

const uncharged = [
  ['requires_action', 'authentication_required', 'customer_action'],
  ['requires_payment_method', 'declined', 'later'],
  ['canceled', 'wrong_state', undefined],
] as const

for (const [status, kind, retry] of uncharged) {
  test(`a charge that is ${status} is ${kind}, and names the payment to cancel`, async (t) => {
    const { gateway } = await scripted(t, [{ body: { ...intent, status } }])
    const call = gateway.chargeSaved?.(gatewayContext(), chargeInput())
    await assert.rejects(
      async () => call,
      (error: object) => {
        const { kind: is, ref, decline } = error as Record<string, Record<string, unknown>>
        assert.deepEqual([is, ref?.paymentId, decline?.retry], [kind, 'pi_1', retry])
        return true
      },
    )
  })
}

const methods: readonly (readonly [string, ScriptedAnswer])[] = [
  ['was removed', { body: { id: 'pm_1', object: 'payment_method', customer: null } }],
  ['is somebody else’s', { body: { id: 'pm_1', object: 'payment_method', customer: 'cus_2' } }],
  ['is unknown', { ...refusal('resource_missing'), status: 404 }],
]

for (const [what, answer] of methods) {
  test(`charging a method that ${what} says that it is gone`, async (t) => {
    const { gateway } = await scripted(t, [refusal(), answer])
    const call = gateway.chargeSaved?.(gatewayContext(), chargeInput())
    await assert.rejects(async () => call, { kind: 'method_gone' })
  })
}

test('a charge refused for another reason keeps that reason', async (t) => {
  const present = { id: 'pm_1', object: 'payment_method', customer: 'cus_1' }
  const { gateway } = await scripted(t, [refusal(), { body: present }])
  const call = gateway.chargeSaved?.(gatewayContext(), chargeInput())
  await assert.rejects(async () => call, { kind: 'invalid_request' })
})

test('a refund of ours that is there is not made again, though its key is forgotten', async (t) => {
  const ours = {
    id: 're_1',
    object: 'refund',
    amount: 500,
    currency: 'eur',
    status: 'failed',
    payment_intent: 'pi_1',
    metadata: { refund_id: 'refund-1' },
  }
  const { gateway, requests } = await scripted(t, [list(ours)])
  const payment = { paymentId: 'pi_1' }
  const input = { ...chargeInput(), ourRefundId: 'refund-1', payment }
  assert.equal((await gateway.refund(gatewayContext(), input)).state, 'failed')
  assert.equal(requests.length, 1)
})
