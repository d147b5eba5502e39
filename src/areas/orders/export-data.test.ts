import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { later, MINUTE_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'
import { endLease, takeLease } from '../billing/exports/queries.ts'

const shop = await gameShop()
const { app, db, tenantId } = shop
const { plan } = await shop.server({ name: 'Castle' })
const ada = await shop.customer()
const bob = await shop.customer()

test('the export has the caller’s orders, invoices and services, and nothing of others (hardening 9)', async () => {
  await shop.buy(ada, plan.id)
  const own = await shop.serviceBecame(ada, 'active')
  await shop.buy(bob, plan.id)
  const shared = await shop.serviceBecame(bob, 'active')
  const invited = { email: ada.email, permissions: ['power'] }
  const path = `/v1/services/${shared.id}/invitations`
  const { token } = (await bob.post(path, invited)).body
  await ada.post(`/v1/invitations/${token}/accept`)
  await ada.post(`/v1/services/${own.id}/invitations`, {
    email: 'eve@example.org',
    permissions: [],
  })
  const { key } = await apiKey(app, ada, { permission: 'read' })

  const { status, headers, body, text } = await ada.get('/v1/billing/export-data')
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  const { services } = body.data.services
  assert.deepEqual(
    services.map((it: { id: string; role: string }) => [it.id, it.role]),
    [
      [shared.id, 'member'],
      [own.id, 'owner'],
    ],
  )
  assert.deepEqual(
    services.map((it: { environment: object | null }) => it.environment),
    [null, {}],
  )
  const [order] = body.data.orders.orders
  assert.deepEqual(order.items[0].serviceIds, [own.id])
  assert.equal(body.data.orders.orders.length, 1)
  const [invoice] = body.data.billing.invoices
  assert.equal(body.data.billing.invoices.length, 1)
  assert.equal(invoice.id, order.invoiceId)
  assert.equal(invoice.lines.length, 1)
  const others = [bob.email, 'eve@example.org', bob.userId, token]
  for (const secret of [...others, key, ada.token, ada.refreshToken]) {
    assert.ok(!text.includes(secret), `${secret} is not in it`)
  }
  assert.doesNotMatch(text, /"\w*(hash|secret)\w*":/i)
})

test('a second export at the same time is a 409, one after it is not (hardening 9)', async () => {
  const now = app.deps.clock.now()
  const { userId } = ada
  const lease = { tenantId, userId, leaseId: newId(), heldUntil: later(now, MINUTE_MS) }
  await transact(db, (tx) => takeLease(tx, lease, now))
  const second = await ada.get('/v1/billing/export-data')
  assert.deepEqual([second.status, second.body.code], [409, 'export_running'])
  assert.equal((await bob.get('/v1/billing/export-data')).status, 200)
  await transact(db, (tx) => endLease(tx, lease))
  assert.equal((await ada.get('/v1/billing/export-data')).status, 200)
  assert.equal((await ada.get('/v1/billing/export-data')).status, 200)
})

test('an export whose process died holds the next one up for minutes only', async () => {
  const now = app.deps.clock.now()
  const lease = { tenantId, userId: bob.userId, leaseId: newId(), heldUntil: now }
  await transact(db, (tx) => takeLease(tx, lease, now))
  assert.equal((await bob.get('/v1/billing/export-data')).status, 200)
})

test('a person of another tenant exports what that one keeps', async () => {
  const foreigner = await person(app, { tenantId: await otherTenant(app, 'else.test') })
  const { body } = await foreigner.get('/v1/billing/export-data')
  assert.deepEqual(body.data.services.services, [])
  assert.deepEqual(body.data.orders.orders, [])
  assert.deepEqual(body.data.billing.invoices, [])
})
