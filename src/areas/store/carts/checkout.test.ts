import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { type Tx, transact } from '#platform/database/index.ts'
import {
  addressIdentity,
  couponCovers,
  emptyCart,
  forgetTrials,
  lockAndPriceCart,
  priceFor,
  startTrials,
  store,
} from '#store'
import { testApp } from '#test/app.ts'
import { provisioningIn } from '#test/eggs.ts'
import { type Person, person } from '#test/people.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'
import { type Made, shopOf } from '#test/shop.ts'

const app = await testApp(null)
const admin = await person(app, { permissions: ['store:*'] })
const shop = shopOf(admin, await provisioningIn(app))
const { tenantId } = app
const db = app.deps.database.of(tenantId)

function inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return transact(db, work)
}

const take = (customer: Person) =>
  inTransaction((tx) => lockAndPriceCart(tx, customer, app.deps.clock.now()))

async function shopper(...plans: Made[]): Promise<Person> {
  const customer = await person(app)
  for (const { id } of plans) await customer.post('/v1/cart/items', { planId: id })
  return customer
}

test('a quote holds what an order needs: lines, amounts, coupons and how it is taxed', async () => {
  const { product, plan } = await shop.offer({ setupFeeCents: 500 }, { name: 'Box' })
  const coupon = await shop.coupon({ duration: 'cycles', durationCycles: 3 })
  const customer = await person(app)
  const environment = {}
  await customer.post('/v1/cart/items', { planId: plan.id, quantity: 2, environment, name: 'Mine' })
  await customer.put(`/v1/cart/coupons/${coupon.code}`)
  const quote = await take(customer)
  const { currency, priceMode, taxCountry, taxReason } = quote
  assert.deepEqual(
    { currency, priceMode, taxCountry, taxReason },
    { currency: 'EUR', priceMode: 'exclusive', taxCountry: 'FR', taxReason: 'domestic' },
  )
  assert.deepEqual(
    [quote.subtotalCents, quote.discountCents, quote.netCents, quote.taxCents, quote.totalCents],
    [3000, 200, 2800, 560, 3360],
  )
  assert.equal(quote.lines.length, 2)
  const [thing, fee] = quote.lines
  assert.deepEqual([thing?.setupFee, fee?.setupFee], [false, true])
  assert.deepEqual(
    [thing?.productId, thing?.planId, thing?.quantity, thing?.name, thing?.environment],
    [product.id, plan.id, 2, 'Mine', environment],
  )
  assert.deepEqual(thing?.planPrice, { priceCents: 1000, setupFeeCents: 500, priceMicros: null })
  assert.deepEqual(quote.couponIds, [coupon.id])
  assert.equal(quote.couponTerms[0]?.durationCycles, 3)
  assert.deepEqual(quote.taxes.length, 1)
})

test('an empty cart cannot be bought, nor one that was never used or has been emptied', async () => {
  const { plan } = await shop.offer()
  const customer = await shopper(plan)
  await inTransaction((tx) => emptyCart(tx, customer))
  const cart = (await customer.get('/v1/cart')).body
  assert.deepEqual([cart.items, cart.coupons], [[], []])
  for (const nobody of [customer, await person(app)]) {
    await assert.rejects(take(nobody), { statusCode: 422, code: 'cart_empty' })
  }
})

test('taking a cart leaves it as it is', async () => {
  const { plan } = await shop.offer()
  const customer = await shopper(plan)
  const before = (await customer.get('/v1/cart')).body
  await take(customer)
  assert.deepEqual((await customer.get('/v1/cart')).body, before)
})

const changes: [string, string, (offer: { product: Made; plan: Made }) => Promise<unknown>][] = [
  [
    'a plan that was deleted',
    'plan_not_for_sale',
    ({ plan }) => admin.delete(`/v1/admin/plans/${plan.id}`),
  ],
  [
    'a product that was deleted',
    'plan_not_for_sale',
    ({ product }) => admin.delete(`/v1/admin/products/${product.id}`),
  ],
  [
    'a plan that changed its currency',
    'plan_not_for_sale',
    ({ plan }) => admin.patch(`/v1/admin/plans/${plan.id}`, { currency: 'USD' }),
  ],
  [
    'a product that has run out',
    'out_of_stock',
    ({ product }) => admin.patch(`/v1/admin/products/${product.id}`, { stock: 0 }),
  ],
]

for (const [what, code, change] of changes) {
  test(`a cart with ${what} is refused with ${code}`, async () => {
    const [kept, offer] = [await shop.offer(), await shop.offer()]
    const customer = await shopper(kept.plan, offer.plan)
    await change(offer)
    await assert.rejects(take(customer), { statusCode: 422, code })
  })
}

test('a cart with a coupon that is not good any more is refused', async () => {
  const { plan } = await shop.offer()
  const coupon = await shop.coupon()
  const customer = await shopper(plan)
  await customer.put(`/v1/cart/coupons/${coupon.code}`)
  await admin.delete(`/v1/admin/coupons/${coupon.id}`)
  const refusal = { statusCode: 422, code: 'coupon_not_applicable' }
  await assert.rejects(take(customer), refusal)
})

test('a trial is due later, and is given once to a customer for a product', async () => {
  const { product, plan } = await shop.offer({ trialDays: 7, setupFeeCents: 300 })
  const customer = await shopper(plan)
  const quote = await take(customer)
  assert.deepEqual([quote.totalCents, quote.trialProductIds], [0, [product.id]])
  const { userId } = customer
  const order = { tenantId, userId, reference: newId(), productIds: quote.trialProductIds }
  const { clock, secrets } = app.deps
  const trial = { ...order, identities: [addressIdentity(customer.email)] }
  const start = () => inTransaction((tx) => startTrials(tx, trial, secrets, clock.now()))
  await start()
  await assert.rejects(start(), { statusCode: 422, code: 'trial_used' })
  const second = await take(customer)
  assert.deepEqual([second.subtotalCents, second.trialProductIds], [1300, []])
  await inTransaction((tx) => forgetTrials(tx, order))
  assert.equal((await take(customer)).totalCents, 0)
})

test('E11: a coupon of 100 % leaves nothing to pay', async () => {
  const { plan } = await shop.offer({ priceCents: 1299 })
  const coupon = await shop.coupon({ percentBasisPoints: 10_000 })
  const customer = await shopper(plan)
  await customer.put(`/v1/cart/coupons/${coupon.code}`)
  const quote = await take(customer)
  assert.deepEqual([quote.discountCents, quote.totalCents], [1299, 0])
})

test('E13: a coupon of 10 % for 3 cycles counts for three invoices and no fourth', async () => {
  const { product, plan } = await shop.offer()
  const coupon = await shop.coupon({ duration: 'cycles', durationCycles: 3 })
  const customer = await shopper(plan)
  await customer.put(`/v1/cart/coupons/${coupon.code}`)
  const { couponTerms, netCents, totalCents } = await take(customer)
  await admin.delete(`/v1/admin/coupons/${coupon.id}`)
  const line = {
    ...{ unitPriceCents: cents(1000), quantity: 1, setupFee: false, interval: 'month' as const },
    ...{ productId: product.id, planId: plan.id, categoryId: null },
  }
  const invoices = [[netCents, totalCents]]
  for (const cycle of [2, 3, 4]) {
    const coupons = couponTerms.filter((terms) => couponCovers(terms, cycle))
    const sale = { tenantId, userId: customer.userId, currency: 'EUR', lines: [line], coupons }
    const document = await priceFor(db, sale, app.deps.clock.now())
    invoices.push([document.netCents, document.totalCents])
  }
  assert.deepEqual(invoices, [
    [900, 1080],
    [900, 1080],
    [900, 1080],
    [1000, 1200],
  ])
})

test('an export of personal data has the cart, and a deleted account leaves none', async () => {
  const { plan } = await shop.offer({ name: 'Monthly' }, { name: 'Box' })
  const coupon = await shop.coupon()
  const customer = await shopper(plan)
  await customer.put(`/v1/cart/coupons/${coupon.code}`)
  const data = await store.personalData?.(db, customer)
  const item = { product: 'Box', plan: 'Monthly', quantity: 1, name: null, trial: true }
  assert.deepEqual(data?.cart, {
    items: [{ ...item, options: {}, environment: {} }],
    coupons: [coupon.code],
  })
  await givePassword(app, customer.userId)
  assert.equal((await customer.delete('/v1/users/me', { password: PASSWORD })).status, 200)
  for (const table of ['cart_items', 'cart_coupons']) {
    const { rows } = await app.deps.database.execute(
      `select from store.${table} where user_id = $1`,
      [customer.userId],
    )
    assert.equal(rows.length, 0, table)
  }
})
