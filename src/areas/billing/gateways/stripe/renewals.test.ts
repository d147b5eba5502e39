import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chargeInput, correlation } from '#test/gateway-context.ts'
import { paymentInput, type StripeSandbox, stripeSandbox } from '#test/stripe-sandbox.ts'
import type { GatewayError } from '../error.ts'

/** The error of a renewal that must fail. */
async function failedCharge({ gateway, context }: StripeSandbox, saved: Saved, n = 1) {
  const input = { ...saved, idempotencyKey: `inst-1:charge:attempt-1:${n}` }
  return gateway.chargeSaved(context, chargeInput(input)).then(
    () => assert.fail('the charge succeeded'),
    (error: GatewayError) => error,
  )
}

type Saved = Awaited<ReturnType<StripeSandbox['savedCard']>>

test('a saved card is charged without the customer, and told by an event', async (t) => {
  const { gateway, context, savedCard, observed } = await stripeSandbox(t)
  const saved = await savedCard()
  await observed()
  const paid = await gateway.chargeSaved(context, chargeInput(saved))
  assert.equal(paid.state, 'paid')
  assert.equal(paid.received.amountCents, 1250)
  assert.equal(paid.method?.methodId, saved.methodId)
  const [seen] = await observed()
  assert.ok(seen?.type === 'payment')
  assert.deepEqual(seen.payment.ref, paid.ref)
  assert.equal(seen.payment.correlation?.attemptId, 'attempt-1')
})

test('saving a card is told by events, with the card and our attempt', async (t) => {
  const { savedCard, observed } = await stripeSandbox(t)
  const { methodId } = await savedCard()
  const setups = (await observed()).flatMap((it) => (it.type === 'setup' ? [it.setup] : []))
  assert.ok(setups.length > 0)
  for (const setup of setups) {
    assert.equal(setup.state, 'succeeded')
    assert.equal(setup.method?.methodId, methodId)
    assert.equal(setup.correlation?.attemptId, 'setup-1')
  }
})

test('a front end that shows the form itself gets a client secret and the public key', async (t) => {
  const { gateway, provider, sdk, ...sandbox } = await stripeSandbox(t)
  const { publishableKey } = provider
  const context = { ...sandbox.context, settings: { publishableKey } }
  const customer = { userId: 'user-1', email: 'ada@example.org' }
  const { customerId } = await gateway.ensureCustomer(context, customer, 'inst-1:cus:user-1:1')
  const input = {
    correlation: correlation(),
    idempotencyKey: 'inst-1:setup:attempt-1:1',
    customerId,
    currency: 'EUR',
    returnUrl: 'https://shop.example/return',
    cancelUrl: 'https://shop.example/cancel',
    mode: 'embedded',
  } as const
  const { setupId, state, next } = await gateway.startSetup(context, input)
  assert.equal(state, 'open')
  assert.ok(next.kind === 'client_secret')
  assert.equal(next.publishableKey, publishableKey)
  await sdk.setupIntents.confirm(setupId, { payment_method: 'pm_card_visa' })
  const setup = await gateway.fetchSetup(context, setupId)
  assert.equal(setup.state, 'succeeded')
  assert.equal(setup.method?.last4, '4242')
  const keyless = gateway.startSetup(sandbox.context, input)
  await assert.rejects(keyless, { kind: 'unsupported' })
})

test('a bank that wants the customer gets them on a page; the old payment is canceled', async (t) => {
  const sandbox = await stripeSandbox(t)
  const { gateway, context, savedCard, complete, sdk } = sandbox
  const saved = await savedCard('pm_card_authenticationRequired')
  const failure = await failedCharge(sandbox, saved)
  assert.equal(failure.kind, 'authentication_required')
  assert.equal(failure.decline?.retry, 'customer_action')
  const old = failure.ref ?? {}
  const key = { idempotencyKey: 'inst-1:cancel:attempt-1:1' }
  assert.equal((await gateway.cancelPayment(context, old, key)).state, 'canceled')
  assert.equal((await sdk.paymentIntents.retrieve(old.paymentId ?? '')).status, 'canceled')
  const { ref } = await gateway.startPayment(
    context,
    paymentInput({ customerId: saved.customerId, correlation: correlation({ attemptId: 'next' }) }),
  )
  await complete(ref.checkoutId, { card: 'pm_card_authenticationRequired' })
  assert.equal((await gateway.fetchPayment(context, ref)).state, 'paid')
})

test('a declined renewal has failed, in the error and in the event', async (t) => {
  const sandbox = await stripeSandbox(t)
  const saved = await sandbox.savedCard('pm_card_chargeCustomerFail')
  await sandbox.observed()
  const failure = await failedCharge(sandbox, saved)
  assert.equal(failure.kind, 'declined')
  assert.equal(failure.decline?.retry, 'later')
  const [seen] = await sandbox.observed()
  assert.ok(seen?.type === 'payment')
  assert.equal(seen.payment.state, 'failed')
  assert.equal(seen.payment.ref.paymentId, failure.ref?.paymentId)
  assert.equal(seen.payment.failure?.code, failure.decline?.code)
})

test('a card that has run out wants another one', async (t) => {
  const sandbox = await stripeSandbox(t)
  const saved = await sandbox.savedCard()
  await sandbox.control(`payment-methods/${saved.methodId}/expire`)
  assert.equal((await failedCharge(sandbox, saved)).decline?.retry, 'new_method')
})

test('the same key answers the same decline again, without a second try', async (t) => {
  const sandbox = await stripeSandbox(t)
  const saved = await sandbox.savedCard('pm_card_chargeCustomerFail')
  const [first, second] = [await failedCharge(sandbox, saved), await failedCharge(sandbox, saved)]
  assert.deepEqual(second.ref, first.ref)
  const intents = await sandbox.sdk.paymentIntents.list()
  assert.equal(intents.data.length, 1)
})

for (const n of [1, 3]) {
  test(`a charge whose answer is lost ${n} times is one charge in the end`, async (t) => {
    const { gateway, context, savedCard, control, sdk } = await stripeSandbox(t)
    const saved = await savedCard()
    await control('faults', { route: 'POST /v1/payment_intents', kind: 'timeout-after', n, ms: 0 })
    const call = gateway.chargeSaved(context, chargeInput(saved))
    if (n === 3) await assert.rejects(call, { kind: 'unknown_outcome' })
    else assert.equal((await call).state, 'paid')
    const again = await gateway.chargeSaved(context, chargeInput(saved))
    assert.equal(again.state, 'paid')
    assert.equal((await sdk.paymentIntents.list()).data.length, 1)
  })
}

test('a charge answered with a kept error for ever is found by its attempt', async (t) => {
  const { gateway, context, savedCard, control, sdk } = await stripeSandbox(t)
  const saved = await savedCard()
  const since = context.now()
  await control('faults', { route: 'POST /v1/payment_intents', kind: '500-after' })
  const charge = () => gateway.chargeSaved(context, chargeInput(saved))
  await assert.rejects(charge(), { kind: 'unknown_outcome' })
  await assert.rejects(charge(), { kind: 'unknown_outcome' })
  const query = { correlation: correlation(), customerId: saved.customerId, since }
  const found = await gateway.findByAttempt(context, query)
  assert.equal(found?.state, 'paid')
  assert.equal((await sdk.paymentIntents.list()).data.length, 1)
})

test('a card removed in the portal is gone, and charging it says so', async (t) => {
  const sandbox = await stripeSandbox(t)
  const { gateway, context, observed } = sandbox
  const saved = await sandbox.savedCard()
  const portal = { customerId: saved.customerId, returnUrl: 'https://shop.example/account' }
  const { url } = await gateway.createPortalSession(context, { ...portal, locale: 'fr' })
  await observed()
  const form = new URLSearchParams({ action: 'remove', method: saved.methodId })
  await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
  const [seen] = await observed()
  assert.ok(seen?.type === 'method')
  assert.equal(seen.customerId, saved.customerId)
  assert.equal(seen.method.methodId, saved.methodId)
  assert.equal(seen.method.state, 'gone')
  assert.deepEqual(await gateway.listMethods(context, saved.customerId), [])
  assert.equal((await failedCharge(sandbox, saved)).kind, 'method_gone')
})

test('the portal is set up once, without the provider’s invoices and subscriptions', async (t) => {
  const { gateway, context, savedCard, sdk } = await stripeSandbox(t)
  const { customerId } = await savedCard()
  const input = { customerId, returnUrl: 'https://shop.example/account' }
  const first = await gateway.createPortalSession(context, input)
  const second = await gateway.createPortalSession(context, {
    ...input,
    section: 'payment_methods',
  })
  assert.notEqual(first.url, second.url)
  const { data } = await sdk.billingPortal.configurations.list()
  assert.equal(data.length, 1)
  const features = data[0]?.features
  assert.equal(features?.payment_method_update.enabled, true)
  assert.equal(features?.invoice_history.enabled, false)
  assert.equal(features?.subscription_cancel.enabled, false)
})

test('removing a method twice is fine', async (t) => {
  const { gateway, context, savedCard } = await stripeSandbox(t)
  const { customerId, methodId } = await savedCard()
  await gateway.detachMethod(context, methodId)
  await gateway.detachMethod(context, methodId)
  await gateway.detachMethod(context, 'pm_unknown')
  assert.deepEqual(await gateway.listMethods(context, customerId), [])
})

test('the default method is told to the portal, and its change there is told to us', async (t) => {
  const { gateway, context, savedCard, observed } = await stripeSandbox(t)
  const { customerId, methodId } = await savedCard()
  await observed()
  await gateway.setDefaultMethod(context, customerId, methodId)
  assert.deepEqual(await observed(), [{ type: 'default_method', customerId, methodId }])
})

test('a customer is forgotten with the methods, and a second time is fine', async (t) => {
  const { gateway, context, savedCard, sdk } = await stripeSandbox(t)
  const { customerId, methodId } = await savedCard()
  await gateway.forgetCustomer(context, customerId)
  await gateway.forgetCustomer(context, customerId)
  await gateway.forgetCustomer(context, 'cus_unknown')
  assert.equal((await sdk.customers.retrieve(customerId)).deleted, true)
  assert.equal((await sdk.paymentMethods.retrieve(methodId)).customer, null)
  // Removing a method of somebody who is gone is what the other job does, in whichever order.
  await gateway.detachMethod(context, methodId)
})

test('a deleted customer is told, and has no methods', async (t) => {
  const { gateway, context, savedCard, sdk, observed } = await stripeSandbox(t)
  const { customerId } = await savedCard()
  await observed()
  await sdk.customers.del(customerId)
  const seen = await observed()
  assert.ok(seen.some((it) => it.type === 'customer_gone' && it.customerId === customerId))
  await assert.rejects(gateway.listMethods(context, customerId), { kind: 'not_found' })
})
