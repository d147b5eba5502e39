import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCredit } from '#billing'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { until } from '#test/app.ts'
import { allow, checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'

const shop = await gameShop({ panel: { nodes: 1, locations: 1, memory: 1_000_000 } })
const { app, admin, gatewayId, sdk } = shop

type Body = Answer['body']

async function stockOf(productId: string): Promise<number | null> {
  return (await admin.get(`/v1/admin/products/${productId}`)).body.stock
}

test('of 20 customers at once 5 get the last 5, and 15 are refused and owe nothing (hardening 36)', async () => {
  const { product, plan } = await shop.server({ stock: 5 })
  const customers = await Promise.all(Array.from({ length: 20 }, () => shop.customer()))
  await Promise.all(customers.map((it) => it.post('/v1/cart/items', { planId: plan.id })))
  const answers = await Promise.all(
    customers.map(async (customer) => ({
      customer,
      answer: await checkOut(customer, { gatewayId }),
    })),
  )
  const sold = answers.filter(({ answer }) => answer.status === 201)
  const refused = answers.filter(({ answer }) => answer.status !== 201)
  assert.equal(sold.length, 5)
  for (const { customer, answer } of refused) {
    assert.equal(answer.status, 422, answer.text)
    assert.equal(answer.body.code, 'out_of_stock')
    for (const list of ['services', 'billing/orders', 'billing/invoices']) {
      assert.deepEqual((await customer.get(`/v1/${list}`)).body.data, [], list)
    }
    assert.equal((await customer.get('/v1/cart')).body.items.length, 1)
  }
  assert.equal(await stockOf(product.id), 0)
  assert.equal((await sdk.checkout.sessions.list({ limit: 100 })).data.length, 5)
  assert.equal((await sdk.customers.list({ limit: 100 })).data.length, 5)
  await Promise.all(sold.map(({ answer }) => shop.complete(answer.body.payment.redirectUrl)))
  for (const { customer, answer } of sold) await shop.becameOneSale(customer, answer.body)
  assert.equal((await shop.servers()).length, 5)
  assert.equal((await sdk.paymentIntents.list({ limit: 100 })).data.length, 5)
  assert.equal(await stockOf(product.id), 0)
})

for (const [what, product, maxRedemptions] of [
  ['a coupon for one', {}, 1],
  ['the last piece', { stock: 1 }, null],
] as const) {
  test(`of 50 customers at once one gets ${what}, and 49 are refused (hardening 36)`, async () => {
    const { product: sold, plan } = await shop.server(product)
    const coupon = await shop.catalog.coupon({ maxRedemptions })
    const answers = await atOnce(50, plan.id, coupon.code)
    assert.deepEqual(answers, [201, ...new Array<number>(49).fill(422)])
    assert.equal((await admin.get(`/v1/admin/coupons/${coupon.id}`)).body.redemptions, 1)
    assert.equal(await stockOf(sold.id), 'stock' in product ? 0 : null)
    await shop.assertSound()
  })
}

/** So many customers check out the same with the same coupon; answers what they are told. */
async function atOnce(count: number, planId: string, code: string): Promise<number[]> {
  const customers = await Promise.all(Array.from({ length: count }, () => shop.customer()))
  await Promise.all(
    customers.map(async (customer) => {
      await customer.post('/v1/cart/items', { planId })
      assert.equal((await customer.put(`/v1/cart/coupons/${code}`)).status, 200)
    }),
  )
  const answers = await Promise.all(customers.map((customer) => checkOut(customer, { gatewayId })))
  return answers.map(({ status }) => status).sort()
}

test('money that comes when the stock was sold to somebody else becomes credit', async () => {
  const { product, plan } = await shop.server({ stock: 1 })
  const [late, fast] = [await shop.customer(), await shop.customer()]
  const given = await shop.order(late, plan.id)
  await app.advance(31 * 60)
  await until('the stock is back', async () => (await stockOf(product.id)) === 1)
  await shop.becameOneSale(fast, await shop.buy(fast, plan.id))
  await shop.complete(given.payment.redirectUrl)
  const order = await until('the order is canceled', async () => {
    const { body } = await late.get(`/v1/billing/orders/${given.order.id}`)
    return body.status === 'canceled' && body
  })
  assert.ok(order.paidAt && order.canceledAt)
  assert.equal(await shop.creditOf(late), 1200)
  const [service] = (await late.get('/v1/services')).body.data
  assert.deepEqual([service.status, service.endReason], ['ended', 'refunded'])
  const notices = (await late.get('/v1/notifications')).body.data.map(({ kind }: Body) => kind)
  assert.ok(notices.includes('out_of_stock_credit'))
  assert.equal(await stockOf(product.id), 0)
  await shop.quiet()
  await shop.assertSound()
  const waiting = (await admin.get(`/v1/admin/services/${service.id}`)).body
  assert.equal(waiting.provisioning, null)
  assert.ok((await shop.servers()).every(({ externalId }) => externalId !== waiting.externalId))
})

test('who pays in five windows at once with credit for one spends it once (hardening 36)', async () => {
  const { plan } = await shop.server()
  const customer = await shop.customer()
  const eventId = newId()
  const about = { eventId, key: `goodwill:${eventId}`, description: 'A gift' }
  const gift = { ...about, amountCents: cents(1200), currency: 'EUR' }
  const to = { tenantId: shop.tenantId, userId: customer.userId }
  await shop.inLedger((tx) => addCredit(tx, { ...to, ...gift }, app.deps.clock.now()))
  assert.equal(await shop.creditOf(customer), 1200)
  await allow(admin, customer, { openOrdersPerProduct: 5 })
  const placed: Body[] = []
  for (let index = 0; index < 5; index += 1) placed.push(await shop.order(customer, plan.id))
  const payments = await Promise.all(
    placed.map(({ invoice }) =>
      customer.post(`/v1/billing/invoices/${invoice.id}/pay`, { gatewayId, useCredits: true }),
    ),
  )
  assert.equal(payments.filter(({ body }) => body.status === 'paid').length, 1)
  assert.equal(await shop.creditOf(customer), 0)
  await shop.assertSound()
})
