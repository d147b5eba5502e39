import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import { correlation } from '#test/gateway-context.ts'
import { paymentInput, stripeSandbox } from '#test/stripe-sandbox.ts'

const settleKey = { idempotencyKey: 'inst-1:settle:attempt-1:1' }

test('a paid page is told by two events, which name one payment of our attempt', async (t) => {
  const { gateway, context, complete, observed } = await stripeSandbox(t)
  const { ref, state, next } = await gateway.startPayment(context, paymentInput())
  assert.equal(state, 'open')
  assert.equal(next.kind, 'redirect')
  await complete(ref.checkoutId)
  const payments = (await observed()).flatMap((it) => (it.type === 'payment' ? [it.payment] : []))
  assert.equal(payments.length, 2)
  assert.equal(new Set(payments.map((it) => it.ref.paymentId)).size, 1)
  for (const payment of payments) {
    assert.equal(payment.state, 'paid')
    assert.equal(payment.correlation?.attemptId, 'attempt-1')
    assert.deepEqual(payment.received, { amountCents: 1250, currency: 'EUR' })
    assert.ok(payment.fee && payment.paidAt && payment.method)
  }
})

test('a paid page is seen on return, though every message was lost', async (t) => {
  const { gateway, context, complete, control, received } = await stripeSandbox(t)
  await control('delivery', { mode: 'drop' })
  const { ref } = await gateway.startPayment(context, paymentInput())
  await complete(ref.checkoutId)
  assert.equal((await gateway.settlePayment(context, ref, settleKey)).state, 'paid')
  assert.deepEqual(await received(), [])
})

test('a second click opens the same page', async (t) => {
  const { gateway, context } = await stripeSandbox(t)
  const clicks = [1, 2].map(() => gateway.startPayment(context, paymentInput()))
  const results = await Promise.allSettled(clicks)
  const started = results.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []))
  const again = await gateway.startPayment(context, paymentInput())
  assert.ok(started.length > 0)
  for (const first of started) assert.deepEqual(first.next, again.next)
})

test('the same key for another amount is a mismatch', async (t) => {
  const { gateway, context } = await stripeSandbox(t)
  await gateway.startPayment(context, paymentInput())
  const other = paymentInput({ amount: { amountCents: cents(999), currency: 'EUR' } })
  await assert.rejects(gateway.startPayment(context, other), { kind: 'idempotency_mismatch' })
})

test('a declined card leaves the page open, and the next card pays', async (t) => {
  const { gateway, context, complete, observed } = await stripeSandbox(t)
  const { ref } = await gateway.startPayment(context, paymentInput())
  await complete(ref.checkoutId, { card: 'pm_card_chargeDeclinedInsufficientFunds' })
  const declined = await gateway.settlePayment(context, ref, settleKey)
  assert.equal(declined.state, 'open')
  assert.equal(declined.failure?.code, 'insufficient_funds')
  for (const seen of await observed()) {
    assert.ok(seen.type === 'payment')
    assert.equal(seen.payment.state, 'open')
  }
  await complete(ref.checkoutId)
  const paid = await gateway.settlePayment(context, ref, settleKey)
  assert.equal(paid.state, 'paid')
  assert.equal(paid.failure, undefined)
})

test('a page that is ended cannot be paid, and says that it is expired', async (t) => {
  const { gateway, context, observed } = await stripeSandbox(t)
  const { ref } = await gateway.startPayment(context, paymentInput())
  const key = { idempotencyKey: 'inst-1:expire:attempt-1:1' }
  assert.equal((await gateway.cancelPayment(context, ref, key)).state, 'expired')
  const again = { idempotencyKey: 'inst-1:expire:attempt-1:2' }
  assert.equal((await gateway.cancelPayment(context, ref, again)).state, 'expired')
  const [seen] = await observed()
  assert.ok(seen?.type === 'payment')
  assert.equal(seen.payment.state, 'expired')
})

test('a page that was paid a moment before it was ended is paid', async (t) => {
  const { gateway, context, complete } = await stripeSandbox(t)
  const { ref } = await gateway.startPayment(context, paymentInput())
  await complete(ref.checkoutId)
  const key = { idempotencyKey: 'inst-1:expire:attempt-1:1' }
  const snapshot = await gateway.cancelPayment(context, ref, key)
  assert.equal(snapshot.state, 'paid')
  assert.equal(snapshot.received.amountCents, 1250)
})

test('a page expires by the clock', async (t) => {
  const { gateway, context, control } = await stripeSandbox(t)
  const { ref } = await gateway.startPayment(context, paymentInput())
  await control('clock', { advanceSeconds: 25 * 60 * 60 })
  assert.equal((await gateway.fetchPayment(context, ref)).state, 'expired')
})

for (const [account, state] of [
  ['AT611904300234573201', 'paid'],
  ['AT861904300235473202', 'failed'],
] as const) {
  test(`a bank debit is processing for days, and then ${state}`, async (t) => {
    const { gateway, complete, control, observed, ...sandbox } = await stripeSandbox(t)
    const settings = { allowedPaymentMethodTypes: ['card', 'sepa_debit'] }
    const context = { ...sandbox.context, settings }
    const { ref } = await gateway.startPayment(context, paymentInput())
    await complete(ref.checkoutId, { card: account })
    assert.equal((await gateway.settlePayment(context, ref, settleKey)).state, 'processing')
    await observed()
    await control('clock', { advanceSeconds: 4 * 24 * 60 * 60 })
    assert.equal((await gateway.settlePayment(context, ref, settleKey)).state, state)
    for (const seen of await observed()) {
      assert.ok(seen.type === 'payment')
      assert.equal(seen.payment.state, state)
    }
  })
}

test('yen are sent and told without decimals', async (t) => {
  const { gateway, context, complete } = await stripeSandbox(t)
  const amount = { amountCents: cents(500), currency: 'JPY' }
  const { ref } = await gateway.startPayment(context, paymentInput({ amount }))
  await complete(ref.checkoutId)
  const { received } = await gateway.settlePayment(context, ref, settleKey)
  assert.deepEqual(received, amount)
})

test('dinars are sent and told in thousandths', async (t) => {
  const { gateway, context, complete } = await stripeSandbox(t)
  const amount = { amountCents: cents(12_340), currency: 'KWD' }
  const { ref } = await gateway.startPayment(context, paymentInput({ amount }))
  await complete(ref.checkoutId)
  const { received } = await gateway.settlePayment(context, ref, settleKey)
  assert.deepEqual(received, amount)
})

test('an amount below the least is refused as not allowed', async (t) => {
  const { gateway, context } = await stripeSandbox(t)
  const amount = { amountCents: cents(10), currency: 'EUR' }
  const call = gateway.startPayment(context, paymentInput({ amount }))
  await assert.rejects(call, { kind: 'amount_not_allowed' })
})

test('a page whose making had no answer is found by its attempt', async (t) => {
  const { gateway, context, control } = await stripeSandbox(t)
  const route = 'POST /v1/checkout/sessions'
  await control('faults', { route, kind: '500-after' })
  const since = context.now()
  await assert.rejects(gateway.startPayment(context, paymentInput()), { kind: 'unknown_outcome' })
  const found = await gateway.findByAttempt(context, { correlation: correlation(), since })
  assert.equal(found?.state, 'open')
  assert.match(found?.ref.checkoutId ?? '', /^cs_test_/)
  const other = { correlation: correlation({ attemptId: 'attempt-2' }), since }
  assert.equal(await gateway.findByAttempt(context, other), null)
})

test('a payment at a deleted customer says that the customer is not found', async (t) => {
  const { gateway, context, sdk } = await stripeSandbox(t)
  const customer = { userId: 'user-1', email: 'ada@example.org' }
  const key = 'inst-1:cus:user-1:1'
  const { customerId } = await gateway.ensureCustomer(context, customer, key)
  await sdk.customers.del(customerId)
  const call = gateway.startPayment(context, paymentInput({ customerId }))
  await assert.rejects(call, { kind: 'not_found' })
  const again = { ...customer, existingCustomerId: customerId }
  const { customerId: next } = await gateway.ensureCustomer(context, again, key)
  assert.notEqual(next, customerId)
  assert.deepEqual(await gateway.ensureCustomer(context, again, key), { customerId: next })
})

test('a card saved while paying can be charged later', async (t) => {
  const { gateway, context, complete } = await stripeSandbox(t)
  const customer = { userId: 'user-1', email: 'ada@example.org', locale: 'de', country: 'AT' }
  const { customerId } = await gateway.ensureCustomer(context, customer, 'inst-1:cus:user-1:1')
  const input = paymentInput({ customerId, saveMethod: true })
  const { ref } = await gateway.startPayment(context, input)
  await complete(ref.checkoutId)
  const { method } = await gateway.settlePayment(context, ref, settleKey)
  assert.equal(method?.reusableOffSession, true)
  assert.deepEqual(await gateway.listMethods(context, customerId), [method])
})

test('a card used once is not kept', async (t) => {
  const { gateway, context, complete } = await stripeSandbox(t)
  const { ref } = await gateway.startPayment(context, paymentInput())
  await complete(ref.checkoutId)
  const { method } = await gateway.settlePayment(context, ref, settleKey)
  assert.equal(method?.last4, '4242')
  assert.equal(method?.reusableOffSession, false)
})
