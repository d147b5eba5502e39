import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JournalEntry } from '../journal.ts'
import { allOperations } from '../operations.ts'
import { operations } from '../schema/document.ts'
import { idOf, order, sandbox, type TestSandbox } from './harness.ts'

const routes = operations.map((it) => it.route)
const eur = { amount: 1000, currency: 'eur' } as const

test('every operation the API describes is there, and no other', () => {
  assert.deepEqual(Object.keys(allOperations).sort(), [...routes].sort())
  assert.equal(routes.length, 64)
})

test('every operation answers the official SDK', async (t) => {
  const it = await sandbox(t)
  const account = await it.stripe.accounts.retrieveCurrent()
  assert.match(account.id, /^acct_/)
  const customer = await useCustomers(it)
  const method = await useMethods(it, customer)
  await useSetups(it, customer)
  const charge = await usePayments(it, customer, method)
  await useRefunds(it, charge)
  await useSessions(it, customer)
  await useDisputes(it, charge)
  await usePortal(it, customer)
  await useEndpoints(it)
  await useCatalog(it)
  await useEvents(it)
  await removeAll(it, customer, method)

  const { entries } = await it.get<{ entries: JournalEntry[] }>('journal?limit=5000')
  const answered = new Set(entries.filter((entry) => entry.status === 200).map((it) => it.route))
  assert.deepEqual(
    routes.filter((route) => !answered.has(route)),
    [],
  )
})

async function useCustomers({ stripe }: TestSandbox): Promise<string> {
  const { id } = await stripe.customers.create({ name: 'Ada', metadata: { user_id: '1' } })
  await stripe.customers.update(id, { email: 'ada@example.org', metadata: { user_id: '' } })
  const ada = await stripe.customers.retrieve(id)
  assert.ok(!ada.deleted)
  assert.deepEqual([ada.email, ada.metadata], ['ada@example.org', {}])
  assert.equal((await stripe.customers.list({ email: 'ada@example.org' })).data.length, 1)
  return id
}

async function useMethods({ stripe }: TestSandbox, customer: string): Promise<string> {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' }
  const { id } = await stripe.paymentMethods.create({ type: 'card', card })
  await stripe.paymentMethods.attach(id, { customer })
  await stripe.paymentMethods.update(id, { card: { exp_year: 2041 } })
  assert.equal((await stripe.paymentMethods.retrieve(id)).card?.exp_year, 2041)
  assert.equal((await stripe.paymentMethods.list({ customer, type: 'card' })).data.length, 1)
  assert.equal((await stripe.customers.listPaymentMethods(customer)).data[0]?.id, id)
  return id
}

async function useSetups({ stripe }: TestSandbox, customer: string): Promise<void> {
  const { id } = await stripe.setupIntents.create({ customer })
  await stripe.setupIntents.update(id, { metadata: { attempt_id: 'a1' } })
  await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_mastercard' })
  assert.equal((await stripe.setupIntents.retrieve(id)).status, 'succeeded')
  const unused = await stripe.setupIntents.create({ customer })
  assert.equal((await stripe.setupIntents.cancel(unused.id)).status, 'canceled')
  assert.equal((await stripe.setupIntents.list({ customer })).data.length, 2)
}

async function usePayments({ stripe }: TestSandbox, customer: string, payment_method: string) {
  const manual = { ...eur, customer, capture_method: 'manual' } as const
  const { id } = await stripe.paymentIntents.create(manual)
  await stripe.paymentIntents.update(id, { amount: 2000 })
  const authorised = await stripe.paymentIntents.confirm(id, { payment_method })
  assert.equal(authorised.status, 'requires_capture')
  const captured = await stripe.paymentIntents.capture(id, { amount_to_capture: 1500 })
  assert.equal(captured.amount_received, 1500)
  const idle = await stripe.paymentIntents.create(eur)
  assert.equal((await stripe.paymentIntents.cancel(idle.id)).status, 'canceled')
  assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'succeeded')
  assert.equal((await stripe.paymentIntents.list({ customer })).data.length, 1)
  const charge = await stripe.charges.retrieve(idOf(captured.latest_charge))
  assert.equal(charge.amount_captured, 1500)
  assert.equal((await stripe.charges.list({ payment_intent: id })).data[0]?.id, charge.id)
  return charge.id
}

async function useRefunds({ stripe, post }: TestSandbox, charge: string): Promise<void> {
  const refund = await stripe.refunds.create({ charge, amount: 500 })
  await stripe.refunds.update(refund.id, { metadata: { refund_id: 'r1' } })
  assert.deepEqual((await stripe.refunds.retrieve(refund.id)).metadata, { refund_id: 'r1' })
  assert.equal((await stripe.refunds.list({ charge })).data.length, 1)
  const [booked] = (await stripe.balanceTransactions.list({ source: refund.id })).data
  assert.equal(booked?.net, -500)
  await stripe.balanceTransactions.retrieve(booked.id)

  const paying = { ...eur, confirm: true, payment_method: 'pm_card_pendingRefund' }
  const { id: payment_intent } = await stripe.paymentIntents.create(paying)
  const waiting = await stripe.refunds.create({ payment_intent })
  await post(`refunds/${waiting.id}/require-action`)
  assert.equal((await stripe.refunds.cancel(waiting.id)).status, 'canceled')
}

async function useSessions({ stripe }: TestSandbox, customer: string): Promise<void> {
  const { id } = await stripe.checkout.sessions.create({ ...order, customer })
  assert.equal((await stripe.checkout.sessions.listLineItems(id)).data.length, 1)
  assert.equal((await stripe.checkout.sessions.list({ customer })).data[0]?.id, id)
  assert.equal((await stripe.checkout.sessions.expire(id)).status, 'expired')
  assert.equal((await stripe.checkout.sessions.retrieve(id)).url, null)
}

async function useDisputes({ stripe, post }: TestSandbox, charge: string): Promise<void> {
  const { id } = await post<{ id: string }>('disputes', { charge, amount: 1000 })
  await stripe.disputes.update(id, { evidence: { customer_name: 'Ada' }, submit: false })
  assert.equal((await stripe.disputes.retrieve(id)).evidence.customer_name, 'Ada')
  assert.equal((await stripe.disputes.list({ charge })).data.length, 1)
  assert.equal((await stripe.disputes.close(id)).status, 'lost')
}

async function usePortal({ stripe }: TestSandbox, customer: string): Promise<void> {
  const { configurations, sessions } = stripe.billingPortal
  const features = { payment_method_update: { enabled: true } }
  const { id: configuration } = await configurations.create({ features })
  await configurations.update(configuration, { default_return_url: 'https://shop.example/' })
  await configurations.retrieve(configuration)
  assert.equal((await configurations.list()).data.length, 1)
  const { return_url } = await sessions.create({ customer, configuration })
  assert.equal(return_url, 'https://shop.example/')
}

async function useEndpoints({ stripe }: TestSandbox): Promise<void> {
  const url = 'http://127.0.0.1:1/hook'
  const made = await stripe.webhookEndpoints.create({ url, enabled_events: ['charge.refunded'] })
  assert.match(made.secret ?? '', /^whsec_/)
  await stripe.webhookEndpoints.update(made.id, { disabled: true })
  const shown = await stripe.webhookEndpoints.retrieve(made.id)
  assert.deepEqual([shown.status, shown.secret], ['disabled', undefined])
  assert.equal((await stripe.webhookEndpoints.list()).data.length, 1)
  assert.equal((await stripe.webhookEndpoints.del(made.id)).deleted, true)
}

async function useCatalog({ stripe }: TestSandbox): Promise<void> {
  const { id: product } = await stripe.products.create({ name: 'Server' })
  await stripe.products.update(product, { name: 'Game server' })
  assert.equal((await stripe.products.retrieve(product)).name, 'Game server')
  assert.equal((await stripe.products.list({ active: true })).data.length, 1)
  const { id } = await stripe.prices.create({ currency: 'eur', unit_amount: 900, product })
  await stripe.prices.update(id, { nickname: 'monthly' })
  assert.equal((await stripe.prices.retrieve(id)).nickname, 'monthly')
  assert.equal((await stripe.prices.list({ product })).data.length, 1)
}

async function useEvents({ stripe }: TestSandbox): Promise<void> {
  const [event] = (await stripe.events.list({ types: ['refund.created'] })).data
  assert.equal(event?.type, 'refund.created')
  assert.equal((await stripe.events.retrieve(event.id)).id, event.id)
}

async function removeAll({ stripe }: TestSandbox, customer: string, method: string) {
  assert.equal((await stripe.paymentMethods.detach(method)).customer, null)
  assert.equal((await stripe.customers.del(customer)).deleted, true)
  assert.equal((await stripe.customers.retrieve(customer)).deleted, true)
}
