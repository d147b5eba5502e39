import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gameShop } from '#test/game-shop.ts'
import { tallyOf } from '#test/tally.ts'

const CUSTOMERS = 20
const STOCK = 5

const shop = await gameShop()

test('of twenty customers at once, five get the last five and the others are told at checkout', async () => {
  const { plan } = await shop.server({ stock: STOCK })
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => shop.customer()))
  for (const customer of customers) {
    const { status } = await customer.post('/v1/cart/items', { planId: plan.id })
    assert.equal(status, 201)
  }
  const { gatewayId } = shop
  const answers = await Promise.all(
    customers.map((customer) => customer.post('/v1/billing/checkout', { gatewayId })),
  )
  const sold = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status !== 201)
  assert.equal(sold.length, STOCK)
  for (const { status, body } of refused) {
    assert.equal(status, 422)
    assert.equal(body.code, 'out_of_stock')
  }

  for (const { body } of sold) await shop.complete(body.payment.redirectUrl)
  for (const [index, customer] of customers.entries()) {
    if (answers[index]?.status === 201) await shop.serviceBecame(customer, 'active')
    else assert.deepEqual((await customer.get('/v1/billing/orders')).body.data, [])
  }
  const { charges, sessions, servers, active, numbers } = await tallyOf(shop)
  assert.deepEqual([charges, sessions, servers, active, numbers], Array(5).fill(STOCK))
  await shop.assertSound()
})
