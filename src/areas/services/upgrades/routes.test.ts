import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addCredit } from '#billing'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { millis } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { saveCard } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, type Person, person } from '#test/people.ts'
import { type Made, shopOf } from '#test/shop.ts'
import { addMember } from '../invitations/queries.ts'
import { updateService } from '../queries.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, db, tenantId, eggId, nodeId } = shop
// Sessions end while the clock moves; keys do not.
const admin = await apiKey(app, shop.admin, { permission: 'read-write' })
const catalog = shopOf(admin, { eggId, nodeIds: [nodeId], limits: { memoryMb: 0, diskMb: 0 } })

const DAY_SECONDS = 86_400
const provisioning = (memoryMb: number, more: object = {}) => ({
  ...{ eggId, nodeIds: [nodeId] },
  limits: { memoryMb, diskMb: 5120, cpuPercent: 100 },
  ...more,
})

let small: Made
let large: Made
let tiny: Made
let same: Made
let huge: Made
let refused: Made
let yearly: Made
let unrelated: Made

before(async () => {
  large = await catalog.offer({ priceCents: 2500 }, { provisioning: provisioning(4096) })
  tiny = await catalog.offer({ priceCents: 500 }, { provisioning: provisioning(1024) })
  same = await catalog.offer({}, { provisioning: provisioning(3072) })
  huge = await catalog.offer({ priceCents: 9000 }, { provisioning: provisioning(9_000_000) })
  const { body: eggs } = await admin.get('/v1/admin/eggs?limit=100')
  const rust = eggs.data.find((it: Body) => it.name.startsWith('Rust'))
  // Its password has no default, and nobody was asked for one.
  const wrong = provisioning(4096, { eggId: rust.id })
  refused = await catalog.offer({ priceCents: 3000 }, { provisioning: wrong })
  yearly = await catalog.offer({ interval: 'year', priceCents: 9000 })
  unrelated = await catalog.offer({ priceCents: 4000 })
  const targets = [large, tiny, same, huge, refused, yearly].map(({ product }) => product.id)
  small = await shop.server({ upgradeTargetIds: targets })
})

type Customer = Person & { serviceId: string; placed: Body }

/** Somebody with an active service, and a credential that outlives the movements of the clock. */
async function customerWith(planId: string): Promise<Customer> {
  const someone = await shop.customer()
  const customer = { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
  const placed = await shop.buy(customer, planId)
  const { id: serviceId } = await shop.serviceBecame(customer, 'active')
  return { ...customer, serviceId, placed }
}

const serviceOf = async ({ serviceId, ...customer }: Customer) =>
  (await customer.get(`/v1/services/${serviceId}`)).body
const upgrade = ({ serviceId, ...customer }: Customer, body?: object) =>
  customer.post(`/v1/services/${serviceId}/upgrade`, body)
const order = (customer: Customer, { product }: Made, more: object = {}) =>
  upgrade(customer, { productId: product.id, gatewayId: shop.gatewayId, ...more })

async function serverOf({ serviceId }: Customer): Promise<Body> {
  const { externalId } = (await admin.get(`/v1/admin/services/${serviceId}`)).body
  return (await shop.servers()).find((it) => it.externalId === externalId)
}

async function toldOf({ get }: Pick<Person, 'get'>, kind: string): Promise<boolean> {
  const { body } = await get('/v1/notifications')
  return body.data.some((it: Body) => it.kind === kind)
}

const set = (serviceId: string, to: Parameters<typeof updateService>[2]) =>
  transact(db, (tx) => updateService(tx, { tenantId, id: serviceId }, to))

test('an upgrade without a body is a 400 that names productId, however it is sent', async () => {
  const customer = await customerWith(small.plan.id)
  const path = `/v1/services/${customer.serviceId}/upgrade`
  const json = { 'content-type': 'application/json' }
  const answers = [
    await customer.post(path),
    await customer.post(path, undefined, { headers: json, raw: '' }),
    await customer.post(path, {}),
  ]
  for (const { status, body } of answers) {
    assert.equal(status, 400)
    assert.match(body.message, /productId/)
    assert.equal(body.details[0].path, 'productId')
  }
  const extra = { productId: large.product.id, priceCents: 1, tenantId: newId() }
  assert.equal((await upgrade(customer, extra)).status, 400)
  assert.equal((await upgrade(customer, { productId: 'x' })).status, 400)
  const stranger = await shop.customer()
  assert.equal((await stranger.post(path)).status, 404)
  assert.equal((await app.post(path)).status, 401)
})

test('an upgrade is paid first, then made on the panel, and costs what its preview said', async () => {
  const customer = await customerWith(small.plan.id)
  const { currentPeriodStart, currentPeriodEnd } = await serviceOf(customer)
  const length = (millis(currentPeriodEnd) - millis(currentPeriodStart)) / 1000
  await app.advance(length / 2 - 1)
  const preview = await order(customer, large, { preview: true })
  assert.equal(preview.status, 200, preview.text)
  const { proration, invoice, payment } = preview.body
  assert.deepEqual([invoice, payment], [null, null])
  // E49, and the tax of the seller's country on it.
  assert.deepEqual([preview.body.effect, preview.body.effectiveAt], ['on_payment', null])
  assert.deepEqual([preview.body.fits, preview.body.misfit], [true, null])
  const { lines, ...amounts } = proration
  assert.deepEqual(amounts, {
    ...{ creditCents: 500, chargeCents: 1250, netCents: 750, taxCents: 150, totalCents: 900 },
    currency: 'EUR',
  })
  assert.deepEqual(
    lines.map((it: Body) => [it.quantity, it.unitPriceCents, it.netCents]),
    [
      [-1, 500, -500],
      [1, 1250, 1250],
    ],
  )
  const real = await order(customer, large)
  assert.equal(real.status, 200, real.text)
  assert.deepEqual(real.body.proration, proration)
  assert.deepEqual(
    [real.body.invoice.totalCents, real.body.invoice.taxCents, real.body.payment.amountCents],
    [900, 150, 900],
  )
  assert.equal((await serviceOf(customer)).product.id, small.product.id)
  const second = await order(customer, tiny)
  assert.deepEqual([second.status, second.body.code], [409, 'upgrade_in_progress'])

  await shop.complete(real.body.payment.redirectUrl)
  const after = await until('the service is upgraded', async () => {
    const service = await serviceOf(customer)
    return service.product.id === large.product.id && service
  })
  assert.deepEqual([after.plan.id, after.plan.priceCents], [large.plan.id, 2500])
  assert.deepEqual([after.currentPeriodEnd, after.scheduledChange], [currentPeriodEnd, null])
  const { limits } = await serverOf(customer)
  assert.deepEqual([limits.memory, limits.disk, limits.cpu], [4096, 5120, 100])
  assert.ok(await toldOf(customer, 'service_upgraded'))
  // What is held from now on is worth the new price.
  const back = await order(customer, huge, { preview: true })
  assert.equal(back.status, 422, 'large offers no further upgrade')
})

test('a change that is not offered is a 422, and what is not there a 404', async () => {
  const customer = await customerWith(small.plan.id)
  const wrong = [
    [{ productId: unrelated.product.id }, 422, 'not_an_upgrade_target'],
    [{ productId: small.product.id }, 422, 'not_an_upgrade_target'],
    [{ productId: yearly.product.id }, 422, 'no_matching_plan'],
    [{ productId: huge.product.id }, 422, 'no_capacity'],
    [{ productId: newId() }, 404, 'not_found'],
    [{ productId: large.product.id, planId: small.plan.id }, 404, 'not_found'],
    [{ productId: large.product.id, gatewayId: newId() }, 404, 'not_found'],
    [{ productId: large.product.id, paymentMethodId: newId() }, 404, 'not_found'],
  ] as const
  for (const [body, status, code] of wrong) {
    const answer = await upgrade(customer, body)
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(body))
  }
  assert.equal((await order(customer, large, { preview: true })).status, 200, 'nothing is open')
})

for (const [kind, plan] of [
  ['one-time', { interval: 'one_time' }],
  ['hourly', { interval: 'hour', priceMicros: 10_000 }],
  ['trial', { trialDays: 7 }],
] as const) {
  test(`a ${kind} plan cannot be upgraded`, async () => {
    const { plan: sold } = await catalog.offer(plan, {
      provisioning: provisioning(1024),
      upgradeTargetIds: [large.product.id],
    })
    const someone = await shop.customer()
    await saveCard(shop, someone)
    const placed = await shop.order(someone, sold.id)
    if (placed.payment) await shop.complete(placed.payment.redirectUrl)
    const { id } = await shop.serviceBecame(someone, 'active')
    const body = { productId: large.product.id, preview: true }
    const answer = await someone.post(`/v1/services/${id}/upgrade`, body)
    assert.deepEqual([answer.status, answer.body.code], [422, 'plan_not_upgradable'])
  })
}

test('a member may not upgrade, and a stranger does not see the service', async () => {
  const { serviceId } = await customerWith(small.plan.id)
  const [member, stranger] = [await person(app), await person(app)]
  const createdAt = app.deps.clock.now()
  const { userId } = member
  const permissions = ['view', 'settings']
  await transact(db, (tx) => addMember(tx, { tenantId, serviceId, userId, permissions, createdAt }))
  for (const body of [{ productId: large.product.id }, { productId: newId() }, {}]) {
    assert.equal((await member.post(`/v1/services/${serviceId}/upgrade`, body)).status, 403)
    assert.equal((await stranger.post(`/v1/services/${serviceId}/upgrade`, body)).status, 404)
  }
})

test('a service that is not active, is to end, or is not paid for is a 409', async () => {
  const someone = await shop.customer()
  await shop.order(someone, small.plan.id)
  const [pending] = (await someone.get('/v1/services')).body.data
  const body = { productId: large.product.id, preview: true }
  const waiting = await someone.post(`/v1/services/${pending.id}/upgrade`, body)
  assert.deepEqual([waiting.status, waiting.body.code], [409, 'service_not_active'])

  const customer = await customerWith(small.plan.id)
  const now = app.deps.clock.now()
  await set(customer.serviceId, { suspendedAt: now })
  const suspended = await upgrade(customer, { productId: large.product.id })
  assert.deepEqual([suspended.status, suspended.body.code], [409, 'service_not_active'])
  await set(customer.serviceId, { suspendedAt: null, cancelAtPeriodEnd: true })
  const ending = await upgrade(customer, { productId: large.product.id })
  assert.deepEqual([ending.status, ending.body.code], [409, 'service_canceled'])
  const { currentPeriodStart: start } = await serviceOf(customer)
  await set(customer.serviceId, { cancelAtPeriodEnd: false, currentPeriodEnd: start })
  const unpaid = await upgrade(customer, { productId: large.product.id })
  assert.deepEqual([unpaid.status, unpaid.body.code], [409, 'period_unpaid'])
})

test('a downgrade waits for the next period and costs nothing', async () => {
  const customer = await customerWith(small.plan.id)
  const preview = (await order(customer, tiny, { preview: true })).body
  const { status, body } = await order(customer, tiny)
  assert.equal(status, 200)
  const { proration, effect, effectiveAt } = body
  assert.deepEqual([preview.proration, preview.effect], [proration, effect])
  assert.equal(preview.effectiveAt, effectiveAt)
  assert.deepEqual([body.invoice, body.payment], [null, null])
  const { creditCents, chargeCents, netCents, taxCents, totalCents, lines } = body.proration
  assert.deepEqual([creditCents, chargeCents, netCents, taxCents, totalCents], [0, 0, 0, 0, 0])
  assert.deepEqual(lines, [])
  const { currentPeriodEnd } = body.service
  assert.deepEqual([body.effect, body.effectiveAt], ['next_period', currentPeriodEnd])
  assert.deepEqual(body.service.scheduledChange, {
    ...{ productId: tiny.product.id, planId: tiny.plan.id },
    at: body.service.currentPeriodEnd,
  })
  assert.equal(body.service.product.id, small.product.id)
  const { limits } = await serverOf(customer)
  assert.equal(limits.memory, 2048)
})

test('a change that costs nothing is made at once', async () => {
  const customer = await customerWith(small.plan.id)
  const { status, body } = await order(customer, same)
  assert.equal(status, 200)
  assert.equal(body.effect, 'at_once')
  assert.deepEqual([body.invoice, body.payment, body.proration.netCents], [null, null, 0])
  await until('the service is changed', async () => {
    return (await serviceOf(customer)).product.id === same.product.id
  })
  assert.equal((await serverOf(customer)).limits.memory, 3072)
})

test('when the panel refuses the values, the service stays and the money becomes credit', async () => {
  const customer = await customerWith(small.plan.id)
  const server = await serverOf(customer)
  const { body } = await order(customer, refused)
  assert.ok(body.invoice.totalCents <= 2400)
  await shop.complete(body.payment.redirectUrl)
  await until('the customer is told', () => toldOf(customer, 'upgrade_failed'))
  const service = await serviceOf(customer)
  assert.deepEqual([service.status, service.product.id], ['active', small.product.id])
  assert.equal(service.plan.priceCents, 1000)
  assert.equal(await shop.creditOf(customer), body.invoice.totalCents)
  assert.deepEqual(await serverOf(customer), server)
  assert.ok(await toldOf(admin, 'admin_attention'))
  // And another change is possible.
  assert.equal((await order(customer, large)).status, 200)
  await shop.assertSound()
})

test('a panel that is away for a moment does not end an upgrade', async () => {
  const customer = await customerWith(small.plan.id)
  const route = 'PATCH /api/application/servers/{id}/build'
  await shop.panel.fault(route, 'commit-then-500')
  const { body } = await order(customer, large)
  await shop.complete(body.payment.redirectUrl)
  await until('the upgrade waits', async () => {
    const row = await db
      .selectFrom('services.upgrades')
      .select('attempt')
      .where('serviceId', '=', customer.serviceId)
      .executeTakeFirst()
    return row?.attempt === 1
  })
  assert.equal((await serviceOf(customer)).product.id, small.product.id)
  await app.advance(60)
  await until('the service is upgraded', async () => {
    return (await serviceOf(customer)).product.id === large.product.id
  })
})

test('one call answers what a change to each product costs, as its preview does', async () => {
  const customer = await customerWith(small.plan.id)
  const { status, body } = await customer.get(`/v1/services/${customer.serviceId}/upgrade-targets`)
  assert.equal(status, 200)
  const offered = [large, tiny, same, huge, refused].map(({ product }) => product.id)
  assert.deepEqual(body.data.map((it: Body) => it.product.id).toSorted(), offered.toSorted())
  for (const { product, effect, proration } of body.data) {
    const preview = await upgrade(customer, { productId: product.id, preview: true })
    assert.equal(preview.body.effect, effect)
    assert.ok(Math.abs(preview.body.proration.totalCents - proration.totalCents) <= 1)
  }
  const tooLarge = await order(customer, huge, { preview: true })
  assert.deepEqual([tooLarge.body.fits, tooLarge.body.misfit], [false, 'no_capacity'])
  const stranger = await shop.customer()
  const path = `/v1/services/${customer.serviceId}/upgrade-targets`
  assert.equal((await stranger.get(path)).status, 404)
})

test('an upgrade nobody pays for a day is given up, and a new one is possible', async () => {
  const customer = await customerWith(small.plan.id)
  const { body } = await order(customer, large)
  assert.equal((await order(customer, large)).status, 409)
  await app.advance(DAY_SECONDS + 60)
  await shop.became(customer, body.invoice.id, 'void')
  const again = await until('another upgrade is possible', async () => {
    const answer = await order(customer, large)
    return answer.status === 200 && answer.body
  })
  assert.notEqual(again.invoice.id, body.invoice.id)
  assert.ok(again.proration.netCents < body.proration.netCents)
})

test('credit pays for an upgrade without a page', async () => {
  const customer = await customerWith(small.plan.id)
  const { userId } = customer
  const change = { tenantId, userId, currency: 'EUR', amountCents: cents(50_000), description: '' }
  const now = app.deps.clock.now()
  await shop.inLedger((tx) => addCredit(tx, { ...change, eventId: userId, key: userId }, now))
  const preview = await order(customer, large, { useCredits: true, preview: true })
  assert.equal(preview.body.creditUsedCents, preview.body.proration.totalCents)
  assert.equal((await order(customer, large, { preview: true })).body.creditUsedCents, 0)
  const { body } = await order(customer, large, { useCredits: true })
  assert.equal(body.creditUsedCents, body.invoice.totalCents)
  assert.equal(body.payment.status, 'paid')
  await until('the service is upgraded', async () => {
    return (await serviceOf(customer)).product.id === large.product.id
  })
})

test('who speaks French has French lines on every invoice, and a French reason on a credit note', async () => {
  const someone = await shop.customer()
  assert.equal((await someone.patch('/v1/users/me', { locale: 'fr' })).status, 200)
  const customer = { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
  const placed = await shop.buy(customer, small.plan.id)
  const { id: serviceId } = await shop.serviceBecame(customer, 'active')
  const linesOf = async (id: string): Promise<string[]> => {
    const { body } = await customer.get(`/v1/billing/invoices/${id}`)
    return body.lines.map((it: Body) => it.description)
  }
  const [bought] = await linesOf(placed.invoice.id)
  assert.match(String(bought), / : 1 mois à compter du paiement$/)

  const { body: made } = await order({ ...customer, serviceId, placed }, large)
  const [unused, rest] = made.proration.lines.map((it: Body) => it.description)
  assert.match(unused, / : temps non utilisé jusqu’au \d{1,2}(er)? \p{L}+ \d{4}$/u)
  assert.match(rest, / : reste de la période jusqu’au \d{1,2}(er)? \p{L}+ \d{4}$/u)
  assert.deepEqual(await linesOf(made.invoice.id), [unused, rest])

  const topUp = { amountCents: 1000, gatewayId: shop.gatewayId }
  const { body: credit } = await customer.post('/v1/billing/credits/top-up', topUp)
  assert.deepEqual(await linesOf(credit.invoice.id), ['Crédit'])

  assert.equal((await customer.post(`/v1/services/${serviceId}/withdraw`)).status, 200)
  const { body: notes } = await customer.get('/v1/billing/credit-notes')
  assert.deepEqual(
    notes.data.map((it: Body) => it.reason),
    ['Rétractation'],
  )
})
