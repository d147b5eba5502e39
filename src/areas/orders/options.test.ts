import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { addLocation } from '#test/locations.ts'
import type { Person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'

type Body = Answer['body']

const DAY_SECONDS = 86_400
const monthly = { interval: 'month', currency: 'EUR' }
const shop = await gameShop()
const { app, admin, catalog, eggId, nodeId, gatewayId } = shop
await keepSettings(app, 'orders', { trialNeedsMethod: false, hourlyNeedsMethod: false })
const sgp = await addLocation(admin, 'Singapore', [{ nodeId, remoteId: '1' }])
await admin.put(`/v1/admin/locations/${sgp.id}/prices`, {
  prices: [{ ...monthly, priceCents: 200 }],
})

const game = {
  eggId,
  nodeIds: [nodeId],
  limits: { memoryMb: 2048, diskMb: 10_240, cpuPercent: 100 },
}
const memory = {
  ...{ key: 'memory', kind: 'quantity', name: 'Memory', unit: 'GB', max: 32 },
  effect: { kind: 'resource', amounts: { memoryMb: 1024 } },
  prices: [
    { tier: 0, ...monthly, priceCents: 150 },
    { tier: 0, interval: 'year', currency: 'EUR', priceCents: 1500 },
  ],
}
const ip = {
  ...{ key: 'ip', kind: 'toggle', name: 'Dedicated IP' },
  values: [
    { key: 'off', label: 'No' },
    { key: 'on', label: 'Yes', stock: 20 },
  ],
  prices: [{ value: 'on', ...monthly, priceCents: 300, feeCents: 500 }],
}

/** A product of its own with these options, and a monthly plan of 1000 cents. */
async function offer(
  options: readonly object[],
  plan: object = {},
  product: object = { provisioning: game },
) {
  const made = await catalog.offer(plan, product)
  const productIds = [made.product.id]
  const { body: group } = await admin.post('/v1/admin/option-groups', { name: 'Size', productIds })
  const added: Body[] = []
  for (const option of options) {
    const answer = await admin.post('/v1/admin/options', { ...option, groupId: group.id })
    assert.equal(answer.status, 201, answer.text)
    added.push(answer.body)
  }
  return { ...made, options: added }
}

async function cartWith(planId: string, item: object, by?: Person) {
  const customer = by ?? (await shop.customer())
  const { status, body, text } = await customer.post('/v1/cart/items', { planId, ...item })
  assert.equal(status, 201, text)
  return { by: customer, cart: body }
}

async function ordered(by: Person): Promise<Body> {
  const { status, body, text } = await checkOut(by, { gatewayId })
  assert.equal(status, 201, text)
  return body
}

async function running(by: Person, placed: Body): Promise<Body> {
  if (placed.payment) await shop.complete(placed.payment.redirectUrl)
  return shop.serviceBecame(by, 'active')
}

const serverOf = async (id: string): Promise<Body> => {
  const { body } = await admin.get(`/v1/admin/services/${id}`)
  return (await shop.servers()).find(({ externalId }) => externalId === body.externalId)
}

const linesOf = ({ lines }: Body) =>
  lines.map((it: Body) => [it.quantity, it.unitPriceCents, it.discountCents])
const moneyOf = ({ netCents, taxCents, totalCents }: Body) => [netCents, taxCents, totalCents]

async function renewal(by: Person): Promise<Body> {
  return app.eventually(
    'the next period is invoiced',
    async () => {
      const { data } = (await by.get('/v1/billing/invoices')).body
      const open = data.find(({ kind }: Body) => kind === 'renewal')
      return open && (await by.get(`/v1/billing/invoices/${open.id}`)).body
    },
    { seconds: DAY_SECONDS },
  )
}

test('X1, V1: base and memory are one sum, and the panel has the memory that was sold', async () => {
  const { plan } = await offer([memory])
  const item = { planId: plan.id, options: { memory: 4 } }
  const { body: quote } = await app.post('/v1/store/quote', { items: [item], country: 'FR' })
  assert.deepEqual([quote.totalCents, quote.faults], [1920, []])
  const { by, cart } = await cartWith(plan.id, item)
  assert.deepEqual([cart.totalCents, cart.items[0].renewalCents], [1920, 1920])
  const placed = await ordered(by)
  assert.deepEqual(moneyOf(placed.invoice), [1600, 320, 1920])
  assert.equal(placed.invoice.lines[1].description, 'Memory: 4 GB: 1 month from payment')
  const service = await running(by, placed)
  assert.deepEqual([service.plan.priceCents, service.limits.memoryMb], [1600, 6144])
  assert.deepEqual(
    service.components.map((it: Body) => [it.key, it.label, it.quantity, it.priceCents]),
    [['memory', '4 GB', 4, 600]],
  )
  assert.equal((await serverOf(service.id)).limits.memory, 6144)
  const next = await renewal(by)
  assert.deepEqual(linesOf(next), [
    [1, 1000, 0],
    [1, 600, 0],
  ])
  await shop.assertSound()
})

test('X35: memory and location stand side by side, and every renewal is the same', async () => {
  const { plan } = await offer([memory], {}, { provisioning: game, locations: [sgp.id] })
  const { by } = await cartWith(plan.id, { options: { memory: 4 } })
  const placed = await ordered(by)
  assert.deepEqual(moneyOf(placed.invoice), [1800, 360, 2160])
  assert.deepEqual(linesOf(placed.invoice), [
    [1, 1000, 0],
    [1, 200, 0],
    [1, 600, 0],
  ])
  await running(by, placed)
  assert.deepEqual(moneyOf(await renewal(by)), [1800, 360, 2160])
})

test('X6: two services with memory and an address pay each of them twice, and the fee', async () => {
  const { plan } = await offer([memory, ip])
  const wish = { quantity: 2, options: { memory: 4, ip: true } }
  const { by } = await cartWith(plan.id, wish)
  const { invoice } = await ordered(by)
  assert.deepEqual(linesOf(invoice), [
    [2, 1000, 0],
    [2, 600, 0],
    [2, 300, 0],
    [2, 500, 0],
  ])
  assert.deepEqual(moneyOf(invoice), [4800, 960, 5760])
})

test('X7: tax is rounded once for base and options together', async () => {
  const extra = (key: string) => ({
    ...{ key, kind: 'toggle', name: key },
    values: [
      { key: 'off', label: 'No' },
      { key: 'on', label: 'Yes' },
    ],
    prices: [{ value: 'on', ...monthly, priceCents: 333 }],
  })
  const { plan } = await offer([extra('one'), extra('two')], { priceCents: 333 })
  const { by } = await cartWith(plan.id, { options: { one: true, two: true } })
  const { invoice } = await ordered(by)
  assert.deepEqual(moneyOf(invoice), [999, 200, 1199])
  assert.deepEqual(
    invoice.lines.map((it: Body) => it.taxCents),
    [67, 66, 67],
  )
})

test('X12: a coupon counts for the option, and for its fee only where it counts for fees', async () => {
  const { plan } = await offer([ip])
  for (const [includeSetupFee, discounts, total] of [
    [false, [500, 150, 0], 1380],
    [true, [500, 150, 250], 1080],
  ] as const) {
    const { by } = await cartWith(plan.id, { options: { ip: true } })
    const half = await catalog.coupon({ percentBasisPoints: 5000, includeSetupFee })
    await by.put(`/v1/cart/coupons/${half.code}`)
    const { invoice } = await ordered(by)
    assert.deepEqual(
      invoice.lines.map((it: Body) => it.discountCents),
      discounts,
    )
    assert.equal(invoice.totalCents, total)
  }
})

test('X13: a trial begins for nothing, and its first invoice has the options and their fee', async () => {
  const { plan } = await offer([memory, ip], { trialDays: 7 })
  const { by } = await cartWith(plan.id, { options: { memory: 4, ip: true } })
  const placed = await ordered(by)
  assert.equal(placed.invoice.totalCents, 0)
  await running(by, placed)
  const first = await renewal(by)
  assert.deepEqual(
    first.lines.map((it: Body) => it.unitPriceCents),
    [1000, 600, 300, 500],
  )
  assert.deepEqual(moneyOf(first), [2400, 480, 2880])
})

test('X14: an option has a price for each cycle, and is not sold in one without', async () => {
  const { product } = await offer([memory])
  const yearly = await catalog.plan(product.id, {
    ...{ name: 'Yearly', interval: 'year', priceCents: 10_000 },
  })
  const weekly = await catalog.plan(product.id, { name: 'Weekly', interval: 'week' })
  const { cart } = await cartWith(yearly.id, { options: { memory: 4 } })
  assert.equal(cart.totalCents, 19_200)
  const by = await shop.customer()
  const refused = await by.post('/v1/cart/items', { planId: weekly.id, options: { memory: 4 } })
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.details[0].code],
    [422, 'options_invalid', 'option_not_offered'],
  )
})

test('V3, V4: all that is wrong with the options of an item is told at once, with its paths', async () => {
  const { plan } = await offer([memory, ip])
  const by = await shop.customer()
  const options = { memory: 33, ip: 'maybe', boost: 1 }
  const wanted = { planId: plan.id, options }
  const expected = [
    ['options.memory', 'above_maximum'],
    ['options.ip', 'value_unknown'],
    ['options.boost', 'option_unknown'],
  ]
  const { status, body } = await by.post('/v1/cart/items', wanted)
  assert.deepEqual([status, body.code], [422, 'options_invalid'])
  assert.deepEqual(
    body.details.map((it: Body) => [it.path, it.code]),
    expected,
  )
  const { body: quote } = await app.post('/v1/store/quote', { items: [wanted] })
  assert.deepEqual(
    quote.faults.map((it: Body) => [it.path, it.code]),
    expected.map(([path, code]) => [`items.0.${path}`, code]),
  )
  assert.equal((await by.get('/v1/cart')).body.items.length, 0)
})

test('an option that leaves sale is a fault of the cart, and its order is refused', async () => {
  const { plan, options } = await offer([memory])
  const { by } = await cartWith(plan.id, { options: { memory: 4 } })
  await admin.delete(`/v1/admin/options/${options[0]?.id}`)
  const { body: cart } = await by.get('/v1/cart')
  assert.deepEqual(
    [cart.items[0].available, cart.items[0].faults[0].code, cart.totalCents],
    [false, 'option_unknown', 0],
  )
  const { status, body } = await checkOut(by, { gatewayId })
  assert.deepEqual(
    [status, body.code, body.details[0].path],
    [422, 'options_invalid', 'items.0.options.memory'],
  )
})

test('R3.4, V12: an order that is paid late pays the option of that day, a service keeps its price', async () => {
  const { plan, options } = await offer([memory])
  const { by } = await cartWith(plan.id, { options: { memory: 4 } })
  const { invoice } = await ordered(by)
  const reprice = (priceCents: number) =>
    admin.patch(`/v1/admin/options/${options[0]?.id}`, {
      prices: [{ tier: 0, ...monthly, priceCents }],
    })
  await reprice(200)
  const refused = await by.post(`/v1/billing/invoices/${invoice.id}/pay`, { gatewayId })
  assert.equal(refused.body.code, 'quote_expired')
  const { body: fresh } = await by.get(`/v1/billing/invoices/${refused.body.details[0].message}`)
  assert.deepEqual(linesOf(fresh), [
    [1, 1000, 0],
    [1, 800, 0],
  ])
  const paid = await by.post(`/v1/billing/invoices/${fresh.id}/pay`, { gatewayId })
  const service = await running(by, { payment: paid.body })
  assert.equal(service.plan.priceCents, 1800)
  await reprice(999)
  assert.deepEqual(moneyOf(await renewal(by)), [1800, 360, 2160])
})

const stockOf = async ({ id }: Body): Promise<number> => {
  const { body } = await admin.get(`/v1/admin/options/${id}`)
  return body.values.find(({ key }: Body) => key === 'on').stock
}

test('X38, S1.10: the last unit of a value is held by one order, and comes back when that is given up', async () => {
  const last = { ...ip, values: [ip.values[0], { key: 'on', label: 'Yes', stock: 1 }] }
  const { plan, options } = await offer([last])
  const [option] = options
  assert.ok(option)
  const first = await cartWith(plan.id, { options: { ip: true } })
  const second = await cartWith(plan.id, { options: { ip: true } })
  const placed = await ordered(first.by)
  assert.equal(await stockOf(option), 0)
  const late = await checkOut(second.by, { gatewayId })
  assert.deepEqual(
    [late.status, late.body.details[0].code, late.body.details[0].path],
    [422, 'out_of_stock', 'items.0.options.ip'],
  )
  await admin.post(`/v1/admin/invoices/${placed.invoice.id}/void`, { reason: 'Test' })
  await app.eventually('the unit is back', async () => (await stockOf(option)) === 1)
  const won = await ordered(second.by)
  const { id } = await running(second.by, won)
  assert.equal(await stockOf(option), 0)
  await second.by.post(`/v1/services/${id}/cancel`, { at: 'now' })
  await app.eventually('the service is over', async () => (await stockOf(option)) === 1)
})

test('a value that an order held too long is sold to another, and the money of the first becomes credit', async () => {
  const last = { ...ip, values: [ip.values[0], { key: 'on', label: 'Yes', stock: 1 }] }
  const { product, plan, options } = await offer([last], {}, { provisioning: game, stock: 5 })
  const first = await cartWith(plan.id, { options: { ip: true } })
  const placed = await ordered(first.by)
  await app.advance(31 * 60)
  await app.eventually('the unit is free', async () => (await stockOf(options[0])) === 1)
  const second = await cartWith(plan.id, { options: { ip: true } })
  await running(second.by, await ordered(second.by))
  await shop.complete(placed.payment.redirectUrl)
  const credit = await app.eventually('the money is credit', async () => {
    const { body } = await first.by.get('/v1/billing/credits')
    return body.balanceCents > 0 && body.balanceCents
  })
  assert.equal(credit, placed.invoice.totalCents)
  assert.equal(await stockOf(options[0]), 0)
  const { body: left } = await admin.get(`/v1/admin/products/${product.id}`)
  assert.equal(left.stock, 4, 'only what was sold is gone from the stock of the product')
  await shop.assertSound()
})

test('the unit of a server that was never installed comes back, also where used units do not', async () => {
  const once = {
    ...ip,
    values: [ip.values[0], { key: 'on', label: 'Yes', stock: 1, stockReturns: false }],
  }
  const { product, plan, options } = await offer([once])
  const [option] = options
  assert.ok(option)
  const { by } = await cartWith(plan.id, { options: { ip: true } })
  const placed = await ordered(by)
  await admin.patch(`/v1/admin/products/${product.id}`, { provisioning: null })
  await shop.complete(placed.payment.redirectUrl)
  const [id] = placed.order.items[0].serviceIds
  await app.eventually('its installation failed', async () => {
    const { body } = await admin.get(`/v1/admin/services/${id}`)
    return body.status === 'failed'
  })
  assert.equal(await stockOf(option), 0)
  const refunded = await admin.post(`/v1/admin/services/${id}/refund`, { to: 'credit' })
  assert.equal(refunded.status, 200, refunded.text)
  await app.eventually('the unit is back', async () => (await stockOf(option)) === 1)
  await shop.assertSound()
})
