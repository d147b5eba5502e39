import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { clientOf, type PanelClient } from '#panel'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { type Person, person } from '#test/people.ts'

type Body = Answer['body']

const shop = await gameShop()
const { admin, app, db, nodeId, tenantId } = shop
const { plan, product } = await shop.server()
const ada = await shop.customer()
const NODE = `/v1/admin/nodes/${nodeId}`

const client: PanelClient = await clientOf(app.deps, db, { tenantId, nodeId })

async function bought(): Promise<Body> {
  const placed = await shop.buy(ada, plan.id)
  const [id] = placed.order.items[0].serviceIds
  return until('it is active', async () => {
    const { body } = await admin.get(`/v1/admin/services/${id}`)
    return body.status === 'active' && body
  })
}

/** Compares, and answers what was found. */
async function compared(): Promise<Body[]> {
  const begun = await admin.post(`${NODE}/drift`)
  assert.equal(begun.status, 202, begun.text)
  await until('it is compared', async () => {
    const { body } = await admin.get(`${NODE}/drift`)
    return body.report.finishedAt
  })
  return (await admin.get(`${NODE}/drift?limit=100`)).body.data
}

async function repaired(kind: string, findingIds?: string[]): Promise<Body[]> {
  const answer = await admin.post(`${NODE}/drift/repair`, {
    kind,
    ...(findingIds && { findingIds }),
  })
  assert.equal(answer.status, 202, answer.text)
  return until('it is repaired', async () => {
    const { body } = await admin.get(`${NODE}/drift?kind=${kind}`)
    const wanted = body.data.filter((it: Body) => it.repairWantedAt)
    return wanted.every((it: Body) => it.repairedAt || it.repairError) && wanted
  })
}

const onPanel = (externalId: string) => client.findServerByExternalId(externalId)

/** A server somebody made on the panel by hand. */
async function handMade(externalId: string | null) {
  const pattern = await onPanel((await bought()).externalId)
  assert.ok(pattern)
  const { name, description, userId, eggId, image, startup, environment } = pattern
  const made = await client.createServer({
    ...{ name: `${name} by hand`, description, userId, eggId, image, startup, environment },
    ...{ limits: pattern.limits, featureLimits: pattern.featureLimits, oomKiller: false },
    externalId: externalId ?? `old-${newId()}`,
    placement: { locationIds: [], dedicatedIp: false, portRange: [] },
    ...{ skipScripts: false, startOnCompletion: false },
  })
  await until(
    'it is installed',
    async () => (await client.getServer(made.id)).status === 'installed',
  )
  return made
}

test('a panel that agrees with the services has no findings', async () => {
  await bought()
  assert.deepEqual(await compared(), [])
  const { report } = (await admin.get(`${NODE}/drift`)).body
  assert.equal(report.servers, (await shop.servers()).length)
})

test('other limits, another suspension and another owner are found, and put right', async () => {
  const service = await bought()
  const server = await onPanel(service.externalId)
  assert.ok(server)
  await client.updateBuild(server.id, { limits: { memoryMb: 512 }, featureLimits: { backups: 9 } })
  await client.suspend(server.id)
  await client.updateDetails(server.id, { externalId: service.externalId, userId: 1 })
  const found = await compared()
  const facts = found.map(({ kind, expected, found: has }) => [kind, expected, has])
  assert.deepEqual(new Set(found.map(({ serviceId }) => serviceId)), new Set([service.id]))
  assert.deepEqual(
    facts.sort((a, b) => a[0].localeCompare(b[0])),
    [
      ['limits', { memoryMb: 2048, backups: 0 }, { memoryMb: 512, backups: 9 }],
      ['owner', { userId: server.userId }, { userId: 1 }],
      ['suspension', { suspended: false }, { suspended: true }],
    ],
  )
  for (const kind of ['limits', 'suspension', 'owner']) {
    const [one] = await repaired(kind)
    assert.equal(one.repairError, null, kind)
  }
  assert.deepEqual(await onPanel(service.externalId), server)
  assert.deepEqual(await compared(), [])
})

test('a server that is gone from the panel is made anew', async () => {
  const service = await bought()
  await client.deleteServer((await onPanel(service.externalId))?.id ?? 0)
  const [found, ...others] = await compared()
  assert.deepEqual([found.kind, found.serviceId, others], ['missing', service.id, []])
  await repaired('missing')
  await until('it is active again', async () => {
    const { body } = await admin.get(`/v1/admin/services/${service.id}`)
    return body.status === 'active' && body.panel && body.panel.serverId !== service.panel.serverId
  })
  assert.ok(await onPanel(service.externalId))
  assert.deepEqual(await compared(), [])
})

test('a server of ours without a service is deleted only when it is named, one in use never', async () => {
  const orphan = await handMade(`svc-${newId()}`)
  const [found] = await compared()
  assert.deepEqual([found.kind, found.serverId, found.serviceId], ['orphan', orphan.id, null])
  const none = await admin.post(`${NODE}/drift/repair`, { kind: 'orphan' })
  assert.deepEqual(none.body, { queued: 0 })
  // By the time it is repaired, a service stands on it.
  const service = await bought()
  await transact(db, (tx) =>
    tx
      .updateTable('services.drift_findings')
      .set({ serverId: service.panel.serverId, externalId: service.externalId })
      .where('id', '=', found.id)
      .execute(),
  )
  const [kept] = await repaired('orphan', [found.id])
  assert.equal(kept.repairError.code, 'in_use')
  assert.ok(await onPanel(service.externalId))
  const [again] = await compared()
  await repaired('orphan', [again.id])
  assert.equal(await onPanel(orphan.externalId ?? ''), undefined)
  assert.deepEqual(await compared(), [])
})

/** Nothing was sold: there is nothing to give back for, and no value to set off against another product. */
async function assertHasNoOrder(owner: Person, id: string): Promise<void> {
  const { product: larger } = await shop.server()
  await admin.patch(`/v1/admin/products/${product.id}`, { upgradeTargetIds: [larger.id] })
  const path = `/v1/services/${id}`
  const changed = await owner.post(`${path}/upgrade`, { productId: larger.id, preview: true })
  assert.deepEqual([changed.status, changed.body.code], [422, 'plan_not_upgradable'])
  assert.match(changed.body.message, /was taken over/)
  const withdrawn = await owner.post(`${path}/withdraw`)
  assert.deepEqual([withdrawn.status, withdrawn.body.code], [422, 'not_ordered'])
  const { status, body } = await admin.get(`/v1/admin/services/${id}`)
  assert.deepEqual([status, body.orderId], [200, null])
  assert.equal((await admin.get(`/v1/admin/users/${owner.userId}/timeline`)).status, 200)
  const exported = await owner.get('/v1/billing/export-data')
  assert.ok(exported.text.includes(id))
}

test('a server that nobody here made is adopted, once, and renews from what is paid', async () => {
  const server = await handMade(null)
  const [found] = await compared()
  assert.deepEqual([found.kind, found.serverId], ['unknown', server.id])
  const bob = await shop.customer()
  const currentPeriodEnd = '2099-01-01T00:00:00.000Z'
  const wanted = { serverId: server.id, userId: bob.userId, planId: plan.id }
  const used = (await admin.get('/v1/admin/services?status=active')).body.data[0].panel.serverId
  const taken = await admin.post(`${NODE}/adopt`, { ...wanted, serverId: used })
  assert.deepEqual([taken.status, taken.body.code], [409, 'server_in_use'])
  const bare = await admin.post(`${NODE}/adopt`, wanted)
  assert.deepEqual([bare.status, bare.body.code], [422, 'period_end_required'])
  const far = await admin.post(`${NODE}/adopt`, { ...wanted, currentPeriodEnd })
  assert.equal(far.status, 422)
  const end = new Date(Date.parse(app.deps.clock.now()) + 20 * 86_400_000).toISOString()
  const whole = `${end.slice(0, 19)}.000Z`
  const order = { ...wanted, currentPeriodEnd: whole }
  const both = await Promise.all([1, 2].map(() => admin.post(`${NODE}/adopt`, order)))
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
  const { body } = both.find(({ status }) => status === 201) ?? {}
  await until('it is active', async () => {
    const { data } = (await bob.get('/v1/services')).body
    return data[0]?.status === 'active'
  })
  const linked = await onPanel(body.externalId)
  assert.equal(linked?.id, server.id)
  assert.notEqual(linked?.userId, server.userId)
  const [mine] = (await bob.get('/v1/services')).body.data
  assert.deepEqual([mine.currentPeriodEnd, mine.plan.priceCents], [whole, 1000])
  await assertHasNoOrder(bob, mine.id)
  assert.deepEqual(await compared(), [])
  await app.advance(14 * 86_400)
  await app.eventually('its renewal is invoiced', async () => {
    const { data } = (await bob.get('/v1/billing/invoices')).body
    return data.length === 1 && data[0].totalCents > 0
  })
  await shop.assertSound()
})

test('a service whose connection was deleted is attached to a new one of the same panel', async () => {
  const service = await bought()
  const { applicationKey: apiKey, url } = shop.panel
  const added = await admin.post('/v1/admin/nodes', {
    name: 'Again',
    url,
    type: 'pterodactyl',
    apiKey,
  })
  const early = await admin.post(`/v1/admin/services/${service.id}/attach`, {
    nodeId: added.body.id,
  })
  assert.deepEqual([early.status, early.body.code], [409, 'service_managed'])
  // While both lead to one panel, nothing on it is taken for an orphan.
  const second = `/v1/admin/nodes/${added.body.id}`
  const comparedThere = async () => {
    await admin.post(`${second}/drift`)
    return until('it is compared', async () => {
      const { body } = await admin.get(`${second}/drift?limit=100`)
      return body.report.finishedAt && body
    })
  }
  assert.equal((await comparedThere()).report.counts.orphan, 0)
  await admin.delete(NODE)
  await until('it is unmanaged', async () => {
    const { body } = await admin.get('/v1/admin/services/troubled?kind=unmanaged')
    return body.data.some((it: Body) => it.id === service.id)
  })
  const attached = await admin.post(`/v1/admin/services/${service.id}/attach`, {
    nodeId: added.body.id,
  })
  assert.equal(attached.status, 200, attached.text)
  assert.equal(attached.body.managed, true)
  const { report } = await comparedThere()
  assert.ok(report.counts.unattached > 0)
  await admin.post(`${second}/drift/repair`, { kind: 'unattached' })
  await until('all are attached', async () => {
    const { body } = await admin.get('/v1/admin/services/troubled?kind=unmanaged')
    return body.data.length === 0
  })
})

test('only operators see drift and repair it', async () => {
  const [nobody, reader] = [
    await person(app),
    await person(app, { permissions: ['services:read'] }),
  ]
  const fresh = (await admin.get('/v1/admin/nodes')).body.data[0].id
  const drift = `/v1/admin/nodes/${fresh}/drift`
  assert.equal((await nobody.get(drift)).status, 403)
  assert.equal((await reader.get(drift)).status, 200)
  assert.equal((await reader.post(drift)).status, 403)
  assert.equal((await reader.post(`${drift}/repair`, { kind: 'limits' })).status, 403)
  assert.equal((await admin.get(`/v1/admin/nodes/${newId()}/drift`)).status, 404)
  assert.equal((await admin.post(`${drift}/repair`, { kind: 'unknown' })).status, 400)
})
