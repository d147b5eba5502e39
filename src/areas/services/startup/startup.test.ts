import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf } from '#panel'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { addMember } from '../invitations/queries.ts'
import { leaseServer, releaseServer } from '../leases/queries.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin, db, tenantId, nodeId, eggId } = shop
const client = await clientOf(app.deps, db, { tenantId, nodeId })

const { dockerImages } = (await admin.get(`/v1/admin/eggs/${eggId}`)).body
const [first, second] = dockerImages
const provisioning = {
  ...{ eggId, nodeIds: [nodeId], limits: { memoryMb: 1024, diskMb: 5120 } },
  featureLimits: { databases: 1, backups: 2 },
  choices: { lockedVariables: ['BUILD_NUMBER'], dockerImage: true },
}
const other = await shop.catalog.offer(
  {},
  {
    provisioning: {
      ...{ ...provisioning, limits: { memoryMb: 2048, diskMb: 5120 } },
      featureLimits: { databases: 3, backups: 4 },
    },
  },
)
const { plan } = await shop.catalog.offer(
  {},
  { provisioning, upgradeTargetIds: [other.product.id] },
)

type Owned = { owner: Person; id: string; url: string; externalId: string }

async function bought(): Promise<Owned> {
  const owner = await shop.customer()
  await shop.buy(owner, plan.id)
  const { id } = await shop.serviceBecame(owner, 'active')
  const { externalId } = (await admin.get(`/v1/admin/services/${id}`)).body
  return { owner, id, url: `/v1/services/${id}`, externalId }
}

async function serverOf({ externalId }: Owned) {
  const server = await client.findServerByExternalId(externalId)
  assert.ok(server)
  return server
}

const startupOf = async ({ owner, url }: Owned): Promise<Body> =>
  (await owner.get(`${url}/startup`)).body
const changeBecame = (of: Owned, state: string): Promise<Body> =>
  until(`the change is ${state}`, async () => {
    const startup = await startupOf(of)
    return startup.change?.state === state && startup
  })
const valueIn = ({ environment }: Body, env: string): string =>
  environment.find((it: Body) => it.env === env).value

/** The server of a service, as if something else worked on it. */
async function leased({ id: serviceId }: Owned) {
  const lease = await transact(db, (tx) =>
    leaseServer(tx, { tenantId, serviceId }, app.deps.clock.now()),
  )
  assert.ok(lease)
  return () => transact(db, (tx) => releaseServer(tx, lease))
}

const service = await bought()

test('what its owner sets is on the panel, and what was set there before is left alone', async () => {
  const { owner, url } = service
  const before = await serverOf(service)
  const byHand = { ...before.environment, SERVER_JARFILE: 'mine.jar' }
  await client.updateStartup(before.id, { environment: byHand })
  const wish = { environment: { MINECRAFT_VERSION: '1.20.4' }, dockerImage: second.label }
  const { status, text } = await owner.patch(url, wish)
  assert.equal(status, 200, text)
  const startup = await changeBecame(service, 'applied')
  const after = await serverOf(service)
  assert.deepEqual(after.environment, { ...byHand, MINECRAFT_VERSION: '1.20.4' })
  assert.deepEqual([after.image, after.startup], [second.image, before.startup])
  assert.notEqual(first.image, second.image)
  assert.deepEqual(
    [valueIn(startup, 'MINECRAFT_VERSION'), valueIn(startup, 'SERVER_JARFILE')],
    ['1.20.4', 'mine.jar'],
  )
  assert.equal(startup.dockerImage.chosen, second.label)
  assert.deepEqual(startup.startup.labels, [])
})

test('what the egg or the product does not allow is refused, all of it named, and nothing changes', async () => {
  const { owner, url } = service
  const before = await startupOf(service)
  const { status, body } = await owner.patch(url, {
    environment: { SERVER_JARFILE: 'no jar', BUILD_NUMBER: '1', NOT_A_VARIABLE: 'x' },
    dockerImage: 'Another',
    startup: 'Default',
  })
  assert.deepEqual([status, body.code], [422, 'environment_invalid'])
  const french = await owner.patch(
    url,
    { environment: { SERVER_JARFILE: 'no jar' }, dockerImage: 'Another' },
    { headers: { 'accept-language': 'fr' } },
  )
  assert.deepEqual(french.body.details, [
    { path: 'environment.SERVER_JARFILE', message: 'Server Jar File n’a pas la bonne forme.' },
    { path: 'dockerImage', message: 'ne fait pas partie du choix' },
  ])
  assert.deepEqual(body.details.map(({ path }: Body) => path).sort(), [
    ...['dockerImage', 'environment.BUILD_NUMBER', 'environment.NOT_A_VARIABLE'],
    ...['environment.SERVER_JARFILE', 'startup'],
  ])
  assert.deepEqual(await startupOf(service), before)
  const editable = (env: string) => before.environment.find((it: Body) => it.env === env).editable
  assert.deepEqual([editable('BUILD_NUMBER'), editable('SERVER_JARFILE')], [false, true])
})

test('members with the settings permission may, and may not rename; others may not even look', async () => {
  const [member, viewer, stranger] = [
    await shop.customer(),
    await shop.customer(),
    await shop.customer(),
  ]
  const createdAt = app.deps.clock.now()
  const key = { tenantId, serviceId: service.id, createdAt }
  await transact(db, async (tx) => {
    await addMember(tx, { ...key, userId: member.userId, permissions: ['view', 'settings'] })
    await addMember(tx, { ...key, userId: viewer.userId, permissions: ['view', 'power'] })
  })
  const { url } = service
  const environment = { MINECRAFT_VERSION: '1.19.4' }
  assert.equal((await member.patch(url, { environment })).status, 200)
  assert.equal((await member.patch(url, { environment, name: 'Mine' })).status, 403)
  assert.equal((await viewer.patch(url, { environment })).status, 403)
  assert.equal((await viewer.get(`${url}/startup`)).status, 403)
  assert.equal((await stranger.patch(url, { environment })).status, 404)
  assert.equal((await stranger.get(`${url}/startup`)).status, 404)
  assert.equal(
    valueIn(await changeBecame(service, 'applied'), 'MINECRAFT_VERSION'),
    environment.MINECRAFT_VERSION,
  )
  await app.eventually('it is known who did it', async () => {
    const { body } = await admin.get(`/v1/admin/audit-logs?objectId=${service.id}`)
    return body.data.some(
      (it: Body) => it.actorId === member.userId && it.changed && it.statusCode === 200,
    )
  })
})

test('a panel that does not answer is told again, and two wishes before that are both kept', async () => {
  const { owner, url } = service
  const release = await leased(service)
  await owner.patch(url, { environment: { MINECRAFT_VERSION: '1.18.2' } })
  await owner.patch(url, { environment: { SERVER_JARFILE: 'two.jar' } })
  const waiting = await startupOf(service)
  assert.equal(waiting.change.state, 'pending')
  assert.deepEqual(
    [valueIn(waiting, 'MINECRAFT_VERSION'), valueIn(waiting, 'SERVER_JARFILE')],
    ['1.18.2', 'two.jar'],
  )
  const route = 'PATCH /api/application/servers/{id}/startup'
  await shop.panel.fault(route, 'commit-then-500')
  await shop.panel.fault(route, 'html-502')
  await release()
  await app.eventually('it is told', async () => {
    app.deps.clock.advance(5000)
    return (await startupOf(service)).change.state === 'applied'
  })
  const { environment } = await serverOf(service)
  assert.deepEqual(
    [environment.MINECRAFT_VERSION, environment.SERVER_JARFILE],
    ['1.18.2', 'two.jar'],
  )
})

test('a repair of a server that is being worked on is refused, and an upgrade of it waits', async () => {
  const mine = await bought()
  const { owner, url } = mine
  const server = await serverOf(mine)
  assert.deepEqual(server.featureLimits, { databases: 1, backups: 2, allocations: 1 })
  await client.updateBuild(server.id, { limits: { memoryMb: 512 } })
  const drift = `/v1/admin/nodes/${nodeId}/drift`
  await admin.post(drift)
  await until('it is compared', async () => (await admin.get(drift)).body.report.finishedAt)
  const [finding] = (await admin.get(`${drift}?kind=limits`)).body.data
  const release = await leased(mine)
  await admin.post(`${drift}/repair`, { kind: 'limits', findingIds: [finding.id] })
  const tried = await until('it is refused', async () => {
    const [it] = (await admin.get(`${drift}?kind=limits`)).body.data
    return it.repairError && it
  })
  assert.equal(tried.repairError.code, 'server_busy')
  const wanted = { productId: other.product.id, gatewayId: shop.gatewayId }
  assert.equal((await owner.post(`${url}/upgrade`, wanted)).status, 200)
  await until('the upgrade has come by', async () => {
    const { rows } = await app.deps.database.execute(
      `select 1 from services.upgrades where next_at > created_at and applied_at is null`,
    )
    return rows.length > 0
  })
  assert.equal((await serverOf(mine)).limits.memoryMb, 512)
  await release()
  await app.eventually('the upgrade is made', async () => {
    const { body } = await owner.get(url)
    return body.product.id === other.product.id
  })
  const { limits, featureLimits } = await serverOf(mine)
  assert.equal(limits.memoryMb, 2048)
  assert.deepEqual(featureLimits, { databases: 3, backups: 4, allocations: 1 })
})

test('work on a server that breaks off gives it back at once, and the next try does it', async () => {
  const mine = await bought()
  const query = async (text: string): Promise<Body[]> =>
    (await app.deps.database.execute(text)).rows
  const [egg] = await query(`select variables::text from panel.eggs where id = '${eggId}'`)
  const variables = (json: string) =>
    query(`update panel.eggs set variables = '${json.replaceAll("'", "''")}' where id = '${eggId}'`)
  // What no code reckons with.
  await variables('null')
  const wanted = { productId: other.product.id, gatewayId: shop.gatewayId }
  assert.equal((await mine.owner.post(`${mine.url}/upgrade`, wanted)).status, 200)
  const held = `(select count(*) from services.upgrades
    where service_id = '${mine.id}' and lease_until is not null)
    + (select count(*) from services.server_leases where service_id = '${mine.id}')`
  const [left] = await until('it broke off', async () => {
    const failed = await query(`select (${held})::int as leases from jobs.job
      where name = 'services.apply-upgrade' and state = 'retry' limit 1`)
    return failed.length > 0 && failed
  })
  await variables(egg?.variables)
  assert.deepEqual(left, { leases: 0 })
  await app.eventually('the upgrade is made', async () => {
    return (await mine.owner.get(mine.url)).body.product.id === other.product.id
  })
})

test('a service without a server is not told, and the panel being away is no error', async () => {
  const mine = await bought()
  await admin.post(`/v1/admin/services/${mine.id}/suspend`, {})
  await app.eventually('it is suspended', async () => {
    return (await mine.owner.get(mine.url)).body.status === 'suspended'
  })
  const { status } = await mine.owner.patch(mine.url, { environment: { SERVER_JARFILE: 'x.jar' } })
  assert.equal(status, 409)
  await shop.panel.fault('GET /api/application/*', 'html-502', { n: 9 })
  const away = await mine.owner.get(`${mine.url}/startup`)
  assert.deepEqual([away.status, away.body.available, away.body.change], [200, false, null])
  assert.ok(away.body.environment.length > 0)
})
