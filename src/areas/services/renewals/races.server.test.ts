import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'
import { renewBatch, renewOne } from './batches.ts'
import { listPeriods, lockServicesToInvoice } from './queries.ts'
import { rollService, settlePeriods } from './settlement.ts'

const shop = await gameShop()
const { db, tenantId } = shop
const { plan } = await shop.server()

const DAY_MS = 86_400_000
const MANY = 6

async function active() {
  const person = await shop.customer()
  await shop.buy(person, plan.id)
  const { id, currentPeriodEnd } = await shop.serviceBecame(person, 'active')
  return { person, key: { tenantId, id }, end: instant(currentPeriodEnd) }
}

const atOnce = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: MANY }, work))

async function invoicesFor(id: string): Promise<number> {
  const rows = await db
    .selectFrom('billing.invoices')
    .select('id')
    .where('reference', '=', id)
    .where('kind', '=', 'renewal')
    .execute()
  return rows.length
}

test('invariant 17: of many runs at once, one invoices each period, and none is passed over', async () => {
  const { key, end } = await active()
  const now = later(end, 60 * DAY_MS)
  await atOnce(async () => {
    while ((await transact(db, (tx) => renewBatch(tx, now, 2))) > 0);
  })
  // Whoever found it locked left it to the one that held it; that one has made the last look.
  await transact(db, (tx) => renewBatch(tx, now, 2))
  const periods = await listPeriods(db, key)
  for (const [index, period] of periods.slice(1).entries()) {
    assert.equal(period.startsAt, periods[index]?.endsAt)
  }
  assert.equal(new Set(periods.map(({ startsAt }) => startsAt)).size, periods.length)
  assert.equal(await invoicesFor(key.id), periods.length - 1)
  assert.ok(periods.length >= 3)
})

test('a run takes what no other run holds, and waits for nobody', async () => {
  const { key, end } = await active()
  const now = later(end, -DAY_MS)
  await transact(db, async (tx) => {
    const [held] = await lockServicesToInvoice(tx, now, 500)
    assert.ok(held)
    const others = await transact(db, (second) => lockServicesToInvoice(second, now, 500))
    assert.deepEqual(others, [])
  })
  const again = await transact(db, (tx) => lockServicesToInvoice(tx, now, 500))
  assert.ok(again.some(({ id }) => id === key.id))
})

test('a run that dies has done nothing, and the next one does it', async () => {
  const { key, end } = await active()
  const died = transact(db, async (tx) => {
    await renewOne(tx, key, end)
    throw new Error('killed')
  })
  await assert.rejects(died, /killed/)
  assert.equal(await invoicesFor(key.id), 0)
  await transact(db, (tx) => renewOne(tx, key, end))
  assert.equal(await invoicesFor(key.id), 1)
})

test('news of a payment that comes many times moves a service on once', async () => {
  const { person, key, end } = await active()
  await transact(db, (tx) => renewOne(tx, key, end))
  const { data } = (await person.get('/v1/billing/invoices?status=open')).body
  const paying = await person.post(`/v1/billing/invoices/${data[0].id}/pay`, {
    gatewayId: shop.gatewayId,
  })
  await shop.complete(paying.body.redirectUrl)
  await shop.became(person, data[0].id, 'paid')
  const invoice = { tenantId, invoiceId: data[0].id }
  await atOnce(() => transact(db, (tx) => settlePeriods(tx, invoice, end)))
  await atOnce(() => transact(db, (tx) => rollService(tx, key, end)))
  const service = await until('it is moved on', async () => {
    const { body } = await person.get(`/v1/services/${key.id}`)
    return body.currentPeriodStart === end && body
  })
  const [first, second, ...more] = await listPeriods(db, key)
  assert.equal(first?.endsAt, end)
  assert.equal(second?.endsAt, service.currentPeriodEnd)
  assert.deepEqual(more, [])
})

test('of many who renew and cancel at once, nobody leaves an invoice for a period that never comes', async () => {
  const { person, key } = await active()
  const path = `/v1/services/${key.id}`
  const answers = await Promise.all([
    ...Array.from({ length: 3 }, () => person.post(`${path}/renew`, { gatewayId: shop.gatewayId })),
    ...Array.from({ length: 3 }, () => person.post(`${path}/cancel`, { at: 'period_end' })),
  ])
  for (const { status, text } of answers) assert.ok(status === 200 || status === 409, text)
  const { data } = (await person.get('/v1/billing/invoices?status=open')).body
  assert.deepEqual(data, [])
})
