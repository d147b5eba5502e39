import assert from 'node:assert/strict'
import { test } from 'node:test'
import { billingShop } from '#test/billing-shop.ts'
import { person } from '#test/people.ts'

const shop = await billingShop()
const { app } = shop

test('a checkout is paid by the webhook alone', async () => {
  const ada = await person(app)
  const { invoice, payment, url } = await shop.checkout(ada)
  assert.equal(invoice.number, null)
  assert.equal(payment.status, 'open')
  assert.equal(payment.amountCents, 1200)
  await shop.complete(url)
  const paid = await shop.became(ada, invoice.id, 'paid')
  assert.match(paid.number, /^INV-\d{4}-\d{6}$/)
  assert.equal(paid.dueCents, 0)
  assert.equal(paid.paidCents, 1200)
})
