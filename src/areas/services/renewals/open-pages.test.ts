import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { boundary } from '#lib/periods.ts'
import { DAY_MS, type Instant, later, MINUTE_MS, millis } from '#lib/time.ts'
import { startMollie } from '#sandbox/mollie/server.ts'
import { sessionOf } from '#test/billing-shop.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'

type Body = Answer['body']

const mollie = await startMollie()
after(() => mollie.close())
const shop = await gameShop({
  config: { sandboxMollieUrl: mollie.url, privateHosts: [`payment=${new URL(mollie.url).host}`] },
})
const { app, admin, db } = shop
const { plan } = await shop.server()
const gateway = await admin.post('/v1/admin/gateways', {
  ...{ driver: 'sandbox_mollie', name: 'Mollie', mode: 'test', enabled: true },
  secrets: { apiKey: mollie.apiKey },
})
assert.equal(gateway.status, 201, gateway.text)
const MONTHLY = { interval: 'month', intervalCount: 1 } as const

async function goTo(at: Instant): Promise<void> {
  const seconds = (millis(at) - millis(app.deps.clock.now())) / 1000
  if (seconds > 0) await app.advance(Math.ceil(seconds))
}

/** Somebody with a saved card, whose renewal is about to be due, and a page of theirs to pay it. */
async function withOpenPage() {
  const person = await shop.customer()
  const placed = await shop.order(person, plan.id, { savePaymentMethod: true })
  await shop.complete(placed.payment.redirectUrl)
  const service = await shop.serviceBecame(person, 'active')
  await app.eventually('the card is saved', async () => {
    const { body } = await person.get('/v1/billing/payment-methods')
    return body.data.length > 0
  })
  const dueAt = boundary(service.currentPeriodStart, MONTHLY, 1)
  await goTo(later(dueAt, -2 * DAY_MS))
  const invoice = await app.eventually('the renewal is invoiced', async () => {
    const { body } = await person.get('/v1/billing/invoices')
    return body.data.length > 1 && body.data[0]
  })
  await goTo(later(dueAt, -MINUTE_MS))
  const paying = await person.post(`/v1/billing/invoices/${invoice.id}/pay`, {
    gatewayId: gateway.body.id,
  })
  assert.equal(paying.status, 200, paying.text)
  await goTo(later(dueAt, MINUTE_MS))
  await app.eventually('the charge waits', async () => (await waiting(invoice)).length > 0)
  return { person, invoice, pageId: sessionOf(paying.body.redirectUrl) }
}

function waiting({ id }: Body) {
  return db
    .selectFrom('services.periods')
    .select('chargeAgainAt')
    .where('invoiceId', '=', id)
    .where('chargeAgainAt', 'is not', null)
    .execute()
}

async function paymentsOf({ userId }: Person): Promise<number> {
  const rows = await db
    .selectFrom('billing.payments')
    .select('id')
    .where('userId', '=', userId)
    .execute()
  return rows.length
}

const invoiceOf = async (person: Person, { id }: Body): Promise<Body> =>
  (await person.get(`/v1/billing/invoices/${id}`)).body

test('while a page can still be paid the saved card is not charged; the page that is paid counts', async () => {
  const { person, invoice, pageId } = await withOpenPage()
  await app.advance(45 * 60)
  assert.equal((await invoiceOf(person, invoice)).status, 'open')
  assert.equal(await paymentsOf(person), 1)
  mollie.complete(pageId)
  await app.eventually('the renewal is paid', async () => {
    return (await invoiceOf(person, invoice)).status === 'paid'
  })
  await app.advance(2 * 3600)
  assert.equal(await paymentsOf(person), 2)
  assert.equal(await shop.creditOf(person), 0)
  await shop.assertSound()
})

test('once a page has run out, the saved card is charged', async () => {
  const { person, invoice, pageId } = await withOpenPage()
  mollie.complete(pageId, { status: 'expired' })
  await app.eventually(
    'the card is charged',
    async () => (await invoiceOf(person, invoice)).status === 'paid',
    { seconds: 600 },
  )
  assert.equal(await paymentsOf(person), 2)
  assert.equal(mollie.store.payments.get(pageId)?.status, 'expired')
  await shop.assertSound()
})
