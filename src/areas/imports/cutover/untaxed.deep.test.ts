import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, later } from '#lib/time.ts'
import { testApp } from '#test/app.ts'
import { DECIDED, faults, imported } from '#test/imports.ts'
import { apiKey, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'
import { smallPaymenter } from '#test/small-paymenter.ts'
import { smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const { clock, database } = app.deps
const admin = await apiKey(app, await person(app, { admin: true }), { permission: 'read-write' })
await shopOf(admin).taxRate()
const due = later(clock.now(), 5 * DAY_MS).slice(0, 10)

type Customer = { readonly id: number; readonly name: string; readonly country: string }
const HOME: Customer = { id: 1, name: 'home', country: 'FR' }
const OVERSEAS: Customer = { id: 2, name: 'overseas', country: 'US' }
const ABROAD: Customer = { id: 3, name: 'abroad', country: 'DE' }

/** The dump of a WHMCS that charged tax on top of its prices, in France only. */
function dumpOf(customers: readonly Customer[]): Buffer {
  return smallDump({
    tbltax: [{ id: 1, level: 1, name: 'TVA', state: '', country: 'FR', taxrate: '20.000' }],
    tblclients: customers.map(({ id, name, country }) => ({
      ...{ id, country, email: `${name}@example.com`, firstname: name },
    })),
    tblhosting: customers.map(({ id, name }) => ({
      ...{ id, userid: id, domain: name, nextduedate: due },
    })),
  })
}

/** Whether staff has to decide about the prices of an import. */
async function needsPrice(id: string): Promise<boolean> {
  const { body, text } = await admin.get(`/v1/admin/imports/${id}/decisions`)
  assert.ok(Array.isArray(body.data), text)
  return body.data.find((it: { decision: string }) => it.decision === 'price').needed
}

/** The total of the first invoice of each customer of an import, and whether tax is added. */
async function previewed(id: string, query = ''): Promise<Record<string, [number, boolean]>> {
  const { body } = await admin.get(`/v1/admin/imports/${id}/preview?limit=100${query}`)
  return Object.fromEntries(
    body.data.map((it: { name: string; newTotalCents: number; notices: string[] }) => [
      it.name,
      [it.newTotalCents, it.notices.includes('tax_added')],
    ]),
  )
}

test('customers who paid no tax there pay tax here only if staff decides so', async () => {
  const first = await imported(app, dumpOf([HOME, OVERSEAS]))
  assert.equal(first.status, 'completed', JSON.stringify(first.report.differences))
  // Neither system charges tax overseas, so there is nothing to decide.
  assert.equal(await needsPrice(first.id), false)
  assert.deepEqual(await previewed(first.id), { home: [1200, false], overseas: [1000, false] })

  const newer = await imported(app, dumpOf([HOME, OVERSEAS, ABROAD]))
  assert.equal(await needsPrice(newer.id), true)
  assert.deepEqual(await previewed(newer.id), { abroad: [1190, true] })
  assert.deepEqual(await previewed(newer.id, '&price=keep_total'), { abroad: [1000, false] })

  const begin = (id: string, more = {}) =>
    admin.post(`/v1/admin/imports/${id}/begin-renewals`, { ...DECIDED, ...more })
  assert.equal((await begin(first.id)).status, 200)
  const refused = await begin(newer.id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'decisions_missing'])
  const begun = await begin(newer.id, { price: 'keep_total' })
  assert.deepEqual([begun.status, begun.body.converted], [200, 1], begun.text)
  await app.advance(60)
  const { rows } = await database.execute(
    `select service.name, invoice.total_cents::int as total from billing.invoices as invoice
     join services.services as service on service.user_id = invoice.user_id
     where invoice.kind = 'renewal' order by 1`,
  )
  assert.deepEqual(rows, [
    { name: 'abroad', total: 1000 },
    { name: 'home', total: 1200 },
    { name: 'overseas', total: 1000 },
  ])
  assert.deepEqual(await faults(app), [])
})

test('a catalogue of Paymenter without tax keeps its prices, and services with tax are converted', async () => {
  const at = `${due} 12:00:00`
  const dump = smallPaymenter({
    settings: [
      { id: 1, key: 'default_currency', value: 'EUR' },
      { id: 2, key: 'tax_enabled', value: '1' },
      { id: 3, key: 'tax_type', value: 'exclusive' },
    ],
    tax_rates: [{ id: 1, name: 'TVA', rate: '20.00', country: 'FR' }],
    users: ['payer', 'saver'].map((name, place) => ({
      ...{ id: place + 1, email: `${name}@example.com` },
    })),
    properties: [1, 2].map((id) => ({
      ...{ id, model_type: 'App\\Models\\User', model_id: id, key: 'country', value: 'France' },
    })),
    plans: [{ id: 1, billing_period: 1, billing_unit: 'month' }],
    prices: [{ id: 1, plan_id: 1, price: '10.00' }],
    coupons: [{ id: 1, code: 'TWICE', type: 'percentage', value: '10.00', recurring: 3 }],
    orders: [1, 2].map((id) => ({ id, user_id: id })),
    services: [
      { ...{ id: 1, order_id: 1, user_id: 1, plan_id: 1, label: 'payer' }, price: '12.00' },
      {
        ...{ id: 2, order_id: 2, user_id: 2, plan_id: 1, label: 'saver', coupon_id: 1 },
        price: '10.80',
      },
    ].map((it) => ({ ...it, expires_at: at })),
  })
  const { id, status, report } = await imported(app, dump)
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  assert.equal(await needsPrice(id), true)
  const made = { ...DECIDED, price: 'keep_total' }
  const begun = await admin.post(`/v1/admin/imports/${id}/begin-renewals`, made)
  assert.equal(begun.status, 200, begun.text)
  assert.deepEqual([begun.body.converted, begun.body.catalogConverted], [2, 0])
  const { rows } = await database.execute(
    `select service.name, service.price_cents::int as price, plan.price_cents::int as catalog,
       (service.coupons -> 0 ->> 'amountCents')::int as discount
     from services.services as service join store.plans as plan on plan.id = service.plan_id
     where service.name in ('payer', 'saver') order by 1`,
  )
  assert.deepEqual(rows, [
    { name: 'payer', price: 1000, catalog: 1000, discount: null },
    { name: 'saver', price: 1000, catalog: 1000, discount: 100 },
  ])
  assert.deepEqual(await faults(app), [])
})
