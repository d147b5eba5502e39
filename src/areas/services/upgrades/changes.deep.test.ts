import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import { boundary } from '#lib/periods.ts'
import { dayOf, type Instant, later, millis } from '#lib/time.ts'
import { clientOf } from '#panel'
import { json, transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { findService } from '../queries.ts'
import { serviceSettings } from '../settings.ts'
import { creditOld } from './move.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin, db, tenantId, eggId, nodeId, catalog } = shop

const DAY_MS = 86_400_000
const MONTHLY = { interval: 'month', intervalCount: 1 } as const

const provisioning = (memoryMb: number) => ({
  ...{ eggId, nodeIds: [nodeId] },
  limits: { memoryMb, diskMb: 5120, cpuPercent: 100 },
})
const reduced = await catalog.taxRate({ name: 'Reduced', class: 'reduced', rateBasisPoints: 1000 })
const large = await catalog.offer({ priceCents: 2500 }, { provisioning: provisioning(4096) })
const tiny = await catalog.offer({ priceCents: 500 }, { provisioning: provisioning(1024) })
const yearly = await catalog.offer(
  { interval: 'year', priceCents: 9000 },
  { provisioning: provisioning(3072) },
)
const other = await catalog.offer(
  { priceCents: 3000 },
  { provisioning: provisioning(3072), taxRateId: reduced.id },
)
const targets = [large, tiny, yearly, other].map(({ product }) => product.id)
const small = await shop.server({ upgradeTargetIds: targets })

type Customer = { person: Person; id: string; anchor: Instant }

async function customer(planId = small.plan.id): Promise<Customer> {
  const person = await shop.customer()
  await shop.buy(person, planId)
  const { id, currentPeriodStart: anchor } = await shop.serviceBecame(person, 'active')
  return { person, id, anchor }
}

const serviceOf = async ({ person, id }: Customer): Promise<Body> =>
  (await person.get(`/v1/services/${id}`)).body
const change = ({ person, id }: Customer, { product, plan }: Body, more: object = {}) => {
  const means = { gatewayId: shop.gatewayId, ...more }
  return person.post(`/v1/services/${id}/upgrade`, {
    ...{ productId: product.id, planId: plan.id },
    ...means,
  })
}
const isOn = (of: Customer, { product }: Body) =>
  until('the service is changed', async () => {
    const service = await serviceOf(of)
    return service.product.id === product.id && service
  })

async function goTo(at: Instant): Promise<void> {
  const seconds = (millis(at) - millis(app.deps.clock.now())) / 1000 + 60
  if (seconds > 0) await app.advance(Math.ceil(seconds))
}

async function withSettings(values: object, work: () => Promise<void>): Promise<void> {
  const section = serviceSettings.name
  await transact(db, (tx) =>
    tx
      .insertInto('tenants.settings')
      .values({ tenantId, section, values: json(values), updatedAt: app.deps.clock.now() })
      .execute(),
  )
  try {
    await work()
  } finally {
    await transact(db, (tx) =>
      tx.deleteFrom('tenants.settings').where('section', '=', section).execute(),
    )
  }
}

test('a change to another cycle costs its full price, and its periods begin at the change', async () => {
  const ada = await customer()
  const preview = await change(ada, yearly, { preview: true })
  assert.equal(preview.body.proration.chargeCents, 9000)
  const ordered = await change(ada, yearly)
  assert.equal(ordered.status, 200, ordered.text)
  const { netCents, totalCents } = ordered.body.proration
  assert.equal(ordered.body.invoice.totalCents, totalCents)
  assert.ok(netCents >= 8000 && netCents < 8010, String(netCents))
  await shop.complete(ordered.body.payment.redirectUrl)
  const after = await isOn(ada, yearly)
  const cycle = { interval: 'year', intervalCount: 1 } as const
  assert.equal(after.currentPeriodEnd, boundary(after.currentPeriodStart, cycle, 1))
  assert.ok(after.currentPeriodStart >= ada.anchor)
  const [unused, sold] = ordered.body.invoice.lines
  assert.deepEqual([unused.quantity, unused.periodEnd], [-1, boundary(ada.anchor, MONTHLY, 1)])
  assert.deepEqual(
    [sold.periodStart, sold.periodEnd],
    [after.currentPeriodStart, after.currentPeriodEnd],
  )
  await shop.assertSound()
})

test('a cheaper product begins with the next period, which is billed at its price', async () => {
  const ada = await customer()
  const start = boundary(ada.anchor, MONTHLY, 1)
  await goTo(later(start, -6 * DAY_MS))
  const open = await until('the renewal is open', async () => {
    const { data } = (await ada.person.get('/v1/billing/invoices?status=open')).body
    return data[0]
  })
  const { body } = await change(ada, tiny)
  assert.deepEqual([body.invoice, body.service.scheduledChange.at], [null, start])
  const voided = await ada.person.get(`/v1/billing/invoices/${open.id}`)
  assert.equal(voided.body.status, 'void')
  const renewed = await ada.person.post(`/v1/services/${ada.id}/renew`, {
    gatewayId: shop.gatewayId,
  })
  assert.equal(renewed.body.invoice.totalCents, 600, renewed.text)
  await shop.complete(renewed.body.payment.redirectUrl)
  await goTo(start)
  const after = await isOn(ada, tiny)
  assert.deepEqual([after.currentPeriodStart, after.scheduledChange], [start, null])
  assert.equal(after.plan.priceCents, 500)
})

test('E55: by setting a cheaper product begins at once, and the difference is credited with its tax (hardening 39)', async () => {
  await withSettings({ immediateCredit: true }, async () => {
    const ada = await customer()
    const { body } = await change(ada, tiny)
    assert.equal(body.invoice, null)
    await isOn(ada, tiny)
    assert.equal(await shop.creditOf(ada.person), -body.proration.totalCents)
    const { data } = (await ada.person.get('/v1/billing/credit-notes')).body
    assert.equal(data[0].totalCents, -body.proration.totalCents)
    await shop.assertSound()
  })
})

test('nothing is credited for a cheaper product while a bank holds money of the customer', async () => {
  await withSettings({ immediateCredit: true }, async () => {
    const ada = await customer()
    const payment = await db
      .selectFrom('billing.payments')
      .select('providerPaymentId')
      .where('userId', '=', ada.person.userId)
      .executeTakeFirstOrThrow()
    const { id } = await shop.control('disputes', { paymentIntent: payment.providerPaymentId })
    const disputes = () =>
      db
        .selectFrom('billing.disputes as dispute')
        .innerJoin('billing.payments as payment', 'payment.id', 'dispute.paymentId')
        .select('dispute.state')
        .where('payment.userId', '=', ada.person.userId)
        .executeTakeFirst()
    await app.eventually('the bank asks', disputes)
    const refused = await change(ada, tiny)
    assert.deepEqual([refused.status, refused.body.code], [409, 'invoice_disputed'], refused.text)
    await transact(db, async (tx) => {
      const service = await findService(tx, { tenantId, id: ada.id })
      // The bank has asked after the change was ordered.
      if (service) await creditOld(tx, service, cents(100), app.deps.clock.now())
    })
    assert.equal(await shop.creditOf(ada.person), 0)
    await app.eventually('staff is told', async () => {
      const { data } = (await admin.get('/v1/notifications')).body
      return data.some((it: Body) => it.title.startsWith('A change of plan was not credited'))
    })
    await shop.control(`disputes/${id}/close`, { outcome: 'won' })
    await app.eventually('the bank has decided', async () => (await disputes())?.state === 'won')
    assert.equal((await change(ada, tiny)).status, 200)
    await isOn(ada, tiny)
  })
})

test('a month that was paid with an imported invoice becomes credit when another cycle takes its place', async () => {
  const ada = await customer()
  const { person } = ada
  const ordered = await change(ada, yearly)
  const renewal = await person.post(`/v1/services/${ada.id}/renew`, { gatewayId: shop.gatewayId })
  await shop.complete(renewal.body.payment.redirectUrl)
  await shop.became(person, renewal.body.invoice.id, 'paid')
  await app.eventually('its period is noted', async () => !(await notesPeriods()))
  const imported = { importId: ada.id, number: '1', status: 'Unpaid', state: 'open' }
  await app.deps.database.execute(`update billing.invoices set imported = $2 where id = $1`, [
    renewal.body.invoice.id,
    imported,
  ])
  await shop.complete(ordered.body.payment.redirectUrl)
  await isOn(ada, yearly)
  assert.equal(await shop.creditOf(person), renewal.body.invoice.totalCents)
  const { data } = (await person.get('/v1/billing/credit-notes')).body
  assert.deepEqual(data, [])
})

test('a month that a bank holds becomes credit when another cycle takes its place, until the bank takes it back', async () => {
  const ada = await customer()
  const { person } = ada
  const ordered = await change(ada, yearly)
  assert.equal(ordered.status, 200, ordered.text)
  const renewal = await person.post(`/v1/services/${ada.id}/renew`, { gatewayId: shop.gatewayId })
  assert.equal(renewal.status, 200, renewal.text)
  await shop.complete(renewal.body.payment.redirectUrl)
  await shop.became(person, renewal.body.invoice.id, 'paid')
  const { providerPaymentId } = await db
    .selectFrom('billing.payments')
    .select('providerPaymentId')
    .where('userId', '=', person.userId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const { id } = await shop.control('disputes', { paymentIntent: providerPaymentId })
  await app.eventually('the bank asks', () =>
    db
      .selectFrom('billing.disputes as dispute')
      .innerJoin('billing.payments as payment', 'payment.id', 'dispute.paymentId')
      .select('dispute.id')
      .where('payment.userId', '=', person.userId)
      .executeTakeFirst(),
  )
  await shop.complete(ordered.body.payment.redirectUrl)
  await isOn(ada, yearly)
  assert.equal(await shop.creditOf(person), renewal.body.invoice.totalCents)
  await shop.control(`disputes/${id}/close`, { outcome: 'lost' })
  await until('the bank has taken it', async () => (await shop.creditOf(person)) === 0)
  const { data } = (await person.get('/v1/billing/invoices?status=open')).body
  assert.deepEqual(data, [])
  await shop.assertSound()
})

test('where the new product is taxed differently, the old one is credited on its own invoice', async () => {
  const ada = await customer()
  const { body } = await change(ada, other)
  const { creditCents, chargeCents, totalCents } = body.proration
  assert.equal(totalCents, chargeCents + Math.round(chargeCents / 10))
  assert.deepEqual(body.invoice.taxes.length, 1)
  await shop.complete(body.payment.redirectUrl)
  await isOn(ada, other)
  const credited = creditCents + Math.round(creditCents / 5)
  assert.equal(await shop.creditOf(ada.person), credited)
  await shop.assertSound()
})

test('a period that is paid ahead counts in full, and is on the new product too', async () => {
  const ada = await customer()
  const early = await ada.person.post(`/v1/services/${ada.id}/renew`, { gatewayId: shop.gatewayId })
  await shop.complete(early.body.payment.redirectUrl)
  await shop.became(ada.person, early.body.invoice.id, 'paid')
  const ordered = await until('the period is paid', async () => {
    const { body } = await change(ada, large, { preview: true })
    return body.proration.chargeCents > 2500 && body
  })
  assert.ok(ordered.proration.netCents > 2990 && ordered.proration.netCents <= 3000)
})

test('an administrator sees a change that is under way, and gives it up', async () => {
  const ada = await customer()
  const { body } = await change(ada, large)
  const path = `/v1/admin/services/${ada.id}`
  const { upgrade } = (await admin.get(path)).body
  assert.deepEqual([upgrade.productId, upgrade.invoiceId], [large.product.id, body.invoice.id])
  const given = await admin.post(`${path}/cancel-upgrade`)
  assert.deepEqual([given.status, given.body.upgrade], [200, null])
  const voided = await ada.person.get(`/v1/billing/invoices/${body.invoice.id}`)
  assert.equal(voided.body.status, 'void')
  assert.equal((await change(ada, large)).status, 200)
})

test('a change that is paid after its period leaves the period that has begun as it was invoiced', async () => {
  // A few hours of it cost enough for a payment.
  const dear = await catalog.offer({ priceCents: 9000 }, { provisioning: provisioning(4096) })
  const cheap = await shop.server({ upgradeTargetIds: [dear.product.id] })
  const someone = await customer(cheap.plan.id)
  const { currentPeriodEnd: end } = await serviceOf(someone)
  await app.advance((millis(end) - millis(app.deps.clock.now())) / 1000 - 6 * 3600)
  const renewals = async (): Promise<Body[]> => {
    const { data } = (await someone.person.get('/v1/billing/invoices?limit=50')).body
    return data.filter((it: Body) => it.lines.some((line: Body) => line.periodStart === end))
  }
  const [renewal] = await until('the renewal is invoiced', async () => {
    const found = await renewals()
    return found.length === 1 && found
  })
  const { body: ordered } = await change(someone, dear)
  await app.advance(12 * 3600)
  await shop.complete(ordered.payment.redirectUrl)
  await isOn(someone, dear)
  await shop.quiet()
  const after = await renewals()
  assert.deepEqual(
    after.map(({ id, status, totalCents, dueAt }) => ({ id, status, totalCents, dueAt })),
    [{ id: renewal?.id, status: 'open', totalCents: 1200, dueAt: end }],
  )
  // Neither is it made cheaper, nor due anew, by planning something else.
  const { id, person } = someone
  const planned = await person.patch(`/v1/services/${id}`, { planId: dear.plan.id })
  assert.equal(planned.status, 200)
  const tier = await catalog.plan(dear.product.id, { priceCents: 100 })
  const cheaper = await person.patch(`/v1/services/${id}`, { planId: tier.id })
  assert.deepEqual([cheaper.status, cheaper.body.code], [409, 'period_unpaid'])
  const means = { gatewayId: shop.gatewayId }
  const { body: payment } = await person.post(`/v1/billing/invoices/${renewal?.id}/pay`, means)
  await shop.complete(payment.redirectUrl)
  await until(
    'the period is paid',
    async () => (await serviceOf(someone)).currentPeriodStart === end,
  )
  const { plan } = await serviceOf(someone)
  assert.deepEqual([plan.id, plan.priceCents], [dear.plan.id, 9000])
  const [row] = await db
    .selectFrom('services.services')
    .select(['valueCents', 'priceCents'])
    .where('id', '=', id)
    .execute()
  // The month cost what it cost: a later change gives back no more than that.
  assert.deepEqual(row, { valueCents: 1000, priceCents: 9000 })
})

test('a product with fewer ports than a server has is refused before the money', async () => {
  const someone = await customer()
  const { externalId } = (await admin.get(`/v1/admin/services/${someone.id}`)).body
  const client = await clientOf(app.deps, db, { tenantId, nodeId })
  const server = await client.findServerByExternalId(externalId)
  assert.ok(server)
  const [free] = await client.listAllocations(server.nodeId, { free: true })
  assert.ok(free)
  const featureLimits = { ...server.featureLimits, allocations: 2 }
  await client.updateBuild(server.id, { addAllocationIds: [free.id], featureLimits })
  const refused = await change(someone, large)
  assert.deepEqual([refused.status, refused.body.code], [422, 'ports_in_use'])
  await client.updateBuild(server.id, { removeAllocationIds: [free.id] })
  assert.equal((await change(someone, large)).status, 200)
})

test('a product of another egg is installed on the server, and its owner told when that is done', async () => {
  const { data: eggs } = (await admin.get('/v1/admin/eggs?limit=100')).body
  const other = eggs.find((it: Body) => it.name === 'Bungeecord')
  const proxy = await catalog.offer(
    { priceCents: 3000 },
    { provisioning: { ...provisioning(2048), eggId: other.id } },
  )
  const game = await shop.server({ upgradeTargetIds: [proxy.product.id] })
  const ada = await customer(game.plan.id)
  const { body } = await change(ada, proxy)
  await shop.panel.fault('PATCH /api/application/servers/{id}/build', 'commit-then-500')
  const before = await shop.panel.calls('POST', /\/reinstall$/)
  await shop.complete(body.payment.redirectUrl)
  await app.eventually(
    'it is changed',
    async () => (await serviceOf(ada)).product.id === proxy.product.id,
    { seconds: 15 },
  )
  assert.equal((await shop.panel.calls('POST', /\/reinstall$/)) - before, 1)
  const { externalId } = (await admin.get(`/v1/admin/services/${ada.id}`)).body
  const client = await clientOf(app.deps, db, { tenantId, nodeId })
  const server = await client.findServerByExternalId(externalId)
  assert.equal(server?.eggId, other.remoteId)
  await app.eventually('its owner hears of it', async () => {
    const { data } = (await ada.person.get('/v1/notifications')).body
    return data.some(({ kind }: Body) => kind === 'service_reinstalled')
  })
})

/** Whether a period that was paid is still to be noted. */
async function notesPeriods(): Promise<boolean> {
  const { rows } = await app.deps.database.execute(
    `select from jobs.job where name = 'services.period-paid'
       and state in ('created', 'retry', 'active') limit 1`,
  )
  return rows.length > 0
}

test('R4.10: a price that was announced for the old plan is none for the new one', async () => {
  const [ada, bob] = [await customer(), await customer()]
  const effectiveFrom = dayOf(later(app.deps.clock.now(), 30 * DAY_MS))
  const renewedTwice = async ({ person, id }: Customer): Promise<number> => {
    let net = 0
    for (const _ of [1, 2]) {
      const means = { gatewayId: shop.gatewayId }
      const { body } = await person.post(`/v1/services/${id}/renew`, means)
      await shop.complete(body.payment.redirectUrl)
      await shop.became(person, body.invoice.id, 'paid')
      // Until its period is noted it is this invoice that renews, and it is paid.
      await app.eventually('its period is noted', async () => !(await notesPeriods()))
      net = body.invoice.netCents
    }
    return net
  }
  for (const { id } of [ada, bob]) {
    const announced = { priceCents: 1200, effectiveFrom }
    const { status, text } = await admin.patch(`/v1/admin/services/${id}`, announced)
    assert.equal(status, 200, text)
  }
  const { body } = await change(ada, large)
  await shop.complete(body.payment.redirectUrl)
  await isOn(ada, large)
  assert.deepEqual([await renewedTwice(ada), await renewedTwice(bob)], [2500, 1200])
})

test('R1.9: a change to another cycle uses up none of the periods that a coupon is for', async () => {
  const two = { duration: 'cycles', durationCycles: 2 }
  const { code } = await catalog.coupon(two)
  const person = await shop.customer()
  await person.post('/v1/cart/items', { planId: small.plan.id })
  await person.put(`/v1/cart/coupons/${code}`)
  const { body: placed } = await checkOut(person, { gatewayId: shop.gatewayId })
  await shop.complete(placed.payment.redirectUrl)
  const { id } = await shop.serviceBecame(person, 'active')
  const ada = { person, id, anchor: app.deps.clock.now() }
  await app.advance(1)
  const { body } = await change(ada, yearly)
  assert.equal(body.proration.chargeCents, 8100)
  await shop.complete(body.payment.redirectUrl)
  await isOn(ada, yearly)
  const nets: number[] = []
  for (const _ of [1, 2]) {
    const means = { gatewayId: shop.gatewayId }
    const { body: renewed } = await person.post(`/v1/services/${id}/renew`, means)
    await shop.complete(renewed.payment.redirectUrl)
    await app.eventually('its period is paid', () =>
      db
        .selectFrom('services.periods')
        .select('id')
        .where('invoiceId', '=', renewed.invoice.id)
        .where('paidAt', 'is not', null)
        .executeTakeFirst(),
    )
    nets.push(renewed.invoice.netCents)
  }
  assert.deepEqual(nets, [8100, 9000])
})
