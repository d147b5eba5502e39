import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { DAY_MS, later } from '#lib/time.ts'
import { type TestApp, testApp } from '#test/app.ts'
import type { Answer, Client } from '#test/client.ts'
import { faults, imported } from '#test/imports.ts'
import { apiKey, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'
import { smallDump, type WhmcsRows } from '#test/small-whmcs.ts'
import { differences, everything } from '#test/snapshots.ts'

type Body = Answer['body']
type Cells = Readonly<Record<string, string | number | null>>

const PASSWORD = 'engine'
const password = createHash('md5').update(PASSWORD).digest('hex')

/** A shop whose prices are without tax, and a rate of 20 %. */
async function shop() {
  const app = await testApp(null)
  const admin = await apiKey(app, await person(app, { admin: true }), { permission: 'read-write' })
  await shopOf(admin).taxRate()
  const gateway = await admin.post('/v1/admin/gateways', {
    ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 9 },
    settings: { holder: 'Host GmbH', iban: 'DE02120300000000202051' },
  })
  assert.equal(gateway.status, 201, gateway.text)
  return { app, admin }
}

/** The price of a value, as a row of the dump. */
const priceOf = (relid: number, monthly: string, also: Cells = {}) => ({
  ...{ id: 100 + relid, type: 'configoptions', relid, monthly, quarterly: '0.00' },
  ...{ semiannually: '0.00', annually: '15.00', biennially: '0.00', triennially: '0.00' },
  ...also,
})

/** Memory, slots and backups beside the product 1. */
const CATALOGUE: WhmcsRows = {
  tblproductconfiggroups: [{ name: 'Game &amp; more' }],
  tblproductconfiglinks: [{}],
  tblproductconfigoptions: [
    { id: 1, optionname: 'ram|RAM', optiontype: '1', order: 1 },
    { id: 2, optionname: 'Slots', optiontype: '4', qtyminimum: 0, qtymaximum: 100, order: 2 },
    { id: 3, optionname: 'backup|Daily backups', optiontype: '3', order: 3 },
    { id: 4, optionname: 'Old', optiontype: '2', order: 4, hidden: 1 },
  ],
  tblproductconfigoptionssub: [
    { id: 1, configid: 1, optionname: '0|None', sortorder: 1 },
    { id: 2, configid: 1, optionname: '4096|4 GB', sortorder: 2 },
    { id: 3, configid: 1, optionname: '8192|8 GB', sortorder: 3 },
    { id: 4, configid: 1, optionname: '1|1 MB', sortorder: 4, hidden: 1 },
    { id: 5, configid: 2, optionname: 'slot|per slot' },
    { id: 6, configid: 3, optionname: 'yes|Yes' },
    { id: 7, configid: 4, optionname: 'Any' },
  ],
  tblpricing: [
    {},
    ...[priceOf(1, '0.00'), priceOf(2, '1.50'), priceOf(3, '3.00'), priceOf(4, '0.50')],
    ...[priceOf(5, '0.10'), priceOf(6, '2.00', { msetupfee: '1.00' }), priceOf(7, '0.00')],
  ],
}

type Customer = {
  readonly id: number
  readonly service?: Cells
  /** What its service has: the option, its value and its quantity. */
  readonly options?: readonly (readonly [option: number, value: number, quantity: number])[]
}

/** Customers with a service each, due in five days. */
function dumpOf(
  { deps }: TestApp,
  customers: Readonly<Record<string, Customer>>,
  also: WhmcsRows = {},
): Buffer {
  const all = Object.entries(customers)
  const due = later(deps.clock.now(), 5 * DAY_MS).slice(0, 10)
  const options = all.flatMap(([, { id, options = [] }]) =>
    options.map(([configid, optionid, qty]) => ({ relid: id, configid, optionid, qty })),
  )
  return smallDump({
    ...CATALOGUE,
    tblclients: all.map(([name, { id }]) => ({
      ...{ id, email: `${name}@example.com`, firstname: name, credit: '200.00', password },
    })),
    tblhosting: all.map(([name, { id, service }]) => ({
      ...{ id, userid: id, domain: name, nextduedate: due },
      ...service,
    })),
    ...(options.length > 0 && {
      tblhostingconfigoptions: options.map((it, place) => ({ id: place + 1, ...it })),
    }),
    ...also,
  })
}

const X74: Customer = {
  id: 74,
  service: { amount: '17.50' },
  options: [
    [1, 2, 0],
    [2, 5, 20],
    [3, 6, 0],
  ],
}
const X75: Customer = {
  id: 75,
  service: { amount: '3.00' },
  options: [
    [1, 2, 0],
    [3, 6, 1],
  ],
}

async function signedIn(app: TestApp, name: string): Promise<Client> {
  const login = { email: `${name}@example.com`, password: PASSWORD }
  const { status, body, text } = await app.post('/v1/auth/login', login)
  assert.equal(status, 200, text)
  return app.as(body.accessToken)
}

/** The only service of a customer. */
async function serviceOf(customer: Client): Promise<Body> {
  const { body, status, text } = await customer.get('/v1/services')
  assert.equal(status, 200, text)
  assert.equal(body.data.length, 1)
  return (await customer.get(`/v1/services/${body.data[0].id}`)).body
}

/** What a service costs, and each of its options. */
function pricesOf({ plan, components }: Body) {
  const parts = components.map((it: Body) => [it.key, it.label, it.priceCents])
  return { totalCents: plan.priceCents, parts }
}

const reasonsOf = ({ report }: Awaited<ReturnType<typeof imported>>, name: string) =>
  Object.fromEntries(
    (report.resources[name]?.reasons ?? []).map((it) => [it.code, it.rows.map(({ id }) => id)]),
  )

/** Throws if rows of the dump are missing in the report. */
function assertCounted({ report, status }: Awaited<ReturnType<typeof imported>>): void {
  assert.match(status, /^completed/, JSON.stringify(report.differences))
  for (const [name, it] of Object.entries(report.resources)) {
    const outcomes = [it.imported, it.merged, it.skipped, it.failed].map(Number)
    assert.equal(
      it.read,
      outcomes.reduce((sum, count) => sum + count, 0),
      name,
    )
  }
}

/** The numbers from 1 on. */
const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Lets days pass, half of one at a time. */
async function pass(app: TestApp, days: number): Promise<void> {
  for (let left = days * 2; left > 0; left -= 1) await app.advance(43_200)
  await app.advance(60)
}

/** The options of the shop by their keys. */
async function optionsIn(admin: Client): Promise<Map<string, Body>> {
  const { body, status, text } = await admin.get('/v1/admin/options?limit=100')
  assert.equal(status, 200, text)
  return new Map(body.data.map((it: Body) => [it.key, it]))
}

test('the options of a catalogue become groups, options, values and prices for each cycle', async () => {
  const { app, admin } = await shop()
  const ended = await imported(app, dumpOf(app, { ada: { id: 1 } }))
  assertCounted(ended)
  const counts = Object.fromEntries(
    ['optionGroups', 'optionLinks', 'options', 'optionValues', 'plans'].map((name) => [
      name,
      ended.report.resources[name]?.imported,
    ]),
  )
  assert.deepEqual(counts, {
    ...{ optionGroups: 1, optionLinks: 1, options: 4, optionValues: 7, plans: 8 },
  })
  const without = ended.report.warnings.find(({ code }) => code === 'option_without_effect')
  assert.deepEqual(without?.rows, ['1', '2', '3', '4'])
  assert.ok(!ended.report.warnings.some(({ code }) => code === 'effect_not_imported'))
  const groups = (await admin.get('/v1/admin/option-groups')).body.data
  assert.deepEqual([groups[0].name, groups[0].productIds.length], ['Game & more', 1])
  const options = await optionsIn(admin)
  assert.deepEqual([...options.keys()].sort(), ['backup', 'old', 'ram', 'slots'])
  const ram = options.get('ram')
  assert.deepEqual(
    ram.values.map((it: Body) => [it.key, it.label, it.default, it.archivedAt !== null]),
    [
      ['v0', 'None', true, false],
      ['v4096', '4 GB', false, false],
      ['v8192', '8 GB', false, false],
      ['v1', '1 MB', false, true],
    ],
  )
  const monthly = ram.prices.filter((it: Body) => it.interval === 'month' && it.intervalCount === 1)
  assert.deepEqual(
    monthly.map((it: Body) => [it.value, it.currency, it.priceCents]),
    [
      ['v0', 'EUR', 0],
      ['v4096', 'EUR', 150],
      ['v8192', 'EUR', 300],
      ['v1', 'EUR', 50],
    ],
  )
  const yearly = ram.prices.find((it: Body) => it.value === 'v4096' && it.interval === 'year')
  assert.equal(yearly.priceCents, 1500)
  const { kind, min, max, priceMode, tiers, prices, name } = options.get('slots')
  assert.deepEqual(
    [kind, min, max, priceMode, tiers, name],
    [...['quantity', 0, 100, 'per_unit', [{ upTo: null }], 'Slots']],
  )
  assert.deepEqual([prices[0].tier, prices[0].priceCents], [0, 10])
  const backup = options.get('backup')
  assert.deepEqual(
    backup.values.map((it: Body) => [it.key, it.label]),
    [
      ['off', 'Off'],
      ['on', 'Yes'],
    ],
  )
  const on = backup.prices.find((it: Body) => it.interval === 'month' && it.intervalCount === 1)
  assert.deepEqual([on.value, on.priceCents, on.feeCents], ['on', 200, 100])
  assert.equal(options.get('old').hidden, true)
  assert.deepEqual(
    [...options.values()].map((it) => [it.effect, it.values.some((value: Body) => value.effect)]),
    Array(4).fill([null, false]),
  )
  // A change by staff is valid as it stands.
  const changed = await admin.patch(`/v1/admin/options/${ram.id}`, { name: 'Memory' })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(await faults(app), [])
})

test('X74: the amount of a service includes its options, and the rest is the price of its plan', async () => {
  const { app } = await shop()
  const ended = await imported(app, dumpOf(app, { ada: X74 }))
  assertCounted(ended)
  assert.deepEqual(reasonsOf(ended, 'serviceOptions'), { option_not_taken: ['3'] })
  const service = await serviceOf(await signedIn(app, 'ada'))
  assert.deepEqual(pricesOf(service), {
    totalCents: 1750,
    parts: [
      ['ram', '4 GB', 150],
      ['slots', '20', 200],
    ],
  })
  assert.deepEqual(await faults(app), [])
})

test('X75: options that cost more than the whole service cost nothing, and a warning lists the service', async () => {
  const { app } = await shop()
  const ended = await imported(app, dumpOf(app, { ada: X75 }))
  assertCounted(ended)
  const warning = ended.report.warnings.find(({ code }) => code === 'options_exceed_amount')
  assert.deepEqual([warning?.table, warning?.rows], ['tblhosting', ['75']])
  const service = await serviceOf(await signedIn(app, 'ada'))
  assert.deepEqual(pricesOf(service), {
    totalCents: 300,
    parts: [
      ['ram', '4 GB', 0],
      ['backup', 'Yes', 0],
    ],
  })
})

test('renewals of two months cost what services cost before, and their options cost what the catalogue says when they change', async () => {
  const { app, admin } = await shop()
  const customers: Record<string, Customer> = {
    ...{ ada: X74, bob: X75, plain: { id: 1 } },
    // Only options: the plan itself costs nothing.
    only: { ...X74, id: 2, service: { amount: '3.50' } },
    untaxed: { ...X74, id: 3, service: { amount: '17.50', packageid: 2 } },
    yearly: { ...X74, id: 4, service: { amount: '40.00', billingcycle: 'Annually' } },
    reduced: { ...X74, id: 5, service: { amount: '17.50', promoid: 1 } },
    // Its next period is on an open invoice there.
    ahead: { ...X74, id: 6 },
  }
  const lines = { Hosting: '17.50', PromoHosting: '-1.75' }
  const paidOn = later(app.deps.clock.now(), -25 * DAY_MS).slice(0, 10)
  const dueOn = later(app.deps.clock.now(), 5 * DAY_MS).slice(0, 10)
  const content = dumpOf(app, customers, {
    tblproducts: [{}, { id: 2, name: 'Voucher', tax: 0 }],
    tblproductconfiglinks: [{}, { id: 2, pid: 2 }],
    tblpricing: [...(CATALOGUE.tblpricing ?? []), { id: 2, relid: 2 }],
    tblpromotions: [{}],
    tblinvoices: [
      { id: 5, userid: 5, date: paidOn, duedate: paidOn, status: 'Paid' },
      {
        ...{ id: 6, userid: 6, date: paidOn, duedate: dueOn, status: 'Unpaid', taxrate: '20.000' },
        ...{ subtotal: '17.50', tax: '3.50', total: '21.00' },
      },
    ],
    tblinvoiceitems: [
      ...Object.entries(lines).map(([type, amount], place) => ({
        ...{ id: place + 1, invoiceid: 5, userid: 5, relid: 5, type, amount },
      })),
      { id: 9, invoiceid: 6, userid: 6, relid: 6, type: 'Hosting', amount: '17.50', taxed: 1 },
    ],
  })
  const ended = await imported(app, content)
  assertCounted(ended)
  const { id } = ended
  const decided = await admin.put(`/v1/admin/imports/${id}/decisions`, { price: 'keep_total' })
  assert.equal(decided.status, 200, decided.text)
  const { data } = (await admin.get(`/v1/admin/imports/${id}/preview?limit=100`)).body
  const previewed = Object.fromEntries(
    data.map((it: Body) => [it.email.split('@')[0], it.newTotalCents]),
  )
  const expected = {
    ...{ ada: 2100, bob: 360, plain: 1200, only: 420, untaxed: 1750, yearly: 4800 },
    ...{ reduced: 1890, ahead: 2100 },
  }
  assert.deepEqual(previewed, expected)
  const begun = await admin.post(`/v1/admin/imports/${id}/begin-renewals`, {})
  assert.equal(begun.status, 200, begun.text)
  await pass(app, 40)
  const { rows } = await app.deps.database.execute(
    `select split_part(person.email, '@', 1) as name,
       array_agg(invoice.total_cents::int order by invoice.id) as totals
     from billing.invoices as invoice join users.users as person on person.id = invoice.user_id
     where invoice.kind = 'renewal' group by 1`,
  )
  const twice = Object.entries(expected).map(([name, total]) => [
    name,
    name === 'yearly' || name === 'ahead' ? [total] : [total, total],
  ])
  assert.deepEqual(
    Object.fromEntries(rows.map(({ name, totals }) => [name, totals])),
    Object.fromEntries(twice),
  )
  assert.deepEqual(await faults(app), [])
  const { plan, components } = await serviceOf(await signedIn(app, 'ahead'))
  assert.deepEqual([plan.priceCents, components.length], [1750, 2])
  const ada = await signedIn(app, 'ada')
  const service = await serviceOf(ada)
  const url = `/v1/services/${service.id}/options`
  const preview = await ada.post(url, { options: { ram: 'v8192', slots: 30 }, preview: true })
  assert.equal(preview.status, 200, preview.text)
  assert.deepEqual(
    preview.body.changed.map((it: Body) => [it.key, it.label, it.priceCents]),
    [
      ['ram', '8 GB', 300],
      ['slots', '30', 300],
    ],
  )
  assert.equal(preview.body.customerPrice.totalCents, 2400)
})

test('a newer dump changes options of services and doubles nothing, and both imports can be undone', async () => {
  const { app, admin } = await shop()
  const empty = await everything(app)
  const first = await imported(app, dumpOf(app, { ada: X74, bob: X75 }))
  assertCounted(first)
  const before = await everything(app)
  const again = await imported(
    app,
    dumpOf(app, { ada: X74, bob: X75 }, { tblorders: [{ userid: 74 }] }),
  )
  assertCounted(again)
  assert.deepEqual(again.report.resources.options?.imported, 0)
  assert.deepEqual(reasonsOf(again, 'services'), { already_imported: ['74', '75'] })
  const undone = async (id: string) => {
    const begun = await admin.post(`/v1/admin/imports/${id}/undo`, {})
    assert.equal(begun.status, 200, begun.text)
    await app.eventually('the import is undone', async () => {
      return (await admin.get(`/v1/admin/imports/${id}`)).body.status === 'undone'
    })
  }
  await undone(again.id)
  assert.deepEqual(differences(before, await everything(app)), [])
  const grown = dumpOf(
    app,
    {
      ada: {
        ...X74,
        service: { amount: '20.50' },
        options: [
          [1, 3, 0],
          [5, 9, 0],
        ],
      },
      bob: X75,
    },
    {
      tblproducts: [{}, { id: 2, name: 'Voice' }],
      tblproductconfiglinks: [{}, { id: 2, pid: 2 }],
      tblproductconfigoptions: [
        ...(CATALOGUE.tblproductconfigoptions ?? []),
        { id: 5, optionname: 'ram|Another', optiontype: '1', order: 0 },
      ],
      tblproductconfigoptionssub: [
        ...(CATALOGUE.tblproductconfigoptionssub ?? []),
        { id: 8, configid: 1, optionname: '4096|Again', sortorder: 9 },
        { id: 9, configid: 5, optionname: 'Any' },
      ],
      tblpricing: [
        ...(CATALOGUE.tblpricing ?? []),
        ...[priceOf(8, '7.00'), priceOf(9, '1.00'), { id: 2, relid: 2 }],
      ],
    },
  )
  const second = await imported(app, grown)
  assertCounted(second)
  assert.deepEqual(
    ['optionGroups', 'optionLinks', 'options', 'optionValues', 'serviceOptions'].map(
      (name) => second.report.resources[name]?.imported,
    ),
    [0, 1, 1, 2, 0],
  )
  assert.deepEqual(reasonsOf(second, 'serviceOptions'), {
    ...{ already_imported: ['3', '4'], updated: ['1', '2'] },
  })
  const { data } = (await admin.get('/v1/admin/services')).body
  const { id } = data.find((it: Body) => it.name === 'ada')
  assert.deepEqual(pricesOf((await admin.get(`/v1/admin/services/${id}`)).body), {
    totalCents: 2050,
    parts: [
      ['ram__5', 'Any', 100],
      ['ram', '8 GB', 300],
    ],
  })
  const values = (await optionsIn(admin)).get('ram').values
  assert.deepEqual(values.at(-2).key, 'v4096__8')
  await undone(second.id)
  assert.deepEqual(differences(before, await everything(app)), [])
  await undone(first.id)
  assert.deepEqual(differences(empty, await everything(app)), [])
})

test('rows of options that contradict each other are left out with a reason', async () => {
  const { app, admin } = await shop()
  const content = dumpOf(
    app,
    { ada: { id: 1, service: { amount: '50.00' } } },
    {
      tblcurrencies: [{}, { id: 2, code: 'JPY', default: 0 }, { id: 3, code: 'EUR', default: 0 }],
      tblproductconfiggroups: [{}, { id: 2, name: '' }],
      tblproductconfiglinks: [
        {},
        { id: 2, gid: 2 },
        { id: 3, gid: 9 },
        { id: 4, pid: 9 },
        { id: 5 },
      ],
      tblproductconfigoptions: [
        { id: 1, optionname: 'RAM', optiontype: '1' },
        { id: 2, gid: 2, optionname: 'ram|Twice', optiontype: '2' },
        { id: 3, gid: 9, optionname: 'Lost', optiontype: '1' },
        { id: 4, optionname: 'Empty', optiontype: '1' },
        { id: 5, optionname: 'Odd', optiontype: '7' },
        { id: 6, optionname: '位置', optiontype: '4', qtyminimum: -5, qtymaximum: 99999999 },
        { id: 7, optionname: 'location|Place', optiontype: '3' },
        { id: -8, optionname: `ram|${'x'.repeat(500)}`, optiontype: '1' },
        ...many(50).map((id) => ({ id: 500 + id, gid: 2, optionname: `More ${id}`, order: id })),
      ],
      tblproductconfigoptionssub: [
        ...[1, 2, 3].map((id) => ({ id, configid: 1, optionname: 'Same' })),
        ...[
          { id: 4, configid: 2 },
          { id: 5, configid: 3 },
          { id: 6, configid: 99 },
        ],
        ...[
          { id: 7, configid: 6 },
          { id: 8, configid: 6 },
          { id: 9, configid: 7 },
        ],
        { id: 10, configid: -8, optionname: '' },
        ...many(200).map((id) => ({
          id: 1000 + id,
          configid: 2,
          optionname: `${id}`,
          sortorder: id,
        })),
        ...many(50).map((id) => ({ id: 5000 + id, configid: 500 + id })),
      ],
      tblpricing: [
        {},
        ...[priceOf(1, '1.00'), priceOf(2, '-1.00'), priceOf(3, '2000000.00'), priceOf(99, '1.00')],
        ...[priceOf(5, '1.00'), priceOf(7, '0.01'), priceOf(8, '9.00'), priceOf(9, '1.00')],
        priceOf(1, '5.00', { id: 201 }),
        priceOf(1, '7.00', { id: 202, currency: 3 }),
        priceOf(1, '1.50', { id: 203, currency: 2 }),
        priceOf(1, '1.00', { id: 204, currency: 9 }),
        priceOf(4, '150.00', { id: 205, currency: 2 }),
      ],
      tblhostingconfigoptions: [
        { id: 1, configid: 1, optionid: 1 },
        { id: 2, configid: 1, optionid: 2 },
        { id: 3, configid: 1, optionid: 4 },
        { id: 4, configid: 3, optionid: 5 },
        { id: 5, configid: 99, optionid: 1 },
        { id: 6, relid: 9, configid: 1, optionid: 1 },
        { id: 7, configid: 6, optionid: 7, qty: -3 },
        { id: 8, configid: 6, optionid: 7, qty: 1_000_001 },
        { id: 9, configid: 6, optionid: 7, qty: 1000 },
        { id: 10, configid: 7, optionid: 9, qty: 1 },
        { id: 11, configid: 2, optionid: 4 },
      ],
    },
  )
  const ended = await imported(app, content)
  assertCounted(ended)
  assert.equal(ended.status, 'completed_with_failures')
  assert.deepEqual(reasonsOf(ended, 'options'), {
    ...{ orphan_option_group: ['3'], option_without_values: ['4'], unknown_option_type: ['5'] },
    too_many_options: ['550'],
  })
  assert.deepEqual(reasonsOf(ended, 'optionLinks'), {
    ...{ orphan_option_group: ['3'], orphan_product: ['4'], duplicate_link: ['5'] },
  })
  assert.deepEqual(reasonsOf(ended, 'optionValues'), {
    ...{ option_not_imported: ['5', '5050'], orphan_option: ['6'], unused_option_value: ['8'] },
    too_many_values: ['1200'],
  })
  assert.deepEqual(reasonsOf(ended, 'plans'), {
    ...{ negative_option_price: ['102'], price_too_high: ['103'], orphan_option_value: ['199'] },
    ...{ option_not_imported: ['105', '108'], duplicate_price: ['201'] },
    ...{ fraction_of_unit: ['203'], unknown_currency: ['204'] },
  })
  assert.deepEqual(reasonsOf(ended, 'serviceOptions'), {
    ...{ duplicate_option: ['2'], orphan_option_value: ['3'], option_not_imported: ['4'] },
    ...{ orphan_option: ['5'], orphan_service: ['6'], invalid_value: ['7', '8'] },
  })
  const options = await optionsIn(admin)
  const keys = [...options.keys()].filter((key) => !key.startsWith('more'))
  assert.deepEqual(keys.sort(), [...['location__7', 'option__6', 'ram', 'ram__2', 'ram__m8']])
  const service = await serviceOf(await signedIn(app, 'ada'))
  assert.equal(service.plan.priceCents, 5000)
  assert.deepEqual(await faults(app), [])
})
