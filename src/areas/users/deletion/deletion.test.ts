import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { apiKey, person } from '#test/people.ts'

const app = await testApp(null)
const ME = '/v1/users/me'
const PASSWORD = 'correct horse battery'
const owner = await person(app, { admin: true })
let made = 0

/** Somebody who has signed up, with a password. */
async function member() {
  made += 1
  const login = { email: `member${made}@example.org`, password: PASSWORD }
  const { body } = await app.post('/v1/auth/register', { ...login, name: 'Mary Somerville' })
  const { refreshToken, user } = body
  const key = { tenantId: app.tenantId, userId: user.id }
  return { ...app.as(body.accessToken), ...key, refreshToken, login }
}

test('deleting an account ends every session, token and key at once (hardening 18)', async () => {
  const ada = await member()
  const key = await apiKey(app, ada, { permission: 'read-write' })
  const elsewhere = app.as((await app.post('/v1/auth/login', ada.login)).body.accessToken)
  for (const client of [ada, elsewhere, key]) assert.equal((await client.get(ME)).status, 200)
  const { status, body } = await ada.delete(ME, { password: PASSWORD })
  assert.deepEqual([status, body], [200, { id: ada.userId, deleted: true }])
  for (const client of [ada, elsewhere, key]) assert.equal((await client.get(ME)).status, 401)
  const { refreshToken } = ada
  assert.equal((await app.post('/v1/auth/refresh', { refreshToken })).status, 401)
  assert.equal((await app.post('/v1/auth/login', ada.login)).status, 401)
})

test('who is gone is in no list, and shows as nobody', async () => {
  const ada = await member()
  await ada.delete(ME, { password: PASSWORD })
  const found = (await owner.get('/v1/admin/users?search=member')).body.data
  assert.ok(!found.some((it: { id: string }) => it.id === ada.userId))
  const { body } = await owner.get(`/v1/admin/users/${ada.userId}`)
  assert.deepEqual([body.name, body.status], ['Deleted user', 'deleted'])
  assert.equal(body.email, `deleted-${ada.userId}@invalid`)
  const url = `/v1/admin/users/${ada.userId}`
  assert.equal((await owner.patch(url, { name: 'Back' })).status, 404)
  assert.equal((await owner.post(`${url}/suspend`)).status, 404)
  assert.equal((await owner.post(`${url}/unsuspend`)).status, 404)
  assert.equal((await owner.post(`${url}/impersonate`, { reason: 'Asked for help' })).status, 404)
  const credits = { amountCents: 100, reason: 'Sorry' }
  assert.equal((await owner.post(`${url}/credits`, credits)).status, 404)
})

test('the address can be used for a new account', async () => {
  const ada = await member()
  await ada.delete(ME, { password: PASSWORD })
  const again = { ...ada.login, name: 'Mary Somerville' }
  const { status, body } = await app.post('/v1/auth/register', again)
  assert.equal(status, 201)
  assert.notEqual(body.user.id, ada.userId)
})

test('it needs the password, from a session and from a key', async () => {
  const ada = await member()
  assert.equal((await ada.delete(ME)).status, 400)
  const wrong = await ada.delete(ME, { password: 'another horse' })
  assert.deepEqual([wrong.status, wrong.body.code], [403, 'password_required'])
  const key = await apiKey(app, ada, { permission: 'read-write' })
  assert.equal((await key.delete(ME, { password: 'wrong' })).body.code, 'password_required')
  assert.equal((await ada.delete(ME, { password: PASSWORD, userId: owner.userId })).status, 400)
  assert.equal((await ada.get(ME)).status, 200)
  const without = await person(app)
  assert.equal((await without.delete(ME, { password: '' })).status, 400)
  assert.equal((await without.delete(ME, { password: 'x' })).status, 403)
})

test('the last owner stays, and one of two may go', async () => {
  const ada = await member()
  const roles = (await owner.get('/v1/admin/rbac/roles')).body.data
  const url = (userId: string) => `/v1/admin/rbac/users/${userId}/roles`
  await owner.put(url(ada.userId), { roleIds: [roles[0].id] })
  await ada.put(url(owner.userId), { roleIds: [] })
  const last = await ada.delete(ME, { password: PASSWORD })
  assert.deepEqual([last.status, last.body.code], [409, 'last_owner'])
  await ada.put(url(owner.userId), { roleIds: [roles[0].id] })
  assert.equal((await ada.delete(ME, { password: PASSWORD })).status, 200)
})

test('two who ask at once are answered once', async () => {
  const ada = await member()
  const wish = { password: PASSWORD }
  const answers = await Promise.all([ada.delete(ME, wish), ada.delete(ME, wish)])
  const statuses = answers.map(({ status }) => status).sort()
  assert.equal(statuses[0], 200)
  assert.ok([401, 403, 404].includes(statuses[1] ?? 0), String(statuses))
})
