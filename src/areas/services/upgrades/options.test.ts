import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import { later, millis } from '#lib/time.ts'
import { clientOf } from '#panel'
import { json, transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, type Person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'
import { shopOf } from '#test/shop.ts'
import { findService, updateService } from '../queries.ts'
import { listPeriods, updatePeriod } from '../renewals/queries.ts'
import { serviceSettings } from '../settings.ts'

type Body = Answer['body']

const MONTH_MS = 30 * 86_400_000
const monthly = { interval: 'month', currency: 'EUR' }
const shop = await gameShop()
const { app, db, panel, tenantId, eggId, nodeId, gatewayId } = shop
const admin = await apiKey(app, shop.admin, { permission: 'read-write' })
const catalog = shopOf(admin)
await keepSettings(app, 'orders', { trialNeedsMethod: false })

const provisioning = {
  ...{ eggId, nodeIds: [nodeId] },
  limits: { memoryMb: 2048, diskMb: 10_240, cpuPercent: 100 },
}
const memory = {
  ...{ key: 'memory', kind: 'quantity', name: 'Memory', unit: 'GB', max: 32 },
  effect: { kind: 'resource', amounts: { memoryMb: 1024 } },
  prices: [{ tier: 0, ...monthly, priceCents: 150 }],
}
const backups = {
  ...{ key: 'backups', kind: 'select', name: 'Backups' },
  values: [
    { key: 'none', label: 'None', default: true },
    { key: 'daily', label: 'Daily' },
    { key: 'hourly', label: 'Hourly' },
  ],
  prices: [
    { value: 'none', ...monthly, priceCents: 0 },
    { value: 'daily', ...monthly, priceCents: 200 },
    { value: 'hourly', ...monthly, priceCents: 500 },
  ],
}
const ip = (stock: number) => ({
  ...{ key: 'ip', kind: 'toggle', name: 'Dedicated IP' },
  values: [
    { key: 'off', label: 'No' },
    { key: 'on', label: 'Yes', stock },
  ],
  prices: [{ value: 'on', ...monthly, priceCents: 300, feeCents: 500 }],
})

/** A product with these options, and a monthly plan of 1000 cents. */
async function offer(options: readonly object[] = [memory, backups, ip(20)], plan: object = {}) {
  const made = await catalog.offer(plan, { provisioning })
  const productIds = [made.product.id]
  const { body: group } = await admin.post('/v1/admin/option-groups', { name: 'Size', productIds })
  const ids = new Map<string, string>()
  for (const option of options) {
    const { status, body, text } = await admin.post('/v1/admin/options', {
      ...option,
      groupId: group.id,
    })
    assert.equal(status, 201, text)
    ids.set(body.key, body.id)
  }
  return { ...made, ids }
}

const standard = await offer()

type Customer = Person & { id: string; invoice: Body }

/** A customer with an active service of these options, whose period of thirty days is half over. */
async function halfway(
  options: object,
  { of = standard, coupon }: { of?: Awaited<ReturnType<typeof offer>>; coupon?: object } = {},
): Promise<Customer> {
  const someone = await shop.customer()
  const customer = { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
  const added = await customer.post('/v1/cart/items', { planId: of.plan.id, options })
  assert.equal(added.status, 201, added.text)
  if (coupon) {
    const { code } = await catalog.coupon(coupon)
    assert.ok((await customer.put(`/v1/cart/coupons/${code}`)).status < 300)
  }
  const placed = await checkOut(customer, { gatewayId })
  assert.equal(placed.status, 201, placed.text)
  await shop.complete(placed.body.payment.redirectUrl)
  const { id } = await shop.serviceBecame(customer, 'active')
  await beginsAt(id, later(app.deps.clock.now(), -MONTH_MS / 2))
  return { ...customer, id, invoice: placed.body.invoice }
}

/** Moves a service with all its periods, each of thirty days, to an instant. */
async function beginsAt(id: string, start: ReturnType<typeof later>): Promise<void> {
  const key = { tenantId, id }
  await transact(db, async (tx) => {
    for (const [index, period] of (await listPeriods(tx, key)).entries()) {
      const startsAt = later(start, index * MONTH_MS)
      await updatePeriod(tx, period, { startsAt, endsAt: later(startsAt, MONTH_MS) })
    }
    const currentPeriodEnd = later(start, MONTH_MS)
    await updateService(tx, key, { anchorAt: start, currentPeriodStart: start, currentPeriodEnd })
    await updateService(tx, key, { invoicedTo: currentPeriodEnd })
  })
}

const change = ({ id, post }: Customer, options: object, more: object = {}) =>
  post(`/v1/services/${id}/options`, { options, gatewayId, ...more })

async function changed(customer: Customer, options: object, more: object = {}): Promise<Body> {
  const { status, body, text } = await change(customer, options, more)
  assert.equal(status, 200, text)
  return body
}

async function pay(customer: Customer, { payment, changed: of }: Body): Promise<void> {
  if (payment) await shop.complete(payment.redirectUrl)
  // Other work on the panel may come first.
  const seconds = 15
  await app.eventually(
    'the options are changed',
    async () => {
      const { body } = await customer.get(`/v1/services/${customer.id}`)
      const labelOf = (key: string) => body.components.find((it: Body) => it.key === key)?.label
      return body.upgrade === null && of.every((it: Body) => (labelOf(it.key) ?? null) === it.label)
    },
    { seconds },
  )
}

const amounts = ({ lines }: Body) => lines.map((it: Body) => it.quantity * it.unitPriceCents)
const money = ({ netCents, taxCents, totalCents }: Body) => [netCents, taxCents, totalCents]
const optionsOf = async ({ id, get }: Customer): Promise<Body> =>
  (await get(`/v1/services/${id}/options`)).body

/** What the next invoice of the service will be before tax, line by line. */
async function nextNets({ id }: Customer): Promise<number[]> {
  const period = await app.eventually('the next period is invoiced', async () => {
    const { nextInvoiceAt } = (await admin.get(`/v1/admin/services/${id}`)).body
    const ahead = nextInvoiceAt ? millis(nextInvoiceAt) - millis(app.deps.clock.now()) : 0
    const found = (await listPeriods(db, { tenantId, id })).find(({ paidAt }) => paidAt === null)
    if (!found && ahead > 0) await app.advance(Math.ceil(ahead / 1000))
    return found
  })
  const invoice = await admin.get(`/v1/admin/invoices/${period.invoiceId}`)
  return amounts(invoice.body)
}

async function serverOf({ id }: Customer): Promise<Body> {
  const { externalId } = (await admin.get(`/v1/admin/services/${id}`)).body
  return (await shop.servers()).find((it) => it.externalId === externalId)
}

/** Components and totals of a service agree (chapter 12, invariant 1). */
async function assertWhole({ id }: Customer): Promise<void> {
  const service = await findService(db, { tenantId, id })
  assert.ok(service)
  const [price, worth] = service.components.reduce(
    ([a = 0, b = 0], it) => [a + it.priceCents, b + it.valueCents],
    [0, 0],
  )
  assert.equal(service.priceCents - (price ?? 0), 1000)
  assert.ok((worth ?? 0) <= service.valueCents, 'components are worth no more than the service')
}

async function immediately(work: () => Promise<void>): Promise<void> {
  const section = serviceSettings.name
  const values = json({ immediateCredit: true })
  await transact(db, (tx) =>
    tx
      .insertInto('tenants.settings')
      .values({ tenantId, section, values, updatedAt: app.deps.clock.now() })
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

test('X19, V17: memory 2 → 4 costs 180 for half a period, is made on the panel, and renews at 1600', async () => {
  const ada = await halfway({ memory: 2 })
  const preview = await changed(ada, { memory: 4 }, { preview: true })
  assert.deepEqual(amounts(preview.proration), [-150, 300])
  assert.deepEqual(money(preview.proration), [150, 30, 180])
  assert.deepEqual([preview.effect, preview.effectiveAt, preview.fits], ['on_payment', null, true])
  assert.equal(preview.customerPrice.totalCents, 1920)
  assert.equal(preview.invoice, null)
  const ordered = await changed(ada, { memory: 4 }, { quote: preview.quote })
  assert.deepEqual(ordered.proration, preview.proration)
  assert.deepEqual(money(ordered.invoice), [150, 30, 180])
  assert.deepEqual(
    ordered.invoice.lines.map((it: Body) => it.description.split(':').slice(0, 2).join(':')),
    ['Memory: 2 GB', 'Memory: 4 GB'],
  )
  assert.equal((await serverOf(ada)).limits.memory, 4096)
  await pay(ada, ordered)
  const server = await serverOf(ada)
  assert.deepEqual([server.limits.memory, server.limits.disk], [6144, 10_240])
  const { body } = await ada.get(`/v1/services/${ada.id}`)
  assert.deepEqual([body.plan.priceCents, body.limits.memoryMb], [1600, 6144])
  await assertWhole(ada)
  assert.deepEqual(await nextNets(ada), [1000, 600])
  await shop.assertSound()
})

test('X21: each option that changes is credited and charged by itself, the others are not touched', async () => {
  const ada = await halfway({ memory: 2, backups: 'none', ip: true })
  const before = (await findService(db, { tenantId, id: ada.id }))?.components ?? []
  const ordered = await changed(ada, { memory: 4, backups: 'daily' })
  assert.deepEqual(amounts(ordered.proration), [-150, 300, 100])
  assert.deepEqual(money(ordered.invoice), [250, 50, 300])
  await pay(ada, ordered)
  const after = (await findService(db, { tenantId, id: ada.id }))?.components ?? []
  const ipOf = (of: typeof after) => of.find(({ key }) => key === 'ip')
  assert.deepEqual(ipOf(after), ipOf(before))
  await assertWhole(ada)
  await shop.assertSound()
})

test('X22: what is cheaper waits for the next period, what is dearer is paid now', async () => {
  const ada = await halfway({ memory: 4, backups: 'none' })
  const ordered = await changed(ada, { memory: 2, backups: 'hourly' })
  assert.deepEqual(amounts(ordered.proration), [250])
  assert.deepEqual(money(ordered.invoice), [250, 50, 300])
  assert.deepEqual(
    ordered.scheduled.map((it: Body) => [it.key, it.label, it.priceCents]),
    [['memory', '2 GB', 300]],
  )
  await pay(ada, ordered)
  const { kept, scheduled, scheduledAt } = await optionsOf(ada)
  const { currentPeriodEnd } = (await ada.get(`/v1/services/${ada.id}`)).body
  assert.deepEqual(
    kept.map((it: Body) => [it.key, it.label, it.priceCents]),
    [
      ['memory', '4 GB', 600],
      ['backups', 'Hourly', 500],
    ],
  )
  assert.deepEqual([scheduled[0].label, scheduledAt], ['2 GB', currentPeriodEnd])
  assert.equal((await serverOf(ada)).limits.memory, 6144)
  assert.deepEqual(await nextNets(ada), [1000, 300, 500])
  await assertWhole(ada)
})

test('X23: with immediate credit both are one invoice of 120', async () => {
  const ada = await halfway({ memory: 4, backups: 'none' })
  await immediately(async () => {
    const ordered = await changed(ada, { memory: 2, backups: 'hourly' })
    assert.deepEqual(amounts(ordered.proration), [-300, 150, 250])
    assert.deepEqual(money(ordered.invoice), [100, 20, 120])
    assert.deepEqual(ordered.scheduled, [])
    await pay(ada, ordered)
  })
  assert.equal((await serverOf(ada)).limits.memory, 4096)
  await assertWhole(ada)
  await shop.assertSound()
})

test('X24, V22: a smaller option alone costs nothing and shows when it begins; with credit it is a credit note', async () => {
  const ada = await halfway({ memory: 4 })
  const { currentPeriodEnd } = (await ada.get(`/v1/services/${ada.id}`)).body
  const preview = await changed(ada, { memory: 2 }, { preview: true })
  assert.deepEqual(money(preview.proration), [0, 0, 0])
  assert.deepEqual([preview.effect, preview.effectiveAt], ['next_period', currentPeriodEnd])
  await immediately(async () => {
    const ordered = await changed(ada, { memory: 2 })
    assert.deepEqual([ordered.effect, ordered.invoice], ['credit_note', null])
    await pay(ada, ordered)
  })
  await until('it is credited', async () => (await shop.creditOf(ada)) === 180)
  assert.equal((await serverOf(ada)).limits.memory, 4096)
  await assertWhole(ada)
  await shop.assertSound()
})

test('a scheduled option changes with the next period, on the panel too, and costs less from then on', async () => {
  const ada = await halfway({ memory: 4 })
  const ordered = await changed(ada, { memory: 2 })
  assert.deepEqual([ordered.effect, ordered.invoice], ['next_period', null])
  assert.deepEqual(await nextNets(ada), [1000, 300])
  const renewed = await ada.post(`/v1/services/${ada.id}/renew`, { gatewayId })
  await shop.complete(renewed.body.payment.redirectUrl)
  await until('the period is paid', async () =>
    (await listPeriods(db, { tenantId, id: ada.id })).every(({ paidAt }) => paidAt !== null),
  )
  assert.equal((await serverOf(ada)).limits.memory, 6144)
  const { currentPeriodEnd } = (await ada.get(`/v1/services/${ada.id}`)).body
  await app.advance(
    Math.ceil((millis(currentPeriodEnd) - millis(app.deps.clock.now())) / 1000) + 60,
  )
  await app.eventually(
    'the server is smaller',
    async () => (await serverOf(ada)).limits.memory === 4096,
    { seconds: 60 },
  )
  await until('the service is, too', async () => {
    const { body } = await ada.get(`/v1/services/${ada.id}`)
    return body.plan.priceCents === 1300 && body.components[0].label === '2 GB'
  })
  assert.equal((await optionsOf(ada)).scheduled.length, 0)
  await assertWhole(ada)
  await shop.assertSound()
})

test('a scheduled option that could not be changed stays, and the next schedule waits for its own period', async () => {
  const of = await offer([memory, ip(2)])
  const ada = await halfway({ memory: 4 }, { of })
  await changed(ada, { memory: 2 })
  const renewed = await ada.post(`/v1/services/${ada.id}/renew`, { gatewayId })
  await shop.complete(renewed.body.payment.redirectUrl)
  const { currentPeriodEnd } = (await ada.get(`/v1/services/${ada.id}`)).body
  await panel.fault(BUILD, 'html-502', { n: 2 })
  await app.advance(
    Math.ceil((millis(currentPeriodEnd) - millis(app.deps.clock.now())) / 1000) + 60,
  )
  await app.eventually('the panel did not answer', async () => {
    const { body } = await admin.get(`/v1/admin/services/${ada.id}`)
    return body.upgrade?.attempt === 1
  })
  assert.equal((await admin.post(`/v1/admin/services/${ada.id}/cancel-upgrade`)).status, 200)
  await shop.quiet()
  // Less than the period was paid for.
  assert.equal((await changed(ada, { memory: 1 })).effect, 'next_period')
  await pay(ada, await changed(ada, { ip: true }))
  await shop.quiet()
  assert.equal((await serverOf(ada)).limits.memory, 6144)
  const { scheduled } = await optionsOf(ada)
  assert.deepEqual(
    scheduled.map((it: Body) => it.key),
    ['memory'],
  )
  await assertWhole(ada)
  await shop.assertSound()
})

test('smaller options are paid one period ahead only, and if the server is too full the price is the old one again', async () => {
  const ada = await halfway({ memory: 4 }, { of: await offer([memory]) })
  const renew = () => ada.post(`/v1/services/${ada.id}/renew`, { gatewayId })
  const toNextPeriod = async () => {
    const { currentPeriodEnd } = (await ada.get(`/v1/services/${ada.id}`)).body
    const left = millis(currentPeriodEnd) - millis(app.deps.clock.now())
    await app.advance(Math.ceil(left / 1000) + 60)
    await app.eventually('the next period has begun', async () => {
      const { body } = await ada.get(`/v1/services/${ada.id}`)
      return body.currentPeriodStart === currentPeriodEnd
    })
    await shop.quiet()
  }
  // Two periods on, the dates are those of whole months again.
  for (let periods = 0; periods < 2; periods++) {
    await shop.complete((await renew()).body.payment.redirectUrl)
    await shop.quiet()
    await toNextPeriod()
  }
  await changed(ada, { memory: 2 })
  const first = await renew()
  assert.equal(first.body.invoice.netCents, 1300)
  await shop.complete(first.body.payment.redirectUrl)
  await shop.quiet()
  const ahead = await renew()
  assert.deepEqual([ahead.status, ahead.body.code], [409, 'change_planned'])

  const { externalId } = (await admin.get(`/v1/admin/services/${ada.id}`)).body
  const client = await clientOf(app.deps, db, { tenantId, nodeId })
  const server = await client.findServerByExternalId(externalId)
  assert.ok(server)
  const [free] = await client.listAllocations(server.nodeId, { free: true })
  assert.ok(free)
  const featureLimits = { ...server.featureLimits, allocations: 2 }
  await client.updateBuild(server.id, { addAllocationIds: [free.id], featureLimits })
  const told = async (kind: string) =>
    (await ada.get('/v1/notifications')).body.data.filter((it: Body) => it.kind === kind).length
  await toNextPeriod()
  await app.eventually('the change waits', async () => (await told('upgrade_waiting')) === 1)
  // While it waits, the next period has the price of what the service has.
  const second = await renew()
  assert.equal(second.body.invoice.netCents, 1600)
  await shop.complete(second.body.payment.redirectUrl)
  for (let days = 0; days < 8; days++) {
    await app.advance(24 * 3600)
    await shop.quiet()
  }
  await app.eventually('it is given up', async () => (await told('upgrade_failed')) === 1)

  // As an earlier version sold it: another period, paid at the price of the smaller options.
  const paid = (await listPeriods(db, { tenantId, id: ada.id })).at(-1)
  assert.ok(paid?.paidAt)
  const smaller = paid.components.map((it) => ({ ...it, quantity: 2, priceCents: cents(300) }))
  await transact(db, (tx) =>
    updatePeriod(tx, paid, { components: smaller, priceCents: cents(1300) }),
  )
  await toNextPeriod()
  const { body } = await ada.get(`/v1/services/${ada.id}`)
  assert.deepEqual([body.currentPeriodStart, body.plan.priceCents], [paid.startsAt, 1600])
  assert.equal(body.components[0].label, '4 GB')
  assert.equal((await serverOf(ada)).limits.memory, 6144)
  const again = await ada.post(`/v1/services/${ada.id}/options`, { options: { memory: 2 } })
  assert.deepEqual([again.status, again.body.code], [409, 'planned_change_failed'])
  const byStaff = await admin.post(`/v1/admin/services/${ada.id}/options`, {
    ...{ options: { memory: 2 }, preview: true },
  })
  assert.equal(byStaff.status, 200, byStaff.text)
  await shop.assertSound()
})

test('a schedule is taken back by its key, and replaced by an increase of the same option', async () => {
  const ada = await halfway({ memory: 4 })
  await changed(ada, { memory: 2 })
  const { status, body } = await ada.delete(`/v1/services/${ada.id}/options/scheduled/memory`)
  assert.deepEqual([status, body.scheduled], [200, []])
  assert.equal((await ada.delete(`/v1/services/${ada.id}/options/scheduled/memory`)).status, 404)
  await changed(ada, { memory: 2 })
  await pay(ada, await changed(ada, { memory: 6 }))
  assert.equal((await optionsOf(ada)).scheduled.length, 0)
  assert.deepEqual(await nextNets(ada), [1000, 900])
})

for (const [what, coupon, nets, total] of [
  ['10 % forever', { percentBasisPoints: 1000, duration: 'forever' }, [-135, 270], 162],
  ['10 % once', { percentBasisPoints: 1000, duration: 'once' }, [-135, 300], 198],
] as const) {
  test(`X26: a coupon of ${what} counts for the new price as it does for the next renewal`, async () => {
    const ada = await halfway({ memory: 2 }, { coupon })
    const { proration } = await changed(ada, { memory: 4 }, { preview: true })
    assert.deepEqual(amounts(proration), nets)
    assert.equal(proration.totalCents, total)
  })
}

test('X26: of a fixed coupon the option bears the share that it bears already', async () => {
  const coupon = { type: 'fixed', amountCents: 130, currency: 'EUR', duration: 'forever' }
  const ada = await halfway({ memory: 2 }, { coupon })
  const { proration } = await changed(ada, { memory: 4 }, { preview: true })
  assert.deepEqual(amounts(proration), [-135, 285])
  assert.equal(proration.totalCents, 180)
})

test('X27: an increase costs the price of today, a decrease at most the price that is kept', async () => {
  const of = await offer()
  const priced = (priceCents: number) =>
    admin.patch(`/v1/admin/options/${of.ids.get('memory')}`, {
      prices: [{ tier: 0, ...monthly, priceCents }],
    })
  const [two, four] = [await halfway({ memory: 2 }, { of }), await halfway({ memory: 4 }, { of })]
  assert.equal((await priced(200)).status, 200)
  const up = await changed(two, { memory: 4 }, { preview: true })
  assert.deepEqual([amounts(up.proration), up.proration.netCents], [[-150, 400], 250])
  assert.equal((await priced(250)).status, 200)
  const down = await changed(four, { memory: 3 })
  assert.deepEqual([down.effect, down.proration.netCents, down.invoice], ['at_once', 0, null])
  await pay(four, down)
  const { body } = await four.get(`/v1/services/${four.id}`)
  assert.deepEqual([body.plan.priceCents, body.components[0].label], [1600, '3 GB'])
})

/** Pays the next period of a service in advance. */
async function renewAhead({ id, post }: Customer): Promise<void> {
  const { body, text, status } = await post(`/v1/services/${id}/renew`, { gatewayId })
  assert.equal(status, 200, text)
  await shop.complete(body.payment.redirectUrl)
  await until('the period is paid', async () =>
    (await listPeriods(db, { tenantId, id })).every(({ paidAt }) => paidAt !== null),
  )
}

test('X28: a later period that is paid counts whole, and what was refunded is not credited', async () => {
  const [ada, eve] = [await halfway({ memory: 2 }), await halfway({ memory: 2 })]
  for (const customer of [ada, eve]) await renewAhead(customer)
  const ordered = await changed(ada, { memory: 4 })
  assert.deepEqual(amounts(ordered.proration), [-450, 900])
  assert.deepEqual(money(ordered.invoice), [450, 90, 540])
  await pay(ada, ordered)
  const periods = await listPeriods(db, { tenantId, id: ada.id })
  assert.deepEqual(
    periods.map((it) => [it.priceCents, it.valueCents, it.components[0]?.valueCents]),
    [
      [1600, 1600, 600],
      [1600, 1600, 600],
    ],
  )
  await assertWhole(ada)
  const waits = await change(ada, { memory: 2 })
  assert.deepEqual([waits.status, waits.body.code], [409, 'next_period_paid'])
  const refunded = await admin.post(`/v1/admin/invoices/${eve.invoice.id}/refund`, { to: 'credit' })
  assert.ok(refunded.status < 300, refunded.text)
  const after = await changed(eve, { memory: 4 }, { preview: true })
  assert.deepEqual(amounts(after.proration), [-300, 900])
  assert.deepEqual(money(after.proration), [600, 120, 720])
  await shop.assertSound()
})

test('X29: an open renewal is voided and made again at the new price', async () => {
  const ada = await halfway({ memory: 2 })
  const { body } = await ada.post(`/v1/services/${ada.id}/renew`, { gatewayId })
  assert.deepEqual(money(body.invoice), [1300, 260, 1560])
  await pay(ada, await changed(ada, { memory: 4 }))
  assert.equal((await ada.get(`/v1/billing/invoices/${body.invoice.id}`)).body.status, 'void')
  assert.deepEqual(await nextNets(ada), [1000, 600])
  await shop.assertSound()
})

test('X33: a fee is charged with the change, and not a second time in its period', async () => {
  const ada = await halfway({})
  const ordered = await changed(ada, { ip: true })
  assert.deepEqual(amounts(ordered.proration), [150, 500])
  assert.deepEqual(money(ordered.invoice), [650, 130, 780])
  await pay(ada, ordered)
  await immediately(async () => {
    await pay(ada, await changed(ada, { ip: false }))
    const again = await changed(ada, { ip: true }, { preview: true })
    assert.deepEqual(amounts(again.proration), [150])
  })
  await assertWhole(ada)
  await shop.assertSound()
})

test('X34: a preview holds for 15 minutes, at exactly its price', async () => {
  const ada = await halfway({ memory: 2 })
  const { quote, proration } = await changed(ada, { memory: 4 }, { preview: true })
  const other = await change(ada, { memory: 5 }, { quote })
  assert.deepEqual([other.status, other.body.code], [409, 'quote_expired'])
  await app.advance(14 * 60 + 50)
  const late = await changed(ada, { memory: 4 }, { quote })
  assert.deepEqual(late.proration, proration)
  const eve = await halfway({ memory: 2 })
  const foreign = await change(eve, { memory: 4 }, { quote })
  assert.deepEqual([foreign.status, foreign.body.code], [409, 'quote_expired'])
  const { quote: own } = await changed(eve, { memory: 4 }, { preview: true })
  await app.advance(15 * 60 + 1)
  const expired = await change(eve, { memory: 4 }, { quote: own })
  assert.deepEqual([expired.status, expired.body.code], [409, 'quote_expired'])
})

test('V3, V4: all faults of a wish are one 422, and nothing happens where nothing changes', async () => {
  const ada = await halfway({ memory: 2 })
  const wrong = await change(ada, { memory: 33, backups: 'weekly', colour: 'red' })
  assert.deepEqual([wrong.status, wrong.body.code], [422, 'options_invalid'])
  assert.deepEqual(
    wrong.body.details.map((it: Body) => [it.path, it.code]),
    [
      ['options.memory', 'above_maximum'],
      ['options.backups', 'value_unknown'],
      ['options.colour', 'option_unknown'],
    ],
  )
  const same = await change(ada, { memory: 2 })
  assert.deepEqual([same.status, same.body.code], [422, 'options_unchanged'])
  const stranger = await shop.customer()
  assert.equal((await stranger.post(`/v1/services/${ada.id}/options`, { options: {} })).status, 404)
})

test('V21: of two changes at once one is refused, and a change waits for the one before', async () => {
  const ada = await halfway({ memory: 2 })
  const answers = await Promise.all([change(ada, { memory: 4 }), change(ada, { memory: 6 })])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const third = await change(ada, { backups: 'daily' })
  assert.deepEqual([third.status, third.body.code], [409, 'upgrade_in_progress'])
})

async function left(of: Awaited<ReturnType<typeof offer>>): Promise<number> {
  const { body } = await admin.get(`/v1/admin/options/${of.ids.get('ip')}`)
  return body.values.find((it: Body) => it.key === 'on').stock
}

test('S1.10: the last unit is held with the order, comes back with its invoice and when it is given up', async () => {
  const of = await offer([ip(1)])
  const [ada, eve] = [await halfway({}, { of }), await halfway({}, { of })]
  const ordered = await changed(ada, { ip: true })
  assert.equal(await left(of), 0)
  const refused = await change(eve, { ip: true })
  assert.deepEqual(
    [refused.body.code, refused.body.details[0].code],
    ['options_invalid', 'out_of_stock'],
  )
  const voided = await admin.post(`/v1/admin/services/${ada.id}/cancel-upgrade`)
  assert.equal(voided.status, 200, voided.text)
  assert.equal(await left(of), 1)
  assert.equal((await ada.get(`/v1/billing/invoices/${ordered.invoice.id}`)).body.status, 'void')
  await pay(ada, await changed(ada, { ip: true }))
  assert.equal(await left(of), 0)
  await immediately(async () => pay(ada, await changed(ada, { ip: false })))
  assert.equal(await left(of), 1)
  await shop.assertSound()
})

test('S1.10: money that comes after the last unit was sold to others becomes credit', async () => {
  const of = await offer([ip(1)])
  const [ada, eve] = [await halfway({}, { of }), await halfway({}, { of })]
  const late = await changed(ada, { ip: true })
  await app.eventually('the unit is free again', async () => (await left(of)) === 1, {
    seconds: 31 * 60,
  })
  await pay(eve, await changed(eve, { ip: true }))
  await shop.complete(late.payment.redirectUrl)
  await until('it is credited', async () => (await shop.creditOf(ada)) === late.invoice.totalCents)
  assert.equal(await left(of), 0)
  const { body } = await ada.get(`/v1/services/${ada.id}`)
  assert.deepEqual([body.components, body.upgrade], [[], null])
  await shop.assertSound()
})

test('V19: a machine that is full refuses before any money', async () => {
  const huge = { ...memory, effect: { kind: 'resource', amounts: { memoryMb: 3_000_000 } } }
  const of = await offer([huge])
  const ada = await halfway({}, { of })
  const { status, body } = await change(ada, { memory: 30 })
  assert.deepEqual([status, body.code], [422, 'no_capacity'])
})

test('V20, S2.8: a machine that is full once the money is there leaves the server as it was, and the money as credit', async () => {
  const of = await offer([memory, ip(1)])
  const ada = await halfway({ memory: 2 }, { of })
  const ordered = await changed(ada, { memory: 4, ip: true })
  const { nodeId: machine } = await serverOf(ada)
  const machines = (memory: number) => panel.post('nodes', { nodeId: machine, memory })
  await machines(1)
  await shop.complete(ordered.payment.redirectUrl)
  await app.eventually(
    'it is credited',
    async () => (await shop.creditOf(ada)) === ordered.invoice.totalCents,
    { seconds: 15 },
  )
  await machines(1_000_000)
  assert.equal((await serverOf(ada)).limits.memory, 4096)
  const { body } = await ada.get(`/v1/services/${ada.id}`)
  assert.deepEqual([body.plan.priceCents, body.upgrade], [1300, null])
  assert.equal(await left(of), 1)
  await assertWhole(ada)
  await shop.assertSound()
})

const BUILD = 'PATCH /api/application/servers/{id}/build'

test('V18: a change whose answer is lost is made once, and paid once', async () => {
  const ada = await halfway({ memory: 2 })
  await panel.fault(BUILD, 'commit-then-500', { n: 1 })
  const ordered = await changed(ada, { memory: 4 })
  await shop.complete(ordered.payment.redirectUrl)
  await app.eventually(
    'it is changed',
    async () => (await ada.get(`/v1/services/${ada.id}`)).body.plan.priceCents === 1600,
    { seconds: 15 },
  )
  assert.equal((await serverOf(ada)).limits.memory, 6144)
  assert.equal(await shop.creditOf(ada), 0)
  await assertWhole(ada)
  await shop.assertSound()
})

test('V18: a change that is given up after its answer was lost is undone, with its unit and its money', async () => {
  const of = await offer([memory, ip(1)])
  const ada = await halfway({ memory: 2 }, { of })
  await panel.fault(BUILD, 'commit-then-500', { n: 1 })
  const ordered = await changed(ada, { memory: 4, ip: true })
  await shop.complete(ordered.payment.redirectUrl)
  await app.eventually(
    'the panel has made it',
    async () => (await serverOf(ada)).limits.memory === 6144,
    { seconds: 1 },
  )
  await until('its answer was lost', async () => {
    const { body } = await admin.get(`/v1/admin/services/${ada.id}`)
    return body.upgrade?.attempt === 1
  })
  assert.equal((await admin.post(`/v1/admin/services/${ada.id}/cancel-upgrade`)).status, 200)
  await app.eventually('it is undone', async () => (await serverOf(ada)).limits.memory === 4096, {
    seconds: 60,
  })
  assert.equal(await shop.creditOf(ada), ordered.invoice.totalCents)
  assert.equal(await left(of), 1)
  await assertWhole(ada)
  await shop.assertSound()
})

test('a change that is paid late costs what it costs that day, where its option has another price by then', async () => {
  const of = await offer()
  const ada = await halfway({ memory: 2 }, { of })
  const ordered = await changed(ada, { memory: 4 })
  const payIt = (id: string) => ada.post(`/v1/billing/invoices/${id}/pay`, { gatewayId })
  await app.advance(3 * 3600)
  const same = await payIt(ordered.invoice.id)
  assert.deepEqual([same.status, same.body.amountCents], [200, 180], same.text)
  const prices = [{ tier: 0, ...monthly, priceCents: 250 }]
  await admin.patch(`/v1/admin/options/${of.ids.get('memory')}`, { prices })
  const refused = await payIt(ordered.invoice.id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'quote_expired'], refused.text)
  const { replacedBy } = (await ada.get(`/v1/billing/invoices/${ordered.invoice.id}`)).body
  const fresh = (await ada.get(`/v1/billing/invoices/${replacedBy}`)).body
  // Some hours later, of 1000 a month instead of 600.
  assert.ok(fresh.netCents > 340 && fresh.netCents < 350, String(fresh.netCents))
  const { body } = await payIt(replacedBy)
  await pay(ada, { payment: body, changed: [{ key: 'memory', label: '4 GB' }] })
  const service = await ada.get(`/v1/services/${ada.id}`)
  assert.equal(service.body.plan.priceCents, 2000)
  await assertWhole(ada)
  await shop.assertSound()
})

test('a service that ends with its period cannot change its options', async () => {
  const ada = await halfway({ memory: 4 })
  await changed(ada, { memory: 2 })
  const canceled = await ada.post(`/v1/services/${ada.id}/cancel`, { at: 'period_end' })
  assert.equal(canceled.status, 200, canceled.text)
  assert.deepEqual((await optionsOf(ada)).scheduled, [])
  const again = await change(ada, { memory: 6 })
  assert.deepEqual([again.status, again.body.code], [409, 'service_canceled'])
})

test('V25: staff change options for nothing with a reason; the renewal has the new price', async () => {
  const ada = await halfway({ memory: 2 })
  const path = `/v1/admin/services/${ada.id}/options`
  const wish = { options: { memory: 4 }, waive: true }
  const shown = await admin.get(path)
  assert.deepEqual([shown.status, shown.body.kept[0].label], [200, '2 GB'])
  assert.equal((await admin.post(path, wish)).status, 400)
  const { status, body, text } = await admin.post(path, { ...wish, reason: 'Goodwill' })
  assert.equal(status, 200, text)
  assert.deepEqual([body.effect, body.proration.totalCents, body.invoice], ['at_once', 0, null])
  await pay(ada, body)
  const service = await findService(db, { tenantId, id: ada.id })
  assert.deepEqual([service?.priceCents, service?.valueCents], [1600, 1300])
  const notes = await admin.get(`/v1/admin/services/${ada.id}/notes`)
  assert.deepEqual(
    notes.body.data.map((it: Body) => it.text),
    ['Options changed without charge: Goodwill'],
  )
  const { data } = (await admin.get('/v1/admin/audit-logs?limit=20')).body
  assert.ok(data.some((it: Body) => JSON.stringify(it).includes(`/v1/admin/services/:id/options`)))
  await assertWhole(ada)
  assert.deepEqual(await nextNets(ada), [1000, 600])
})

test('S2.10: in a trial options change at once, and the first invoice has them with their fees', async () => {
  const of = await offer([memory, ip(20)], { trialDays: 30 })
  const someone = await shop.customer()
  const customer = { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
  await customer.post('/v1/cart/items', { planId: of.plan.id, options: { memory: 2 } })
  const placed = await checkOut(customer, { gatewayId })
  assert.equal(placed.status, 201, placed.text)
  const { id } = await shop.serviceBecame(customer, 'active')
  const ada = { ...customer, id, invoice: placed.body.invoice }
  const body = await changed(ada, { memory: 4, ip: true })
  assert.deepEqual([body.effect, body.invoice, body.proration.totalCents], ['at_once', null, 0])
  await pay(ada, body)
  assert.equal((await serverOf(ada)).limits.memory, 6144)
  assert.deepEqual(await nextNets(ada), [1000, 600, 300, 500])
})
