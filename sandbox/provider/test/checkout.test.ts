import assert from 'node:assert/strict'
import { test } from 'node:test'
import { order, receiver, sandbox, submit } from './harness.ts'

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
