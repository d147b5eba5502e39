import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { testApp } from '#test/app.ts'
import { otherTenant, person } from '#test/people.ts'

const app = await testApp(null)
const admin = await person(app, { permissions: ['nodes:*'] })
const node = await admin.post('/v1/admin/nodes', {
  ...{ name: 'Panel', url: 'https://panel.example.org', apiKey: 'ptla_x' },
})
const nodeId = node.body.id
const url = '/v1/admin/locations'

test('a location is created, changed, archived and restored with its places', async () => {
  const places = [{ nodeId, remoteId: '1' }]
  const made = await admin.post(url, { name: 'Frankfurt am Main', country: 'DE', places })
  assert.equal(made.status, 201, made.text)
  const { id, slug, hidden, position, archivedAt } = made.body
  assert.deepEqual(
    [slug, hidden, position, archivedAt, made.body.places],
    ['frankfurt-am-main', false, 0, null, places],
  )
  const change = {
    ...{ name: 'Frankfurt', city: 'Frankfurt', slug: 'fra', position: 2 },
    places: [
      { nodeId, remoteId: '1' },
      { nodeId, remoteId: '4' },
    ],
  }
  const changed = await admin.patch(`${url}/${id}`, change)
  assert.equal(changed.status, 200, changed.text)
  const { body } = await admin.get(`${url}/${id}`)
  assert.deepEqual(body, { ...made.body, ...change })
  assert.deepEqual((await admin.get(url)).body.data, [body])
  assert.deepEqual((await admin.delete(`${url}/${id}`)).body, { id, deleted: true })
  assert.equal((await admin.delete(`${url}/${id}`)).status, 404)
  assert.equal((await admin.get(`${url}/${id}`)).status, 404)
  assert.equal((await admin.patch(`${url}/${id}`, { name: 'X' })).status, 404)
  assert.deepEqual((await admin.get(url)).body.data, [])
  const archived = await admin.get(`${url}?archived=true`)
  assert.equal(archived.body.data[0].id, id)
  const restored = await admin.post(`${url}/${id}/restore`)
  assert.deepEqual([restored.status, restored.body], [200, body])
})

test('two locations have no slug in common, unless one is archived', async () => {
  const first = await admin.post(url, { name: 'Oslo', country: 'NO' })
  const second = await admin.post(url, { name: 'Oslo', country: 'NO' })
  assert.notEqual(first.body.slug, second.body.slug)
  const taken = await admin.patch(`${url}/${second.body.id}`, { slug: 'oslo' })
  assert.deepEqual([taken.status, taken.body.code], [409, 'slug_taken'])
  await admin.delete(`${url}/${first.body.id}`)
  assert.equal((await admin.patch(`${url}/${second.body.id}`, { slug: 'oslo' })).status, 200)
  const restored = await admin.post(`${url}/${first.body.id}/restore`)
  assert.deepEqual([restored.status, restored.body.code], [409, 'slug_taken'])
})

test('a country and panel connections that do not exist are refused by name', async () => {
  const country = await admin.post(url, { name: 'Nowhere', country: 'ZZ' })
  assert.deepEqual([country.status, country.body.details[0].path], [400, 'country'])
  const places = [
    { nodeId, remoteId: '1' },
    { nodeId: newId(), remoteId: '1' },
  ]
  const refused = await admin.post(url, { name: 'Nowhere', country: 'FR', places })
  assert.deepEqual([refused.status, refused.body.details[0].path], [400, 'places.1.nodeId'])
  const twice = [places[0], places[0]]
  assert.equal((await admin.post(url, { name: 'N', country: 'FR', places: twice })).status, 400)
})

test('the places on a panel connection go with it', async () => {
  const other = await admin.post('/v1/admin/nodes', {
    ...{ name: 'Other', url: 'https://other.example.org', apiKey: 'ptla_y' },
  })
  const places = [
    { nodeId, remoteId: '1' },
    { nodeId: other.body.id, remoteId: '1' },
  ]
  const { body } = await admin.post(url, { name: 'Both', country: 'FR', places })
  await admin.delete(`/v1/admin/nodes/${other.body.id}`)
  assert.deepEqual((await admin.get(`${url}/${body.id}`)).body.places, [{ nodeId, remoteId: '1' }])
})

test('another shop and staff without the permission see and change none of them', async () => {
  const { body } = await admin.post(url, { name: 'Ours', country: 'FR' })
  const tenantId = await otherTenant(app, 'locations.test')
  const stranger = await person(app, { tenantId, permissions: ['nodes:*'] })
  assert.deepEqual((await stranger.get(url)).body.data, [])
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const answer = await stranger.request(
      method,
      `${url}/${body.id}`,
      method === 'PATCH' ? { name: 'Theirs' } : undefined,
    )
    assert.equal(answer.status, 404, method)
  }
  const reader = await person(app, { permissions: ['nodes:read'] })
  assert.equal((await reader.get(url)).status, 200)
  assert.equal((await reader.post(url, { name: 'X', country: 'FR' })).status, 403)
})
