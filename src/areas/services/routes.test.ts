import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { allow } from '#test/checkout.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, otherTenant, type Person, person } from '#test/people.ts'
import { addMember } from './invitations/queries.ts'

const shop = await gameShop()
const { app, db, admin, tenantId } = shop
const { plan } = await shop.server()

/** Orders that nobody pays: their services are pending. */
async function pendingOf(customer: Person, count: number): Promise<string[]> {
  const ids: string[] = []
  await allow(admin, customer, { openOrders: count, openOrdersPerProduct: count })
  for (let n = 0; n < count; n += 1) {
    const { order } = await shop.order(customer, plan.id)
    ids.unshift(order.items[0].serviceIds[0])
  }
  return ids
}

function share(serviceId: string, { userId }: Person, permissions: string[]) {
  const createdAt = app.deps.clock.now()
  return transact(db, (tx) =>
    addMember(tx, { tenantId, serviceId, userId, permissions, createdAt }),
  )
}

const idsOf = (data: { id: string }[]) => data.map(({ id }) => id)

test('the list has own and shared services, and those of nobody else', async () => {
  const ada = await shop.customer()
  const bob = await shop.customer()
  const [own] = await pendingOf(ada, 1)
  const [shared, hidden] = await pendingOf(bob, 2)
  assert.ok(own && shared && hidden)
  await share(shared, ada, ['view', 'power'])
  const { status, body } = await ada.get('/v1/services')
  assert.equal(status, 200)
  assert.deepEqual(idsOf(body.data), [shared, own])
  assert.deepEqual(
    body.data.map((it: { role: string; permissions: string[] }) => [it.role, it.permissions]),
    [
      ['member', ['view', 'power']],
      ['owner', ['view', 'power', 'console', 'files', 'backups', 'settings']],
    ],
  )
  const [listed] = body.data
  const details = (await ada.get(`/v1/services/${shared}`)).body
  assert.deepEqual({ ...details, ...listed }, details)
  assert.equal((await ada.get(`/v1/services/${hidden}`)).status, 404)
  for (const trick of [`userId=${bob.userId}`, 'filter[owner]=*', 'include=user', 'tenantId=x']) {
    const tricked = await ada.get(`/v1/services?${trick}`)
    assert.deepEqual([tricked.status, tricked.body.code], [400, 'unknown_parameter'], trick)
  }
})

test('a service that waits for its payment has no period, no panel, and every key', async () => {
  const ada = await shop.customer()
  const { order, invoice } = await shop.order(ada, plan.id)
  const [id] = order.items[0].serviceIds
  const { id: invoiceId } = invoice
  const { body } = await ada.get(`/v1/services/${id}`)
  const { createdAt, product, plan: shown, name, ...rest } = body
  assert.equal(product.name, name)
  assert.deepEqual([shown.id, shown.interval, shown.intervalCount], [plan.id, 'month', 1])
  assert.deepEqual([shown.priceCents, shown.currency], [1000, 'EUR'])
  assert.ok(createdAt)
  assert.deepEqual(rest, {
    ...{ id, status: 'pending', delivery: 'server', currency: 'EUR', failure: null },
    ...{ managed: true, panel: null, components: [] },
    ...{ currentPeriodStart: null, currentPeriodEnd: null, activatedAt: null },
    ...{ startsAt: null, suspendedAt: null, endedAt: null, endReason: null, scheduledChange: null },
    ...{ autoRenew: true, cancelAtPeriodEnd: false, role: 'owner' },
    permissions: ['view', 'power', 'console', 'files', 'backups', 'settings'],
    limits: { memoryMb: 2048, diskMb: 5120, cpuPercent: 100, swapMb: 0 },
    featureLimits: { databases: 0, backups: 0, allocations: 1 },
    ...{
      game: 'Paper',
      location: null,
      suspendReasons: [],
      openInvoiceId: invoiceId,
      dueCents: 1200,
    },
    ...{ trialEndsAt: null, deleteServerAt: null, nextInvoiceAt: null, nextTotalCents: null },
    prices: { totalCents: 1200, taxCents: 200, nextTotalCents: null },
    ...{ withdrawableUntil: null, upgrade: null, handover: null, freeUntil: null },
    setup: {
      ...{ paidAt: null, startedAt: null, serverCreatedAt: null, installStartedAt: null },
      ...{ installEndedAt: null, activatedAt: null },
    },
  })
})

test('pages follow each other without a gap or a repeat, newest first', async () => {
  const ada = await shop.customer()
  const ids = await pendingOf(ada, 5)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor ? `?limit=2&cursor=${cursor}` : '?limit=2'
    const { body } = await ada.get(`/v1/services${query}`)
    assert.ok(body.data.length <= 2)
    seen.push(...idsOf(body.data))
    cursor = body.nextCursor
  } while (cursor)
  assert.deepEqual(seen, ids)
  assert.equal((await ada.get('/v1/services?cursor=nonsense')).status, 400)
  assert.equal((await ada.get('/v1/services?limit=101')).status, 400)
})

test('what is not there, malformed, somebody else’s or another tenant’s is a 404', async () => {
  const [id] = await pendingOf(await shop.customer(), 1)
  const stranger = await shop.customer()
  const elsewhere = await otherTenant(app, 'other.test')
  const foreigner = await person(app, { tenantId: elsewhere })
  const foreignAdmin = await person(app, { tenantId: elsewhere, admin: true })
  for (const path of [id, newId(), 'x', 'constructor', '%00']) {
    assert.equal((await stranger.get(`/v1/services/${path}`)).status, 404, path)
  }
  assert.equal((await foreigner.get(`/v1/services/${id}`)).status, 404)
  assert.equal((await foreignAdmin.get(`/v1/admin/services/${id}`)).status, 404)
  assert.equal((await foreignAdmin.post(`/v1/admin/services/${id}/reprovision`)).status, 404)
  assert.deepEqual((await foreignAdmin.get('/v1/admin/services')).body.data, [])
  assert.deepEqual((await foreigner.get('/v1/services')).body.data, [])
  assert.equal((await app.get('/v1/services')).status, 401)
  assert.equal((await app.get(`/v1/services/${id}`)).status, 401)
})

test('an API key that may only read lists services, and cannot change one', async () => {
  const ada = await shop.customer()
  const [id] = await pendingOf(ada, 1)
  const key = await apiKey(app, ada, { permission: 'read' })
  assert.deepEqual(idsOf((await key.get('/v1/services')).body.data), [id])
  assert.equal((await key.get(`/v1/services/${id}`)).status, 200)
  assert.equal((await key.request('HEAD', '/v1/services')).status, 200)
  const upgrade = await key.post(`/v1/services/${id}/upgrade`, { productId: newId() })
  assert.equal(upgrade.status, 403)
  const headers = { 'x-http-method-override': 'DELETE' }
  assert.equal((await key.get(`/v1/services/${id}`, { headers })).status, 200)
})

test('administrators see services by their permission, with owner and order', async () => {
  const ada = await shop.customer()
  const placed = await shop.order(ada, plan.id)
  const [id] = placed.order.items[0].serviceIds
  const reader = await person(app, { permissions: ['services:read'] })
  const other = await person(app, { permissions: ['store:*'] })
  const { body } = await reader.get(`/v1/admin/services?userId=${ada.userId}`)
  assert.deepEqual(idsOf(body.data), [id])
  assert.equal(body.nextCursor, null)
  const one = await reader.get(`/v1/admin/services/${id}`)
  assert.deepEqual(one.body, body.data[0])
  assert.deepEqual([one.body.userId, one.body.orderId], [ada.userId, placed.order.id])
  assert.equal(one.body.provisioning, null)
  for (const caller of [ada, other]) {
    assert.equal((await caller.get('/v1/admin/services')).status, 403)
    assert.equal((await caller.get(`/v1/admin/services/${id}`)).status, 403)
  }
  assert.equal((await reader.post(`/v1/admin/services/${id}/reprovision`)).status, 403)
  assert.equal((await reader.post(`/v1/admin/services/${newId()}/reprovision`)).status, 403)
  const writer = await person(app, { permissions: ['services:write'] })
  assert.equal((await writer.post(`/v1/admin/services/${newId()}/reprovision`)).status, 404)
  const refused = await writer.post(`/v1/admin/services/${id}/reprovision`)
  assert.equal(refused.status, 409)
  assert.equal(refused.body.code, 'wrong_state')
  assert.equal((await reader.get(`/v1/admin/services/${newId()}`)).status, 404)
})

test('a service whose product lost its provisioning after the order fails, and is tried again', async () => {
  const { product, plan: bare } = await shop.catalog.offer()
  const ada = await shop.customer()
  const placed = await shop.order(ada, bare.id)
  await admin.patch(`/v1/admin/products/${product.id}`, { provisioning: null })
  await shop.complete(placed.payment.redirectUrl)
  const failed = await shop.serviceBecame(ada, 'failed')
  assert.equal(failed.failure.code, 'no_blueprint')
  const path = `/v1/admin/services/${failed.id}`
  const { lastError } = (await admin.get(path)).body.provisioning
  assert.equal(lastError.code, 'no_blueprint')
  const limits = { memoryMb: 1024, diskMb: 1024 }
  const provisioning = { eggId: shop.eggId, nodeIds: [shop.nodeId], limits }
  await admin.patch(`/v1/admin/products/${product.id}`, { provisioning })
  const again = await admin.post(`${path}/reprovision`)
  assert.equal(again.status, 200, again.text)
  assert.deepEqual([again.body.status, again.body.failure], ['provisioning', null])
  assert.equal((await admin.post(`${path}/reprovision`)).status, 409)
  const told = (await ada.get('/v1/notifications')).body.data
  assert.ok(told.some((it: { kind: string }) => it.kind === 'service_failed'))
})

test('a list can be narrowed down by status, role and a part of what is read there', async () => {
  const [ada, bob] = [await shop.customer(), await shop.customer()]
  const [first, second] = await pendingOf(ada, 2)
  const [shared] = await pendingOf(bob, 1)
  assert.ok(first && second && shared)
  await share(shared, ada, ['view'])
  await ada.patch(`/v1/services/${first}`, { name: '100% Harbour_World' })
  const listed = async (query: string) => {
    const { status, body, text } = await ada.get(`/v1/services?${query}`)
    assert.equal(status, 200, text)
    return idsOf(body.data)
  }
  assert.deepEqual(await listed('q=harbour'), [first])
  assert.deepEqual(await listed('q=100%25'), [first])
  assert.deepEqual(await listed('q=%25'), [first], 'a wildcard stands for itself')
  assert.deepEqual(await listed('q=r_W'), [first])
  assert.deepEqual(await listed('role=member'), [shared])
  assert.deepEqual(await listed('role=owner&status=pending'), [first, second])
  assert.deepEqual(await listed('status=active'), [])
  assert.deepEqual(await listed('q=paper&role=member'), [shared])
  const page = (await ada.get('/v1/services?role=owner&limit=1')).body
  assert.deepEqual(await listed(`role=owner&cursor=${page.nextCursor}`), [second])
  assert.equal((await ada.get('/v1/services?status=gone')).status, 400)
  assert.equal((await ada.get('/v1/services?role=admin')).status, 400)
})

test('a service outlives its panel connection, unmanaged', async () => {
  const ada = await shop.customer()
  await shop.buy(ada, plan.id)
  const before = await shop.serviceBecame(ada, 'active')
  assert.equal(before.managed, true)
  const url = `${shop.panel.url}/server/${before.panel.identifier}`
  assert.equal(before.panel.url, url)
  const node = await admin.get(`/v1/admin/nodes/${shop.nodeId}`)
  assert.ok(node.body.serviceCount > 0)
  assert.equal((await admin.delete(`/v1/admin/nodes/${shop.nodeId}`)).status, 200)
  const after = (await ada.get(`/v1/services/${before.id}`)).body
  assert.deepEqual({ ...after, ...before, managed: false, panel: null }, after)
  await until('the service is detached', async () => {
    const { body } = await admin.get(`/v1/admin/services/${before.id}`)
    return body.nodeId === null
  })
  const [listed, ...others] = (await ada.get('/v1/services')).body.data
  assert.deepEqual(others, [])
  assert.deepEqual({ ...after, ...listed }, after)
})
