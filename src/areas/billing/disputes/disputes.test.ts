import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { until } from '#test/app.ts'
import { billingShop } from '#test/billing-shop.ts'
import type { Person } from '#test/people.ts'
import { applyDispute } from './apply.ts'

const shop = await billingShop()
const { db, tenantId, gatewayId, control } = shop

afterEach(() => shop.assertSound())

async function paidInvoice(ada: Person): Promise<{ id: string; intent: string; payment: string }> {
  const { invoice, url } = await shop.checkout(ada)
  await shop.complete(url)
  await shop.became(ada, invoice.id, 'paid')
  const row = await db
    .selectFrom('billing.payments as payment')
    .innerJoin('billing.payment_allocations as part', 'part.paymentId', 'payment.id')
    .select(['payment.providerPaymentId as intent', 'payment.id'])
    .where('part.invoiceId', '=', invoice.id)
    .executeTakeFirstOrThrow()
  return { id: invoice.id, intent: row.intent, payment: row.id }
}

function became(payment: string, state: string) {
  return until(`the dispute is ${state}`, async () => {
    const row = await db
      .selectFrom('billing.disputes')
      .selectAll()
      .where('tenantId', '=', tenantId)
      .where('paymentId', '=', payment)
      .executeTakeFirst()
    return row?.state === state && row
  })
}

async function balanceOf(code: string): Promise<number> {
  const row = await db
    .selectFrom('ledger.balances as balance')
    .innerJoin('ledger.accounts as account', 'account.id', 'balance.accountId')
    .select('balance.balanceCents')
    .where('account.code', '=', code)
    .executeTakeFirst()
  return row?.balanceCents ?? 0
}

test('an inquiry flags the invoice and moves nothing', async () => {
  const ada = await shop.buyer()
  const { id, intent, payment } = await paidInvoice(ada)
  const cash = await balanceOf(`cash:${gatewayId}`)
  const { id: dispute } = await control('disputes', { paymentIntent: intent, kind: 'inquiry' })
  await became(payment, 'inquiry')
  const flagged = await ada.get(`/v1/billing/invoices/${id}`)
  assert.equal(flagged.body.disputed, true)
  assert.equal(flagged.body.status, 'paid')
  assert.equal(await balanceOf(`cash:${gatewayId}`), cash)
  await control(`disputes/${dispute}/close`, { outcome: 'warning_closed' })
  await became(payment, 'closed_without_loss')
  const { body } = await ada.get(`/v1/billing/invoices/${id}`)
  assert.equal(body.disputed, false)
})

test('E32: a lost chargeback makes the invoice due again, the fee is ours, and no credit note', async () => {
  const ada = await shop.buyer()
  const { id, intent, payment } = await paidInvoice(ada)
  const fees = await balanceOf('fees')
  const { id: dispute } = await control('disputes', { paymentIntent: intent })
  await became(payment, 'needs_response')
  assert.equal(await balanceOf('disputed'), 1200)
  assert.equal((await ada.get(`/v1/billing/invoices/${id}`)).body.status, 'paid')
  const refund = await shop.admin.post(`/v1/admin/invoices/${id}/refund`, {})
  assert.equal(refund.status, 422)
  await control(`disputes/${dispute}/close`, { outcome: 'lost' })
  const lost = await became(payment, 'lost')
  const { body } = await ada.get(`/v1/billing/invoices/${id}`)
  assert.equal(body.status, 'open')
  assert.equal(body.dueCents, 1200)
  assert.equal(body.creditedCents, 0)
  assert.equal(await balanceOf('disputed'), 0)
  assert.equal((await balanceOf('fees')) - fees, lost.feeCents)
  assert.ok(lost.feeCents > 0)
  const again = await ada.post(`/v1/billing/invoices/${id}/pay`, { gatewayId })
  await shop.complete(again.body.redirectUrl)
  await shop.became(ada, id, 'paid')
})

test('a chargeback that is won brings the money back', async () => {
  const ada = await shop.buyer()
  const { id, intent, payment } = await paidInvoice(ada)
  const cash = await balanceOf(`cash:${gatewayId}`)
  const { id: dispute } = await control('disputes', { paymentIntent: intent })
  await became(payment, 'needs_response')
  await control(`disputes/${dispute}/close`, { outcome: 'won' })
  const won = await became(payment, 'won')
  await shop.settled()
  assert.equal(won.heldCents, 0)
  const { body } = await ada.get(`/v1/billing/invoices/${id}`)
  assert.equal(body.status, 'paid')
  assert.equal(body.disputed, false)
  assert.equal(await balanceOf('disputed'), 0)
  assert.equal(await balanceOf(`cash:${gatewayId}`), cash - won.feeCents)
})

/** Money that somebody else than a provider tells of; more than is due becomes credit. */
async function received(invoiceId: string, amountCents: number): Promise<string> {
  const reference = newId()
  const paid = { gatewayId, reference, amountCents }
  const { status, text } = await shop.admin.post(`/v1/admin/invoices/${invoiceId}/mark-paid`, paid)
  assert.equal(status, 200, text)
  return reference
}

/** What a bank says about money: how much of it it holds. */
async function says(paymentId: string, state: 'needs_response' | 'lost' | 'won', held: number) {
  const observedAt = shop.app.deps.clock.now()
  const snapshot = {
    ...{ disputeId: `dp_${paymentId}`, payment: { paymentId }, state, observedAt },
    ...{ amount: { amountCents: cents(held), currency: 'EUR' }, fundsHeldCents: cents(held) },
    ...{ feeCents: cents(0), feeCurrency: 'EUR' },
  }
  await shop.inLedger((tx) => applyDispute(tx, { tenantId, gatewayId }, snapshot, observedAt))
}

test('bought credit whose payment is charged back is gone, and what of it was spent is our loss', async () => {
  const ada = await shop.buyer()
  const bought = { amountCents: 1000, gatewayId }
  const { body } = await ada.post('/v1/billing/credits/top-up', bought)
  const payment = await received(body.invoice.id, 1000)
  const sold = await shop.invoice(ada, { totalCents: 700, kind: 'manual' })
  const used = await ada.post(`/v1/billing/invoices/${sold.id}/pay`, { useCredits: true })
  assert.equal(used.status, 200, used.text)
  assert.equal(await shop.creditOf(ada), 300)
  const lostBefore = await balanceOf('badDebt')
  await says(payment, 'lost', 1000)
  assert.equal(await shop.creditOf(ada), 0)
  assert.equal((await balanceOf('badDebt')) - lostBefore, 700)
  await says(payment, 'won', 0)
  assert.equal(await shop.creditOf(ada), 300)
  assert.equal(await balanceOf('badDebt'), lostBefore)
})

test('a payment that was too large and is charged back leaves neither a paid invoice nor credit', async () => {
  const ada = await shop.buyer()
  const { id } = await shop.invoice(ada, { kind: 'manual' })
  const payment = await received(id, 2000)
  assert.equal(await shop.creditOf(ada), 800)
  await says(payment, 'lost', 2000)
  const { body } = await ada.get(`/v1/billing/invoices/${id}`)
  assert.deepEqual([body.status, body.dueCents, await shop.creditOf(ada)], ['open', 1200, 0])
  await received(id, 1200)
  await says(payment, 'won', 0)
  assert.equal(await shop.creditOf(ada), 2000)
})

test('what is paid again after a lost chargeback can go back as a whole', async () => {
  const ada = await shop.buyer()
  const { id } = await shop.invoice(ada, { kind: 'manual' })
  await says(await received(id, 2000), 'lost', 2000)
  await received(id, 1200)
  const { status, body } = await shop.admin.post(`/v1/admin/invoices/${id}/refund`, {})
  assert.deepEqual([status, body.creditNote?.totalCents], [200, 1200], JSON.stringify(body))
})

test('R3.7: what a bank holds of one payment for two invoices keeps each from being refunded', async () => {
  const ada = await shop.buyer()
  const [one, two] = [await shop.invoice(ada), await shop.invoice(ada, { totalCents: 800 })]
  const paid = await ada.post('/v1/billing/pay', { invoiceIds: [one.id, two.id], gatewayId })
  await shop.complete(paid.body.redirectUrl)
  await shop.became(ada, two.id, 'paid')
  const { providerPaymentId } = await db
    .selectFrom('billing.payments')
    .select('providerPaymentId')
    .where('userId', '=', ada.userId)
    .executeTakeFirstOrThrow()
  await says(providerPaymentId, 'needs_response', 2000)
  for (const { id } of [one, two]) {
    assert.equal((await shop.admin.post(`/v1/admin/invoices/${id}/refund`, {})).status, 422)
  }
  await says(providerPaymentId, 'lost', 2000)
  await received(one.id, 1200)
  const { status, body } = await shop.admin.post(`/v1/admin/invoices/${one.id}/refund`, {})
  assert.deepEqual([status, body.creditNote?.totalCents], [200, 1200], JSON.stringify(body))
})

test('an invoice stays disputed until the last of its disputes has ended, won or lost, however often it is told', async () => {
  for (const ends of [
    ['won', 'lost'],
    ['lost', 'won'],
    ['won', 'won'],
  ] as const) {
    const ada = await shop.buyer()
    const { id } = await shop.invoice(ada, { kind: 'manual' })
    const payments = [await received(id, 500), await received(id, 700)] as const
    const amounts = [500, 700] as const
    const isDisputed = async () => (await ada.get(`/v1/billing/invoices/${id}`)).body.disputed
    await says(payments[0], 'needs_response', 500)
    await says(payments[1], 'needs_response', 700)
    assert.equal(await isDisputed(), true)
    const held = (index: 0 | 1) => (ends[index] === 'lost' ? amounts[index] : 0)
    await says(payments[1], ends[1], held(1))
    await says(payments[1], ends[1], held(1))
    assert.equal(await isDisputed(), true, `the other one is open after ${ends[1]}`)
    await says(payments[0], ends[0], held(0))
    await says(payments[0], ends[0], held(0))
    assert.equal(await isDisputed(), false)
  }
})

test('R3.7: a credit note turns no money into credit that a bank holds', async () => {
  const ada = await shop.buyer()
  const { id } = await shop.invoice(ada, { kind: 'manual' })
  const held = await received(id, 700)
  await received(id, 500)
  await says(held, 'needs_response', 700)
  const credit = (amountCents?: number) =>
    shop.admin.post(`/v1/admin/invoices/${id}/credit-note`, { amountCents, reason: 'A mistake' })
  for (const amountCents of [501, undefined]) {
    const refused = await credit(amountCents)
    assert.deepEqual([refused.status, refused.body.code], [409, 'invoice_disputed'], refused.text)
  }
  assert.equal(await shop.creditOf(ada), 0)
  const possible = await credit(500)
  assert.equal(possible.status, 200, possible.text)
  assert.equal(await shop.creditOf(ada), 500)
  await says(held, 'won', 0)
  assert.equal((await credit()).status, 200)
  assert.equal(await shop.creditOf(ada), 1200)
})
