import assert from 'node:assert/strict'
import { test } from 'node:test'
import type Stripe from 'stripe'
import { startProvider } from '../server.ts'
import { customerWith, order, sandbox, stripeError } from './harness.ts'

test('a request without a key of the account is refused with 401', async (t) => {
  const { provider } = await sandbox(t)
  for (const authorization of ['', 'Bearer sk_test_wrong', 'Bearer sk_live_real']) {
    const response = await fetch(`${provider.url}/v1/customers`, { headers: { authorization } })
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('stripe-version'), '2026-10-28.endive')
  }
})

test('a key that is not a test key stops the sandbox from starting', async () => {
  await assert.rejects(startProvider({ secretKeys: ['sk_live_real'] }), TypeError)
})

test('every answer names its request and its version', async (t) => {
  const { stripe } = await sandbox(t)
  const { lastResponse } = await stripe.customers.create({}, { idempotencyKey: 'k1' })
  assert.match(lastResponse.requestId, /^req_/)
  assert.equal(lastResponse.apiVersion, '2026-10-28.endive')
  assert.equal(lastResponse.idempotencyKey, 'k1')
})

test('an address the API does not have is refused with an error of its own', async (t) => {
  const { stripe } = await sandbox(t)
  const error = await stripeError(stripe.subscriptions.list())
  assert.equal(error.statusCode, 404)
  assert.match(error.message, /Unrecognized request URL/)
})

const wrong: [string, (stripe: Stripe) => Promise<unknown>, Partial<Stripe.errors.StripeError>][] =
  [
    [
      'an unknown parameter',
      (stripe) => stripe.rawRequest('POST', '/v1/customers', { wrong: 1 }),
      { code: 'parameter_unknown', param: 'wrong' },
    ],
    [
      'an unknown parameter inside another',
      (stripe) => stripe.rawRequest('POST', '/v1/customers', { address: { planet: 'Mars' } }),
      { code: 'parameter_unknown', param: 'address[planet]' },
    ],
    [
      'a missing parameter',
      (stripe) => stripe.rawRequest('POST', '/v1/payment_intents', { currency: 'eur' }),
      { code: 'parameter_missing', param: 'amount' },
    ],
    [
      'an amount that is no whole number',
      (stripe) => stripe.paymentIntents.create({ amount: 10.5, currency: 'eur' }),
      { code: 'parameter_invalid_integer', param: 'amount' },
    ],
    [
      'an unknown choice',
      (stripe) => stripe.rawRequest('POST', '/v1/checkout/sessions', { mode: 'wrong' }),
      { param: 'mode' },
    ],
    [
      'too much metadata',
      (stripe) => stripe.customers.create({ metadata: { long: 'x'.repeat(501) } }),
      { param: 'metadata[long]' },
    ],
    [
      'an amount below the least',
      (stripe) => stripe.paymentIntents.create({ amount: 10, currency: 'eur' }),
      { code: 'amount_too_small', param: 'amount' },
    ],
    [
      'an amount in dinars that does not end in 0',
      (stripe) => stripe.paymentIntents.create({ amount: 5001, currency: 'kwd' }),
      { param: 'amount' },
    ],
    [
      'a currency that does not exist',
      (stripe) => stripe.paymentIntents.create({ amount: 1000, currency: 'zzz' }),
      { param: 'currency' },
    ],
    [
      'a customer that does not exist, as a parameter',
      (stripe) => stripe.checkout.sessions.create({ ...order, customer: 'cus_wrong' }),
      { code: 'resource_missing', param: 'customer', statusCode: 400 },
    ],
    [
      'a customer that does not exist, in the address',
      (stripe) => stripe.customers.retrieve('cus_wrong'),
      { code: 'resource_missing', param: 'id', statusCode: 404 },
    ],
    [
      'a field that cannot be expanded',
      (stripe) => stripe.customers.create({ expand: ['id'] }),
      { param: 'expand' },
    ],
    [
      'a session without a page to go back to',
      (stripe) => stripe.checkout.sessions.create({ ...order, success_url: '' }),
      { param: 'success_url' },
    ],
    [
      'a session that would end in a script',
      (stripe) => stripe.checkout.sessions.create({ ...order, success_url: 'javascript:alert(1)' }),
      { param: 'success_url' },
    ],
    [
      'a session that would expire too soon',
      (stripe) => stripe.checkout.sessions.create({ ...order, expires_at: 1 }),
      { param: 'expires_at' },
    ],
    [
      'a setup session without a currency',
      (stripe) => stripe.checkout.sessions.create({ mode: 'setup', success_url: 'https://a.b/' }),
      { code: 'parameter_missing', param: 'currency' },
    ],
    [
      'a line item with neither price nor price_data',
      (stripe) => stripe.checkout.sessions.create({ ...order, line_items: [{ quantity: 1 }] }),
      { param: 'line_items[0][price]' },
    ],
    [
      'a portal without a configuration',
      async (stripe) => {
        const { id: customer } = await stripe.customers.create()
        return stripe.billingPortal.sessions.create({ customer })
      },
      { param: 'configuration' },
    ],
    [
      'a card number with a wrong check digit',
      (stripe) =>
        stripe.paymentMethods.create({
          type: 'card',
          card: { number: '4242424242424241', exp_month: 1, exp_year: 2040 },
        }),
      { code: 'incorrect_number', statusCode: 402 },
    ],
    [
      'a card that is not a test card',
      (stripe) =>
        stripe.paymentMethods.create({
          type: 'card',
          card: { number: '4111111111111111', exp_month: 1, exp_year: 2040 },
        }),
      { decline_code: 'test_mode_live_card', statusCode: 402 },
    ],
  ]

for (const [what, call, expected] of wrong) {
  test(`${what} is refused`, async (t) => {
    const { stripe } = await sandbox(t)
    const error = await stripeError(call(stripe))
    const fields = Object.keys(expected) as (keyof typeof expected)[]
    assert.deepEqual(Object.fromEntries(fields.map((it) => [it, error[it]])), expected)
    assert.equal(error.statusCode, expected.statusCode ?? 400)
  })
}

test('a list comes in pages, newest first', async (t) => {
  const { stripe } = await sandbox(t)
  const ids: string[] = []
  for (let count = 0; count < 5; count++) ids.unshift((await stripe.customers.create()).id)

  const first = await stripe.customers.list({ limit: 2 })
  assert.deepEqual(
    first.data.map((it) => it.id),
    ids.slice(0, 2),
  )
  assert.equal(first.has_more, true)
  const back = await stripe.customers.list({ limit: 2, ending_before: ids[4] ?? '' })
  assert.deepEqual(
    back.data.map((it) => it.id),
    ids.slice(2, 4),
  )
  const all: string[] = []
  for await (const { id } of stripe.customers.list({ limit: 2 })) all.push(id)
  assert.deepEqual(all, ids)
  const future = Math.floor(Date.now() / 1000) + 100
  assert.equal((await stripe.customers.list({ created: { gte: future } })).data.length, 0)
})

test('what a list holds can be expanded, too', async (t) => {
  const { stripe } = await sandbox(t)
  const ada = await customerWith(stripe)
  const paying = { amount: 1000, currency: 'eur', confirm: true, off_session: true }
  await stripe.paymentIntents.create({ ...paying, ...ada })
  const { data } = await stripe.paymentIntents.list({
    ...{ customer: ada.customer },
    expand: ['data.latest_charge.balance_transaction', 'data.customer', 'data.payment_method'],
  })
  const charge = data[0]?.latest_charge
  assert.ok(typeof charge === 'object' && typeof charge?.balance_transaction === 'object')
  assert.equal(charge.balance_transaction?.net, 1000 - 15 - 25)
})

test('the control routes are closed without the token', async (t) => {
  const { provider } = await sandbox(t)
  const headers = { authorization: 'Bearer wrong' }
  const response = await fetch(`${provider.url}/_sandbox/journal`, { headers })
  assert.equal(response.status, 401)
})
