import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customerWith, sandbox, stripeError } from './harness.ts'

const eur = { amount: 1000, currency: 'eur' } as const
const key = { idempotencyKey: 'inst:charge:1:1' }

test('the same request with the same key is answered once more and done once', async (t) => {
  const { stripe } = await sandbox(t)
  const first = await stripe.paymentIntents.create(eur, key)
  const second = await stripe.paymentIntents.create(eur, key)
  assert.equal(second.id, first.id)
  assert.equal(second.lastResponse.headers['idempotent-replayed'], 'true')
  assert.equal((await stripe.paymentIntents.list()).data.length, 1)
})

test('a decline is replayed, too', async (t) => {
  const { stripe } = await sandbox(t)
  const ada = await customerWith(stripe, 'pm_card_chargeCustomerFail')
  const charge = () =>
    stripeError(stripe.paymentIntents.create({ ...eur, ...ada, confirm: true }, key))
  const [first, second] = [await charge(), await charge()]
  assert.equal(second.statusCode, 402)
  assert.equal(second.payment_intent?.id, first.payment_intent?.id)
  assert.equal((await stripe.charges.list()).data.length, 1)
})

test('a key belongs to its parameters and its address', async (t) => {
  const { stripe } = await sandbox(t)
  await stripe.paymentIntents.create(eur, key)
  for (const call of [
    stripe.paymentIntents.create({ ...eur, amount: 2000 }, key),
    stripe.customers.create({}, key),
  ]) {
    const error = await stripeError(call)
    assert.deepEqual([error.statusCode, error.type], [400, 'StripeIdempotencyError'])
  }
})

test('a request whose parameters were wrong may be corrected under its key', async (t) => {
  const { stripe } = await sandbox(t)
  await stripeError(stripe.rawRequest('POST', '/v1/customers', { wrong: 1 }, key))
  await stripe.customers.create({ name: 'Ada' }, key)
})

test('of two requests at once with one key, one is told to wait', async (t) => {
  const { stripe, post } = await sandbox(t)
  await post('faults', { route: 'POST /v1/payment_intents', kind: 'slow', ms: 300 })
  const call = () => stripe.paymentIntents.create(eur, key)
  const results = await Promise.allSettled([call(), call()])
  const refused = results.find((it) => it.status === 'rejected')
  assert.equal(refused?.reason.statusCode, 409)
  assert.equal(refused?.reason.code, 'idempotency_key_in_use')
  assert.equal((await stripe.paymentIntents.list()).data.length, 1)
  assert.equal((await call()).lastResponse.headers['idempotent-replayed'], 'true')
})

test('a key is forgotten after a day of the sandbox\u2019s clock', async (t) => {
  const { stripe, post } = await sandbox(t)
  const first = await stripe.paymentIntents.create(eur, key)
  await post('clock', { advanceSeconds: 24 * 60 * 60 - 60 })
  assert.equal((await stripe.paymentIntents.create(eur, key)).id, first.id)
  await post('clock', { advanceSeconds: 61 })
  assert.notEqual((await stripe.paymentIntents.create(eur, key)).id, first.id)
})
