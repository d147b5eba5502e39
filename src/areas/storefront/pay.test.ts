import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, SECOND_MS } from '#lib/time.ts'
import { payTokenOf } from '#notifications'
import { billingShop } from '#test/billing-shop.ts'
import { formBrowser } from '#test/form-browser.ts'
import { otherTenant } from '#test/people.ts'

const shop = await billingShop()
const { app, gatewayId } = shop
const pathOf = (invoiceId: string) => `/pay/${payTokenOf(app.deps.secrets, invoiceId)}`
const browser = () => formBrowser(app)

test('an invoice is paid through its link without a sign-in, and the page then shows it as paid', async () => {
  const ada = await shop.buyer()
  const invoice = await shop.invoice(ada, { totalCents: 1200 })
  const path = pathOf(invoice.id)
  const payer = browser()
  const shown = await payer.open(path)
  assert.match(shown.text, /Pay €12\.00/)
  assert.doesNotMatch(shown.text, new RegExp(ada.email), 'nothing of the customer is shown')
  assert.equal(shown.headers.get('referrer-policy'), 'same-origin')
  assert.equal(shown.headers.get('cache-control'), 'no-store')
  const sent = await payer.submit(path, { gateway: gatewayId })
  assert.equal(sent.status, 200, sent.text)
  const [, url = ''] = /content="0;url=([^"]+)"/.exec(sent.text) ?? []
  await shop.complete(url)
  await shop.became(ada, invoice.id, 'paid')
  const paid = await payer.open(path)
  assert.match(paid.text, /This invoice is paid/)
  assert.doesNotMatch(paid.text, /<form[^>]*action="\/pay/)
  const again = await payer.submit(path, { gateway: gatewayId })
  assert.equal(again.status, 409)
  assert.match(again.text, /This invoice is paid/)
})

test('a payment link cannot use saved methods or credit of the customer', async () => {
  const ada = await shop.buyer()
  const invoice = await shop.invoice(ada)
  const token = payTokenOf(app.deps.secrets, invoice.id)
  for (const more of [{ useCredits: true }, { paymentMethodId: gatewayId }]) {
    const body = { gatewayId, ...more }
    const { status } = await app.post(`/v1/billing/payment-links/${token}/pay`, body)
    assert.equal(status, 400)
  }
})

test('an invalid link, or one of another shop, pays nothing', async () => {
  const ada = await shop.buyer()
  const invoice = await shop.invoice(ada)
  const token = payTokenOf(app.deps.secrets, invoice.id)
  await otherTenant(app, 'elsewhere.test')
  const elsewhere = await app.get(`/v1/billing/payment-links/${token}`, {
    headers: { host: 'elsewhere.test' },
  })
  assert.equal(elsewhere.status, 404)
  const forged = token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA')
  const answer = await browser().open(`/pay/${forged}`)
  assert.equal(answer.status, 404)
})

test('a void invoice asks for no money', async () => {
  const ada = await shop.buyer()
  const invoice = await shop.invoice(ada)
  await shop.admin.post(`/v1/admin/invoices/${invoice.id}/void`, { reason: 'a mistake' })
  const { text } = await browser().open(pathOf(invoice.id))
  assert.match(text, /There is nothing to pay/)
})

test('a link expires 30 days after its invoice was settled, and an unpaid invoice keeps its link', async () => {
  const ada = await shop.buyer()
  const settled = await shop.invoice(ada)
  // An unpaid order would be given up meanwhile.
  const unpaid = await shop.invoice(ada, { kind: 'manual' })
  await shop.admin.post(`/v1/admin/invoices/${settled.id}/void`, { reason: 'a mistake' })
  await app.advance((31 * DAY_MS) / SECOND_MS)
  const expired = await browser().open(pathOf(settled.id))
  assert.equal(expired.status, 410)
  assert.match(expired.text, /This link has expired/)
  assert.doesNotMatch(expired.text, /€/)
  assert.equal((await browser().submit(pathOf(settled.id), { gateway: gatewayId })).status, 410)
  const open = await browser().open(pathOf(unpaid.id))
  assert.match(open.text, /Pay €/)
})
