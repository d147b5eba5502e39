import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { panelShop } from '#test/panel-shop.ts'
import { person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

type Body = Answer['body']

const { app, panel, addNode } = await panelShop({ flavour: 'pelican' })
const admin = await person(app, { admin: true })
const { id: nodeId } = await addNode({ type: 'auto' })
const sync = () => admin.post(`/v1/admin/nodes/${nodeId}/sync-eggs`)
assert.equal((await admin.post(`/v1/admin/nodes/${nodeId}/test`)).body.ok, true)
assert.equal((await sync()).body.created, 20)

async function eggNamed(name: string): Promise<Body> {
  const { body } = await admin.get('/v1/admin/eggs?limit=100')
  return body.data.find((egg: Body) => egg.name === name)
}

const limits = { memoryMb: 1024, diskMb: 1024, cpuPercent: 100 }
const byName = (a: Body, b: Body) => a.env.localeCompare(b.env)
const noticesOf = async () => (await admin.get('/v1/notifications')).body.data as Body[]

test('a product whose egg is stricter by now is flagged, told of, and can be put right', async () => {
  const { id: eggId, remoteId } = await eggNamed('Paper')
  const provisioning = {
    eggId,
    nodeIds: [nodeId],
    limits,
    environment: { SERVER_JARFILE: 'a.jar' },
  }
  const { product } = await shopOf(admin).offer({}, { provisioning })
  const url = `/v1/admin/products/${product.id}`
  assert.deepEqual((await admin.get(url)).body.provisioningFaults, [])

  const rules = ['required', 'string', 'in:server.jar']
  await panel.post('eggs', { eggId: remoteId, variable: { env: 'SERVER_JARFILE', rules } })
  const token = { env: 'TOKEN', rules: ['required', 'string'] }
  await panel.post('eggs', { eggId: remoteId, variable: token })
  const unused = await eggNamed('Rust')
  await panel.post('eggs', { eggId: unused.remoteId, variable: { env: 'MORE', rules: ['string'] } })
  assert.equal((await sync()).body.updated, 2)

  const { changes } = (await admin.get(`/v1/admin/eggs/${eggId}`)).body
  assert.deepEqual(changes[0].variables.toSorted(byName), [
    { env: 'SERVER_JARFILE', change: 'changed', fields: ['rules'] },
    { env: 'TOKEN', change: 'added', fields: [] },
  ])
  assert.equal((await admin.get(`/v1/admin/eggs/${unused.id}`)).body.changes.length, 1)
  const faults = (await admin.get(url)).body.provisioningFaults as Body[]
  assert.deepEqual(faults.map(({ path }) => path).toSorted(), [
    'environment.SERVER_JARFILE',
    'environment.TOKEN',
  ])
  const listed = (await admin.get('/v1/admin/products')).body.data as Body[]
  assert.equal(listed.find(({ id }) => id === product.id)?.provisioningFaults.length, 2)
  const told = await until('the administrator is told', async () =>
    (await noticesOf()).find(({ link }) => link === `/admin/eggs/${eggId}`),
  )
  assert.match(told.title, /prevents new servers of some products/)
  assert.match(told.body, /environment\.TOKEN/)
  assert.doesNotMatch(told.body, /Rust/, 'nothing is made of that egg')

  const refused = await admin.patch(url, { provisioning })
  assert.deepEqual([refused.status, refused.body.code], [422, 'provisioning_invalid'])
  const environment = { SERVER_JARFILE: 'server.jar', TOKEN: 'abc' }
  const righted = await admin.patch(url, { provisioning: { ...provisioning, environment } })
  assert.deepEqual([righted.status, righted.body.provisioningFaults], [200, []])
})

test('a file with the uuid of a known egg brings that egg to its content, however many come', async () => {
  const path = import.meta.resolve('#sandbox/panel/data/pelican-eggs/velocity.plcn-v3.json')
  const file = await readFile(new URL(path), 'utf8')
  const first = await admin.post('/v1/admin/eggs/import', { file })
  assert.equal(first.status, 201)
  const changed = { ...JSON.parse(file), startup_commands: { Default: 'run', Slow: 'walk' } }
  const again = await Promise.all(
    [1, 2, 3].map(() => admin.post('/v1/admin/eggs/import', { file: JSON.stringify(changed) })),
  )
  for (const { status, body } of again) {
    assert.deepEqual([status, body.id], [201, first.body.id])
    assert.equal(body.startupCommands.length, 2)
  }
  const { changes } = (await admin.get(`/v1/admin/eggs/${first.body.id}`)).body
  assert.equal(changes.length, 1)
  assert.deepEqual(changes[0].startup.added, ['run', 'walk'])
})
