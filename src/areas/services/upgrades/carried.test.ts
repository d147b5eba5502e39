import assert from 'node:assert/strict'
import { test } from 'node:test'
import { later, millis } from '#lib/time.ts'
import { json, transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, type Person } from '#test/people.ts'
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

const memory = (priceCents = 150, max = 32) => ({
  ...{ key: 'memory', kind: 'quantity', name: 'Memory', unit: 'GB', max },
  effect: { kind: 'resource', amounts: { memoryMb: 1024 } },
  prices: [{ tier: 0, ...monthly, priceCents }],
})
const backups = (values: Readonly<Record<string, number>>) => ({
  ...{ key: 'backups', kind: 'select', name: 'Backups' },
  values: Object.keys(values).map((key) => ({ key, label: key, default: key === 'none' })),
  prices: Object.entries(values).map(([value, priceCents]) => ({ value, ...monthly, priceCents })),
})
const ip = (stock: number) => ({
  ...{ key: 'ip', kind: 'toggle', name: 'Dedicated IP' },
  values: [
    { key: 'off', label: 'No' },
    { key: 'on', label: 'Yes', stock },
  ],
  prices: [{ value: 'on', ...monthly, priceCents: 300, feeCents: 500 }],
})

type Game = { product: Body; plan: Body; ids: Map<string, string>; groupId: string }

/** A product with a monthly plan and options of its own. */
async function game(
  priceCents: number,
  options: readonly object[],
  { memoryMb = 2048, targets = [] }: { memoryMb?: number; targets?: readonly Game[] } = {},
): Promise<Game> {
  const provisioning = {
    ...{ eggId, nodeIds: [nodeId] },
    limits: { memoryMb, diskMb: 10_240, cpuPercent: 100 },
  }
  const upgradeTargetIds = targets.map(({ product }) => product.id)
  const made = await catalog.offer({ priceCents }, { provisioning, upgradeTargetIds })
  const productIds = [made.product.id]
  const { body: group } = await admin.post('/v1/admin/option-groups', { name: 'Size', productIds })
  const ids = new Map<string, string>()
  for (const option of options) {
    const wanted = { ...option, groupId: group.id }
    const { status, body, text } = await admin.post('/v1/admin/options', wanted)
    assert.equal(status, 201, text)
    ids.set(body.key, body.id)
  }
  return { ...made, ids, groupId: group.id }
}

const large = await game(2000, [memory(), backups({ none: 0, daily: 200 })], { memoryMb: 4096 })
const bare = await game(2000, [], { memoryMb: 4096 })
const small = await game(1000, [memory(), backups({ none: 0, daily: 200, hourly: 500 }), ip(20)], {
  targets: [large, bare],
})

type Customer = Person & { id: string; invoice: Body }

/** A customer with an active service of these options, whose period of thirty days is half over. */
async function halfway(of: Game, options: object): Promise<Customer> {
  const someone = await shop.customer()
  const customer = { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
  const added = await customer.post('/v1/cart/items', { planId: of.plan.id, options })
  assert.equal(added.status, 201, added.text)
  const placed = await checkOut(customer, { gatewayId })
  assert.equal(placed.status, 201, placed.text)
  await shop.complete(placed.body.payment.redirectUrl)
  const { id } = await shop.serviceBecame(customer, 'active')
  const start = later(app.deps.clock.now(), -MONTH_MS / 2)
  const key = { tenantId, id }
  const currentPeriodEnd = later(start, MONTH_MS)
  await transact(db, async (tx) => {
    for (const period of await listPeriods(tx, key)) {
      await updatePeriod(tx, period, { startsAt: start, endsAt: currentPeriodEnd })
    }
    await updateService(tx, key, { anchorAt: start, currentPeriodStart: start, currentPeriodEnd })
    await updateService(tx, key, { invoicedTo: currentPeriodEnd })
  })
  return { ...customer, id, invoice: placed.body.invoice }
}

const change = ({ id, post }: Customer, { product }: Game, more: object = {}) =>
  post(`/v1/services/${id}/upgrade`, { productId: product.id, gatewayId, ...more })

async function changed(customer: Customer, to: Game, more: object = {}): Promise<Body> {
  const { status, body, text } = await change(customer, to, more)
  assert.equal(status, 200, text)
  return body
}

async function refused(answer: Promise<Answer>): Promise<[number, string, unknown[]]> {
  const { status, body } = await answer
  return [status, body.code, (body.details ?? []).map((it: Body) => [it.path, it.code])]
}

/** Pays for a change, and waits until the panel has made it. */
async function pay(customer: Customer, to: Game, payment: Body): Promise<Body> {
  if (payment) await shop.complete(payment.redirectUrl)
  await app.eventually(
    'the service is on the other product',
    async () => (await serviceOf(customer)).product.id === to.product.id,
    { seconds: 20 },
  )
  return serviceOf(customer)
}

const serviceOf = async ({ id, get }: Customer): Promise<Body> =>
  (await get(`/v1/services/${id}`)).body
const amounts = ({ lines }: Body) => lines.map((it: Body) => it.quantity * it.unitPriceCents)
const money = ({ netCents, taxCents, totalCents }: Body) => [netCents, taxCents, totalCents]
const labels = ({ components }: Body) => components.map((it: Body) => `${it.key} ${it.label}`)
const optionsIn = ({ options }: Body) =>
  options.map((it: Body) => [it.key, it.before, it.after, it.priceCents, it.feeCents])

async function serverOf({ id }: Customer): Promise<Body> {
  const { externalId } = (await admin.get(`/v1/admin/services/${id}`)).body
  return (await shop.servers()).find((it) => it.externalId === externalId)
}
const memoryOf = async (customer: Customer) => (await serverOf(customer)).limits.memory

/** What the next invoice of the service is before tax, line by line. */
async function nextNets({ id }: Customer): Promise<number[]> {
  const period = await app.eventually('the next period is invoiced', async () => {
    const { nextInvoiceAt } = (await admin.get(`/v1/admin/services/${id}`)).body
    const ahead = nextInvoiceAt ? millis(nextInvoiceAt) - millis(app.deps.clock.now()) : 0
    const found = (await listPeriods(db, { tenantId, id })).find(({ paidAt }) => paidAt === null)
    if (!found && ahead > 0) await app.advance(Math.ceil(ahead / 1000))
    return found
  })
  return amounts((await admin.get(`/v1/admin/invoices/${period.invoiceId}`)).body)
}

async function renew({ id, post }: Customer): Promise<Body> {
  const { status, body, text } = await post(`/v1/services/${id}/renew`, { gatewayId })
  assert.equal(status, 200, text)
  await shop.complete(body.payment.redirectUrl)
  await until('the period is paid', async () =>
    (await listPeriods(db, { tenantId, id })).every(({ paidAt }) => paidAt !== null),
  )
  return body.invoice
}

async function toNextPeriod(customer: Customer): Promise<void> {
  const { currentPeriodEnd } = await serviceOf(customer)
  await app.advance(
    Math.ceil((millis(currentPeriodEnd) - millis(app.deps.clock.now())) / 1000) + 60,
  )
}

/** The price of a service is its plan's and that of its components (chapter 12, invariant 1). */
async function assertWhole({ id }: Customer, planCents: number): Promise<void> {
  const service = await findService(db, { tenantId, id })
  assert.ok(service)
  const beside = service.components.map((it) => it.priceCents as number)
  assert.equal(
    service.priceCents,
    beside.reduce((a, b) => a + b, planCents),
  )
  await shop.assertSound()
}

async function immediately(work: () => Promise<void>): Promise<void> {
  const section = serviceSettings.name
  const values = json({ immediateCredit: true })
  const updatedAt = app.deps.clock.now()
  await transact(db, (tx) =>
    tx.insertInto('tenants.settings').values({ tenantId, section, values, updatedAt }).execute(),
  )
  try {
    await work()
  } finally {
    await transact(db, (tx) =>
      tx.deleteFrom('tenants.settings').where('section', '=', section).execute(),
    )
  }
}

async function left(of: Game): Promise<number> {
  const { body } = await admin.get(`/v1/admin/options/${of.ids.get('ip')}`)
  return body.values.find((it: Body) => it.key === 'on').stock
}

test('X30: memory goes along to a larger product, on the panel too, at exactly the price of the preview', async () => {
  const ada = await halfway(small, { memory: 4 })
  const preview = await changed(ada, large, { preview: true })
  assert.deepEqual(amounts(preview.proration), [-800, 1300])
  assert.deepEqual(money(preview.proration), [500, 100, 600])
  assert.deepEqual(optionsIn(preview), [
    ['memory', '4 GB', '4 GB', 600, 0],
    ['backups', 'none', 'none', 0, 0],
  ])
  assert.deepEqual([preview.effect, preview.fits], ['on_payment', true])
  assert.equal(await memoryOf(ada), 2048 + 4096)
  await app.advance(600)
  const ordered = await changed(ada, large, { quote: preview.quote })
  assert.deepEqual(ordered.proration, preview.proration)
  assert.deepEqual(money(ordered.invoice), [500, 100, 600])
  const service = await pay(ada, large, ordered.payment)
  assert.deepEqual(
    [labels(service), service.plan.priceCents],
    [['memory 4 GB', 'backups none'], 2600],
  )
  assert.equal(await memoryOf(ada), 4096 + 4096)
  const stored = await findService(db, { tenantId, id: ada.id })
  assert.equal(stored?.components[0]?.sourceId, large.ids.get('memory'))
  await assertWhole(ada, 2000)
  assert.deepEqual(await nextNets(ada), [2000, 600])
})

test('X31, V24: what the new product does not offer is given up only by its key', async () => {
  const ada = await halfway(small, { memory: 4 })
  assert.deepEqual(await refused(change(ada, bare, { preview: true })), [
    ...[422, 'options_dropped'],
    [['options.memory', 'option_unknown']],
  ])
  const drop = { dropOptions: ['memory'] }
  const ordered = await changed(ada, bare, drop)
  assert.deepEqual(amounts(ordered.proration), [-800, 1000])
  assert.deepEqual(money(ordered.invoice), [200, 40, 240])
  assert.deepEqual(optionsIn(ordered), [
    ['memory', '4 GB', null, 0, 0],
    ['backups', 'none', null, 0, 0],
  ])
  const service = await pay(ada, bare, ordered.payment)
  assert.deepEqual([service.components, service.plan.priceCents], [[], 2000])
  assert.equal(await memoryOf(ada), 4096)
  await assertWhole(ada, 2000)
  assert.deepEqual(await nextNets(ada), [2000])
})

test('X32: a cheaper product without the options waits for the next period, or is a credit note of 281', async () => {
  const cheap = await game(1500, [], { memoryMb: 1024 })
  const rich = await game(630, [memory(1338 / 3)], { targets: [cheap] })
  const [ada, eve] = [await halfway(rich, { memory: 3 }), await halfway(rich, { memory: 3 })]
  const drop = { dropOptions: ['memory'] }
  const { currentPeriodEnd } = await serviceOf(ada)
  const ordered = await changed(ada, cheap, drop)
  assert.deepEqual(money(ordered.proration), [0, 0, 0])
  assert.deepEqual(
    [ordered.effect, ordered.effectiveAt, ordered.invoice],
    ['next_period', currentPeriodEnd, null],
  )
  await immediately(async () => {
    const credited = await changed(eve, cheap, drop)
    assert.deepEqual(amounts(credited.proration), [-984, 750])
    assert.deepEqual([credited.effect, credited.invoice], ['credit_note', null])
    await pay(eve, cheap, null)
  })
  await until('it is credited', async () => (await shop.creditOf(eve)) === 281)
  assert.equal(await memoryOf(eve), 1024)
  await assertWhole(eve, 1500)
  assert.deepEqual(await nextNets(ada), [1500])
  await renew(ada)
  assert.equal(await memoryOf(ada), 2048 + 3 * 1024)
  await toNextPeriod(ada)
  const service = await pay(ada, cheap, null)
  assert.deepEqual([service.components, service.plan.priceCents], [[], 1500])
  assert.equal(await memoryOf(ada), 1024)
  await assertWhole(ada, 1500)
})

test('S2.11: a value goes along by its key at the price of the new product, others are chosen with their fee', async () => {
  const to = await game(2000, [memory(200, 2), backups({ none: 0, daily: 400 }), ip(3)])
  const from = await game(1000, [memory(), backups({ none: 0, daily: 200, hourly: 500 })], {
    targets: [to],
  })
  const ada = await halfway(from, { memory: 4, backups: 'daily' })
  assert.deepEqual(await refused(change(ada, to)), [
    ...[422, 'options_dropped'],
    [['options.memory', 'above_maximum']],
  ])
  const { body } = await ada.get(`/v1/services/${ada.id}/upgrade-targets`)
  assert.deepEqual(body.data[0].dropped, ['memory'])
  assert.deepEqual(optionsIn(body.data[0]), [
    ['backups', 'daily', 'daily', 400, 0],
    ['memory', '4 GB', null, 0, 0],
  ])
  const faults = change(ada, to, { options: { memory: 3, colour: 'red' }, dropOptions: ['size'] })
  assert.deepEqual(await refused(faults), [
    ...[422, 'options_invalid'],
    [
      ['options.memory', 'above_maximum'],
      ['options.colour', 'option_unknown'],
      ['options.size', 'option_unknown'],
    ],
  ])
  const ordered = await changed(ada, to, { options: { memory: 2, ip: true } })
  // (1000 + 600 + 200) / 2, then (2000 + 400 + 400 + 300) / 2, and the fee once.
  assert.deepEqual(amounts(ordered.proration), [-900, 1550, 500])
  assert.deepEqual(money(ordered.invoice), [1150, 230, 1380])
  assert.deepEqual(optionsIn(ordered), [
    ['memory', '4 GB', '2 GB', 400, 0],
    ['backups', 'daily', 'daily', 400, 0],
    ['ip', null, 'Yes', 300, 500],
  ])
  assert.equal(await left(to), 2)
  await pay(ada, to, ordered.payment)
  assert.equal(await memoryOf(ada), 2048 + 2048)
  await assertWhole(ada, 2000)
  assert.deepEqual(await nextNets(ada), [2000, 400, 400, 300])
})

test('a service has the options of another plan as it would have them there, for the form of the change', async () => {
  const ada = await halfway(small, { memory: 4, backups: 'hourly' })
  const path = `/v1/services/${ada.id}/options`
  const { status, body, text } = await ada.get(`${path}?planId=${large.plan.id}`)
  assert.equal(status, 200, text)
  assert.deepEqual(
    body.kept.map((it: Body) => [it.key, it.label, it.priceCents]),
    [
      ['memory', '4 GB', 600],
      ['backups', 'none', 0],
    ],
  )
  assert.deepEqual(
    body.options.map((it: Body) => [it.key, it.values.length]),
    [
      ['memory', 0],
      ['backups', 2],
    ],
  )
  const other = await game(1000, [])
  assert.equal((await ada.get(`${path}?planId=${other.plan.id}`)).status, 404)
  const byStaff = await admin.get(`/v1/admin/services/${ada.id}/options?planId=${large.plan.id}`)
  assert.deepEqual(byStaff.body.kept, body.kept)
})

test('an option that both products share goes along when it is archived, and a hidden one that staff chose', async () => {
  const to = await game(2000, [])
  const from = await game(1000, [memory(), { ...backups({ none: 0, daily: 200 }), hidden: true }], {
    targets: [to],
  })
  const productIds = [from.product.id, to.product.id]
  const shared = await admin.patch(`/v1/admin/option-groups/${from.groupId}`, { productIds })
  assert.equal(shared.status, 200, shared.text)
  const ada = await halfway(from, { memory: 4 })
  const given = await admin.post(`/v1/admin/services/${ada.id}/options`, {
    ...{ options: { backups: 'daily' }, waive: true, reason: 'Goodwill' },
  })
  assert.equal(given.status, 200, given.text)
  await until('they are made', async () => (await serviceOf(ada)).components.length === 2)
  assert.ok((await admin.delete(`/v1/admin/options/${from.ids.get('memory')}`)).status < 300)
  assert.deepEqual(await refused(change(ada, to, { options: { memory: 6 } })), [
    ...[422, 'options_invalid'],
    [['options.memory', 'option_unknown']],
  ])
  assert.deepEqual(await refused(change(ada, to, { options: { backups: 'none' } })), [
    ...[422, 'options_invalid'],
    [['options.backups', 'option_unknown']],
  ])
  const ordered = await changed(ada, to)
  assert.deepEqual(optionsIn(ordered), [
    ['memory', '4 GB', '4 GB', 600, 0],
    ['backups', 'daily', 'daily', 200, 0],
  ])
  await pay(ada, to, ordered.payment)
  await assertWhole(ada, 2000)
})

test('S2.7: a preview of another product holds for 15 minutes, for exactly that wish and price', async () => {
  const to = await game(2000, [memory()])
  const from = await game(1000, [memory()], { targets: [to] })
  const ada = await halfway(from, { memory: 4 })
  const { quote } = await changed(ada, to, { preview: true })
  const expired = [409, 'quote_expired', []]
  assert.deepEqual(await refused(change(ada, to, { quote, options: { memory: 5 } })), expired)
  assert.deepEqual(await refused(change(ada, to, { quote, dropOptions: ['memory'] })), expired)
  const elsewhere = ada.post(`/v1/services/${ada.id}/options`, { options: { memory: 5 }, quote })
  assert.deepEqual(await refused(elsewhere), expired)
  const prices = [{ tier: 0, ...monthly, priceCents: 160 }]
  await admin.patch(`/v1/admin/options/${to.ids.get('memory')}`, { prices })
  assert.deepEqual(await refused(change(ada, to, { quote })), expired)
  const { quote: dearer } = await changed(ada, to, { preview: true })
  await app.advance(15 * 60 + 1)
  assert.deepEqual(await refused(change(ada, to, { quote: dearer })), expired)
  const byStaff = await admin.post(`/v1/admin/services/${ada.id}/upgrade`, {
    ...{ productId: to.product.id, preview: true },
  })
  assert.ok(byStaff.body.quote, byStaff.text)
  assert.deepEqual(optionsIn(byStaff.body), [['memory', '4 GB', '4 GB', 640, 0]])
})

test('a smaller product begins with the options chosen for it, and their units are taken until it is taken back', async () => {
  const to = await game(500, [memory(), ip(1)], { memoryMb: 1024 })
  const from = await game(2000, [memory(), backups({ none: 0, daily: 200 })], { targets: [to] })
  const ada = await halfway(from, { memory: 4, backups: 'daily' })
  const wish = { options: { memory: 2, ip: true }, dropOptions: ['backups'] }
  const ordered = await changed(ada, to, wish)
  assert.deepEqual([ordered.effect, ordered.invoice], ['next_period', null])
  assert.equal(await left(to), 0)
  const keep = await ada.delete(`/v1/services/${ada.id}/options/scheduled/memory`)
  assert.deepEqual([keep.status, keep.body.code], [409, 'change_planned'])
  const back = await ada.patch(`/v1/services/${ada.id}`, { planId: null })
  assert.equal(back.status, 200, back.text)
  assert.equal(await left(to), 1)
  assert.deepEqual(await nextNets(ada), [2000, 600, 200])

  const again = await changed(ada, to, wish)
  assert.equal(again.effect, 'next_period')
  // The price of the day on which the period is invoiced.
  const prices = [{ tier: 0, ...monthly, priceCents: 160 }]
  await admin.patch(`/v1/admin/options/${to.ids.get('memory')}`, { prices })
  assert.deepEqual(await nextNets(ada), [500, 320, 300, 500])
  await renew(ada)
  assert.deepEqual(labels(await serviceOf(ada)), ['memory 4 GB', 'backups daily'])
  await toNextPeriod(ada)
  const service = await pay(ada, to, null)
  assert.deepEqual(labels(service), ['memory 2 GB', 'ip Yes'])
  assert.equal(await memoryOf(ada), 1024 + 2048)
  assert.equal(await left(to), 0)
  await assertWhole(ada, 500)
  assert.deepEqual(await nextNets(ada), [500, 320, 300])
})

test('a change that is paid late keeps its options, given up or chosen, at the prices of that day', async () => {
  const to = await game(2000, [memory(), ip(1)])
  const from = await game(1000, [memory(), backups({ none: 0, daily: 200 })], { targets: [to] })
  const ada = await halfway(from, { memory: 4, backups: 'daily' })
  const wish = { options: { ip: true }, dropOptions: ['backups'] }
  const ordered = await changed(ada, to, wish)
  assert.deepEqual(amounts(ordered.proration), [-900, 1450, 500])
  const payIt = (id: string) => ada.post(`/v1/billing/invoices/${id}/pay`, { gatewayId })
  await app.advance(600)
  const same = await payIt(ordered.invoice.id)
  assert.deepEqual([same.status, same.body.amountCents], [200, 1260], same.text)
  const prices = [{ tier: 0, ...monthly, priceCents: 250 }]
  await admin.patch(`/v1/admin/options/${to.ids.get('memory')}`, { prices })
  const late = await payIt(ordered.invoice.id)
  assert.deepEqual([late.status, late.body.code], [409, 'quote_expired'], late.text)
  const { replacedBy } = (await ada.get(`/v1/billing/invoices/${ordered.invoice.id}`)).body
  const fresh = (await ada.get(`/v1/billing/invoices/${replacedBy}`)).body
  // Ten minutes later, memory costs 1000 a month instead of 600.
  assert.ok(fresh.netCents > 1245 && fresh.netCents <= 1250, String(fresh.netCents))
  const { body } = await payIt(replacedBy)
  const service = await pay(ada, to, body)
  assert.deepEqual([labels(service), service.plan.priceCents], [['memory 4 GB', 'ip Yes'], 3300])
  assert.equal(await left(to), 0)
  await assertWhole(ada, 2000)
})

test('a product that is edited after the order is built as it was bought', async () => {
  const to = await game(2000, [memory()])
  const from = await game(1000, [memory()], { targets: [to] })
  const ada = await halfway(from, { memory: 4 })
  const ordered = await changed(ada, to)
  assert.ok((await admin.delete(`/v1/admin/options/${to.ids.get('memory')}`)).status < 300)
  const service = await pay(ada, to, ordered.payment)
  assert.deepEqual([labels(service), service.plan.priceCents], [['memory 4 GB'], 2600])
  assert.equal(await memoryOf(ada), 2048 + 4096)
  await assertWhole(ada, 2000)
})

test('a period that is paid while the change waits for its payment is given back, and renews with the options there', async () => {
  const ada = await halfway(small, { memory: 4 })
  const ordered = await changed(ada, large)
  const renewal = await renew(ada)
  assert.deepEqual(money(renewal), [1600, 320, 1920])
  const waits = await ada.post(`/v1/services/${ada.id}/options`, { options: { memory: 6 } })
  assert.deepEqual([waits.status, waits.body.code], [409, 'upgrade_in_progress'])
  await pay(ada, large, ordered.payment)
  await until('it is given back', async () => (await shop.creditOf(ada)) === 1920)
  assert.deepEqual(await nextNets(ada), [2000, 600])
  await assertWhole(ada, 2000)
})

test('a machine that is full once the money is there leaves product and options as they were, with units and money', async () => {
  const to = await game(2000, [memory(), ip(1)])
  const from = await game(1000, [memory()], { targets: [to] })
  const ada = await halfway(from, { memory: 2 })
  const ordered = await changed(ada, to, { options: { memory: 6, ip: true } })
  assert.equal(await left(to), 0)
  const { nodeId: machine } = await serverOf(ada)
  const machines = (size: number) => panel.post('nodes', { nodeId: machine, memory: size })
  await machines(1)
  await shop.complete(ordered.payment.redirectUrl)
  await app.eventually(
    'it is credited',
    async () => (await shop.creditOf(ada)) === ordered.invoice.totalCents,
    { seconds: 15 },
  )
  await machines(1_000_000)
  assert.equal(await memoryOf(ada), 4096)
  const service = await serviceOf(ada)
  assert.deepEqual([service.product.id, labels(service)], [from.product.id, ['memory 2 GB']])
  assert.equal(await left(to), 1)
  await assertWhole(ada, 1000)
})
