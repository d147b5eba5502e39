import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import type { JournalEntry } from '../journal.ts'
import { sandbox, stripeError } from './harness.ts'

const eur = { amount: 1000, currency: 'eur' } as const
const key = { idempotencyKey: 'inst:charge:1:1' }
const route = 'POST /v1/payment_intents'

test('a 500 before the operation leaves nothing behind, and the key is free', async (t) => {
  const { stripe, post } = await sandbox(t)
  await post('faults', { route, kind: '500-before' })
  const error = await stripeError(stripe.paymentIntents.create(eur, key))
  assert.deepEqual([error.statusCode, error.type], [500, 'StripeAPIError'])
  assert.equal((await stripe.paymentIntents.list()).data.length, 0)
  await stripe.paymentIntents.create(eur, key)
})

test('a 500 after the operation is replayed, though it was done', async (t) => {
  const { stripe, post } = await sandbox(t)
  await post('faults', { route, kind: '500-after' })
  for (let tries = 0; tries < 3; tries++) {
    assert.equal((await stripeError(stripe.paymentIntents.create(eur, key))).statusCode, 500)
  }
  assert.equal((await stripe.paymentIntents.list()).data.length, 1)
})

test('a connection that breaks after the operation is mended by the same key', async (t) => {
  const { stripe, post, get } = await sandbox(t)
  // The SDK sends a request that was cut off once more, even when told not to retry.
  await post('faults', { route, kind: 'timeout-after', ms: 0, n: 2 })
  const error = await stripeError(stripe.paymentIntents.create(eur, key))
  assert.equal(error.type, 'StripeConnectionError')
  const { id } = await stripe.paymentIntents.create(eur, key)
  assert.deepEqual(
    (await stripe.paymentIntents.list()).data.map((it) => it.id),
    [id],
  )
  const { entries } = await get<{ entries: JournalEntry[] }>(`journal?route=${encodeURI(route)}`)
  assert.deepEqual(
    entries.map((it) => [it.status, it.fault, it.replayed]),
    [
      [0, 'timeout-after', false],
      [0, 'timeout-after', false],
      [200, null, true],
    ],
  )
})

test('a connection that breaks before the operation has done nothing', async (t) => {
  const { stripe, post } = await sandbox(t)
  await post('faults', { route, kind: 'timeout-before', ms: 0, n: 2 })
  await stripeError(stripe.paymentIntents.create(eur, key))
  assert.equal((await stripe.paymentIntents.list()).data.length, 0)
})

test('a busy provider says so', async (t) => {
  const { stripe, post } = await sandbox(t)
  await post('faults', { route: '*', kind: '429' })
  await post('faults', { route: 'GET *', kind: '409', n: 2 })
  assert.ok(
    (await stripeError(stripe.customers.list())) instanceof Stripe.errors.StripeRateLimitError,
  )
  assert.equal((await stripeError(stripe.customers.list())).statusCode, 409)
  assert.equal((await stripeError(stripe.customers.list())).code, 'lock_timeout')
  await stripe.customers.list()
})

test('an answer without an error key is taken for an object by the SDK', async (t) => {
  const { stripe, post } = await sandbox(t)
  await post('faults', { route: 'GET /v1/account', kind: 'no-error-key' })
  const account = await stripe.accounts.retrieveCurrent()
  assert.equal(account.id, undefined)
})

test('faults are listed, cleared, and refused when they cannot happen', async (t) => {
  const { stripe, provider, get, post } = await sandbox(t)
  await post('faults', { route, kind: '429', n: 5 })
  assert.equal((await get<{ faults: unknown[] }>('faults')).faults.length, 1)
  await fetch(`${provider.url}/_sandbox/faults`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${provider.controlToken}` },
  })
  await stripe.paymentIntents.create(eur)
  await assert.rejects(post('faults', { route, kind: 'wrong' }), { status: 400 })
  await assert.rejects(post('faults', { route: 'POST /v1/wrong', kind: '429' }), { status: 400 })
})
