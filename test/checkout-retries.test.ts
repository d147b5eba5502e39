import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'

const shop = await gameShop()
const { gatewayId } = shop
const { plan } = await shop.server()

async function withCart(): Promise<Person> {
  const customer = await shop.customer()
  assert.equal((await customer.post('/v1/cart/items', { planId: plan.id })).status, 201)
  return customer
}

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

async function ordersOf(customer: Person): Promise<Answer['body'][]> {
  return (await customer.get('/v1/billing/orders')).body.data
}

test('a checkout that is sent again with its key gets the same answer and makes no other order (hardening 42)', async () => {
  const customer = await withCart()
  const first = await checkOut(customer, { gatewayId }, keyed('one'))
  const again = await checkOut(customer, { gatewayId }, keyed('one'))
  assert.equal(first.status, 201)
  assert.equal(first.headers['idempotency-replayed'], undefined)
  assert.equal(again.status, 201)
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.equal(again.text, first.text)
  assert.equal((await ordersOf(customer)).length, 1)
  await shop.complete(first.body.payment.redirectUrl)
  await shop.becameOneSale(customer, first.body)
  assert.equal((await checkOut(customer, { gatewayId }, keyed('one'))).text, first.text)
})

test('a key with another request is refused (hardening 42)', async () => {
  const customer = await withCart()
  await checkOut(customer, { gatewayId }, keyed('two'))
  const other = await checkOut(customer, { gatewayId, useCredits: true }, keyed('two'))
  assert.equal(other.status, 422)
  assert.equal(other.body.code, 'idempotency_key_reused')
})

test('a refusal is kept as well, and a new key tries again', async () => {
  const customer = await shop.customer()
  const empty = await checkOut(customer, { gatewayId }, keyed('three'))
  assert.equal(empty.status, 422)
  await customer.post('/v1/cart/items', { planId: plan.id })
  const again = await checkOut(customer, { gatewayId }, keyed('three'))
  assert.equal(again.text, empty.text)
  assert.equal((await checkOut(customer, { gatewayId }, keyed('four'))).status, 201)
})

test('the same key of two customers is two keys (hardening 42)', async () => {
  const customers = [await withCart(), await withCart()]
  for (const customer of customers) {
    const { status, headers } = await checkOut(customer, { gatewayId }, keyed('same'))
    assert.deepEqual([status, headers['idempotency-replayed']], [201, undefined])
  }
})

for (const [title, options] of [
  ['with one key', keyed('at once')],
  ['without a key', {}],
] as const) {
  test(`ten checkouts at once ${title} make one order (hardening 42)`, async () => {
    const customer = await withCart()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => checkOut(customer, { gatewayId }, options)),
    )
    const made = answers.filter(({ status }) => status === 201)
    assert.ok(made.length > 0)
    assert.equal(new Set(made.map(({ text }) => text)).size, 1)
    for (const { status, body } of answers) {
      const refusal = title === 'with one key' ? [409, 'in_progress'] : [422, 'cart_empty']
      if (status !== 201) assert.deepEqual([status, body.code], refusal)
    }
    assert.equal((await ordersOf(customer)).length, 1)
    await shop.complete(made[0]?.body.payment.redirectUrl)
    await shop.becameOneSale(customer, made[0]?.body)
  })
}
