import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOut, saveCard } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'

const shop = await gameShop()
const { catalog, gatewayId } = shop

test('of many hourly orders of one customer at once no more are accepted than the limit', async () => {
  const { plan } = await catalog.offer({ interval: 'hour', priceMicros: 13_900, priceCents: 999 })
  const ada = await shop.customer()
  await saveCard(shop, ada)
  const order = async () => {
    await ada.post('/v1/cart/items', { planId: plan.id })
    return checkOut(ada, { gatewayId })
  }
  for (let count = 0; count < 4; count += 1) assert.equal((await order()).status, 201)
  await ada.post('/v1/cart/items', { planId: plan.id })
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => [await checkOut(ada, { gatewayId }), await order()]),
  )
  const codes = answers.flat().map(({ status, body }) => (status === 201 ? 'sold' : body.code))
  const { data } = (await ada.get('/v1/services?limit=100')).body
  assert.equal(data.length, 5)
  assert.equal(codes.filter((code) => code === 'sold').length, 1)
  assert.ok(codes.includes('open_services_limit'))
})

test('of people who try a product with the same card at once, one gets the trial', async () => {
  const { plan } = await catalog.offer({ trialDays: 7 })
  const people = await Promise.all(Array.from({ length: 6 }, () => shop.customer()))
  for (const customer of people) {
    await saveCard(shop, customer)
    await customer.post('/v1/cart/items', { planId: plan.id })
  }
  const answers = await Promise.all(people.map((it) => checkOut(it, { gatewayId })))
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.ok(answers.every(({ status, body }) => status === 201 || body.code === 'trial_used'))
})

test('an hourly order and the removal of the only card at once do not both succeed', async () => {
  const { plan } = await catalog.offer({ interval: 'hour', priceMicros: 13_900, priceCents: 999 })
  const outcomes = new Set<string>()
  for (let round = 0; round < 16; round += 1) {
    const ada = await shop.customer()
    await saveCard(shop, ada)
    const [card] = (await ada.get('/v1/billing/payment-methods')).body.data
    await ada.post('/v1/cart/items', { planId: plan.id })
    // The removal comes at another moment of the order each time.
    const remove = async () => {
      for (let before = 0; before < round; before += 1) await ada.get('/v1/cart')
      return ada.delete(`/v1/billing/payment-methods/${card.id}`)
    }
    const [ordered, removed] = await Promise.all([checkOut(ada, { gatewayId }), remove()])
    const word = ({ status, body }: Answer) => (status < 300 ? 'done' : body.code)
    outcomes.add(`${word(ordered)} ${word(removed)}`)
  }
  const allowed = ['done payment_method_needed', 'payment_method_required done']
  assert.deepEqual(
    [...outcomes].filter((it) => !allowed.includes(it)),
    [],
  )
})
