import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant, person } from '#test/people.ts'

const shop = await gameShop()
const { app, admin, db, tenantId } = shop
const { plan } = await shop.server()
const URL = '/v1/admin/dashboard'
const ATTENTION = '/v1/admin/attention'

type Item = { kind: string; count: number; tone: string; oldestAt: string; deadlineAt: string }
const itemsFor = async (by = admin): Promise<Record<string, Item>> => {
  const { status, body, text } = await by.get(ATTENTION)
  assert.equal(status, 200, text)
  return Object.fromEntries(body.items.map((it: Item) => [it.kind, it]))
}

test('a shop without sales has zeros and no pending work', async () => {
  const { status, body, text } = await admin.get(URL)
  assert.equal(status, 200, text)
  assert.deepEqual([body.sales, body.overdue], [[], []])
  assert.deepEqual(body.orders, { unpaid: 0, inProgress: 0 })
  assert.equal(body.services.active, 0)
  assert.deepEqual(body.nodes[0].services, 0)
  assert.equal(body.health.status, 'up')
  assert.deepEqual(await itemsFor(), {})
})

test('a sale, a debt and an unpaid order are added up as in the reports', async () => {
  const ada = await shop.customer()
  await shop.buy(ada, plan.id)
  await shop.serviceBecame(ada, 'active')
  await shop.quiet()
  await shop.order(await shop.customer(), plan.id)
  const dueAt = later(app.deps.clock.now(), -DAY_MS)
  await shop.invoice(ada, { kind: 'renewal', totalCents: 1200, dueAt })
  app.deps.clock.advance(31_000)
  const { body } = await admin.get(URL)
  const { data } = (await admin.get('/v1/admin/reports/revenue')).body
  const mrr = (await admin.get('/v1/admin/reports/mrr')).body.data.at(-1)
  const [sales] = body.sales
  assert.equal(sales.monthCents, data.at(-1).netCents)
  assert.equal(sales.todayCents, data.at(-1).netCents)
  assert.deepEqual([sales.mrrCents, sales.customers], [mrr.closingCents, mrr.customers])
  assert.deepEqual([sales.customersWon, sales.customersLost], [1, 0])
  assert.deepEqual(body.overdue, [{ currency: 'EUR', dueCents: 1200, invoices: 1 }])
  assert.deepEqual(body.orders, { unpaid: 1, inProgress: 0 })
  assert.deepEqual([body.services.active, body.services.pending], [1, 1])
  assert.equal(body.nodes[0].services, 1)
})

test('pending work is counted, with the oldest item and the deadline', async () => {
  const payment = await db.selectFrom('billing.payments').selectAll().executeTakeFirstOrThrow()
  const now = app.deps.clock.now()
  const respondBy = later(now, 3 * DAY_MS)
  await transact(app.deps.database.of(tenantId), async (tx) => {
    for (const [place, id] of ['1', '2'].entries()) {
      await tx
        .insertInto('billing.disputes')
        .values({
          ...{ tenantId, id: `01900000-0000-7000-8000-00000000000${id}`, paymentId: payment.id },
          ...{ gatewayId: payment.gatewayId, providerDisputeId: `dp_${id}`, amountCents: 100 },
          ...{ currency: 'EUR', state: 'needs_response', observedAt: now, createdAt: now },
          respondBy: later(respondBy, place * DAY_MS),
        } as never)
        .execute()
    }
  })
  const { dispute } = await itemsFor()
  assert.deepEqual(dispute, {
    ...{ kind: 'dispute', tone: 'failed', count: 2, oldestAt: now, deadlineAt: respondBy },
  })
})

test('a service that could not be set up is pending work, with its time', async () => {
  const { product } = await shop.server()
  const row = await db.selectFrom('services.services').selectAll().executeTakeFirstOrThrow()
  await transact(app.deps.database.of(tenantId), (tx) =>
    tx
      .updateTable('services.services')
      .set({ failedAt: app.deps.clock.now(), failureCode: 'no_room', failureMessage: 'No room' })
      .where('tenantId', '=', tenantId)
      .where('activatedAt', 'is', null)
      .execute(),
  )
  assert.ok(product.id && row.id)
  assert.equal((await itemsFor()).service_failed?.count, 1)
})

test('staff see only the parts that their permissions allow, and nothing of another shop', async () => {
  const clerk = await person(app, { permissions: ['services:read'] })
  const { body } = await clerk.get(URL)
  const shown = Object.keys(body).filter((key) => body[key] !== null)
  assert.deepEqual(shown, ['figuresAt', 'services'])
  assert.deepEqual(Object.keys(await itemsFor(clerk)), ['service_failed'])
  const other = await otherTenant(app, 'dashboard.test')
  const foreigner = await person(app, { tenantId: other, admin: true })
  const { body: theirs } = await foreigner.get(URL)
  assert.deepEqual([theirs.sales, theirs.overdue, theirs.nodes], [[], [], []])
  assert.equal(theirs.services.active, 0)
  assert.deepEqual(await itemsFor(foreigner), {})
})
