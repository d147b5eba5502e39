import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { chargeInput, gatewayContext, SECRET_KEY } from '#test/gateway-context.ts'
import { type ScriptedAnswer, scriptedServer } from '#test/scripted-server.ts'
import type { PaymentGateway } from '../contract.ts'
import { GatewayError, type GatewayErrorKind } from '../error.ts'
import { stripeGateway } from './gateway.ts'

type Failure = { status: number; error: Record<string, unknown>; headers?: Record<string, string> }
type Case = readonly [
  what: string,
  failure: Failure,
  write: GatewayErrorKind,
  read: GatewayErrorKind,
]

const intent = { id: 'pi_1', object: 'payment_intent', customer: 'cus_1', client_secret: 'x' }
const card = (error: Record<string, unknown>) => ({
  status: 402,
  error: { type: 'card_error', payment_intent: intent, message: 'No.', ...error },
})
const invalid = (status: number, code?: string) => ({
  status,
  error: { type: 'invalid_request_error', message: 'No.', ...(code && { code }) },
})

const cases: readonly Case[] = [
  ['a decline', card({ code: 'card_declined' }), 'declined', 'declined'],
  [
    'a demand for the customer',
    card({ code: 'authentication_required' }),
    'authentication_required',
    'authentication_required',
  ],
  [
    'a decline for want of the customer',
    card({ code: 'card_declined', decline_code: 'authentication_required' }),
    'authentication_required',
    'authentication_required',
  ],
  ['an unknown parameter', invalid(400, 'parameter_unknown'), 'invalid_request', 'invalid_request'],
  [
    'too small an amount',
    invalid(400, 'amount_too_small'),
    'amount_not_allowed',
    'amount_not_allowed',
  ],
  ['a full refund before', invalid(400, 'charge_already_refunded'), 'already_done', 'already_done'],
  ['a dispute', invalid(400, 'charge_disputed'), 'wrong_state', 'wrong_state'],
  ['an unknown id', invalid(404, 'resource_missing'), 'not_found', 'not_found'],
  ['a key in use', invalid(409, 'idempotency_key_in_use'), 'in_progress', 'in_progress'],
  ['a conflict', invalid(409), 'in_progress', 'in_progress'],
  [
    'a key with other parameters',
    { status: 400, error: { type: 'idempotency_error', message: 'No.' } },
    'idempotency_mismatch',
    'idempotency_mismatch',
  ],
  ['a wrong secret key', invalid(401), 'credentials', 'credentials'],
  ['a key without rights', invalid(403), 'credentials', 'credentials'],
  [
    'too many requests',
    { ...invalid(429), headers: { 'retry-after': '7' } },
    'rate_limited',
    'rate_limited',
  ],
  [
    'an error at Stripe',
    { status: 500, error: { type: 'api_error' } },
    'unknown_outcome',
    'unavailable',
  ],
]

async function answering(t: TestContext, answers: readonly ScriptedAnswer[]) {
  const server = await scriptedServer(t, answers)
  return { ...server, gateway: stripeGateway({ driver: 'sandbox', baseUrl: server.url }) }
}

async function failureOf(call: Promise<unknown> | undefined): Promise<GatewayError> {
  const error = await call?.then(
    () => assert.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof GatewayError, inspect(error))
  return error
}

const startOnce = (gateway: PaymentGateway) =>
  gateway.startPayment(gatewayContext(), {
    ...chargeInput(),
    saveMethod: false,
    returnUrl: 'https://shop.example/return',
    cancelUrl: 'https://shop.example/cancel',
  })

for (const [what, { status, error, headers = {} }, write, read] of cases) {
  test(`${what} is ${write} for a write and ${read} for a read`, async (t) => {
    const answer = { status, headers, body: { error } }
    const { gateway } = await answering(t, [answer, answer])
    assert.equal((await failureOf(startOnce(gateway))).kind, write)
    const fetched = gateway.fetchPayment(gatewayContext(), { paymentId: 'pi_1' })
    assert.equal((await failureOf(fetched)).kind, read)
  })
}

const strangeAnswers: readonly (readonly [string, ScriptedAnswer])[] = [
  ['a JSON page without an error', { status: 404, body: { message: 'no such host' } }],
  ['a JSON page with status 500', { status: 500, body: { status: 'down' } }],
  ['a page of HTML', { status: 502, body: '<html>Bad gateway</html>' }],
  ['an empty answer', { body: '' }],
  ['another object', { body: { id: 'cus_1', object: 'customer' } }],
  ['another id', { body: { id: 'cus_1', object: 'checkout.session' } }],
  ['null', { body: null }],
  ['an answer without end', { body: `"${'x'.repeat(9 * 1024 * 1024)}"` }],
]

for (const [what, answer] of strangeAnswers) {
  test(`${what} leaves the outcome of a write unknown, and of a read unavailable`, async (t) => {
    // An answer that breaks off is asked for again, twice.
    const { gateway } = await answering(t, Array<ScriptedAnswer>(6).fill(answer))
    assert.equal((await failureOf(startOnce(gateway))).kind, 'unknown_outcome')
    const fetched = gateway.fetchPayment(gatewayContext(), { paymentId: 'pi_1' })
    assert.equal((await failureOf(fetched)).kind, 'unavailable')
  })
}

test('a redirect is not followed: the key goes to nobody else', async (t) => {
  const elsewhere = await scriptedServer(t, [{ body: { id: 'acct_1', object: 'account' } }])
  const answer = { status: 302, headers: { location: elsewhere.url }, body: '' }
  const { gateway } = await answering(t, [answer])
  const call = gateway.verifyCredentials(gatewayContext())
  assert.equal((await failureOf(call)).kind, 'unavailable')
  assert.equal(elsewhere.requests.length, 0)
})

test('a list that is none is unavailable, not empty', async (t) => {
  const { gateway } = await answering(t, [{ body: { message: 'no such host' } }])
  const found = gateway.findByAttempt(gatewayContext(), {
    ...chargeInput(),
    since: gatewayContext().now(),
  })
  assert.equal((await failureOf(found)).kind, 'unavailable')
})

test('a call that breaks off is repeated with the same key, then its outcome is unknown', async (t) => {
  const { gateway, requests } = await answering(t, Array<ScriptedAnswer>(3).fill({ hangUp: true }))
  assert.equal((await failureOf(startOnce(gateway))).kind, 'unknown_outcome')
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  assert.deepEqual(keys, Array(3).fill('inst-1:charge:attempt-1:1'))
})

test('a call ends at once when its caller is gone', { timeout: 5000 }, async (t) => {
  // Without timers nothing ends that waits for its next try.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { gateway, requests } = await answering(t, [{ silent: true }])
  const caller = new AbortController()
  const call = gateway.fetchPayment(gatewayContext({ signal: caller.signal }), {
    paymentId: 'pi_1',
  })
  while (requests.length === 0) await new Promise(setImmediate)
  caller.abort()
  assert.equal((await failureOf(call)).kind, 'unavailable')
})

test('a call of a caller who is gone is not sent', async (t) => {
  const { gateway, requests } = await answering(t, [])
  const call = gateway.chargeSaved?.(gatewayContext({ signal: AbortSignal.abort() }), chargeInput())
  assert.equal((await failureOf(call)).kind, 'unavailable')
  assert.equal(requests.length, 0)
})

test('a decline names the failed payment, the reason and the wait', async (t) => {
  const declined = card({
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    network_decline_code: '51',
  })
  const { gateway } = await answering(t, [{ status: 402, body: { error: declined.error } }])
  const failure = await failureOf(gateway.chargeSaved?.(gatewayContext(), chargeInput()))
  assert.deepEqual(failure.ref, { paymentId: 'pi_1', customerId: 'cus_1' })
  assert.deepEqual(failure.decline, {
    code: 'insufficient_funds',
    network: '51',
    retry: 'later',
    customerMessageKey: 'payment.insufficient_funds',
  })
})

test('a rate limit says how long to wait', async (t) => {
  const answer = { status: 429, headers: { 'retry-after': '7' }, body: invalid(429) }
  const { gateway } = await answering(t, [answer])
  assert.equal((await failureOf(startOnce(gateway))).retryAfterMs, 7000)
})

test('no error shows a secret, whatever Stripe answers', async (t) => {
  const message = `Key ${SECRET_KEY}, sk_test_****wxyz, whsec_1234abcd and pi_1_secret_abc are wrong.`
  const answers = [400, 401, 402, 500].map((status) => ({
    status,
    body: { error: { type: 'invalid_request_error', message, payment_intent: intent } },
  }))
  const { gateway } = await answering(t, answers)
  for (const _ of answers) {
    const failure = await failureOf(startOnce(gateway))
    const shown = `${inspect(failure, { depth: null })} ${JSON.stringify(failure)}`
    assert.doesNotMatch(shown, /secret4242|wxyz|1234abcd|_secret_abc|client_secret/)
  }
})

const misfits = [
  ['live', SECRET_KEY],
  ['live', 'sk_live_1'],
  ['test', 'sk_live_1'],
  ['test', 'rk_test_1'],
  ['test', ''],
] as const

for (const [mode, secretKey] of misfits) {
  test(`a sandbox gateway sends nothing in mode ${mode} with the key "${secretKey}"`, async (t) => {
    const { gateway, requests } = await answering(t, [])
    const context = gatewayContext({ mode, secrets: { secretKey } })
    assert.equal((await failureOf(gateway.verifyCredentials(context))).kind, 'credentials')
    assert.equal(requests.length, 0)
  })
}

test('a Stripe gateway sends nothing with a key of the other mode', async () => {
  const gateway = stripeGateway({ driver: 'stripe' })
  const call = gateway.verifyCredentials(gatewayContext({ mode: 'live' }))
  assert.equal((await failureOf(call)).kind, 'credentials')
})

test('a base URL with more than protocol, host and port is refused', () => {
  for (const baseUrl of ['http://host/path', 'ftp://host', 'http://user@host', 'http://host/?a']) {
    assert.throws(() => stripeGateway({ driver: 'sandbox', baseUrl }), TypeError, baseUrl)
  }
})
