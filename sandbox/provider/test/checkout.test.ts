import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf, order, receiver, sandbox, stripeError, submit } from './harness.ts'

test('a session is paid on its page, and the shop hears of it', async (t) => {
  const { stripe, settled } = await sandbox(t)
  const hook = await receiver(t)
  const endpoint = await stripe.webhookEndpoints.create({ url: hook.url, enabled_events: ['*'] })
  const customer = await stripe.customers.create({ email: 'ada@example.org' })
  const session = await stripe.checkout.sessions.create({
    ...order,
    customer: customer.id,
    metadata: { attempt_id: 'a1' },
    payment_intent_data: {
      metadata: { attempt_id: 'a2' },
      description: 'Order 1042',
      setup_future_usage: 'off_session',
    },
  })
  assert.equal(session.payment_intent, null)
  assert.equal(session.amount_total, 1234)

  const shown = await fetch(session.url ?? '')
  assert.match(await shown.text(), /Sandbox - no real money[\s\S]*Pay 12\.34 EUR/)
  const { status, location } = await submit(session.url ?? '', {
    card: '4242424242424242',
    action: 'pay',
  })
  assert.equal(status, 303)
  assert.equal(location, `https://shop.example/done?cs=${session.id}`)

  const paid = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge.balance_transaction', 'line_items', 'customer'],
  })
  assert.equal(paid.status, 'complete')
  assert.equal(paid.payment_status, 'paid')
  assert.equal(paid.line_items?.data[0]?.description, 'Order 1042')
  const intent = paid.payment_intent
  assert.ok(typeof intent === 'object' && intent)
  assert.equal(intent.amount_received, 1234)
  assert.deepEqual(intent.metadata, { attempt_id: 'a2' })
  assert.ok(typeof intent.latest_charge === 'object')
  assert.deepEqual(intent.latest_charge?.metadata, { attempt_id: 'a2' })

  const { data: methods } = await stripe.customers.listPaymentMethods(customer.id)
  assert.equal(methods.length, 1)
  await settled()
  assert.deepEqual(hook.types(), [
    'customer.created',
    'payment_intent.created',
    'charge.succeeded',
    'payment_method.attached',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ])
  for (const { body, headers } of hook.received) {
    const signature = headers['stripe-signature'] ?? ''
    const event = stripe.webhooks.constructEvent(body, signature, endpoint.secret ?? '')
    assert.equal(event.api_version, '2026-10-28.endive')
  }
})

const pages = [
  ['declined', '4000000000000002', /declined/],
  ['out of money', '4000000000009995', /insufficient funds/],
  ['expired', '4000000000000069', /expired/],
] as const

for (const [what, card, text] of pages) {
  test(`a card that is ${what} leaves the session open for another`, async (t) => {
    const { stripe } = await sandbox(t)
    const session = await stripe.checkout.sessions.create(order)
    const url = session.url ?? ''
    const refused = await submit(url, { card, action: 'pay' })
    assert.equal(refused.status, 402)
    assert.match(refused.text, text)

    const open = await stripe.checkout.sessions.retrieve(session.id)
    assert.equal(open.status, 'open')
    const failed = await stripe.paymentIntents.retrieve(idOf(open.payment_intent))
    assert.equal(failed.status, 'requires_payment_method')
    await submit(url, { card: '4242 4242 4242 4242', action: 'pay' })
    const paid = await stripe.checkout.sessions.retrieve(session.id)
    assert.equal(paid.payment_status, 'paid')
    assert.equal(idOf(paid.payment_intent), failed.id)
    const { data: charges } = await stripe.charges.list({ payment_intent: failed.id })
    assert.deepEqual(
      charges.map((it) => it.status),
      ['succeeded', 'failed'],
    )
  })
}

test('a number that is no test card is refused and not repeated', async (t) => {
  const { stripe } = await sandbox(t)
  const { url } = await stripe.checkout.sessions.create(order)
  const { status, text } = await submit(url ?? '', { card: '4111111111111111', action: 'pay' })
  assert.equal(status, 400)
  assert.doesNotMatch(text, /4111111111111111/)
})

test('paying twice is paying once', async (t) => {
  const { stripe } = await sandbox(t)
  const { id, url } = await stripe.checkout.sessions.create(order)
  const fields = { card: '4242424242424242', action: 'pay' }
  const clicks = await Promise.all([1, 2, 3].map(() => submit(url ?? '', fields)))
  assert.deepEqual(
    clicks.map((it) => it.location),
    Array(3).fill(`https://shop.example/done?cs=${id}`),
  )
  assert.equal((await stripe.charges.list()).data.length, 1)
})

test('cancel goes back to the shop and leaves the session open', async (t) => {
  const { stripe } = await sandbox(t)
  const { id, url } = await stripe.checkout.sessions.create(order)
  const { status, location } = await submit(url ?? '', { card: '', action: 'cancel' })
  assert.deepEqual([status, location], [303, order.cancel_url])
  assert.equal((await stripe.checkout.sessions.retrieve(id)).status, 'open')
})

test('names on the page are text, not markup', async (t) => {
  const { stripe } = await sandbox(t)
  const name = '<script>alert("x")</script>'
  const price_data = { currency: 'jpy', unit_amount: 500, product_data: { name } }
  const { url } = await stripe.checkout.sessions.create({
    ...order,
    line_items: [{ quantity: 2, price_data }],
  })
  const text = await (await fetch(url ?? '')).text()
  assert.match(text, /2 × &lt;script&gt;alert\(&quot;x&quot;\)&lt;\/script&gt;: 1000 JPY/)
  assert.doesNotMatch(text, /<script/)
})

test('a bank that asks is answered on a page of its own', async (t) => {
  const { stripe } = await sandbox(t)
  const session = await stripe.checkout.sessions.create(order)
  const url = session.url ?? ''
  const fields = { card: '4000002760003184', action: 'pay' }
  const asked = await submit(url, fields)
  assert.match(asked.location, /\/3ds\/pi_/)
  assert.match(await (await fetch(asked.location)).text(), /Accept/)

  const refused = await submit(asked.location, { action: 'refuse' })
  assert.equal(refused.location, url)
  assert.match(await (await fetch(url)).text(), /unable to authenticate/)

  const again = await submit(url, fields)
  const accepted = await submit(again.location, { action: 'accept' })
  assert.equal(accepted.location, `https://shop.example/done?cs=${session.id}`)
  assert.equal((await stripe.checkout.sessions.retrieve(session.id)).payment_status, 'paid')
})

test('a bank that was answered can still decline', async (t) => {
  const { stripe, post } = await sandbox(t)
  const { id } = await stripe.checkout.sessions.create(order)
  const { error } = await post<{ error: { decline_code: string } }>(
    `checkout-sessions/${id}/complete`,
    { card: '4000008260003178' },
  )
  assert.equal(error.decline_code, 'insufficient_funds')
})

test('a setup session saves a card that can be charged later', async (t) => {
  const { stripe } = await sandbox(t)
  const { id: customer } = await stripe.customers.create()
  const session = await stripe.checkout.sessions.create({
    ...{ mode: 'setup', currency: 'eur', customer, success_url: order.success_url },
    setup_intent_data: { metadata: { attempt_id: 'a1' } },
  })
  const asked = await submit(session.url ?? '', { card: '4000002500003155', action: 'pay' })
  const done = await submit(asked.location, { action: 'accept' })
  assert.equal(done.location, `https://shop.example/done?cs=${session.id}`)

  const { setup_intent } = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['setup_intent.payment_method'],
  })
  assert.ok(typeof setup_intent === 'object' && setup_intent)
  assert.deepEqual(setup_intent.metadata, { attempt_id: 'a1' })
  const paid = await stripe.paymentIntents.create({
    ...{ amount: 1000, currency: 'eur', customer, off_session: true, confirm: true },
    payment_method: idOf(setup_intent.payment_method),
  })
  assert.equal(paid.status, 'succeeded')
})

const debits = [
  ['succeeds', 'AT611904300234573201', 'paid', 'checkout.session.async_payment_succeeded'],
  ['fails', 'AT861904300235473202', 'unpaid', 'checkout.session.async_payment_failed'],
] as const

for (const [what, card, paymentStatus, type] of debits) {
  test(`a bank debit ${what} later, by the sandbox's clock`, async (t) => {
    const { stripe, post } = await sandbox(t)
    const { id } = await stripe.checkout.sessions.create(order)
    await post(`checkout-sessions/${id}/complete`, { card })
    const waiting = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] })
    assert.equal(waiting.status, 'complete')
    assert.equal(waiting.payment_status, 'unpaid')
    assert.ok(typeof waiting.payment_intent === 'object')
    assert.equal(waiting.payment_intent?.status, 'processing')

    await post('clock', { advanceSeconds: 60 })
    const done = await stripe.checkout.sessions.retrieve(id)
    assert.equal(done.payment_status, paymentStatus)
    assert.equal((await stripe.events.list({ type })).data.length, 1)
  })
}

test('a debit is decided at once when it is asked for', async (t) => {
  const { stripe, post } = await sandbox(t)
  const { id } = await stripe.checkout.sessions.create(order)
  await post(`checkout-sessions/${id}/complete`, { card: 'AT611904300234573201' })
  const { payment_intent } = await stripe.checkout.sessions.retrieve(id)
  const path = `payment-intents/${idOf(payment_intent)}/settle`
  await post(path, { outcome: 'failed' })
  await assert.rejects(post(path, { outcome: 'failed' }), { status: 400 })
})

test('a session expires by the clock, and can be paid late on purpose', async (t) => {
  const { stripe, post } = await sandbox(t)
  const now = Math.floor(Date.now() / 1000)
  const { id, url } = await stripe.checkout.sessions.create({ ...order, expires_at: now + 1860 })
  await post('clock', { advanceSeconds: 1900 })
  assert.equal((await stripe.checkout.sessions.retrieve(id)).status, 'expired')
  assert.equal((await stripe.events.list({ type: 'checkout.session.expired' })).data.length, 1)
  assert.equal((await submit(url ?? '', { card: '4242424242424242', action: 'pay' })).status, 410)

  await post(`checkout-sessions/${id}/complete`, { late: true })
  const late = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] })
  assert.equal(late.status, 'expired')
  assert.ok(typeof late.payment_intent === 'object')
  assert.equal(late.payment_intent?.status, 'succeeded')
})

test('an open session decides about its intent, until it is expired', async (t) => {
  const { stripe, post } = await sandbox(t)
  const { id } = await stripe.checkout.sessions.create(order)
  await post(`checkout-sessions/${id}/complete`, { card: 'pm_card_chargeDeclined' })
  const { payment_intent } = await stripe.checkout.sessions.retrieve(id)
  const error = await stripeError(stripe.paymentIntents.cancel(idOf(payment_intent)))
  assert.equal(error.code, 'payment_intent_unexpected_state')
  await stripe.checkout.sessions.expire(id)
  const intent = await stripe.paymentIntents.retrieve(idOf(payment_intent))
  assert.equal(intent.status, 'canceled')
  await stripeError(stripe.checkout.sessions.expire(id))
})
