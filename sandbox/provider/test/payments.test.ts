import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import { customerWith, sandbox, stripeError, submit } from './harness.ts'

/** A renewal: the customer is not there. */
const renewal = { amount: 1000, currency: 'eur', off_session: true, confirm: true } as const
const eur = { amount: 1000, currency: 'eur' } as const

test('a saved card is charged without its holder', async (t) => {
  const { stripe } = await sandbox(t)
  const ada = await customerWith(stripe)
  const metadata = { attempt_id: 'a1' }
  const paid = await stripe.paymentIntents.create({ ...renewal, ...ada, metadata })
  assert.equal(paid.status, 'succeeded')
  assert.equal(paid.amount_received, 1000)
  const { data } = await stripe.charges.list({ customer: ada.customer })
  assert.deepEqual(data[0]?.metadata, metadata)
})

test('a bank that wants the holder is a 402 with the intent, which can be canceled', async (t) => {
  const { stripe } = await sandbox(t)
  const ada = await customerWith(stripe, 'pm_card_authenticationRequired')
  const error = await stripeError(stripe.paymentIntents.create({ ...renewal, ...ada }))
  assert.ok(error instanceof Stripe.errors.StripeCardError)
  assert.equal(error.statusCode, 402)
  assert.equal(error.code, 'authentication_required')
  assert.equal(error.payment_intent?.status, 'requires_payment_method')
  assert.equal(error.payment_method?.id, ada.payment_method)

  const id = error.payment_intent?.id ?? ''
  const kept = await stripe.paymentIntents.retrieve(id)
  assert.equal(kept.last_payment_error?.code, 'authentication_required')
  assert.equal(kept.payment_method, null)
  assert.equal((await stripe.paymentIntents.cancel(id)).status, 'canceled')
  assert.equal((await stripe.events.list({ type: 'payment_intent.canceled' })).data.length, 1)
})

test('a card that was never set up wants its holder, one that was does not', async (t) => {
  const { stripe } = await sandbox(t)
  const ada = await customerWith(stripe, 'pm_card_authenticationRequiredOnSetup')
  const error = await stripeError(stripe.paymentIntents.create({ ...renewal, ...ada }))
  assert.equal(error.code, 'authentication_required')

  const return_url = 'https://shop.example/saved'
  const setup = await stripe.setupIntents.create({ ...ada, confirm: true, return_url })
  assert.equal(setup.status, 'requires_action')
  const url = setup.next_action?.redirect_to_url?.url ?? ''
  const { location } = await submit(url, { action: 'accept' })
  assert.match(location, /^https:\/\/shop\.example\/saved\?setup_intent=seti_/)
  const paid = await stripe.paymentIntents.create({ ...renewal, ...ada })
  assert.equal(paid.status, 'succeeded')
})

test('a refused setup says so and needs another card', async (t) => {
  const { stripe, post } = await sandbox(t)
  const ada = await customerWith(stripe, 'pm_card_authenticationRequired')
  const { id } = await stripe.setupIntents.create({ ...ada, confirm: true })
  await post(`setup-intents/${id}/authenticate`, { accept: false })
  const failed = await stripe.setupIntents.retrieve(id)
  assert.equal(failed.status, 'requires_payment_method')
  assert.equal(failed.last_setup_error?.code, 'setup_intent_authentication_failure')
})

const declines = [
  ['4000000000000341', 'pm_card_chargeCustomerFail', 'card_declined', 'generic_decline'],
] as const

for (const [number, name, code, reason] of declines) {
  test(`the card ${number} can be saved, and fails when it is charged`, async (t) => {
    const { stripe } = await sandbox(t)
    const ada = await customerWith(stripe, name)
    const error = await stripeError(stripe.paymentIntents.create({ ...renewal, ...ada }))
    assert.deepEqual([error.code, error.decline_code], [code, reason])
    const { data } = await stripe.charges.list({ payment_intent: error.payment_intent?.id ?? '' })
    assert.deepEqual([data[0]?.status, data[0]?.failure_code], ['failed', code])
    assert.equal(
      (await stripe.events.list({ type: 'payment_intent.payment_failed' })).data.length,
      1,
    )
  })
}

const refusals = [
  ['pm_card_chargeDeclined', 'card_declined', 'generic_decline', undefined],
  ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline', undefined],
  [
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    'card_declined',
    'insufficient_funds',
    'try_again_later',
  ],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card', 'confirm_card_data'],
  ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card', 'do_not_try_again'],
  ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card', 'do_not_try_again'],
  ['pm_card_chargeDeclinedFraudulent', 'card_declined', 'fraudulent', 'do_not_try_again'],
  ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc', 'confirm_card_data'],
  [
    'pm_card_chargeDeclinedProcessingError',
    'processing_error',
    'processing_error',
    'try_again_later',
  ],
] as const

for (const [card, code, reason, advice] of refusals) {
  test(`${card} is declined when it pays and when it is attached`, async (t) => {
    const { stripe } = await sandbox(t)
    const paying = { ...eur, confirm: true, payment_method: card }
    const error = await stripeError(stripe.paymentIntents.create(paying))
    assert.deepEqual(
      [error.statusCode, error.code, error.decline_code, error.advice_code],
      [402, code, reason, advice],
    )
    const { id: customer } = await stripe.customers.create()
    const refused = await stripeError(stripe.paymentMethods.attach(card, { customer }))
    assert.equal(refused.decline_code, reason)
  })
}

test('a holder who is there is sent to their bank, and comes back', async (t) => {
  const { stripe } = await sandbox(t)
  const intent = await stripe.paymentIntents.create({
    ...{ ...eur, confirm: true, return_url: 'https://shop.example/back?order=1' },
    payment_method: 'pm_card_threeDSecure2Required',
  })
  assert.equal(intent.status, 'requires_action')
  assert.equal(intent.latest_charge, null)
  const url = intent.next_action?.redirect_to_url?.url ?? ''
  const { location } = await submit(url, { action: 'accept' })
  const back = new URL(location).searchParams
  assert.deepEqual([back.get('order'), back.get('redirect_status')], ['1', 'succeeded'])
  assert.equal(back.get('payment_intent'), intent.id)
  assert.equal((await stripe.paymentIntents.retrieve(intent.id)).status, 'succeeded')
})

test('an intent walks from state to state and refuses what does not fit', async (t) => {
  const { stripe } = await sandbox(t)
  const { id, status } = await stripe.paymentIntents.create(eur)
  assert.equal(status, 'requires_payment_method')
  const ready = await stripe.paymentIntents.update(id, { payment_method: 'pm_card_visa' })
  assert.equal(ready.status, 'requires_confirmation')
  assert.equal((await stripe.paymentIntents.confirm(id)).status, 'succeeded')
  const again = await stripeError(stripe.paymentIntents.confirm(id))
  assert.equal(again.code, 'payment_intent_unexpected_state')
  assert.equal(again.payment_intent?.status, 'succeeded')
  assert.equal((await stripeError(stripe.paymentIntents.cancel(id))).code, again.code)
  assert.equal(
    (await stripeError(stripe.paymentIntents.update(id, { amount: 2000 }))).code,
    again.code,
  )
})

test('an authorised payment is let go when it is canceled', async (t) => {
  const { stripe } = await sandbox(t)
  const held = await stripe.paymentIntents.create({
    ...{ ...eur, confirm: true, capture_method: 'manual' },
    payment_method: 'pm_card_visa',
  })
  assert.equal(held.amount_capturable, 1000)
  const canceled = await stripe.paymentIntents.cancel(held.id, {
    ...{ cancellation_reason: 'abandoned' },
    expand: ['latest_charge'],
  })
  assert.equal(canceled.amount_received, 0)
  assert.ok(typeof canceled.latest_charge === 'object')
  assert.equal(canceled.latest_charge?.refunded, true)
})

test('a card that is detached, expired or another customer\u2019s cannot be charged', async (t) => {
  const { stripe, post } = await sandbox(t)
  const ada = await customerWith(stripe)
  const bob = await customerWith(stripe)
  const stolen = { ...ada, payment_method: bob.payment_method }
  await stripeError(stripe.paymentIntents.create({ ...renewal, ...stolen }))

  await post(`payment-methods/${ada.payment_method}/expire`)
  const expired = await stripeError(stripe.paymentIntents.create({ ...renewal, ...ada }))
  assert.equal(expired.code, 'expired_card')
  const types = ['payment_method.automatically_updated', 'payment_method.detached']
  await post(`payment-methods/${ada.payment_method}/detach`)
  const detached = await stripeError(stripe.paymentIntents.create({ ...renewal, ...ada }))
  assert.match(detached.message, /may not be used again/)
  const { data: events } = await stripe.events.list({ types })
  assert.deepEqual(
    events.map((it) => it.type),
    types.toReversed(),
  )
  assert.deepEqual(events[0]?.data.previous_attributes, { customer: ada.customer })
})

test('a customer\u2019s default method is theirs, and none once it is detached', async (t) => {
  const { stripe } = await sandbox(t)
  const { customer, payment_method: method } = await customerWith(stripe)
  const other = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })
  const set = (id: string) =>
    stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
  await stripeError(set(other.id))
  assert.equal((await set(method)).invoice_settings.default_payment_method, method)
  await stripe.paymentMethods.detach(method)
  const ada = await stripe.customers.retrieve(customer)
  assert.ok(!ada.deleted)
  assert.equal(ada.invoice_settings.default_payment_method, null)
})

test('yen have no decimals', async (t) => {
  const { stripe } = await sandbox(t)
  const paying = { amount: 500, currency: 'JPY', confirm: true, payment_method: 'pm_card_visa' }
  const paid = await stripe.paymentIntents.create(paying)
  assert.deepEqual([paid.amount_received, paid.currency], [500, 'jpy'])
})
