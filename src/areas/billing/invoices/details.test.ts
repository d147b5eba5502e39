import assert from 'node:assert/strict'
import { test } from 'node:test'
import { later } from '#lib/time.ts'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'
import { type Person, person } from '#test/people.ts'

const shop = await gameShop()
const { app, admin } = shop
const { plan } = await shop.server()
const PATH = '/v1/billing/invoices'
const ADDRESS = { line1: '1 rue de la Paix', postcode: '75002', city: 'Paris', country: 'FR' }

async function paid(ada: Person, totalCents = 1200, how: object = {}) {
  const { invoice, url } = await shop.checkout(ada, totalCents, how)
  await shop.complete(url)
  await shop.became(ada, invoice.id, 'paid')
  return invoice.id
}

async function idsOf(who: Person, query: string): Promise<string[]> {
  const { status, body, text } = await who.get(`${PATH}?${query}`)
  assert.equal(status, 200, text)
  return body.data.map(({ id }: { id: string }) => id)
}

test('an invoice says who it is between, what came in, what went back, and its credit notes', async () => {
  const ada = await shop.buyer({ name: 'Ada Lovelace' })
  await ada.patch('/v1/users/me', { company: 'Analytical SARL', address: ADDRESS })
  await admin.post(`/v1/admin/users/${ada.userId}/credits`, { amountCents: 200, reason: 'Sorry' })
  const id = await paid(ada, 1200, { useCredits: true })
  const refund = { amountCents: 300, reason: 'Slow' }
  assert.equal((await admin.post(`/v1/admin/invoices/${id}/refund`, refund)).status, 200)
  const body = await until('the refund is done', async () => {
    const answer = (await ada.get(`${PATH}/${id}`)).body
    return answer.refunds[0]?.status === 'succeeded' && answer
  })
  assert.deepEqual([body.buyer.name, body.buyer.company], ['Ada Lovelace', 'Analytical SARL'])
  assert.deepEqual(body.buyer.address, { ...ADDRESS, line2: null, region: null })
  const { seller } = (await admin.get('/v1/admin/shop')).body
  assert.deepEqual(
    [body.seller.name, body.seller.vatNumber, body.seller.address.city],
    [seller.name, seller.vatNumber, seller.city],
  )
  assert.ok(!JSON.stringify(body).includes(seller.iban ?? 'IBAN'))
  assert.deepEqual(
    body.payments.map((it: Record<string, unknown>) => [it.means, it.amountCents, it.gatewayName]),
    [
      ['payment', 1000, 'Cards'],
      ['credit', 200, null],
    ],
  )
  const [payment] = body.payments
  assert.deepEqual([payment.method.kind, payment.method.last4.length], ['card', 4])
  const notes = (await ada.get(`/v1/billing/credit-notes?invoiceId=${id}`)).body.data
  assert.deepEqual(
    body.creditNotes,
    notes.map(({ id, number, totalCents, currency, issuedAt }: Record<string, unknown>) => ({
      ...{ id, number, totalCents, currency, issuedAt },
    })),
  )
  const [sent] = body.refunds
  assert.deepEqual(
    [sent.amountCents, sent.to, sent.creditNoteId, notes.length],
    [300, 'payment', notes[0].id, 1],
  )
})

test('who acts as a customer does not see what they paid with', async () => {
  const ada = await person(app)
  const id = await paid(ada)
  const boss = await person(app, { admin: true })
  const { accessToken } = (
    await boss.post(`/v1/admin/users/${ada.userId}/impersonate`, { reason: 'Asked for help' })
  ).body
  const { body } = await app.as(accessToken).get(`${PATH}/${id}`)
  assert.equal(body.payments[0].amountCents, 1200)
  assert.equal(body.payments[0].method, null)
  assert.notEqual((await ada.get(`${PATH}/${id}`)).body.payments[0].method, null)
  assert.equal((await (await shop.buyer()).get(`${PATH}/${id}`)).status, 404)
})

test('invoices are found by service, by day and by being late', async () => {
  const ada = await shop.customer()
  await shop.buy(ada, plan.id)
  const service = await shop.serviceBecame(ada, 'active')
  const [ordered] = await idsOf(ada, `serviceId=${service.id}`)
  const now = app.deps.clock.now()
  const owed = { kind: 'renewal' as const }
  const late = await shop.invoice(ada, { ...owed, dueAt: later(now, -1000) })
  const due = await shop.invoice(ada, { ...owed, dueAt: later(now, 86_400_000) })
  assert.deepEqual(await idsOf(ada, `serviceId=${service.id}`), [ordered])
  assert.deepEqual(await idsOf(ada, 'overdue=true'), [late.id])
  assert.deepEqual(await idsOf(ada, 'overdue=false&status=open'), [due.id])
  const today = now.slice(0, 10)
  const tomorrow = later(now, 86_400_000).slice(0, 10)
  assert.deepEqual(await idsOf(ada, `from=${today}&to=${today}`), [due.id, late.id, ordered])
  assert.deepEqual(await idsOf(ada, `from=${tomorrow}`), [])
  const page = (await ada.get(`${PATH}?from=${today}&limit=1`)).body
  assert.deepEqual(await idsOf(ada, `from=${today}&cursor=${page.nextCursor}`), [late.id, ordered])
  const bob = await shop.buyer()
  assert.deepEqual(await idsOf(bob, `serviceId=${service.id}`), [])
  assert.equal((await ada.get(`${PATH}?from=yesterday`)).status, 400)
})

test('credit notes are listed for one invoice, and only the own ones', async () => {
  const [ada, bob] = [await shop.buyer(), await shop.buyer()]
  const [first, second] = [await paid(ada), await paid(ada)]
  await admin.post(`/v1/admin/invoices/${first}/refund`, { amountCents: 100 })
  await admin.post(`/v1/admin/invoices/${second}/refund`, { amountCents: 200 })
  const path = `/v1/billing/credit-notes?invoiceId=${first}`
  const { data } = (await ada.get(path)).body
  assert.deepEqual(
    data.map((it: Record<string, unknown>) => [it.invoiceId, it.totalCents]),
    [[first, 100]],
  )
  assert.deepEqual((await bob.get(path)).body.data, [])
})

test('credit says how much can be bought at once', async () => {
  const ada = await shop.buyer()
  const { topUp } = (await ada.get('/v1/billing/credits')).body
  assert.deepEqual(topUp, { minimumCents: 50, maximumCents: 100_000_000, currency: 'EUR' })
  const buy = (amountCents: number) =>
    ada.post('/v1/billing/credits/top-up', { amountCents, gatewayId: shop.gatewayId })
  const least = await buy(topUp.minimumCents)
  assert.deepEqual([least.status, least.body.payment.status], [201, 'open'])
  const below = await buy(topUp.minimumCents - 1)
  assert.equal(below.body.payment.status, 'failed')
  assert.equal((await buy(topUp.maximumCents + 1)).status, 400)
})

test('an order names what was bought, and what the customer called it', async () => {
  const ada = await shop.customer()
  await ada.post('/v1/cart/items', { planId: plan.id, name: 'Castle Keep' })
  const how = { immediateStart: true, gatewayId: shop.gatewayId }
  const placed = (await ada.post('/v1/billing/checkout', how)).body.order
  const [item] = placed.items
  const { product } = (await ada.get(`/v1/services/${item.serviceIds[0]}`)).body
  assert.deepEqual(
    [item.name, item.productName, item.planName],
    ['Castle Keep', product.name, plan.name],
  )
  assert.deepEqual((await ada.get('/v1/billing/orders')).body.data[0].items, placed.items)
})
