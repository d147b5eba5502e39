import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { clientOf, type PanelClient } from '#panel'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { importDump, smallDump } from '#test/small-whmcs.ts'

type Body = Answer['body']

const shop = await gameShop()
const { admin, app, db, nodeId, tenantId } = shop
const { plan } = await shop.server()
const NODE = `/v1/admin/nodes/${nodeId}`
const PASSWORD = 'engine'
const password = createHash('md5').update(PASSWORD).digest('hex')
const client: PanelClient = await clientOf(app.deps, db, { tenantId, nodeId })

await shop.buy(await shop.customer(), plan.id)
const [bought] = await until('a server to copy', async () => {
  const { data } = (await admin.get('/v1/admin/services?status=active')).body
  return data.length > 0 && data
})

/** A server as the other system has made it: it calls it by the number of its service. */
async function madeThere(externalId: string, userId: number) {
  const pattern = await client.getServer(bought.panel.serverId)
  const made = await client.createServer({
    ...{ ...pattern, externalId, userId, name: `Server ${externalId}` },
    limits: { ...pattern.limits, memoryMb: 16, diskMb: 16, cpuPercent: 1 },
    placement: { locationIds: [], dedicatedIp: false, portRange: [] },
    ...{ skipScripts: true, startOnCompletion: false },
  })
  await until('it is installed', async () => {
    return (await client.getServer(made.id)).status === 'installed'
  })
  return made
}

function accountThere(name: string, externalId: string) {
  const email = `${name}@example.com`
  return client.createUser({ email, externalId, username: name, firstName: name, lastName: '-' })
}

async function compared(): Promise<Body[]> {
  assert.equal((await admin.post(`${NODE}/drift`)).status, 202)
  await until('it is compared', async () => {
    return (await admin.get(`${NODE}/drift`)).body.report.finishedAt
  })
  return (await admin.get(`${NODE}/drift?limit=100`)).body.data
}

async function repaired(kind: string, findingIds?: string[]): Promise<Body[]> {
  const order = { kind, ...(findingIds && { findingIds }) }
  const { status, text } = await admin.post(`${NODE}/drift/repair`, order)
  assert.equal(status, 202, text)
  return until('it is repaired', async () => {
    const { data } = (await admin.get(`${NODE}/drift?kind=${kind}`)).body
    const wanted = data.filter((it: Body) => it.repairWantedAt)
    return wanted.every((it: Body) => it.repairedAt || it.repairError) && wanted
  })
}

const [ada, bob] = [await accountThere('ada', '7'), await accountThere('bob', '9')]
const servers = [
  ...[await madeThere('101', ada.id), await madeThere('102', ada.id)],
  // The numbers of another system: not this customer's server.
  ...[await madeThere('103', ada.id), await madeThere('104', bob.id)],
  await madeThere('105', bob.id),
]
const { status, report } = await importDump(
  app,
  smallDump({
    tblclients: [
      { id: 7, email: 'ada@example.com', password },
      { id: 9, email: 'bob@example.com' },
    ],
    tblhosting: [
      { id: 101, userid: 7, domain: 'first' },
      { id: 102, userid: 7, domain: 'second' },
      { id: 103, userid: 9 },
      { id: 104, userid: 9, domainstatus: 'Terminated' },
      { id: 105, userid: 9 },
    ],
  }),
)
assert.equal(status, 'completed', JSON.stringify(report.differences))

test('servers that another system made are found by the numbers of its services', async () => {
  const found = await compared()
  assert.deepEqual(
    found.map(({ kind, externalId, serviceId }) => [kind, externalId, serviceId !== null]).sort(),
    [
      ['imported', '101', true],
      ['imported', '102', true],
      ['imported', '103', true],
      ['imported', '105', true],
      ['unknown', '104', false],
    ],
  )
  const { body } = await admin.get(`${NODE}/drift`)
  assert.equal(body.report.counts.imported, 4)
})

/** The panel was told who a server is, and nothing here was: the finding, and the service. */
async function brokenOff(externalId: string) {
  const { data } = (await admin.get(`${NODE}/drift?kind=imported&limit=100`)).body
  const finding = data.find((it: Body) => it.externalId === externalId)
  const path = `/v1/admin/services/${finding.serviceId}`
  const { body } = await admin.get(path)
  await client.updateDetails(finding.serverId, { externalId: body.externalId })
  const serverOf = async () => (await admin.get(path)).body.panel?.serverId
  return { finding, serverOf }
}

test('a link whose process died after the panel knew of it is finished', async () => {
  const [second, first] = [await brokenOff('102'), await brokenOff('101')]
  const [one] = await repaired('imported', [second.finding.id])
  assert.deepEqual([one.repairError, await second.serverOf()], [null, servers[1]?.id])
  const found = await compared()
  const away = found.filter(({ kind }) => kind === 'unattached')
  assert.deepEqual(
    away.map(({ serviceId }) => serviceId),
    [first.finding.serviceId],
  )
  const [other] = await repaired('unattached')
  assert.deepEqual([other.repairError, await first.serverOf()], [null, servers[0]?.id])
})

test('imported services are linked to the servers of their customers, quietly, and only to those', async () => {
  const told = async () => {
    const { rows } = await app.deps.database.execute(
      `select recipient, kind from notifications.mails where recipient like '%@example.com'`,
    )
    return rows
  }
  const done = await repaired('imported')
  const outcomes = done.map(({ externalId, repairError }) => [externalId, repairError?.code])
  assert.deepEqual(outcomes.sort(), [
    ['103', 'owner_differs'],
    ['105', undefined],
  ])
  assert.deepEqual(await told(), [])
  const left = await compared()
  assert.deepEqual(left.map(({ kind, externalId }) => [kind, externalId]).sort(), [
    ['imported', '103'],
    ['unknown', '104'],
  ])
  const kept = await client.getServer(servers[2]?.id ?? 0)
  assert.deepEqual([kept.externalId, kept.userId], ['103', ada.id])
  const session = await app.post('/v1/auth/login', { email: 'ada@example.com', password: PASSWORD })
  const { data } = (await app.as(session.body.accessToken).get('/v1/services')).body
  assert.deepEqual(data.map(({ name }: Body) => name).sort(), ['first', 'second'])
  const { rows } = await app.deps.database.execute(
    `select count(distinct server_id)::int as servers, count(*)::int as services
     from services.services where imported is not null and server_id is not null`,
  )
  assert.deepEqual(rows, [{ servers: 3, services: 3 }])
})
