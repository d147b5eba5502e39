import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { fossbillingDump } from '#test/fossbilling-dump.ts'
import { DECIDED, imported, rowCounts } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { smallPaymenter } from '#test/small-paymenter.ts'
import { smallDump, type WhmcsRows } from '#test/small-whmcs.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })

const shop = (host: string): WhmcsRows => ({
  tblconfiguration: [
    { setting: 'Version', value: '8.3.2' },
    { setting: 'SystemURL', value: `https://${host}/billing/` },
    { setting: 'TaxEnabled', value: 'on' },
    { setting: 'TaxType', value: 'Inclusive' },
  ],
  tblhosting: [{}],
})
const ada = { id: 1, email: 'ada@example.com' }

test('the dump of another installation is refused, because the same ids belong to other people (F46)', async () => {
  assert.equal(
    (await imported(app, smallDump({ ...shop('one.test'), tblclients: [ada] }))).status,
    'completed',
  )
  const before = await rowCounts(app)
  const eve = { id: 1, email: 'eve@example.org', firstname: 'Eve', lastname: 'Other' }
  for (const dryRun of [true, false]) {
    const other = await imported(app, smallDump({ ...shop('two.test'), tblclients: [eve] }), {
      dryRun,
    })
    assert.deepEqual([other.status, other.fault?.code], ['rejected', 'other_installation'])
    assert.match(other.fault?.message ?? '', /Of 1 customers .* 1 have another name/)
  }
  const others = [{ id: 2, email: 'joe@example.org', firstname: 'Joe' }]
  const apart = await imported(
    app,
    smallDump({ ...shop('two.test'), tblclients: others, tblhosting: [] }),
  )
  assert.equal(apart.fault?.code, 'other_installation')
  assert.match(
    apart.fault?.message ?? '',
    /It was one\.test\/billing; this one is two\.test\/billing/,
  )
  assert.deepEqual(await rowCounts(app), before)
})

test('an installation with a new URL, and a person with a new address, are recognised', async () => {
  const moved = { ...ada, email: 'countess@example.com' }
  const again = await imported(app, smallDump({ ...shop('moved.test'), tblclients: [moved] }))
  assert.equal(again.status, 'completed', JSON.stringify(again.fault))
})

test('renewals do not begin without a decision if only the imported prices include tax (F45)', async () => {
  const { body } = await admin.get('/v1/admin/imports?limit=50')
  const [first] = body.data.filter((it: { status: string }) => it.status === 'completed').reverse()
  const url = `/v1/admin/imports/${first.id}/begin-renewals`
  const undecided = await admin.post(url, {})
  assert.deepEqual([undecided.status, undecided.body.code], [409, 'decisions_missing'])
  const paths = (it: { details: { path: string }[] }) => it.details.map(({ path }) => path)
  assert.deepEqual(paths(undecided.body), ['price', 'tax', 'gateways'])
  const decisions = `/v1/admin/imports/${first.id}/decisions`
  const made = await admin.put(decisions, DECIDED)
  assert.equal(made.status, 200, made.text)
  const missing = await admin.post(url, {})
  assert.deepEqual([missing.status, paths(missing.body)], [409, ['price']])
  await admin.post('/v1/admin/tax-rates', { name: 'VAT', country: 'FR', rateBasisPoints: 2000 })
  const { status, body: begun, text } = await admin.post(url, { price: 'keep_total' })
  assert.equal(status, 200, text)
  assert.deepEqual([begun.begun, begun.converted, begun.catalogConverted], [1, 1, 1])
  const again = await admin.post(url, {})
  assert.deepEqual([again.body.begun, again.body.catalogConverted], [0, 0])
  const other = await admin.post(url, { price: 'keep_amount' })
  assert.deepEqual([other.status, other.body.code], [409, 'renewals_begun'])
  const { data } = (await admin.get(decisions)).body
  const shown = data.map((it: Record<string, unknown>) => [it.decision, it.needed, it.choice])
  assert.deepEqual(shown, [
    ['differences', false, null],
    ['price', true, 'keep_total'],
    ['tax', false, 'standard_rates'],
    ['gateways', true, 'without_gateway'],
    ['subscriptions', false, null],
    ['runningPeriods', false, null],
  ])
  assert.equal(data[1].decidedBy, admin.userId)
  const { rows: plans } = await app.deps.database.execute(
    'select price_cents::int as price from store.plans',
  )
  assert.deepEqual(plans, [{ price: 833 }])
  const { rows } = await app.deps.database.execute(
    `select price_cents, (select price_cents from services.periods where service_id = service.id) as period,
       (select sum(change_cents)::int from services.recurring where service_id = service.id) as monthly
     from services.services as service`,
  )
  // 10.00 with 20 % of tax in it.
  assert.deepEqual(
    rows.map((it) => [Number(it.price_cents), Number(it.period), it.monthly]),
    [[833, 833, 833]],
  )
})

test('a dump that lacks a table of its system is refused, with the name of the table (F49)', async () => {
  const whole = smallDump({ tblclients: [ada] }).toString()
  const without = (table: string) =>
    Buffer.from(
      whole.replace(
        new RegExp(`CREATE TABLE .${table}. .*;\\n(?:INSERT INTO .${table}.*\\n)?`),
        '',
      ),
    )
  for (const table of ['tblinvoiceitems', 'tblusers_clients', 'tblcancelrequests']) {
    const { status, fault } = await imported(app, without(table), { dryRun: true })
    assert.deepEqual([status, fault?.code], ['rejected', 'missing_tables'])
    assert.match(fault?.message ?? '', new RegExp(`Missing: ${table}\\.`))
  }
  const { fault } = await imported(app, without('tblproducts'), { dryRun: true })
  assert.equal(fault?.code, 'unknown_system')
  assert.match(
    fault?.message ?? '',
    /Its tables are tblconfiguration.* For whmcs it lacks table tblproducts\./,
  )
  const { report } = await imported(app, Buffer.from(`${whole}\n`), { dryRun: true })
  const { missingTables } = report as unknown as { missingTables: string[] }
  assert.ok(missingTables.includes('tbltax') && !missingTables.includes('tblorders'))
})

for (const [system, whole, tables] of [
  ['Paymenter', () => smallPaymenter({}), ['invoice_items', 'products', 'service_cancellations']],
  [
    'FOSSBilling',
    () => fossbillingDump({ people: 0 }).content,
    ['invoice_item', 'product', 'subscription'],
  ],
] as const) {
  test(`a dump of ${system} without items of invoices or products is refused (F49)`, async () => {
    for (const table of tables) {
      const without = whole().toString().replaceAll(`\`${table}\``, '`other`')
      const { status, fault } = await imported(app, Buffer.from(without), { dryRun: true })
      assert.deepEqual([status, fault?.code], ['rejected', 'missing_tables'])
      assert.match(fault?.message ?? '', new RegExp(`Missing: ${table}\\.`))
    }
  })
}

test('an empty amount, a negative price and an invalid date fail their rows, with the reason (F50)', async () => {
  const rows = smallDump({
    tblclients: [ada, { id: 2, email: 'b@example.com', credit: '' }],
    tblhosting: [
      { id: 1, amount: '' },
      { id: 2, amount: '-5.00' },
      { id: 3, nextduedate: '2026-02-31' },
      { id: 4, nextduedate: 'soon' },
      { id: 5, nextduedate: '0000-00-00' },
    ],
    tblaccounts: [{ amountin: null }],
  })
  const { status, report } = await imported(app, rows, { dryRun: true })
  assert.equal(status, 'completed_with_failures')
  const failed = ['users', 'services', 'transactions'].map((name) =>
    report.resources[name]?.reasons
      .map(({ code, rows: told }) => `${code} ${told.map(({ id }) => id)}`)
      .sort(),
  )
  assert.deepEqual(failed, [
    ['already_imported 1', 'empty_amount 2'],
    ['already_imported 1', 'empty_amount 1', 'invalid_date 3,4', 'negative_amount 2'].slice(1),
    ['empty_amount 1'],
  ])
  const undated = report.warnings.find(({ code }) => code === 'no_due_date')
  assert.deepEqual(undated?.rows, ['5'])
})
