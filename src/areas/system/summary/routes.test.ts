import assert from 'node:assert/strict'
import { test } from 'node:test'
import { later } from '#lib/time.ts'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'

const shop = await gameShop()
const { app, admin, invoice } = shop
const { plan } = await shop.server()
const PATH = '/v1/users/me/summary'
const NONE = { pending: 0, provisioning: 0, active: 0, suspended: 0, failed: 0, ended: 0 }

test('somebody new has nothing, and every key', async () => {
  const ada = await shop.buyer()
  const { status, body, text } = await ada.get(PATH)
  assert.equal(status, 200, text)
  assert.deepEqual(body, {
    ...{ unread: 0, openInvoices: 0, overdue: 0, due: [], services: NONE, credit: [] },
    affiliate: false,
  })
  assert.equal((await app.get(PATH)).status, 401)
})

test('what is owed is counted by currency, late ones too; orders without a number are not', async () => {
  const [ada, bob] = [await shop.buyer(), await shop.buyer()]
  const now = app.deps.clock.now()
  const renewal = { kind: 'renewal' as const, dueAt: later(now, 86_400_000) }
  await invoice(ada, { ...renewal, totalCents: 1200 })
  await invoice(ada, { ...renewal, totalCents: 800, dueAt: later(now, -1000) })
  await invoice(ada, { ...renewal, totalCents: 500, currency: 'USD' })
  await invoice(ada, { totalCents: 9900 })
  await invoice(bob, { ...renewal, totalCents: 7777 })
  const { body } = await ada.get(PATH)
  assert.deepEqual([body.openInvoices, body.overdue], [3, 1])
  assert.deepEqual(body.due, [
    { currency: 'EUR', dueCents: 2000 },
    { currency: 'USD', dueCents: 500 },
  ])
})

test('services are counted by status; credit and notices are there', async () => {
  const ada = await shop.customer()
  await shop.buy(ada, plan.id)
  await shop.serviceBecame(ada, 'active')
  await shop.order(ada, plan.id)
  const given = { amountCents: 250, currency: 'EUR', reason: 'Sorry' }
  const { status, text } = await admin.post(`/v1/admin/users/${ada.userId}/credits`, given)
  assert.ok(status < 300, text)
  const { body } = await ada.get(PATH)
  assert.deepEqual(body.services, { ...NONE, active: 1, pending: 1 })
  assert.deepEqual(body.credit, [{ currency: 'EUR', balanceCents: 250 }])
  // Jobs may still tell of the purchase between two reads.
  await until('both count the same notices', async () => {
    const { unread } = (await ada.get(PATH)).body
    const { count } = (await ada.get('/v1/notifications/unread-count')).body
    return count > 0 && unread === count
  })
})
