import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import type { Area } from '#platform/area.ts'
import { onEvent } from '#platform/events.ts'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'
import { nodeDeleted } from './events.ts'

const heard: { tenantId: string; nodeId: string }[] = []
const counts = new Map<string, number>()

/** An area above, whose services stand on connections. */
const above: Area = {
  name: 'above',
  jobs: [onEvent(nodeDeleted, 'above.hear', async (_context, event) => void heard.push(event))],
  servicesOn: async (_db, _tenantId, nodeIds) =>
    new Map([...counts].filter(([id]) => nodeIds.includes(id))),
}

const others = areas.map(({ servicesOn: _, ...area }) => area)
const app = await testApp(null, { areas: [...others, above] })
const admin = await person(app, { admin: true })

async function addNode(): Promise<string> {
  const body = { name: 'Panel', url: 'https://panel.example.org', apiKey: 'ptla_x' }
  return (await admin.post('/v1/admin/nodes', body)).body.id
}

test('a connection shows how many services stand on it', async () => {
  const [used, unused] = [await addNode(), await addNode()]
  counts.set(used, 3)
  const { data } = (await admin.get('/v1/admin/nodes')).body
  const shown = data.map((it: { id: string; serviceCount: number }) => [it.id, it.serviceCount])
  assert.deepEqual(shown.slice(0, 2), [
    [unused, 0],
    [used, 3],
  ])
  assert.equal((await admin.get(`/v1/admin/nodes/${used}`)).body.serviceCount, 3)
})

test('a connection with services is deleted like any other, and the areas above hear of it', async () => {
  const id = await addNode()
  counts.set(id, 1)
  assert.equal((await admin.delete(`/v1/admin/nodes/${id}`)).status, 200)
  const event = await until('the event is heard', () => heard.find((it) => it.nodeId === id))
  assert.deepEqual(event, { tenantId: app.tenantId, nodeId: id })
})
