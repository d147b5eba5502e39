import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { until } from '#test/app.ts'
import { panelShop } from '#test/panel-shop.ts'
import { otherTenant, person } from '#test/people.ts'

const { app, panel, admin, addNode } = await panelShop()

const FILES = path.join(import.meta.dirname, '../../../../sandbox/panel/data/eggs')
/** The eggs the sandbox begins with. */
const SEEDED = fs.readdirSync(FILES).filter((name) => name.endsWith('.json')).length

function sync(id: string) {
  return admin.post(`/v1/admin/nodes/${id}/sync-eggs`)
}

async function eggsOf(id: string, query = '') {
  const { body } = await admin.get(`/v1/admin/eggs?limit=100&nodeId=${id}${query}`)
  return body.data as { id: string; name: string; remoteId: number; archivedAt: string | null }[]
}

test('a sync counts what it created, left, changed, archived and brought back', async () => {
  const { id } = await addNode()
  const first = await sync(id)
  assert.equal(first.status, 200)
  assert.deepEqual(first.body, { created: SEEDED, updated: 0, unchanged: 0, removed: 0 })
  const second = await admin.request('POST', `/v1/admin/nodes/${id}/sync-eggs`, {})
  assert.deepEqual(second.body, { created: 0, updated: 0, unchanged: SEEDED, removed: 0 })

  const before = await eggsOf(id)
  const [renamed, deleted] = before
  assert.ok(renamed && deleted)
  await panel.post('eggs', { eggId: renamed.remoteId, name: 'Renamed' })
  await panel.post('eggs', { eggId: deleted.remoteId, deleted: true })
  await panel.post('eggs', { copyOf: renamed.remoteId, name: 'A copy' })
  const third = await sync(id)
  assert.deepEqual(third.body, { created: 1, updated: 1, unchanged: SEEDED - 2, removed: 1 })

  const after = await eggsOf(id)
  assert.equal(after.length, SEEDED)
  assert.equal(after.find((egg) => egg.id === renamed.id)?.name, 'Renamed')
  assert.ok(
    after.every((egg) => egg.id !== deleted.id),
    'archived eggs are in no list',
  )
  const archived = (await admin.get(`/v1/admin/eggs/${deleted.id}`)).body
  assert.ok(archived.archivedAt)
  assert.equal((await eggsOf(id, '&archived=true')).length, SEEDED + 1)

  await panel.post('reset', {})
  const { token: apiKey } = (await panel.post('keys', {})) as { token: string }
  await admin.patch(`/v1/admin/nodes/${id}`, { apiKey })
  const fourth = await sync(id)
  assert.deepEqual(fourth.body, { created: 0, updated: 2, unchanged: SEEDED - 2, removed: 1 })
  assert.equal((await admin.get(`/v1/admin/eggs/${deleted.id}`)).body.archivedAt, null)
})

test('a page that fails changes nothing, and the next sync may begin at once', async () => {
  const { id } = await addNode()
  for (const [kind, message] of [
    ['html-502', /not the panel/],
    ['truncated-json', /not the panel/],
    ['empty-body', /not the panel/],
    ['504-before', /connection/],
  ] as const) {
    await panel.fault('GET /api/application/nests', kind)
    const failed = await sync(id)
    assert.deepEqual([failed.status, failed.body.code], [502, 'panel_failed'], kind)
    assert.match(failed.body.message, message)
    assert.doesNotMatch(failed.text, /nginx|<html/)
    assert.deepEqual(await eggsOf(id, '&archived=true'), [])
  }
  assert.equal((await sync(id)).body.created, SEEDED)
})

test('a failing page archives nothing of what was there', async () => {
  const { id } = await addNode()
  await sync(id)
  await panel.fault('GET /api/application/nests', 'html-502')
  assert.equal((await sync(id)).status, 502)
  assert.equal((await eggsOf(id)).length, SEEDED)
})

test('a refused key is a 502 that says so, and stands on the connection until a test goes well', async () => {
  const { id } = await addNode()
  await panel.fault('GET /api/application/nests', '401')
  const refused = await sync(id)
  assert.equal(refused.status, 502)
  assert.match(refused.body.message, /does not know this key/)
  const node = `/v1/admin/nodes/${id}`
  assert.equal((await admin.get(node)).body.status, 'unauthorized')
  const calls = await panel.calls('GET', /\/nests/)
  assert.equal((await sync(id)).status, 502, 'the panel is left alone')
  assert.equal(await panel.calls('GET', /\/nests/), calls)
  assert.equal((await admin.post(`${node}/test`)).body.ok, true)
  assert.equal((await admin.get(node)).body.status, 'ok')
  assert.equal((await sync(id)).status, 200)
})

test('a key that may not read eggs archives none of them', async () => {
  const { id } = await addNode()
  await sync(id)
  const { token } = (await panel.post('keys', { permissions: { nests: 1 } })) as { token: string }
  await admin.patch(`/v1/admin/nodes/${id}`, { apiKey: token })
  assert.equal((await sync(id)).status, 502)
  assert.equal((await eggsOf(id)).length, SEEDED)
})

test('of two syncs at once the second is a 409', async () => {
  const { id } = await addNode()
  await panel.fault('GET /api/application/nests', 'latency', { ms: 400 })
  const before = await panel.calls('GET', /\/nests/)
  const first = sync(id)
  await until('the first reads', async () => (await panel.calls('GET', /\/nests/)) > before)
  const second = await sync(id)
  assert.deepEqual([second.status, second.body.code], [409, 'sync_running'])
  assert.equal((await first).body.created, SEEDED)
  assert.equal((await sync(id)).status, 200)
})

test('many syncs at once change the catalogue once', async () => {
  const { id } = await addNode()
  const answers = await Promise.all(Array.from({ length: 6 }, () => sync(id)))
  const created = answers.filter(({ status, body }) => status === 200 && body.created > 0)
  assert.equal(created.length, 1)
  for (const { status } of answers) assert.ok(status === 200 || status === 409)
  assert.equal((await eggsOf(id)).length, SEEDED)
})

test('a sync whose process died ends by itself', async () => {
  const { id } = await addNode()
  const until = new Date(Date.parse(app.deps.clock.now()) + 60_000).toISOString()
  await app.deps.database.pool.query(
    'update panel.nodes set sync_id = $1, sync_until = $2 where id = $3',
    [newId(), until, id],
  )
  assert.equal((await sync(id)).status, 409)
  await app.advance(61)
  assert.equal((await sync(id)).status, 200)
})

for (const [what, change] of [
  [
    'changed',
    (id: string) => admin.patch(`/v1/admin/nodes/${id}`, { apiKey: panel.applicationKey }),
  ],
  ['deleted', (id: string) => admin.delete(`/v1/admin/nodes/${id}`)],
] as const) {
  test(`a sync of a connection that is ${what} meanwhile comes to nothing`, async () => {
    const { id } = await addNode()
    await panel.fault('GET /api/application/nests', 'latency', { ms: 400 })
    const before = await panel.calls('GET', /\/nests/)
    const running = sync(id)
    await until('it reads', async () => (await panel.calls('GET', /\/nests/)) > before)
    assert.equal((await change(id)).status, 200)
    const { status, body } = await running
    assert.deepEqual([status, body.code], [409, 'sync_lost'])
    assert.deepEqual(await eggsOf(id, '&archived=true'), [])
  })
}

test('deleting a connection archives its eggs and keeps them readable', async () => {
  const { id } = await addNode()
  await sync(id)
  const [egg] = await eggsOf(id)
  assert.ok(egg)
  await admin.delete(`/v1/admin/nodes/${id}`)
  assert.deepEqual(await eggsOf(id), [])
  assert.ok((await admin.get(`/v1/admin/eggs/${egg.id}`)).body.archivedAt)
})

test('the list of eggs goes page by page, every egg once', async () => {
  const { id } = await addNode()
  await sync(id)
  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await admin.get(`/v1/admin/eggs?nodeId=${id}&limit=5${cursor}`)
    seen.push(...body.data.map((egg: { id: string }) => egg.id))
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  assert.equal(new Set(seen).size, SEEDED)
  assert.equal(seen.length, SEEDED)
})

test('an egg shows what it is made of', async () => {
  const { id } = await addNode()
  await sync(id)
  const paper = (await eggsOf(id)).find(({ name }) => name === 'Paper')
  const { body } = await admin.get(`/v1/admin/eggs/${paper?.id}`)
  assert.deepEqual([body.source, body.nodeId, body.remoteId], ['panel', id, 7])
  assert.deepEqual(Object.keys(body.variables[0]).sort(), [
    ...['default', 'description', 'editable', 'env', 'name', 'rules', 'sort', 'viewable'],
  ])
  assert.ok(body.dockerImages[0].image && body.startupCommands[0].command)
})

const text = (name: string) => fs.readFileSync(path.join(FILES, name), 'utf8')

for (const name of ['minecraft-paper.ptdl-v2.json', 'minecraft-vanilla.ptdl-v1-image.json']) {
  test(`${name} is imported once, however often it is sent`, async () => {
    const file = text(name)
    const answers = await Promise.all(
      [1, 2, 3].map(() => admin.post('/v1/admin/eggs/import', { file })),
    )
    for (const answer of answers) {
      assert.equal(answer.status, 201)
      assert.deepEqual(answer.body, answers[0]?.body)
    }
    const { body } = await admin.get(`/v1/admin/eggs/${answers[0]?.body.id}`)
    assert.deepEqual([body.source, body.nodeId, body.remoteId], ['file', null, null])
    assert.ok(body.variables.length > 0)
  })
}

const refusedFiles = [
  ['no JSON', 'hello', 'egg_file_unreadable'],
  ['no egg', '{"a":1}', 'egg_file_unreadable'],
  ['of an unknown format', '{"meta":{"version":"PTDL_v9"}}', 'egg_format_unsupported'],
  ['incomplete', '{"meta":{"version":"PTDL_v2"}}', 'egg_file_invalid'],
] as const

for (const [what, file, code] of refusedFiles) {
  test(`a file that is ${what} is refused with a reason`, async () => {
    const { status, body } = await admin.post('/v1/admin/eggs/import', { file })
    assert.deepEqual([status, body.code], [422, code])
  })
}

test('text in a file that no database keeps is left out', async () => {
  const egg = JSON.parse(text('minecraft-paper.ptdl-v2.json'))
  const file = JSON.stringify({ ...egg, name: 'Nul\0 and half \ud800.' })
  const { status, body } = await admin.post('/v1/admin/eggs/import', { file })
  assert.deepEqual([status, body.name], [201, 'Nul and half \ufffd.'])
})

test("another tenant's egg is a 404, and in no list", async () => {
  const { id } = await addNode()
  await sync(id)
  const [egg] = await eggsOf(id)
  const tenantId = await otherTenant(app, 'eggs.test')
  const stranger = await person(app, { tenantId, admin: true })
  assert.equal((await stranger.get(`/v1/admin/eggs/${egg?.id}`)).status, 404)
  assert.deepEqual((await stranger.get(`/v1/admin/eggs?nodeId=${id}`)).body.data, [])
  assert.deepEqual((await stranger.get('/v1/admin/eggs?archived=true')).body.data, [])
})
