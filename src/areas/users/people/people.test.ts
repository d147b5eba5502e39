import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { apiKey, person } from '#test/people.ts'

const app = await testApp(null)
const PEOPLE = '/v1/admin/users'
const clerk = await person(app, { permissions: ['users:read', 'users:write'] })

test('people are found by how their address or their name begins, in any case', async () => {
  const grace = await person(app, { email: 'grace_100@example.org', name: 'Grace Hopper' })
  for (const search of ['grace_1', 'GRACE_', 'grace hop']) {
    const { data } = (await clerk.get(`${PEOPLE}?search=${encodeURIComponent(search)}`)).body
    assert.deepEqual(
      data.map((it: { id: string }) => it.id),
      [grace.userId],
    )
  }
  const { data } = (await clerk.get(`${PEOPLE}?search=grac%25`)).body
  assert.deepEqual(data, [])
})

test('the list comes in pages, newest first, and shows roles', async () => {
  const people = [await person(app), await person(app), await person(app, { admin: true })]
  const first = (await clerk.get(`${PEOPLE}?limit=2`)).body
  assert.equal(first.data[0].roles[0].name, 'Owner')
  const second = (await clerk.get(`${PEOPLE}?limit=2&cursor=${first.nextCursor}`)).body
  const ids = [...first.data, ...second.data].map((it: { id: string }) => it.id)
  assert.deepEqual(ids.slice(0, 3), people.map(({ userId }) => userId).reverse())
  assert.equal(new Set(ids).size, 4)
})

test('suspending ends sessions and keys at once; unsuspending lets the key back in', async () => {
  const ada = await person(app)
  const key = await apiKey(app, ada, { permission: 'read' })
  for (const client of [ada, key]) assert.equal((await client.get('/v1/users/me')).status, 200)
  const { status, body } = await clerk.post(`${PEOPLE}/${ada.userId}/suspend`)
  assert.equal(status, 200)
  assert.equal(body.status, 'suspended')
  for (const client of [ada, key]) assert.equal((await client.get('/v1/users/me')).status, 401)
  await clerk.post(`${PEOPLE}/${ada.userId}/unsuspend`)
  assert.equal((await ada.get('/v1/users/me')).status, 401)
  assert.equal((await key.get('/v1/users/me')).status, 200)
})

test('a suspended person cannot sign in, and learns why only with the right password', async () => {
  const account = { email: 'out@example.org', password: 'correct horse battery' }
  const { body } = await app.post('/v1/auth/register', { ...account, name: 'Out' })
  await clerk.post(`${PEOPLE}/${body.user.id}/suspend`)
  const right = await app.post('/v1/auth/login', account)
  assert.deepEqual([right.status, right.body.code], [403, 'account_suspended'])
  const wrong = await app.post('/v1/auth/login', { ...account, password: 'wrong horse' })
  assert.equal(wrong.status, 401)
})

test('nobody suspends themselves, or somebody who may do more', async () => {
  const owner = await person(app, { admin: true })
  assert.equal((await clerk.post(`${PEOPLE}/${clerk.userId}/suspend`)).status, 409)
  assert.equal((await clerk.post(`${PEOPLE}/${owner.userId}/suspend`)).status, 403)
  assert.equal((await owner.get('/v1/users/me')).status, 200)
})

test('somebody nobody knows is a 404', async () => {
  const unknown = '01900000-0000-7000-8000-000000000000'
  assert.equal((await clerk.get(`${PEOPLE}/${unknown}`)).status, 404)
  assert.equal((await clerk.get(`${PEOPLE}/constructor`)).status, 404)
  assert.equal((await clerk.post(`${PEOPLE}/${unknown}/suspend`)).status, 404)
})
