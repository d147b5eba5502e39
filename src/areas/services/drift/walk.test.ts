import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf } from '#panel'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'

const SERVERS = 230

const shop = await gameShop({ panel: { nodes: 3, portsPerNode: 200 } })
const { app, admin, panel, db, tenantId, nodeId } = shop
const { plan } = await shop.server()
const ada = await shop.customer()
const drift = `/v1/admin/nodes/${nodeId}/drift`

type Entry = { method: string; path: string; query: string; status: number }

async function asked(path: RegExp): Promise<Entry[]> {
  const response = await fetch(`${panel.url}/_sandbox/journal`, {
    headers: { authorization: `Bearer ${panel.controlToken}` },
  })
  const { entries } = (await response.json()) as { entries: Entry[] }
  return entries.filter((it) => it.method === 'GET' && path.test(it.path))
}

const LIST = /^\/api\/application\/servers$/
const pagesRead = async () =>
  (await asked(LIST)).flatMap(({ query, status }) =>
    status === 200 ? Number(new URLSearchParams(query).get('page') ?? 1) : [],
  )

/** Waits for the end of a comparison; the next try after a failure is some seconds ahead. */
const finished = (seconds = 0) =>
  app.eventually('it is compared', async () => {
    app.deps.clock.advance(seconds * 1000)
    const { body } = await admin.get(drift)
    return body.report.finishedAt && body.report
  })

test('a panel of several pages is read page by page, and servers are not asked for one by one', async () => {
  await shop.buy(ada, plan.id)
  const { panel: known } = await shop.serviceBecame(ada, 'active')
  const client = await clientOf(app.deps, db, { tenantId, nodeId })
  const pattern = await client.getServer(known.serverId)
  for (let number = 1; number < SERVERS; number += 1) {
    await client.createServer({
      ...pattern,
      ...{ name: `Server ${number}`, externalId: `other-${number}` },
      limits: { ...pattern.limits, memoryMb: 1, diskMb: 1, cpuPercent: 1 },
      placement: { locationIds: [], dedicatedIp: false, portRange: [] },
      ...{ skipScripts: true, startOnCompletion: false },
    })
  }
  const [lists, others] = [(await pagesRead()).length, (await asked(/\/external\//)).length]
  await admin.post(drift)
  const { servers, counts } = await finished()
  assert.deepEqual([servers, counts.unknown], [SERVERS, SERVERS - 1])
  assert.deepEqual((await pagesRead()).slice(lists), [1, 2, 3])
  assert.equal((await asked(/\/external\//)).length, others)
})

test('a comparison whose process died goes on at the page it had come to', async () => {
  const lists = (await pagesRead()).length
  await panel.fault('GET /api/application/servers', 'latency', { ms: 1 })
  await panel.fault('GET /api/application/servers', 'html-502', { n: 20 })
  await admin.post(drift)
  await until('the second page fails', async () => {
    const { rows } = await app.deps.database.execute(
      'select 1 from services.drift_reports where next_page = 2 and attempt > 0',
    )
    return rows.length > 0
  })
  // Nobody holds it any more, and its job is gone with it.
  await app.deps.database.execute(`delete from jobs.job where name = 'services.compare-node'`)
  await fetch(`${panel.url}/_sandbox/faults`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${panel.controlToken}` },
  })
  const { servers } = await finished(10)
  assert.equal(servers, SERVERS)
  assert.deepEqual((await pagesRead()).slice(lists), [1, 2, 3])
})
