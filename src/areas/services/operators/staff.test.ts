import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'
import { person } from '#test/people.ts'

const shop = await gameShop()
const { app, admin, panel } = shop
const { product: large } = await shop.server({ name: 'Large' }, { priceCents: 2500 })
const { plan } = await shop.server({ name: 'Small', upgradeTargetIds: [large.id] })
const ada = await shop.customer()
await shop.buy(ada, plan.id)
const { id } = await shop.serviceBecame(ada, 'active')
const path = `/v1/admin/services/${id}`

test('staff see what the server of a customer does, and switch it only with the permission for that', async () => {
  await until('the panel says it', async () => {
    const { status, body, text } = await admin.get(`${path}/status`)
    assert.equal(status, 200, text)
    return body.available
  })
  const writer = await person(app, { permissions: ['services:read', 'services:write'] })
  assert.equal((await writer.post(`${path}/power`, { action: 'restart' })).status, 403)
  assert.equal((await ada.post(`${path}/power`, { action: 'restart' })).status, 403)
  const helper = await person(app, { permissions: ['services:power'] })
  const before = await panel.calls('POST', /\/power$/)
  const restarted = await helper.post(`${path}/power`, { action: 'restart' })
  assert.deepEqual([restarted.status, restarted.body.id], [200, id], restarted.text)
  assert.equal((await panel.calls('POST', /\/power$/)) - before, 1)
  assert.equal((await helper.post(`${path}/power`, { action: 'explode' })).status, 400)
  const { body: log } = await admin.get(`/v1/admin/audit-logs?actorId=${helper.userId}`)
  const entry = log.data.find((it: { route: string }) => it.route.endsWith('/power'))
  assert.deepEqual([entry?.objectId, entry?.method], [id, 'POST'], 'the audit log says who')
})

test('staff see what a change of plan costs a customer, order it, and it is made once that is paid', async () => {
  const { body: targets } = await admin.get(`${path}/upgrade-targets`)
  assert.deepEqual(
    targets.data.map((it: { product: { id: string } }) => it.product.id),
    [large.id],
  )
  const wanted = { productId: large.id }
  const preview = await admin.post(`${path}/upgrade`, { ...wanted, preview: true })
  assert.deepEqual([preview.status, preview.body.fits, preview.body.invoice], [200, true, null])
  const { proration } = preview.body
  assert.ok(proration.totalCents > 0 && proration.lines.length === 2, preview.text)
  assert.equal((await ada.get(`/v1/services/${id}`)).body.openInvoiceId, null)
  const own = await ada.post(`/v1/services/${id}/upgrade`, { ...wanted, preview: true })
  assert.equal(own.body.proration.totalCents, proration.totalCents)

  const ordered = await admin.post(`${path}/upgrade`, wanted)
  assert.equal(ordered.status, 200, ordered.text)
  assert.equal(ordered.body.invoice.dueCents, proration.totalCents)
  assert.equal((await admin.post(`${path}/upgrade`, wanted)).body.code, 'upgrade_in_progress')
  const paid = await ada.post(`/v1/billing/invoices/${ordered.body.invoice.id}/pay`, {
    gatewayId: shop.gatewayId,
  })
  await shop.complete(paid.body.redirectUrl ?? paid.body.payment.redirectUrl)
  await until('the service is on the new product', async () => {
    return (await admin.get(path)).body.product.id === large.id
  })
})

test('staff see and change how the server of a customer starts, and reinstall it', async () => {
  const found = await admin.get(`${path}/startup`)
  assert.equal(found.status, 200, found.text)
  const variable = found.body.environment.find(({ editable }: { editable: boolean }) => editable)
  assert.ok(variable)
  const wish = { environment: { [variable.env]: variable.value } }
  const wished = await admin.post(`${path}/startup`, wish)
  assert.deepEqual([wished.status, wished.body.change.state], [200, 'pending'], wished.text)
  const wrong = await admin.post(`${path}/startup`, { environment: { UNKNOWN: 'x' } })
  assert.equal(wrong.body.code, 'environment_invalid')
  const before = await panel.calls('POST', /\/reinstall$/)
  const reinstalled = await admin.post(`${path}/reinstall`)
  assert.deepEqual([reinstalled.status, reinstalled.body.id], [200, id], reinstalled.text)
  assert.equal((await panel.calls('POST', /\/reinstall$/)) - before, 1)
  const reader = await person(app, { permissions: ['services:read', 'services:power'] })
  assert.equal((await reader.post(`${path}/reinstall`)).status, 403)
  assert.equal((await reader.post(`${path}/startup`, wish)).status, 403)
})

test('staff see with whom a service is shared, and remove a member', async () => {
  const bob = await shop.customer()
  const member = { tenantId: shop.tenantId, serviceId: id, userId: bob.userId }
  const createdAt = app.deps.clock.now()
  await transact(shop.db, async (tx) => {
    const row = { ...member, role: 'member' as const, permissions: ['view'], createdAt }
    await tx.insertInto('services.members').values(row).execute()
  })
  const { data } = (await admin.get(`${path}/members`)).body
  assert.deepEqual(
    data.map(({ userId, role }: { userId: string; role: string }) => [userId, role]),
    [
      [ada.userId, 'owner'],
      [bob.userId, 'member'],
    ],
  )
  const reader = await person(app, { permissions: ['services:read'] })
  assert.equal((await reader.delete(`${path}/members/${bob.userId}`)).status, 403)
  assert.equal((await admin.delete(`${path}/members/${bob.userId}`)).status, 200)
  assert.equal((await bob.get(`/v1/services/${id}`)).status, 404)
  assert.equal((await admin.delete(`${path}/members/${bob.userId}`)).status, 404)
  assert.equal((await admin.delete(`${path}/members/${ada.userId}`)).status, 404)
})

test('staff without the permission, and of another shop, change no plan', async () => {
  const reader = await person(app, { permissions: ['services:read', 'services:power'] })
  const wanted = { productId: large.id }
  assert.equal((await reader.post(`${path}/upgrade`, wanted)).status, 403)
  assert.equal((await reader.get(`${path}/upgrade-targets`)).status, 403)
  const nobody = '/v1/admin/services/00000000-0000-7000-8000-000000000000'
  assert.equal((await admin.post(`${nobody}/upgrade`, wanted)).status, 404)
  assert.equal((await admin.post(`${nobody}/power`, {})).status, 404)
  assert.equal((await admin.get(`${nobody}/status`)).status, 404)
})
