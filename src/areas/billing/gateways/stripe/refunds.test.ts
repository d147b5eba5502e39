import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import { chargeInput, correlation } from '#test/gateway-context.ts'
import { type StripeSandbox, stripeSandbox } from '#test/stripe-sandbox.ts'
import type { Observation, RefundSnapshot } from '../snapshots.ts'

/** A sandbox in which 12.50 EUR were just paid with a card. */
async function paidSandbox(t: Parameters<typeof stripeSandbox>[0], card?: string) {
  const sandbox = await stripeSandbox(t)
  const saved = await sandbox.savedCard(card)
  const { ref: payment } = await sandbox.gateway.chargeSaved(sandbox.context, chargeInput(saved))
  await sandbox.received()
  return { ...sandbox, payment }
}

type Paid = StripeSandbox & { payment: { paymentId?: string } }

function refund({ gateway, context, payment }: Paid, id: string, amount: number) {
  return gateway.refund(context, {
    idempotencyKey: `inst-1:refund:${id}:1`,
    ourRefundId: id,
    payment,
    amount: { amountCents: cents(amount), currency: 'EUR' },
    reason: 'requested_by_customer',
    correlation: correlation(),
  })
}

function refundsIn(observations: readonly Observation[]): RefundSnapshot[] {
  return observations.flatMap((it) => (it.type === 'refund' ? [it.refund] : []))
}

test('two equal parts and the rest go back as three refunds, and no cent more', async (t) => {
  const paid = await paidSandbox(t)
  const { gateway, context, payment } = paid
  await refund(paid, 'refund-1', 500)
  await refund(paid, 'refund-2', 500)
  await assert.rejects(refund(paid, 'refund-3', 251), { kind: 'invalid_request' })
  await refund(paid, 'refund-4', 250)
  assert.equal((await gateway.fetchPayment(context, payment)).refundedCents, 1250)
  const refunds = await gateway.fetchRefunds(context, payment)
  assert.deepEqual(
    refunds.map(({ ourRefundId, amount, state }) => [ourRefundId, amount.amountCents, state]),
    [
      ['refund-4', 250, 'succeeded'],
      ['refund-2', 500, 'succeeded'],
      ['refund-1', 500, 'succeeded'],
    ],
  )
})

test('a refund asked for twice is one refund', async (t) => {
  const paid = await paidSandbox(t)
  const [first, second] = [await refund(paid, 'r', 500), await refund(paid, 'r', 500)]
  assert.equal(first.refundId, second.refundId)
  assert.equal((await paid.gateway.fetchPayment(paid.context, paid.payment)).refundedCents, 500)
})

test('a refund whose answer is lost is one refund', async (t) => {
  const paid = await paidSandbox(t)
  await paid.control('faults', { route: 'POST /v1/refunds', kind: 'timeout-after', n: 3, ms: 0 })
  await assert.rejects(refund(paid, 'refund-1', 500), { kind: 'unknown_outcome' })
  assert.equal((await refund(paid, 'refund-1', 500)).state, 'succeeded')
  assert.equal((await paid.gateway.fetchPayment(paid.context, paid.payment)).refundedCents, 500)
})

test('a refund made at the provider appears, and one of ours is refused as already done', async (t) => {
  const paid = await paidSandbox(t)
  await paid.control('refunds', { paymentIntent: paid.payment.paymentId })
  const observations = await paid.observed()
  assert.equal(observations[0]?.type, 'payment')
  const [seen] = refundsIn(observations)
  assert.equal(seen?.ourRefundId, undefined)
  assert.equal(seen?.amount.amountCents, 1250)
  assert.deepEqual(seen?.payment.paymentId, paid.payment.paymentId)
  await assert.rejects(refund(paid, 'refund-1', 500), { kind: 'already_done' })
  const [known] = await paid.gateway.fetchRefunds(paid.context, paid.payment)
  assert.equal(known?.refundId, seen?.refundId)
})

test('a refund of ours is known by our id in every event', async (t) => {
  const paid = await paidSandbox(t)
  await refund(paid, 'refund-1', 500)
  const seen = refundsIn(await paid.observed())
  assert.ok(seen.length >= 2, 'the refund and the charge both tell')
  for (const { ourRefundId } of seen) assert.equal(ourRefundId, 'refund-1')
})

test('a refund that fails days later has failed, and its money counts as kept again', async (t) => {
  const paid = await paidSandbox(t, 'pm_card_refundFail')
  const { refundId } = await refund(paid, 'refund-1', 500)
  await paid.received()
  await paid.control('clock', { advanceSeconds: 4 * 24 * 60 * 60 })
  const observations = await paid.observed()
  const failed = refundsIn(observations).find((it) => it.refundId === refundId)
  assert.equal(failed?.state, 'failed')
  assert.ok(failed?.failureCode)
  const { refundedCents } = await paid.gateway.fetchPayment(paid.context, paid.payment)
  assert.equal(refundedCents, 0)
  assert.equal((await refund(paid, 'refund-1', 500)).state, 'failed')
})

test('an inquiry moves no money', async (t) => {
  const paid = await paidSandbox(t)
  await paid.control('disputes', { paymentIntent: paid.payment.paymentId, kind: 'inquiry' })
  const seen = (await paid.observed()).find((it) => it.type === 'dispute')
  assert.ok(seen?.type === 'dispute')
  assert.equal(seen.dispute.state, 'inquiry')
  assert.equal(seen.dispute.fundsHeldCents, 0)
})

for (const [outcome, held] of [
  ['lost', 1250],
  ['won', 0],
] as const) {
  test(`a chargeback takes the money, and once ${outcome} holds ${held}`, async (t) => {
    const paid = await paidSandbox(t)
    const { gateway, context, payment } = paid
    const { paymentId } = payment
    const { id } = await paid.control('disputes', { paymentIntent: paymentId, kind: 'chargeback' })
    for (const seen of await paid.observed()) {
      if (seen.type === 'payment') assert.equal(seen.payment.disputedCents, 1250)
      if (seen.type !== 'dispute') continue
      assert.equal(seen.dispute.state, 'needs_response')
      assert.equal(seen.dispute.fundsHeldCents, 1250)
      assert.equal(seen.dispute.payment.paymentId, paymentId)
      assert.ok(seen.dispute.feeCents > 0 && seen.dispute.respondBy)
    }
    await assert.rejects(refund(paid, 'refund-1', 500), { kind: 'wrong_state' })
    await paid.control(`disputes/${id}/close`, { outcome })
    const disputes = (await paid.observed()).filter((it) => it.type === 'dispute')
    assert.ok(disputes.length > 0)
    for (const seen of disputes) {
      assert.ok(seen.type === 'dispute')
      assert.equal(seen.dispute.state, outcome)
      assert.equal(seen.dispute.fundsHeldCents, held)
    }
    assert.equal((await gateway.fetchPayment(context, payment)).disputedCents, held)
  })
}
