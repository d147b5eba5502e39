import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { openInvoice } from '#billing'
import { newId } from '#lib/id.ts'
import { until } from '#test/app.ts'
import { billingShop, documentOf } from '#test/billing-shop.ts'
import type { Person } from '#test/people.ts'

const shop = await billingShop()
const { app, db, tenantId, admin, control } = shop

afterEach(() => shop.assertSound())

async function paidInvoice(ada: Person, totalCents = 1200): Promise<string> {
  const { invoice, url } = await shop.checkout(ada, totalCents)
  await shop.complete(url)
  await shop.became(ada, invoice.id, 'paid')
  return invoice.id
}

function refund(invoiceId: string, body: object = {}) {
  return admin.post(`/v1/admin/invoices/${invoiceId}/refund`, body)
}

function refundsOf(invoiceId: string) {
  return db
    .selectFrom('billing.refunds')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('invoiceId', '=', invoiceId)
    .orderBy('id')
    .execute()
}

function sent(invoiceId: string, count: number) {
  return until(`${count} refunds are done`, async () => {
    const refunds = await refundsOf(invoiceId)
    return refunds.filter(({ state }) => state === 'succeeded').length === count && refunds
  })
}

async function providerPaymentOf(invoiceId: string): Promise<string> {
  const row = await db
    .selectFrom('billing.payments as payment')
    .innerJoin('billing.payment_allocations as part', 'part.paymentId', 'payment.id')
    .select('payment.providerPaymentId')
    .where('part.invoiceId', '=', invoiceId)
    .executeTakeFirstOrThrow()
  return row.providerPaymentId
}

test('two equal parts and the rest go back, each once, and nothing more', async () => {
  const ada = await shop.buyer()
  const id = await paidInvoice(ada)
  for (const amountCents of [300, 300]) {
    const { status, body } = await refund(id, { amountCents })
    assert.equal(status, 200, JSON.stringify(body))
    assert.match(body.creditNote.number, /^CN-\d{4}-\d{6}$/)
  }
  assert.equal((await refund(id, { amountCents: 601 })).body.code, 'refund_too_large')
  const last = await refund(id)
  assert.equal(last.body.creditNote.totalCents, 600)
  assert.equal(last.body.invoice.displayStatus, 'refunded')
  const done = await sent(id, 3)
  assert.equal(new Set(done.map(({ providerRefundId }) => providerRefundId)).size, 3)
  assert.equal((await refund(id)).status, 422)
  await shop.settled()
  assert.equal((await refundsOf(id)).length, 3)
  const notes = await ada.get('/v1/billing/credit-notes')
  assert.equal(notes.body.data.length, 3)
  const tax = notes.body.data.reduce(
    (sum: number, note: { taxCents: number }) => sum + note.taxCents,
    0,
  )
  assert.equal(tax, 200)
})

test('staff see whose refund it is, and of which invoice', async () => {
  const ada = await shop.buyer()
  const id = await paidInvoice(ada)
  await refund(id, { amountCents: 200 })
  const { name, email } = (await admin.get(`/v1/admin/users/${ada.userId}`)).body
  const { number } = (await admin.get(`/v1/admin/invoices/${id}`)).body
  const [listed] = (await admin.get(`/v1/admin/refunds?userId=${ada.userId}`)).body.data
  const { customerName, customerEmail, invoiceNumber } = listed
  assert.deepEqual([customerName, customerEmail, invoiceNumber], [name, email, number])
  await sent(id, 1)
  const one = (await admin.get(`/v1/admin/refunds/${listed.id}`)).body
  assert.deepEqual([one.customerEmail, one.invoiceNumber], [email, number])
})

test('E27, E28: refunds split over two rates add up to their invoice', async () => {
  const ada = await shop.buyer()
  const now = app.deps.clock.now()
  const document = documentOf([
    { totalCents: 1200, rate: 2000 },
    { totalCents: 528, rate: 550 },
  ])
  const about = { tenantId, userId: ada.userId, kind: 'manual' as const, reference: null }
  const invoice = await shop.inLedger((tx) =>
    openInvoice(tx, { ...about, document, dueAt: now }, now),
  )
  const pay = await ada.post(`/v1/billing/invoices/${invoice.id}/pay`, {
    gatewayId: shop.gatewayId,
  })
  await shop.complete(pay.body.redirectUrl)
  await shop.became(ada, invoice.id, 'paid')
  const first = await refund(invoice.id, { amountCents: 500 })
  const taxesOf = ({ body }: typeof first) =>
    body.creditNote.taxes.map((tax: { netCents: number; taxCents: number }) => [
      tax.netCents,
      tax.taxCents,
    ])
  assert.deepEqual(taxesOf(first), [
    [289, 58],
    [145, 8],
  ])
  const second = await refund(invoice.id)
  assert.deepEqual(taxesOf(second), [
    [711, 142],
    [355, 20],
  ])
})

test('a refund whose answer was lost is made once', async () => {
  const ada = await shop.buyer()
  const id = await paidInvoice(ada)
  await control('faults', { route: 'POST /v1/refunds', kind: 'timeout-after', n: 4, ms: 1 })
  await refund(id, { amountCents: 500 })
  await sent(id, 1)
  const left = await refund(id)
  assert.equal(left.body.creditNote.totalCents, 700)
  await sent(id, 2)
})

test('a refund that fails days later becomes credit, and administrators hear of it', async () => {
  const ada = await shop.buyer()
  const id = await paidInvoice(ada)
  await refund(id)
  const [made] = await sent(id, 1)
  await control(`refunds/${made?.providerRefundId}/fail`)
  await until('it failed', async () => (await refundsOf(id))[0]?.state === 'failed')
  assert.equal(await shop.creditOf(ada), 1200)
  await shop.settled()
  assert.equal(await shop.creditOf(ada), 1200)
})

test('a refund made at the provider is taken over, with a credit note', async () => {
  const ada = await shop.buyer()
  const id = await paidInvoice(ada)
  await control('refunds', { paymentIntent: await providerPaymentOf(id), amount: 400 })
  const [adopted] = await sent(id, 1)
  assert.equal(adopted?.origin, 'provider')
  const { body } = await ada.get(`/v1/billing/invoices/${id}`)
  assert.equal(body.refundedCents, 400)
  assert.equal(body.creditedCents, 400)
  assert.equal(body.displayStatus, 'partially_refunded')
  assert.equal((await refund(id)).body.creditNote.totalCents, 800)
  await sent(id, 2)
})

test('a refund to credit moves no money, and is at once there', async () => {
  const ada = await shop.buyer()
  const id = await paidInvoice(ada)
  const { body } = await refund(id, { amountCents: 700, to: 'credit', reason: 'Sorry' })
  assert.equal(body.refunds[0].to, 'credit')
  assert.equal(body.refunds[0].status, 'succeeded')
  assert.equal(await shop.creditOf(ada), 700)
  assert.equal((await refund(id)).body.creditNote.totalCents, 500)
  await sent(id, 2)
})

test('an unpaid invoice is not refunded, and an unknown one not found', async () => {
  const ada = await shop.buyer()
  const invoice = await shop.invoice(ada)
  assert.equal((await refund(invoice.id)).status, 409)
  assert.equal((await refund(newId())).status, 404)
  assert.equal((await ada.post(`/v1/admin/invoices/${invoice.id}/refund`, {})).status, 403)
})

test('a credit note on a paid invoice turns what is too much into credit', async () => {
  const ada = await shop.buyer()
  const id = await paidInvoice(ada)
  const url = `/v1/admin/invoices/${id}/credit-note`
  const { status, body } = await admin.post(url, { amountCents: 200 })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.invoice.status, 'paid')
  assert.equal(body.invoice.dueCents, 0)
  assert.equal(await shop.creditOf(ada), 200)
})

test('each reason of ours is on the credit note in the language of its buyer, and kept as a key', async () => {
  const ada = await shop.buyer()
  assert.equal((await ada.patch('/v1/users/me', { locale: 'fr' })).status, 200)
  const [first, second, third] = [
    await paidInvoice(ada),
    await paidInvoice(ada),
    await paidInvoice(ada),
  ]
  assert.equal((await refund(first)).status, 200)
  assert.equal((await refund(second, { reason: 'Refund' })).status, 200)
  await control('refunds', { paymentIntent: await providerPaymentOf(third), amount: 200 })
  const kept = await until('three credit notes', async () => {
    const rows = await db
      .selectFrom('billing.credit_notes')
      .select(['reason', 'reasonKey'])
      .where('userId', '=', ada.userId)
      .orderBy('number')
      .execute()
    return rows.length === 3 && rows
  })
  assert.deepEqual(kept, [
    { reason: 'Remboursement', reasonKey: 'refund' },
    // What a person has written stays as it is, also where it reads like one of ours.
    { reason: 'Refund', reasonKey: null },
    { reason: 'Remboursé auprès du prestataire de paiement', reasonKey: 'refundedAtProvider' },
  ])
  const [provider] = await refundsOf(third)
  assert.equal(provider?.reason, 'Remboursé auprès du prestataire de paiement')
  await shop.settled()
})
