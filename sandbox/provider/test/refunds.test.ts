import assert from 'node:assert/strict'
import { test } from 'node:test'
import type Stripe from 'stripe'
import { idOf, sandbox, stripeError } from './harness.ts'

async function paidWith(stripe: Stripe, payment_method = 'pm_card_visa') {
  const paying = { amount: 1000, currency: 'eur', confirm: true, payment_method }
  const paid = await stripe.paymentIntents.create(paying)
  return { payment_intent: paid.id, charge: idOf(paid.latest_charge) }
}

async function balanceOf(stripe: Stripe): Promise<number> {
  let sum = 0
  for await (const { amount } of stripe.balanceTransactions.list({ limit: 100 })) sum += amount
  return sum
}

test('parts can be refunded, even equal ones, and then the rest', async (t) => {
  const { stripe } = await sandbox(t)
  const { payment_intent, charge } = await paidWith(stripe)
  await stripe.refunds.create({ payment_intent, amount: 300 })
  await stripe.refunds.create({ payment_intent, amount: 300 })
  const part = await stripe.charges.retrieve(charge, { expand: ['refunds'] })
  assert.deepEqual([part.amount_refunded, part.refunded], [600, false])
  assert.equal(part.refunds?.data.length, 2)

  const error = await stripeError(stripe.refunds.create({ payment_intent, amount: 401 }))
  assert.equal(error.param, 'amount')
  assert.match(error.message, /4\.01 EUR.*4\.00 EUR/)
  assert.equal((await stripe.refunds.create({ payment_intent })).amount, 400)
  const all = await stripe.charges.retrieve(charge)
  assert.deepEqual([all.amount_refunded, all.refunded], [1000, true])
  const again = await stripeError(stripe.refunds.create({ payment_intent, amount: 1 }))
  assert.equal(again.code, 'charge_already_refunded')
  assert.equal(await balanceOf(stripe), 0)
  assert.equal((await stripe.events.list({ type: 'charge.refunded' })).data.length, 3)
})

test('a payment that did not happen cannot be refunded', async (t) => {
  const { stripe } = await sandbox(t)
  const { id } = await stripe.paymentIntents.create({ amount: 1000, currency: 'eur' })
  await stripeError(stripe.refunds.create({ payment_intent: id }))
  await stripeError(stripe.refunds.create({}))
})

test('a refund can fail long after it succeeded, and the charge has its money back', async (t) => {
  const { stripe, post } = await sandbox(t)
  const { payment_intent, charge } = await paidWith(stripe)
  const { id, status } = await stripe.refunds.create({ payment_intent, amount: 300 })
  assert.equal(status, 'succeeded')
  await post(`refunds/${id}/fail`)
  const failed = await stripe.refunds.retrieve(id, { expand: ['failure_balance_transaction'] })
  assert.equal(failed.status, 'failed')
  assert.equal((await stripe.charges.retrieve(charge)).amount_refunded, 0)
  assert.equal(await balanceOf(stripe), 1000)
  const { data: events } = await stripe.events.list({ types: ['refund.failed', 'refund.updated'] })
  assert.deepEqual(
    events.map((it) => it.type),
    ['refund.failed', 'refund.updated'],
  )
  await assert.rejects(post(`refunds/${id}/fail`), { status: 400 })
})

test('a slow refund arrives by the clock, another one comes back', async (t) => {
  const { stripe, post } = await sandbox(t)
  const slow = await paidWith(stripe, 'pm_card_pendingRefund')
  const bad = await paidWith(stripe, 'pm_card_refundFail')
  const pending = await stripe.refunds.create({ charge: slow.charge })
  const doomed = await stripe.refunds.create({ charge: bad.charge })
  assert.deepEqual([pending.status, doomed.status], ['pending', 'succeeded'])
  await post('clock', { advanceSeconds: 60 })
  assert.equal((await stripe.refunds.retrieve(pending.id)).status, 'succeeded')
  assert.equal((await stripe.refunds.retrieve(doomed.id)).status, 'failed')
})

test('a refund by hand carries nothing of the shop\u2019s', async (t) => {
  const { stripe, post } = await sandbox(t)
  const { payment_intent } = await paidWith(stripe)
  const { id } = await post<{ id: string }>('refunds', {
    paymentIntent: payment_intent,
    amount: 200,
  })
  const refund = await stripe.refunds.retrieve(id)
  assert.deepEqual([refund.metadata, idOf(refund.payment_intent)], [{}, payment_intent])
  const [event] = (await stripe.events.list({ type: 'refund.created' })).data
  assert.deepEqual(event?.request, { id: null, idempotency_key: null })
})

test('a chargeback takes money and fee; won, the money comes back', async (t) => {
  const { stripe, post } = await sandbox(t)
  const { charge, payment_intent } = await paidWith(stripe, 'pm_card_createDispute')
  const [dispute] = (await stripe.disputes.list({ payment_intent })).data
  assert.deepEqual([dispute?.status, dispute?.reason], ['needs_response', 'fraudulent'])
  assert.equal(dispute?.balance_transactions[0]?.net, -3000)
  assert.equal((await stripe.charges.retrieve(charge)).disputed, true)
  const refused = await stripeError(stripe.refunds.create({ charge }))
  assert.equal(refused.code, 'charge_disputed')

  const evidence = { uncategorized_text: 'Here is the log.' }
  const sent = await stripe.disputes.update(dispute?.id ?? '', { evidence, submit: true })
  assert.deepEqual([sent.status, sent.evidence_details.submission_count], ['under_review', 1])
  await post(`disputes/${dispute?.id}/close`, { outcome: 'won' })
  const won = await stripe.disputes.retrieve(dispute?.id ?? '')
  assert.equal(won.status, 'won')
  assert.equal(won.balance_transactions.length, 2)
  const { data: events } = await stripe.events.list({ type: 'charge.dispute.*', limit: 10 })
  assert.deepEqual(events.map((it) => it.type).reverse(), [
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.updated',
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
  ])
})

test('an inquiry moves no money, and may become a chargeback that is lost', async (t) => {
  const { stripe, post } = await sandbox(t)
  const { charge } = await paidWith(stripe)
  const { id } = await post<{ id: string }>('disputes', { charge, kind: 'inquiry' })
  const inquiry = await stripe.disputes.retrieve(id)
  assert.equal(inquiry.status, 'warning_needs_response')
  assert.equal(inquiry.balance_transactions.length, 0)
  await assert.rejects(post(`disputes/${id}/close`, { outcome: 'lost' }), { status: 400 })
  await post(`disputes/${id}/escalate`)
  assert.equal((await stripe.disputes.close(id)).status, 'lost')
  await stripeError(stripe.disputes.close(id))
})

test('an inquiry that ends well leaves the charge undisputed', async (t) => {
  const { stripe, post } = await sandbox(t)
  const { charge } = await paidWith(stripe, 'pm_card_createDisputeInquiry')
  const [dispute] = (await stripe.disputes.list({ charge })).data
  await post(`disputes/${dispute?.id}/close`, { outcome: 'warning_closed' })
  assert.equal((await stripe.charges.retrieve(charge)).disputed, false)
})

test('the evidence that decides at once does', async (t) => {
  const { stripe } = await sandbox(t)
  const { charge } = await paidWith(stripe, 'pm_card_createDispute')
  const [dispute] = (await stripe.disputes.list({ charge })).data
  const evidence = { uncategorized_text: 'losing_evidence' }
  assert.equal((await stripe.disputes.update(dispute?.id ?? '', { evidence })).status, 'lost')
})
