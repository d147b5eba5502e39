import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, later } from '#lib/time.ts'
import { testApp } from '#test/app.ts'
import { DECIDED, faults, imported } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { smallPaymenter } from '#test/small-paymenter.ts'

const app = await testApp(null)
const { database, clock } = app.deps
const admin = await person(app, { admin: true })

const at = (days: number) =>
  later(clock.now(), days * DAY_MS)
    .slice(0, 19)
    .replace('T', ' ')
const dump = (price: string) =>
  smallPaymenter({
    users: [{ id: 1, email: 'ada@example.com' }],
    orders: [{ id: 1, user_id: 1 }],
    plans: [
      { id: 1, billing_period: 1, billing_unit: 'week' },
      { id: 2, billing_period: 14, billing_unit: 'day' },
      { id: 3, billing_period: 1, billing_unit: 'day' },
      { id: 4, billing_period: 1, billing_unit: 'hour' },
      { id: 5, billing_period: 999, billing_unit: 'week' },
    ],
    prices: [1, 2, 3, 4, 5].map((plan) => ({ id: plan, plan_id: plan, price })),
    services: [1, 2, 3, 4, 5].map((plan) => ({
      ...{ id: plan, order_id: 1, user_id: 1, plan_id: plan, price },
      expires_at: at(plan === 2 ? -3 : 5),
    })),
  })

async function services() {
  const { rows } = await database.execute(
    `select interval, interval_count, price_cents, current_period_start, current_period_end,
       (select sum(change_cents)::int from services.recurring where service_id = service.id) as monthly
     from services.services as service order by interval_count`,
  )
  return rows.map((it) => [
    ...[it.interval, it.interval_count, Number(it.price_cents), it.monthly],
    ...[it.current_period_start, it.current_period_end].map((day) =>
      new Date(day as string).toISOString().slice(0, 10),
    ),
  ])
}

const day = (days: number) => later(clock.now(), days * DAY_MS).slice(0, 10)

let id = ''

test('what is paid by the week is so here, and days are weeks or stay where they are', async () => {
  const done = await imported(app, dump('2.55'))
  assert.equal(done.status, 'completed', JSON.stringify(done.report.differences))
  id = done.id
  for (const name of ['plans', 'services']) {
    const { reasons = [] } = done.report.resources[name] ?? {}
    const told = reasons.map((it) => [it.code, it.rows.map((row) => row.id)])
    assert.deepEqual(told, [['unsupported_cycle', ['3', '4', '5']]], name)
  }
  assert.deepEqual(await services(), [
    // A month has 365.25 / 84 weeks.
    ['week', 1, 255, 1109, day(-2), day(5)],
    ['week', 2, 255, 554, day(-17), day(-3)],
  ])
  const { body } = await admin.get('/v1/admin/plans?limit=100')
  const plans = body.data.map((it: Record<string, unknown>) => [
    ...[it.name, it.interval, it.intervalCount, it.priceCents],
  ])
  assert.deepEqual(plans.sort(), [
    ['Every 2 weeks', 'week', 2, 255],
    ['Weekly', 'week', 1, 255],
  ])
})

test('a newer dump changes what they cost, and what they bring in per month', async () => {
  const { report } = await imported(app, dump('3.10'))
  assert.deepEqual(report.differences, [])
  assert.deepEqual(
    (await services()).map(([, count, price, earned]) => [count, price, earned]),
    [
      [1, 310, 1348],
      [2, 310, 674],
    ],
  )
  assert.deepEqual(await faults(app), [])
})

test('renewals begin with the week that runs', async () => {
  const { status, body, text } = await admin.post(`/v1/admin/imports/${id}/begin-renewals`, {
    ...DECIDED,
    price: 'keep_amount',
  })
  assert.equal(status, 200, text)
  assert.deepEqual([body.begun, body.movedOn], [2, 1])
  assert.deepEqual(
    (await services()).map((it) => it.slice(-2)),
    [
      [day(-2), day(5)],
      [day(-3), day(11)],
    ],
  )
})
