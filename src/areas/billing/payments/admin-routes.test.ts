import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant, person } from '#test/people.ts'

const shop = await gameShop()
const { app, admin, gatewayId } = shop
const { plan } = await shop.server()
const buyer = await shop.customer()
const placed = await shop.buy(buyer, plan.id)
await shop.serviceBecame(buyer, 'active')
await shop.quiet()
const waiting = await shop.order(await shop.customer(), plan.id)
const get = async (path: string) => {
  const { status, body, text } = await admin.get(`/v1/admin/${path}`)
  assert.equal(status, 200, text)
  return body
}

test('a payment has its method, its invoices and the attempts before it', async () => {
  const [payment] = (await get(`payments?invoiceId=${placed.invoice.id}`)).data
  const one = await get(`payments/${payment.id}`)
  const { totalCents } = await get(`invoices/${placed.invoice.id}`)
  assert.deepEqual([one.customerEmail, one.gatewayId], [buyer.email, gatewayId])
  assert.deepEqual([one.receivedCents, one.refundedCents, one.disputed], [totalCents, 0, false])
  assert.equal(one.allocations[0].invoiceId, placed.invoice.id)
  assert.match(one.allocations[0].invoiceNumber, /^INV-/)
  assert.equal(one.allocations[0].amountCents, totalCents)
  assert.deepEqual([one.attempts[0].id, one.attempts[0].status], [placed.payment.id, 'paid'])
  const found = await get(`payments?providerPaymentId=${one.providerPaymentId}`)
  assert.equal(found.data[0].id, one.id)
  assert.deepEqual((await get('payments?providerPaymentId=pi_none')).data, [])
})

test('an unpaid attempt is listed with its invoice', async () => {
  const { data, total } = await get('payment-attempts?status=open&count=true')
  assert.deepEqual([data[0].id, total], [waiting.payment.id, 1])
  assert.deepEqual(data[0].invoiceIds, [waiting.invoice.id])
  assert.deepEqual(await get(`payment-attempts/${waiting.payment.id}`), data[0])
})

test('credit notes are listed with their customer, and found by their invoice', async () => {
  const refund = { amountCents: 100, reason: 'Slow' }
  const made = await admin.post(`/v1/admin/invoices/${placed.invoice.id}/refund`, refund)
  assert.equal(made.status, 200, made.text)
  const { data } = await get(`credit-notes?invoiceId=${placed.invoice.id}`)
  assert.deepEqual([data.length, data[0].customerEmail], [1, buyer.email])
  assert.deepEqual(await get(`credit-notes/${data[0].id}`), data[0])
  assert.deepEqual((await get(`credit-notes?invoiceId=${waiting.invoice.id}`)).data, [])
  const [payment] = (await get(`payments?userId=${buyer.userId}`)).data
  assert.equal(payment.refundedCents, 100)
})

test('another shop finds none of them', async () => {
  const tenantId = await otherTenant(app, 'payments.test')
  const foreigner = await person(app, { tenantId, admin: true })
  const [payment] = (await get('payments')).data
  const [note] = (await get('credit-notes')).data
  const paths = [`payments/${payment.id}`, `credit-notes/${note.id}`]
  for (const path of [...paths, `payment-attempts/${waiting.payment.id}`]) {
    assert.equal((await foreigner.get(`/v1/admin/${path}`)).status, 404, path)
  }
  for (const path of ['payments', 'credit-notes', 'payment-attempts']) {
    assert.deepEqual((await foreigner.get(`/v1/admin/${path}`)).body.data, [], path)
  }
})
