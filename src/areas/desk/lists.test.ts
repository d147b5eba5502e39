import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, dayOf, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant, person } from '#test/people.ts'

const shop = await gameShop()
const { app, admin, tenantId, gatewayId } = shop
const { plan } = await shop.server()
const buyer = await shop.customer()
const placed = await shop.buy(buyer, plan.id)
const service = await shop.serviceBecame(buyer, 'active')
await shop.quiet()
const waiting = await shop.customer()
const unpaid = await shop.order(waiting, plan.id)
const late = await shop.invoice(buyer, {
  ...{ kind: 'renewal', totalCents: 1200, dueAt: later(app.deps.clock.now(), -DAY_MS) },
})
const today = dayOf(app.deps.clock.now())
const foreigner = await person(app, {
  ...{ tenantId: await otherTenant(app, 'lists.test'), admin: true },
})

async function list(path: string, by = admin) {
  const { status, body, text } = await by.get(`/v1/admin/${path}`)
  assert.equal(status, 200, `${path}: ${text}`)
  return body
}
const idsOf = async (path: string): Promise<string[]> =>
  (await list(path)).data.map(({ id }: { id: string }) => id)

test('orders have their customer and items, and are filtered by customer and status', async () => {
  const [order] = (await list(`orders?userId=${buyer.userId}`)).data
  assert.deepEqual([order.userId, order.customerEmail], [buyer.userId, buyer.email])
  assert.equal(order.items[0].planName, plan.name)
  assert.deepEqual(await idsOf('orders?status=pending'), [unpaid.order.id])
  assert.deepEqual(await idsOf('orders?status=fulfilled'), [placed.order.id])
  assert.deepEqual(await idsOf('orders?status=canceled'), [])
  const one = (await admin.get(`/v1/admin/orders/${placed.order.id}`)).body
  assert.equal(one.customerName, buyer.name)
})

test('one order has its invoice, payments and services, as far as staff may see them', async () => {
  const path = `/v1/admin/orders/${placed.order.id}`
  const { invoice, payments, services, totalCents } = (await admin.get(path)).body
  assert.deepEqual([invoice.id, invoice.status, invoice.dueCents], [placed.invoice.id, 'paid', 0])
  assert.equal(payments.length, 1)
  assert.equal(payments[0].amountCents, totalCents)
  const { body: service } = await admin.get(`/v1/admin/services/${services[0].id}`)
  assert.deepEqual(services, [{ id: service.id, name: service.name, status: service.status }])
  const open = (await admin.get(`/v1/admin/orders/${unpaid.order.id}`)).body
  assert.deepEqual([open.invoice.dueCents > 0, open.payments], [true, []])
  const clerk = await person(app, { permissions: ['orders:read'] })
  const { body } = await clerk.get(path)
  assert.deepEqual([body.invoice, body.payments, body.services], [null, null, null])
  assert.equal(body.customerEmail, buyer.email)
})

test('a list is sorted in either order, and has a total on request', async () => {
  const newest = await idsOf('orders')
  assert.deepEqual(await idsOf('orders?sort=oldest'), newest.toReversed())
  const first = await list('orders?sort=oldest&limit=1&count=true')
  assert.equal(first.total, newest.length)
  const second = await list(`orders?sort=oldest&limit=1&cursor=${first.nextCursor}`)
  assert.deepEqual([second.data[0].id, second.total], [newest[0], null])
})

const INVOICES: readonly [string, boolean][] = [
  ['kind=renewal', true],
  ['kind=manual', false],
  ['overdue=true', true],
  ['overdue=false', false],
  ['disputed=false', true],
  ['disputed=true', false],
  [`from=${today}&to=${today}`, true],
  ['to=2001-01-01', false],
  [`gatewayId=${gatewayId}`, false],
  ['q=INV-', true],
  ['q=inv-', true],
  ['q=lovelace', true],
  ['q=nobody', false],
  [`q=${buyer.email}`, true],
]
for (const [filter, found] of INVOICES) {
  test(`the overdue renewal is ${found ? '' : 'not '}among invoices with ${filter}`, async () => {
    assert.equal((await idsOf(`invoices?${filter}`)).includes(late.id), found)
  })
}

test('invoices are filtered by the gateway that they were paid through, and have the name of their customer', async () => {
  const { data } = await list(`invoices?gatewayId=${gatewayId}`)
  assert.deepEqual(
    data.map((it: { id: string; customerName: string }) => [it.id, it.customerName]),
    [[placed.invoice.id, buyer.name]],
  )
})

test('the CSV of invoices has all matches', async () => {
  const { text, headers } = await admin.get('/v1/admin/invoices?format=csv&limit=1&q=INV-')
  assert.match(headers['content-type'] ?? '', /text\/csv/)
  const lines = text.trim().split('\r\n')
  assert.match(lines[0] ?? '', /^number,status,kind,customerName/)
  assert.equal(lines.length, 3)
  assert.match(text, /renewal,Ada Lovelace/)
})

const SERVICES: readonly [string, boolean][] = [
  [`q=${service.panel.identifier}`, true],
  [`q=${encodeURIComponent(service.panel.address)}`, true],
  ['q=nothing', false],
  ['q=---', false],
  [`planId=${plan.id}`, true],
  ['suspendReason=admin', false],
  [`dueBefore=${later(app.deps.clock.now(), 40 * DAY_MS)}`, true],
  [`dueBefore=${later(app.deps.clock.now(), 2 * DAY_MS)}`, false],
]
for (const [filter, found] of SERVICES) {
  test(`the service is ${found ? '' : 'not '}among those with ${filter}`, async () => {
    const { data } = await list(`services?${filter}`)
    const own = data.find((it: { id: string }) => it.id === service.id)
    assert.equal(own !== undefined, found)
    if (own) assert.equal(own.customerEmail, buyer.email)
  })
}

test('people are listed with services and balances, and filtered by them', async () => {
  const given = { amountCents: 250, currency: 'EUR', reason: 'Sorry' }
  await admin.post(`/v1/admin/users/${buyer.userId}/credits`, given)
  const [one] = (await list(`users?search=${buyer.email}`)).data
  assert.deepEqual(one.credit, [{ currency: 'EUR', balanceCents: 250 }])
  assert.deepEqual(one.due, [{ currency: 'EUR', dueCents: 1200 }])
  assert.equal(one.monthly[0].currency, 'EUR')
  assert.ok(one.monthly[0].monthlyCents > 0)
  assert.deepEqual([one.activeServices, one.needsAttention], [1, true])
  assert.ok(one.lastSeenAt)
  const has = async (filter: string) => (await idsOf(`users?${filter}`)).includes(buyer.userId)
  for (const filter of ['withServices=true', 'country=FR', 'verified=true', 'status=active']) {
    assert.ok(await has(filter), filter)
  }
  for (const filter of ['withServices=false', 'country=DE', 'verified=false', 'status=suspended']) {
    assert.ok(!(await has(filter)), filter)
  }
})

test('people are found by a role, held directly or through a group', async () => {
  const role = (await admin.post('/v1/admin/rbac/roles', { name: 'R', permissions: [] })).body
  const direct = await person(app)
  const grouped = await person(app)
  await admin.put(`/v1/admin/rbac/users/${direct.userId}/roles`, { roleIds: [role.id] })
  const group = (await admin.post('/v1/admin/rbac/groups', { name: 'G', roleIds: [role.id] })).body
  const members = { memberIds: [grouped.userId], userIds: undefined }
  const put = await admin.put(`/v1/admin/rbac/groups/${group.id}/members`, members)
  assert.equal(put.status, 200, put.text)
  assert.deepEqual(await idsOf(`users?roleId=${role.id}`), [grouped.userId, direct.userId])
})

test('deleted people are listed only on request', async () => {
  const gone = await person(app)
  await transact(app.deps.database.of(tenantId), (tx) =>
    tx
      .updateTable('users.users')
      .set({ deletedAt: app.deps.clock.now() })
      .where('tenantId', '=', tenantId)
      .where('id', '=', gone.userId)
      .execute(),
  )
  assert.ok(!(await idsOf('users')).includes(gone.userId))
  assert.deepEqual(await idsOf('users?status=deleted'), [gone.userId])
})

test('another shop lists nothing of this one', async () => {
  for (const path of ['orders', 'invoices', 'services']) {
    assert.deepEqual((await list(`${path}?count=true`, foreigner)).total, 0, path)
  }
  assert.deepEqual((await list(`users?search=${buyer.email}`, foreigner)).data, [])
})
