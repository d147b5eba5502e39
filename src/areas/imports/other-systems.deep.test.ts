import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { boundary } from '#lib/periods.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import { testApp } from '#test/app.ts'
import { dumpOf } from '#test/foreign-dump.ts'
import { fossbillingDump } from '#test/fossbilling-dump.ts'
import { DECIDED, imported } from '#test/imports.ts'
import { apiKey, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'
import { smallPaymenter } from '#test/small-paymenter.ts'

const app = await testApp(null)
const { clock, database } = app.deps
const admin = await apiKey(app, await person(app, { admin: true }), { permission: 'read-write' })
await shopOf(admin).taxRate()
const gateway = await admin.post('/v1/admin/gateways', {
  ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 9 },
  settings: { holder: 'Host GmbH', iban: 'DE02120300000000202051' },
})

const MONTH = { interval: 'month', intervalCount: 1 } as const
const at = (days: number) =>
  `${later(clock.now(), days * DAY_MS).slice(0, 10)}T00:00:00.000Z` as Instant
const PAST = at(-10)
const moment = (instant: Instant) => instant.slice(0, 19).replace('T', ' ')

const SERVICE = 'App\\Models\\Service'
const paymenter = smallPaymenter({
  users: [{ id: 1, email: 'player@example.com' }],
  properties: [
    { id: 1, key: 'country', value: 'FR', model_type: 'App\\Models\\User', model_id: 1 },
  ],
  plans: [{ id: 1, billing_period: 1, billing_unit: 'month' }],
  prices: [{ id: 1, plan_id: 1, price: '12.00' }],
  orders: [{ id: 1, user_id: 1 }],
  services: [
    {
      ...{ id: 1, order_id: 1, user_id: 1, plan_id: 1, price: '12.00', label: 'overdue' },
      ...{ status: 'suspended', expires_at: moment(PAST) },
    },
  ],
  invoices: [{ id: 1, user_id: 1, status: 'pending', due_at: moment(PAST) }],
  invoice_items: [
    { id: 1, invoice_id: 1, price: '12.00', reference_type: SERVICE, reference_id: 1 },
  ],
})

test('paying the overdue invoice lifts the suspension in a system that gives no reason for it', async () => {
  const { id, status, report } = await imported(app, paymenter)
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  const body = { ...DECIDED, price: 'keep_total' }
  const begun = await admin.post(`/v1/admin/imports/${id}/begin-renewals`, body)
  assert.equal(begun.status, 200, begun.text)
  const { rows } = await database.execute(`select id from billing.invoices`)
  const paid = await admin.post(`/v1/admin/invoices/${rows[0]?.id}/mark-paid`, {
    ...{ gatewayId: gateway.body.id, reference: newId() },
  })
  assert.equal(paid.status, 200, paid.text)
  await app.eventually('the end of the suspension', async () => {
    const found = await database.execute(
      `select suspend_reasons as reasons, current_period_end as end, price_cents as price, value_cents as value
       from services.services`,
    )
    const [{ reasons, end, price, value } = {}] = found.rows
    assert.deepEqual([Number(price), Number(value)], [1000, 1000])
    const isPaid = new Date(end as string).toISOString() === boundary(PAST, MONTH, 1)
    return isPaid && (reasons as string[]).length === 0
  })
})

test('prices of a FOSSBilling that charges no tax need a decision in a shop that adds it', async () => {
  const { tables } = fossbillingDump({ people: 1 })
  const begin = async (rows: readonly { param: string; value: string }[]) => {
    const there = await testApp(null)
    const seller = await apiKey(there, await person(there, { admin: true }), {
      permission: 'read-write',
    })
    const { setting } = tables
    assert.ok(setting)
    const settings = { ...setting, rows: [...setting.rows, ...rows] }
    const { id } = await imported(there, dumpOf({ ...tables, setting: settings }, 'fossbilling'))
    const { status, body } = await seller.post(`/v1/admin/imports/${id}/begin-renewals`, DECIDED)
    return [status, body.code]
  }
  assert.deepEqual(await begin([]), [409, 'decisions_missing'])
  assert.deepEqual(await begin([{ param: 'tax_enabled', value: '1' }]), [200, undefined])
})

test('the discount of a recurring promotion of a FOSSBilling is deducted from renewals', async () => {
  const { tables } = fossbillingDump({ people: 3 })
  const { client_order: orders } = tables
  assert.ok(orders)
  const promoted = { price: '6.00', quantity: 2, discount: '1.50', promo_recurring: 1 }
  const columns = `${orders.columns} promo_recurring`
  const rows = orders.rows.map((row) => ({ ...row, ...promoted }))
  const there = await testApp(null)
  await imported(there, dumpOf({ ...tables, client_order: { columns, rows } }, 'fossbilling'))
  const { rows: prices } = await there.deps.database.execute(
    `select distinct price_cents::int as price from services.services where currency = 'EUR'`,
  )
  assert.deepEqual(prices, [{ price: 1050 }])
})

test('a coupon of a Paymenter for a limited number of invoices ends with them', async (t) => {
  const there = await testApp(t)
  const staff = await apiKey(there, await person(there, { admin: true }), {
    permission: 'read-write',
  })
  await shopOf(staff).taxRate()
  const sold = { order_id: 1, user_id: 1, plan_id: 1, coupon_id: 1, expires_at: moment(at(5)) }
  const { id, status } = await imported(
    there,
    smallPaymenter({
      users: [{ id: 1, email: 'saver@example.com' }],
      plans: [{ id: 1, billing_period: 1, billing_unit: 'month' }],
      prices: [{ id: 1, plan_id: 1, price: '12.00' }],
      orders: [{ id: 1, user_id: 1 }],
      coupons: [{ id: 1, code: 'TWICE', type: 'percentage', value: '10.00', recurring: 2 }],
      credits: [{ id: 1, user_id: 1, currency_code: 'EUR', amount: '100.00' }],
      services: [
        { ...sold, id: 1, price: '10.80', label: 'once more' },
        { ...sold, id: 2, price: '12.00', label: 'over' },
      ],
      invoices: [
        { id: 1, user_id: 1 },
        { id: 2, user_id: 1 },
        { id: 3, user_id: 1 },
      ],
      invoice_items: [1, 2, 2].map((reference_id, index) => ({
        ...{ id: index + 1, invoice_id: index + 1, price: '10.80', reference_type: SERVICE },
        reference_id,
      })),
    }),
  )
  assert.equal(status, 'completed')
  const body = { ...DECIDED, price: 'keep_total' }
  const begun = await staff.post(`/v1/admin/imports/${id}/begin-renewals`, body)
  assert.equal(begun.status, 200, begun.text)
  for (let half = 0; half < 116; half += 1) await there.advance(43_200)
  const { rows } = await there.deps.database.execute(
    `select service.name, array_agg(invoice.total_cents::int order by period.starts_at) as totals
     from services.services as service
     join services.periods as period on period.service_id = service.id
     join billing.invoices as invoice on invoice.id = period.invoice_id group by 1 order by 1`,
  )
  assert.deepEqual(rows, [
    { name: 'once more', totals: [1080, 1200] },
    { name: 'over', totals: [1200, 1200] },
  ])
})
