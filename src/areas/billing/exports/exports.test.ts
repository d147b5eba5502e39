import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import type { Area } from '#platform/area.ts'
import { billingShop } from '#test/billing-shop.ts'

let release: () => void = () => {}
let entered: () => void = () => {}
let slow = false

/** An area whose part of the export waits until it is let go. */
const waiting: Area = {
  name: 'waiting',
  async personalData() {
    if (slow) {
      await new Promise<void>((resolve) => {
        release = resolve
        entered()
      })
    }
    return { waited: slow }
  },
}

const shop = await billingShop({ areas: [...areas, waiting] })

test('an export holds everything of the caller’s, and no secret or token (hardening 9)', async () => {
  const ada = await shop.buyer()
  const eve = await shop.buyer()
  const { invoice, url } = await shop.checkout(ada, 1200, { savePaymentMethod: true })
  await shop.complete(url)
  await shop.became(ada, invoice.id, 'paid')
  const other = await shop.invoice(eve)
  await shop.admin.post(`/v1/admin/invoices/${invoice.id}/refund`, { to: 'credit' })
  const { status, headers, body, text } = await ada.get('/v1/billing/export-data')
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /json/)
  assert.equal(body.schemaVersion, 1)
  assert.ok(body.generatedAt)
  assert.equal(body.data.billing.invoices[0].id, invoice.id)
  assert.equal(body.data.billing.invoices[0].lines.length, 1)
  assert.equal(body.data.billing.payments[0].methodLast4, '4242')
  assert.equal(body.data.billing.paymentMethods[0].last4, '4242')
  assert.equal(body.data.billing.creditNotes.length, 1)
  assert.equal(body.data.ledger.credits[0].balanceCents, 1200)
  assert.ok(!text.includes(other.id))
  assert.ok(!text.includes(eve.email))
  for (const secret of ['pm_', 'cus_', 'pi_', 'cs_test', 'passwordHash']) {
    assert.ok(!text.includes(secret), secret)
  }
})

test('a second export of the same person at the same time is a 409, another’s is not (hardening 9)', async () => {
  const ada = await shop.buyer()
  const eve = await shop.buyer()
  slow = true
  const inside = new Promise<void>((resolve) => {
    entered = resolve
  })
  const first = ada.get('/v1/billing/export-data')
  await inside
  const second = await ada.get('/v1/billing/export-data')
  assert.equal(second.status, 409)
  assert.equal(second.body.code, 'export_running')
  slow = false
  assert.equal((await eve.get('/v1/billing/export-data')).status, 200)
  release()
  assert.equal((await first).status, 200)
  assert.equal((await ada.get('/v1/billing/export-data')).status, 200)
})

test('an export asked for by HEAD holds nobody up', async () => {
  const ada = await shop.buyer()
  assert.equal((await ada.request('HEAD', '/v1/billing/export-data')).status, 200)
  assert.equal((await ada.get('/v1/billing/export-data')).status, 200)
})
