import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { apiKey, person } from '#test/people.ts'

const app = await testApp(null)
const ada = await person(app)
const owner = await person(app, { admin: true })
const clerk = await person(app, { permissions: ['users:read'] })
const UNKNOWN = '/v1/admin/rbac/roles/01900000-0000-7000-8000-000000000000'
const BAD = { colour: 'red' }

test('a request is checked in the order 401, 403, 404, 400', async () => {
  assert.equal((await app.patch(UNKNOWN, BAD)).status, 401)
  assert.equal((await ada.patch(UNKNOWN, BAD)).status, 403)
  assert.equal((await clerk.patch(UNKNOWN, BAD)).status, 403)
  assert.equal((await owner.patch(UNKNOWN, BAD)).status, 404)
  const { data } = (await owner.get('/v1/admin/rbac/roles')).body
  const custom = data.find((role: { system: boolean }) => !role.system)
  assert.equal((await owner.patch(`/v1/admin/rbac/roles/${custom.id}`, BAD)).status, 400)
})

test('the order holds for a body that is no JSON', async () => {
  const raw = { raw: '{"a":' }
  assert.equal((await app.patch(UNKNOWN, undefined, raw)).status, 401)
  assert.equal((await ada.patch(UNKNOWN, undefined, raw)).status, 403)
  assert.equal((await owner.patch(UNKNOWN, undefined, raw)).status, 404)
})

test('a missing permission is named, another one is not enough (hardening 8)', async () => {
  assert.equal((await clerk.get('/v1/admin/users')).status, 200)
  const { status, body } = await clerk.get('/v1/admin/audit-logs')
  assert.equal(status, 403)
  assert.equal(body.code, 'permission_missing')
})

test('a credential that does not count is a 401 that says how to come', async () => {
  const { status, headers } = await app.as('moor_unknown').get('/v1/users/me')
  assert.equal(status, 401)
  assert.equal(headers['www-authenticate'], 'Bearer')
})

test('people do not come into the areas of bots and daemons', async () => {
  for (const path of ['/v1/bot/anything', '/v1/panel/anything']) {
    assert.equal((await owner.get(path)).status, 403)
    assert.equal((await app.get(path)).status, 401)
  }
})

test('a key that may only read is held to GET and HEAD, whatever the path or a header says (hardening 6)', async () => {
  const key = await apiKey(app, owner, { permission: 'read' })
  const paths = [
    '/v1/users/me',
    '/v1/api-keys',
    '/v1/admin/rbac/roles',
    UNKNOWN,
    '/v1/admin/nowhere',
  ]
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const path of paths) {
      const { status } = await key.request(method, path, {})
      const routed = status !== 404
      assert.ok(!routed || status === 403, `${method} ${path} is a ${status}`)
    }
  }
  assert.equal((await key.patch('/v1/users/me', { name: 'Eve' })).status, 403)
  assert.equal((await key.delete(UNKNOWN)).status, 403)
  assert.equal((await key.get('/v1/users/me')).status, 200)
  assert.equal((await key.request('HEAD', '/v1/users/me')).status, 200)
  const override = { headers: { 'x-http-method-override': 'DELETE' } }
  const id = key.id
  assert.equal((await key.get(`/v1/api-keys/${id}`, override)).status, 200)
  assert.equal((await key.get(`/v1/api-keys/${id}`)).status, 200)
})

test('a key that may only read is held to that where no key is needed, too (hardening 6)', async () => {
  const eve = await person(app)
  const key = await apiKey(app, eve, { permission: 'read' })
  const resend = await key.post('/v1/auth/email/resend')
  assert.deepEqual([resend.status, resend.body.code], [403, 'read_only_key'])
  assert.equal((await eve.post('/v1/auth/email/resend')).status, 202)
  assert.equal((await key.get('/v1/store/products')).status, 200)
})

test('a list filter that names other people is refused (hardening 3)', async () => {
  await apiKey(app, owner, { permission: 'read' })
  const query = `userId=${owner.userId}&filter[owner]=*&include=user`
  const { status, body } = await ada.get(`/v1/api-keys?${query}`)
  assert.deepEqual([status, body.code, body.data], [400, 'unknown_parameter', undefined])
})

test('a malformed id is a 404 like an unknown one', async () => {
  const ids = ['constructor', '__proto__', '1', "'%20OR%201=1--", 'x'.repeat(400)]
  for (const id of ids) assert.equal((await ada.get(`/v1/api-keys/${id}`)).status, 404, id)
})
