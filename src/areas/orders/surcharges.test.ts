import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { later, millis } from '#lib/time.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { addLocation, offerIn } from '#test/locations.ts'
import type { Person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'

type Body = Answer['body']

const HOUR_MS = 3_600_000
const DAY_SECONDS = 86_400
const shop = await gameShop()
const { app, admin, catalog, eggId, nodeId, gatewayId } = shop
await keepSettings(app, 'orders', { trialNeedsMethod: false, hourlyNeedsMethod: false })
const where = { catalog, eggId, nodeIds: [nodeId] }

let made = 0
/** A location of its own, with surcharges in euros: of a month where nothing else is said. */
async function location(name: string, ...prices: object[]): Promise<Body> {
  made += 1
  const place = { nodeId, remoteId: '1' }
  const there = await addLocation(admin, name, [place], { slug: `place-${made}` })
  await setPrices(there, prices)
  return there
}

const priceOf = (price: object) => ({ interval: 'month', currency: 'EUR', ...price })

async function setPrices({ id }: Body, prices: readonly object[]): Promise<void> {
  const body = { prices: prices.map(priceOf) }
  const { status, text } = await admin.put(`/v1/admin/locations/${id}/prices`, body)
  assert.equal(status, 200, text)
}

/** A customer with a plan in their cart; answers the cart. */
async function cartWith(planId: string, there: Body, more: object = {}) {
  const by = await shop.customer()
  const item = { planId, locationId: there.id, ...more }
  const { status, body, text } = await by.post('/v1/cart/items', item)
  assert.equal(status, 201, text)
  return { by, cart: body }
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

/** Lets time pass until a renewal of a customer is invoiced. */
async function renewal(by: Person, days = 1): Promise<Body> {
  const found = await app.eventually(
    'the next period is invoiced',
    async () => {
      const { data } = (await by.get('/v1/billing/invoices')).body
      const open = data.find(({ kind }: Body) => kind === 'renewal')
      return open && (await by.get(`/v1/billing/invoices/${open.id}`)).body
    },
    { seconds: days * DAY_SECONDS },
  )
  return found
}

const moneyOf = ({ netCents, taxCents, totalCents }: Body) => [netCents, taxCents, totalCents]

test('X35, X39: a location has a line of its own, and a service keeps its surcharge whatever it costs later', async () => {
  const sgp = await location('Singapore', { priceCents: 200 })
  const { plan } = await offerIn(where, [sgp])
  const { by, cart } = await cartWith(plan.id, sgp)
  assert.deepEqual([cart.items[0].unitPriceCents, cart.items[0].renewalCents], [1000, 1440])
  assert.deepEqual(cart.items[0].components, [
    {
      ...{ key: 'location', kind: 'location', name: null, label: 'Singapore', quantity: null },
      ...{ priceCents: 200, feeCents: 0, priceMicros: null },
    },
  ])
  const placed = await ordered(by)
  assert.deepEqual(moneyOf(placed.invoice), [1200, 240, 1440])
  assert.equal(placed.invoice.lines[1].description, 'Location: Singapore: 1 month from payment')
  const service = await running(by, placed)
  assert.deepEqual([service.plan.priceCents, service.prices.totalCents], [1200, 1440])
  assert.deepEqual(
    service.components.map((it: Body) => [it.label, it.priceCents]),
    [['Singapore', 200]],
  )
  await admin.delete(`/v1/admin/locations/${sgp.id}`)
  await setPrices(sgp, [{ priceCents: 300 }])
  const next = await renewal(by)
  assert.deepEqual(moneyOf(next), [1200, 240, 1440])
  assert.deepEqual(
    next.lines.map((it: Body) => it.unitPriceCents),
    [1000, 200],
  )
  assert.match(next.lines[1].description, /^Location: Singapore: \d/)
  await shop.assertSound()
})

test('a location is named in the language of the customer', async () => {
  const there = await location('Singapour', { priceCents: 200 })
  const { plan } = await offerIn(where, [there])
  const { by } = await cartWith(plan.id, there)
  await by.patch('/v1/users/me', { locale: 'fr' })
  const { invoice } = await ordered(by)
  assert.match(invoice.lines[1].description, /^Emplacement\s: Singapour/u)
})

test('each unit pays the surcharge and its fee, and what costs nothing is named with the plan', async () => {
  const there = await location('Sydney', { priceCents: 300, feeCents: 500 })
  const { plan } = await offerIn(where, [there])
  const { by } = await cartWith(plan.id, there, { quantity: 2 })
  const { invoice, order } = await ordered(by)
  assert.deepEqual(
    invoice.lines.map((it: Body) => [it.quantity, it.unitPriceCents]),
    [
      [2, 1000],
      [2, 300],
      [2, 500],
    ],
  )
  assert.deepEqual(moneyOf(invoice), [3600, 720, 4320])
  assert.equal(order.items[0].totalCents, 4320)
  const free = await location('Free', { priceCents: 0 })
  const cheap = await offerIn(where, [free])
  const other = await cartWith(cheap.plan.id, free)
  const placed = await ordered(other.by)
  assert.equal(placed.invoice.lines.length, 1)
  assert.match(placed.invoice.lines[0].description, /\(Location: Free\)/)
  assert.equal(placed.invoice.totalCents, 1200)
})

test('S3.3: a location with surcharges is not sold in a cycle and currency without one', async () => {
  const there = await location('Oslo', { priceCents: 200 })
  const { product, plan } = await offerIn(where, [there])
  const weekly = await catalog.plan(product.id, { name: 'Weekly', interval: 'week' })
  const by = await shop.customer()
  const item = { planId: weekly.id, locationId: there.id }
  const refused = await by.post('/v1/cart/items', item)
  assert.deepEqual([refused.status, refused.body.code], [422, 'location_unknown'])
  const quoted = await app.post('/v1/store/quote', { items: [item] })
  assert.deepEqual(
    quoted.body.faults.map(({ path, code }: Body) => [path, code]),
    [['items.0.locationId', 'location_unknown']],
  )
  const { body } = await app.get(`/v1/store/products/${product.slug}`)
  assert.deepEqual(body.orderForm.locations[0].prices, [
    {
      ...{ interval: 'month', intervalCount: 1, currency: 'EUR' },
      ...{ priceCents: 200, feeCents: 0, priceMicros: null },
    },
  ])
  const added = await by.post('/v1/cart/items', { planId: plan.id, locationId: there.id })
  assert.equal(added.status, 201)
  await setPrices(there, [{ interval: 'week', priceCents: 100 }])
  const late = await checkOut(by, { gatewayId })
  assert.deepEqual([late.status, late.body.code], [422, 'location_unknown'])
})

test('the quote of a visitor, the cart and the invoice come to the same', async () => {
  const there = await location('Tokyo', { priceCents: 333, feeCents: 77 })
  const { plan } = await offerIn(where, [there], { priceCents: 333, setupFeeCents: 100 })
  const item = { planId: plan.id, locationId: there.id, quantity: 3 }
  const { body: quote } = await app.post('/v1/store/quote', { items: [item], country: 'FR' })
  const { by, cart } = await cartWith(plan.id, there, { quantity: 3 })
  const { invoice } = await ordered(by)
  assert.deepEqual([quote.taxCents, quote.totalCents], [cart.taxCents, cart.totalCents])
  assert.deepEqual([invoice.taxCents, invoice.totalCents], [cart.taxCents, cart.totalCents])
  assert.deepEqual(moneyOf(invoice), [2529, 506, 3035])
  assert.equal(quote.items[0].renewalCents, cart.items[0].renewalCents)
})

test('X10, X11: a coupon counts for the location too, and a service keeps its share of a fixed one', async () => {
  const there = await location('Lima', { priceCents: 600 })
  const { plan } = await offerIn(where, [there])
  const percent = await cartWith(plan.id, there)
  const tenth = await catalog.coupon({ percentBasisPoints: 1000 })
  const cheaper = await percent.by.put(`/v1/cart/coupons/${tenth.code}`)
  assert.deepEqual([cheaper.body.discountCents, cheaper.body.totalCents], [160, 1728])
  const fixed = await cartWith(plan.id, there)
  const off = await catalog.coupon({
    ...{ type: 'fixed', percentBasisPoints: null, amountCents: 500, currency: 'EUR' },
    duration: 'forever',
  })
  await fixed.by.put(`/v1/cart/coupons/${off.code}`)
  const placed = await ordered(fixed.by)
  assert.deepEqual(
    placed.invoice.lines.map((it: Body) => it.discountCents),
    [313, 187],
  )
  assert.deepEqual(moneyOf(placed.invoice), [1100, 220, 1320])
  await running(fixed.by, placed)
  assert.deepEqual(moneyOf(await renewal(fixed.by)), [1100, 220, 1320])
  await shop.assertSound()
})

test('X13: a trial begins for nothing, and its first invoice has the surcharge and its fee', async () => {
  const there = await location('Rome', { priceCents: 300, feeCents: 500 })
  const { plan } = await offerIn(where, [there], { trialDays: 7 })
  const { by } = await cartWith(plan.id, there)
  const placed = await ordered(by)
  assert.equal(placed.invoice.totalCents, 0)
  const service = await running(by, placed)
  assert.equal(service.plan.priceCents, 1300)
  const first = await renewal(by)
  assert.deepEqual(
    first.lines.map((it: Body) => it.unitPriceCents),
    [1000, 300, 500],
  )
  assert.deepEqual(moneyOf(first), [1800, 360, 2160])
})

test('X16: metered hours of plan and location are rounded and capped each for itself', async () => {
  const there = await location('Perth', { interval: 'hour', priceCents: 2400, priceMicros: 8000 })
  const cycle = { interval: 'hour', priceCents: 999, priceMicros: 13_900 }
  const { plan } = await offerIn(where, [there], cycle)
  const { by } = await cartWith(plan.id, there)
  const placed = await ordered(by)
  const { id, currentPeriodStart } = await running(by, placed)
  const at = millis(later(currentPeriodStart, 37.5 * HOUR_MS))
  await app.advance(Math.ceil((at - millis(app.deps.clock.now())) / 1000))
  const { status, text } = await by.post(`/v1/services/${id}/cancel`, { at: 'now' })
  assert.equal(status, 200, text)
  const last = await renewal(by, 0)
  assert.deepEqual(
    last.lines.map((it: Body) => it.unitPriceCents),
    [53, 30],
  )
  await shop.assertSound()
})

test('R3.4: an order that is paid late pays the surcharge of that day', async () => {
  const there = await location('Cairo', { priceCents: 200 })
  const { plan } = await offerIn(where, [there])
  const { by } = await cartWith(plan.id, there)
  const { invoice } = await ordered(by)
  await setPrices(there, [{ priceCents: 400, feeCents: 50 }])
  const refused = await by.post(`/v1/billing/invoices/${invoice.id}/pay`, { gatewayId })
  assert.deepEqual([refused.status, refused.body.code], [409, 'quote_expired'])
  const { body } = await by.get(`/v1/billing/invoices/${refused.body.details[0].message}`)
  assert.deepEqual(
    body.lines.map((it: Body) => it.unitPriceCents),
    [1000, 400, 50],
  )
  assert.match(body.lines[1].description, /^Location: Cairo/)
  const paid = await by.post(`/v1/billing/invoices/${body.id}/pay`, { gatewayId })
  const service = await running(by, { payment: paid.body })
  assert.equal(service.plan.priceCents, 1400)
  assert.equal(service.components[0].priceCents, 400)
  await shop.assertSound()
})

test('R4.9: a change of product counts the surcharge on both sides, and the next period has it', async () => {
  const there = await location('Quito', { priceCents: 200 })
  const large = await offerIn(where, [there], { priceCents: 2000 })
  const small = await offerIn(where, [there])
  const upgradeTargetIds = [large.product.id]
  await admin.patch(`/v1/admin/products/${small.product.id}`, { upgradeTargetIds })
  const { by } = await cartWith(small.plan.id, there)
  const { id, currentPeriodStart } = await running(by, await ordered(by))
  const half = millis(later(currentPeriodStart, 15 * 24 * HOUR_MS))
  await app.advance(Math.ceil((half - millis(app.deps.clock.now())) / 1000))
  const wanted = { productId: large.product.id, planId: large.plan.id }
  const { body: preview } = await by.post(`/v1/services/${id}/upgrade`, {
    ...{ ...wanted, preview: true },
  })
  const { creditCents, chargeCents } = preview.proration
  assert.ok(Math.abs(creditCents / 1200 - chargeCents / 2200) < 0.001, JSON.stringify(preview))
  const { status, body, text } = await by.post(`/v1/services/${id}/upgrade`, {
    ...{ ...wanted, gatewayId },
  })
  assert.equal(status, 200, text)
  await shop.complete(body.payment.redirectUrl)
  const changed = await app.eventually('the service is changed', async () => {
    const { body: service } = await by.get(`/v1/services/${id}`)
    return service.product.id === large.product.id && service
  })
  assert.deepEqual([changed.plan.priceCents, changed.components[0].priceCents], [2200, 200])
  const next = await renewal(by)
  assert.deepEqual(
    next.lines.map((it: Body) => it.unitPriceCents),
    [2000, 200],
  )
  await shop.assertSound()
})

test('R4.8: who withdraws gets the surcharge back as well, each but for the time that was used', async () => {
  const there = await location('Accra', { priceCents: 200, feeCents: 100 })
  const { plan } = await offerIn(where, [there])
  const { by } = await cartWith(plan.id, there)
  const placed = await ordered(by)
  const { id } = await running(by, placed)
  assert.equal(placed.invoice.totalCents, 1560)
  const { status, text } = await by.post(`/v1/services/${id}/withdraw`, {})
  assert.equal(status, 200, text)
  const back = await app.eventually('the money is given back', async () => {
    const { body } = await by.get(`/v1/billing/invoices/${placed.invoice.id}`)
    return body.creditedCents > 0 && body.creditedCents
  })
  assert.ok(back >= 1555 && back <= 1560, String(back))
  await shop.assertSound()
})

test('the price of a service is never less than what it has beside its plan', async () => {
  const there = await location('Bern', { priceCents: 200 })
  const { plan } = await offerIn(where, [there])
  const { by } = await cartWith(plan.id, there)
  const { id } = await running(by, await ordered(by))
  const effectiveFrom = '2099-01-01'
  const tooLow = await admin.patch(`/v1/admin/services/${id}`, { priceCents: 199, effectiveFrom })
  assert.deepEqual([tooLow.status, tooLow.body.details?.[0].path], [400, 'priceCents'])
  const enough = await admin.patch(`/v1/admin/services/${id}`, { priceCents: 200, effectiveFrom })
  assert.equal(enough.status, 200, enough.text)
})

test('staff set surcharges once for each cycle and currency, and of their own locations only', async () => {
  const there = await location('Kyiv')
  const url = `/v1/admin/locations/${there.id}/prices`
  assert.deepEqual((await admin.get(url)).body, { prices: [] })
  for (const [prices, code] of [
    [[{ priceCents: 1 }, { priceCents: 2 }], 'price_twice'],
    [[{ interval: 'hour', priceCents: 1 }], 'price_micros_mismatch'],
    [[{ priceCents: 1, priceMicros: 1 }], 'price_micros_mismatch'],
  ] as const) {
    const { status, body } = await admin.put(url, { prices: prices.map(priceOf) })
    assert.deepEqual([status, body.code], [422, code])
  }
  const unknown = { prices: [priceOf({ priceCents: 1, currency: 'ZZZ' })] }
  assert.equal((await admin.put(url, unknown)).status, 400)
  const { body } = await admin.put(url, { prices: [priceOf({ priceCents: 5 })] })
  assert.deepEqual((await admin.get(url)).body, body)
  const nowhere = `/v1/admin/locations/${newId()}/prices`
  assert.equal((await admin.get(nowhere)).status, 404)
  assert.equal((await admin.put(nowhere, { prices: [] })).status, 404)
})
