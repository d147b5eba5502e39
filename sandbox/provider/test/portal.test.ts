import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type Stripe from 'stripe'
import { customerWith, sandbox, submit } from './harness.ts'

type Features = Stripe.BillingPortal.ConfigurationCreateParams.Features

async function portal(t: TestContext, features: Features) {
  const it = await sandbox(t)
  const { stripe } = it
  const ada = await customerWith(stripe)
  const { id: configuration } = await stripe.billingPortal.configurations.create({ features })
  const { url } = await stripe.billingPortal.sessions.create({
    ...{ customer: ada.customer, configuration },
    return_url: 'https://shop.example/account',
  })
  return { ...it, ...ada, url }
}

const cards = { payment_method_update: { enabled: true } } as const

test('the portal shows the cards, and the way back', async (t) => {
  const { url } = await portal(t, cards)
  const text = await (await fetch(url)).text()
  assert.match(text, /Sandbox - no real money/)
  assert.match(text, /visa •••• 4242/)
  assert.match(text, /href="https:\/\/shop\.example\/account"/)
})

test('a card that is added becomes the default, one that is removed is gone', async (t) => {
  const { stripe, url, customer, payment_method: method } = await portal(t, cards)
  const added = await submit(url, { action: 'add', card: '5555555555554444' })
  assert.deepEqual([added.status, added.location], [303, url])
  const ada = await stripe.customers.retrieve(customer)
  assert.ok(!ada.deleted)
  assert.notEqual(ada.invoice_settings.default_payment_method, null)

  await submit(url, { action: 'default', method })
  await submit(url, { action: 'remove', method })
  const { data } = await stripe.customers.listPaymentMethods(customer)
  assert.deepEqual(
    data.map((it) => it.card?.brand),
    ['mastercard'],
  )
  const [event] = (await stripe.events.list({ type: 'payment_method.detached' })).data
  assert.deepEqual(event?.data.previous_attributes, { customer })
})

test('a card that refuses to be saved is refused here, too', async (t) => {
  const { url } = await portal(t, cards)
  const refused = await submit(url, { action: 'add', card: '4000000000000002' })
  assert.equal(refused.status, 402)
  assert.match(refused.text, /declined/)
})

test('another customer\u2019s card cannot be removed', async (t) => {
  const { stripe, url } = await portal(t, cards)
  const bob = await customerWith(stripe)
  const { status } = await submit(url, { action: 'remove', method: bob.payment_method })
  assert.equal(status, 404)
  assert.equal((await stripe.paymentMethods.retrieve(bob.payment_method)).customer, bob.customer)
})

test('only what the configuration allows can be changed', async (t) => {
  const customer_update = { enabled: true, allowed_updates: ['email'] } as const
  const {
    stripe,
    url,
    customer,
    payment_method: method,
  } = await portal(t, {
    customer_update: { ...customer_update, allowed_updates: [...customer_update.allowed_updates] },
  })
  assert.equal((await submit(url, { action: 'remove', method })).status, 400)
  await submit(url, { action: 'update', name: 'Eve', email: 'new@example.org' })
  const ada = await stripe.customers.retrieve(customer)
  assert.ok(!ada.deleted)
  assert.deepEqual([ada.name, ada.email], ['Ada', 'new@example.org'])
  assert.equal((await stripe.events.list({ type: 'customer.updated' })).data.length, 1)
})

test('the link closes after an hour, and a wrong one never opens', async (t) => {
  const { url, post } = await portal(t, cards)
  assert.equal((await fetch(`${url}x`)).status, 404)
  await post('clock', { advanceSeconds: 3600 })
  assert.equal((await fetch(url)).status, 404)
})
