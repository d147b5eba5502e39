import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JournalEntry } from '../journal.ts'
import { allOperations } from '../operations.ts'
import { operations } from '../schema/document.ts'
import { idOf, order, sandbox } from './harness.ts'

test('every operation the API describes is there, and no other', () => {
  const described = operations.map((it) => it.route).sort()
  assert.deepEqual(Object.keys(allOperations).sort(), described)
  assert.equal(described.length, 64)
})

test('every operation answers the official SDK', async (t) => {
  const { stripe, get, post } = await sandbox(t)
  const account = await stripe.accounts.retrieveCurrent()
  assert.match(account.id, /^acct_/)

  const { id: customer } = await stripe.customers.create({
    name: 'Ada',
    metadata: { user_id: '1' },
  })
  await stripe.customers.update(customer, { email: 'ada@example.org', metadata: { user_id: '' } })
  const ada = await stripe.customers.retrieve(customer)
  assert.ok(!ada.deleted)
  assert.deepEqual([ada.email, ada.metadata], ['ada@example.org', {}])
  assert.equal((await stripe.customers.list({ email: 'ada@example.org' })).data.length, 1)

  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' }
  const { id: method } = await stripe.paymentMethods.create({ type: 'card', card })
  await stripe.paymentMethods.attach(method, { customer })
  await stripe.paymentMethods.update(method, { card: { exp_year: 2041 } })
  assert.equal((await stripe.paymentMethods.retrieve(method)).card?.exp_year, 2041)
  assert.equal((await stripe.paymentMethods.list({ customer, type: 'card' })).data.length, 1)
  assert.equal((await stripe.customers.listPaymentMethods(customer)).data[0]?.id, method)

  const setup = await stripe.setupIntents.create({ customer })
  await stripe.setupIntents.update(setup.id, { metadata: { attempt_id: 'a1' } })
  await stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_mastercard' })
  assert.equal((await stripe.setupIntents.retrieve(setup.id)).status, 'succeeded')
  const unused = await stripe.setupIntents.create({ customer })
  await stripe.setupIntents.cancel(unused.id)
  assert.equal((await stripe.setupIntents.list({ customer })).data.length, 2)

  const held = await stripe.paymentIntents.create({
    ...{ amount: 1000, currency: 'eur', customer },
    capture_method: 'manual',
  })
  await stripe.paymentIntents.update(held.id, { amount: 2000 })
  const authorised = await stripe.paymentIntents.confirm(held.id, { payment_method: method })
  assert.equal(authorised.status, 'requires_capture')
  const captured = await stripe.paymentIntents.capture(held.id, { amount_to_capture: 1500 })
  assert.equal(captured.amount_received, 1500)
  const idle = await stripe.paymentIntents.create({ amount: 1000, currency: 'eur' })
  assert.equal((await stripe.paymentIntents.cancel(idle.id)).status, 'canceled')
  assert.equal((await stripe.paymentIntents.retrieve(held.id)).status, 'succeeded')
  assert.equal((await stripe.paymentIntents.list({ customer })).data.length, 1)

  const charge = await stripe.charges.retrieve(idOf(captured.latest_charge))
  assert.equal(charge.amount_captured, 1500)
  assert.equal((await stripe.charges.list({ payment_intent: held.id })).data[0]?.id, charge.id)

  const refund = await stripe.refunds.create({ payment_intent: held.id, amount: 500 })
  await stripe.refunds.update(refund.id, { metadata: { refund_id: 'r1' } })
  assert.deepEqual((await stripe.refunds.retrieve(refund.id)).metadata, { refund_id: 'r1' })
  assert.equal((await stripe.refunds.list({ charge: charge.id })).data.length, 1)

  const slow = await stripe.paymentIntents.create({
    ...{ amount: 1000, currency: 'eur', confirm: true },
    payment_method: 'pm_card_pendingRefund',
    return_url: 'https://shop.example/',
  })
  const waiting = await stripe.refunds.create({ payment_intent: slow.id })
  await post(`refunds/${waiting.id}/require-action`)
  assert.equal((await stripe.refunds.cancel(waiting.id)).status, 'canceled')

  const session = await stripe.checkout.sessions.create({ ...order, customer })
  assert.equal((await stripe.checkout.sessions.listLineItems(session.id)).data.length, 1)
  assert.equal((await stripe.checkout.sessions.list({ customer })).data[0]?.id, session.id)
  assert.equal((await stripe.checkout.sessions.expire(session.id)).status, 'expired')
  assert.equal((await stripe.checkout.sessions.retrieve(session.id)).url, null)

  const dispute = await post<{ id: string }>('disputes', { charge: charge.id, amount: 1000 })
  await stripe.disputes.update(dispute.id, { evidence: { customer_name: 'Ada' }, submit: false })
  assert.equal((await stripe.disputes.retrieve(dispute.id)).evidence.customer_name, 'Ada')
  assert.equal((await stripe.disputes.list({ charge: charge.id })).data.length, 1)
  assert.equal((await stripe.disputes.close(dispute.id)).status, 'lost')

  const { billingPortal } = stripe
  const features = { payment_method_update: { enabled: true } }
  const configuration = await billingPortal.configurations.create({ features })
  await billingPortal.configurations.update(configuration.id, {
    default_return_url: 'https://a.b/',
  })
  await billingPortal.configurations.retrieve(configuration.id)
  assert.equal((await billingPortal.configurations.list()).data.length, 1)
  const portal = await billingPortal.sessions.create({ customer, configuration: configuration.id })
  assert.equal(portal.return_url, 'https://a.b/')

  const url = 'http://127.0.0.1:1/hook'
  const hook = await stripe.webhookEndpoints.create({ url, enabled_events: ['charge.refunded'] })
  assert.match(hook.secret ?? '', /^whsec_/)
  await stripe.webhookEndpoints.update(hook.id, { disabled: true })
  const shown = await stripe.webhookEndpoints.retrieve(hook.id)
  assert.deepEqual([shown.status, shown.secret], ['disabled', undefined])
  assert.equal((await stripe.webhookEndpoints.list()).data.length, 1)
  assert.equal((await stripe.webhookEndpoints.del(hook.id)).deleted, true)

  const [booked] = (await stripe.balanceTransactions.list({ source: refund.id })).data
  assert.equal(booked?.net, -500)
  await stripe.balanceTransactions.retrieve(booked.id)

  const product = await stripe.products.create({ name: 'Server' })
  await stripe.products.update(product.id, { name: 'Game server' })
  assert.equal((await stripe.products.retrieve(product.id)).name, 'Game server')
  assert.equal((await stripe.products.list({ active: true })).data.length, 1)
  const price = await stripe.prices.create({
    ...{ currency: 'eur', unit_amount: 900 },
    product: product.id,
  })
  await stripe.prices.update(price.id, { nickname: 'monthly' })
  assert.equal((await stripe.prices.retrieve(price.id)).nickname, 'monthly')
  assert.equal((await stripe.prices.list({ product: product.id })).data.length, 1)

  const types = ['refund.created']
  const [event] = (await stripe.events.list({ types })).data
  assert.equal(event?.type, 'refund.created')
  await stripe.events.retrieve(event.id)

  await stripe.paymentMethods.detach(method)
  assert.equal((await stripe.customers.del(customer)).deleted, true)
  const gone = await stripe.customers.retrieve(customer)
  assert.equal(gone.deleted, true)

  const { entries } = await get<{ entries: JournalEntry[] }>('journal?limit=5000')
  const answered = new Set(entries.filter((it) => it.status === 200).map((it) => it.route))
  const silent = operations.map((it) => it.route).filter((it) => !answered.has(it))
  assert.deepEqual(silent, [])
})
