import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { until } from '#test/app.ts'
import { billingShop } from '#test/billing-shop.ts'
import type { Person } from '#test/people.ts'

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
