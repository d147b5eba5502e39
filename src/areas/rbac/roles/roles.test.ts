import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { otherTenant, person } from '#test/people.ts'

const app = await testApp(null)
const ROLES = '/v1/admin/rbac/roles'
const owner = await person(app, { admin: true })
const clerk = await person(app, { permissions: ['rbac:read', 'rbac:write', 'users:read'] })
let made = 0

async function role(permissions: string[], by = owner) {
  made += 1
  const { status, body } = await by.post(ROLES, { name: `Role ${made}`, permissions })
  assert.equal(status, 201)
  return body
}

function assign(userId: string, roleIds: string[], by = owner) {
  return by.put(`/v1/admin/rbac/users/${userId}/roles`, { roleIds })
}

test('all roles come whole, the system role first', async () => {
  const { status, body } = await owner.get(ROLES)
  assert.equal(status, 200)
  assert.equal(body.nextCursor, null)
  assert.equal(body.data[0].name, 'Owner')
  assert.deepEqual(body.data[0].permissions, ['*'])
  assert.equal(body.data[0].system, true)
})

test('the catalogue has what the areas name, and all of an area at once', async () => {
  const { data } = (await clerk.get('/v1/admin/rbac/permissions')).body
  const keys = data.map((it: { key: string }) => it.key)
  for (const key of ['users:read', 'users:*', 'rbac:write', 'audit:read', 'audit:*']) {
    assert.ok(keys.includes(key), key)
  }
})

test('an unknown permission is a 422, and so is everything at once', async () => {
  for (const key of ['coffee:make', '*']) {
    assert.equal((await owner.post(ROLES, { name: key, permissions: [key] })).status, 422)
  }
})

test('nobody puts into a role what they do not hold', async () => {
  assert.equal((await clerk.post(ROLES, { name: 'a', permissions: ['audit:read'] })).status, 403)
  assert.equal((await clerk.post(ROLES, { name: 'a', permissions: ['users:*'] })).status, 403)
  const mine = await role(['users:read'], clerk)
  const more = { permissions: ['users:read', 'users:write'] }
  assert.equal((await clerk.patch(`${ROLES}/${mine.id}`, more)).status, 403)
})

test('nobody gives or takes a role that holds more than they do', async () => {
  const strong = await role(['audit:read'])
  const ada = await person(app)
  assert.equal((await assign(ada.userId, [strong.id], clerk)).status, 403)
  await assign(ada.userId, [strong.id])
  assert.equal((await assign(ada.userId, [], clerk)).status, 403)
  assert.equal((await assign(clerk.userId, [strong.id], clerk)).status, 403)
})

test('a role given, changed and taken counts on the next request (hardening 8)', async () => {
  const ada = await person(app)
  assert.equal((await ada.get('/v1/admin/users')).status, 403)
  const reading = await role(['users:read'])
  await assign(ada.userId, [reading.id])
  assert.equal((await ada.get('/v1/admin/users')).status, 200)
  await owner.patch(`${ROLES}/${reading.id}`, { permissions: ['audit:read'] })
  assert.equal((await ada.get('/v1/admin/users')).status, 403)
  assert.equal((await ada.get('/v1/admin/audit-logs')).status, 200)
  await assign(ada.userId, [])
  assert.equal((await ada.get('/v1/admin/audit-logs')).status, 403)
})

test('a group gives its roles to its members, and takes them with it', async () => {
  const ada = await person(app)
  const reading = await role(['users:read'])
  const wanted = { name: 'Support', roleIds: [reading.id], memberIds: [ada.userId] }
  const { body: group } = await owner.post('/v1/admin/rbac/groups', wanted)
  assert.deepEqual(group.memberIds, [ada.userId])
  assert.equal((await ada.get('/v1/admin/users')).status, 200)
  assert.equal((await ada.get('/v1/users/me')).body.roles[0].id, reading.id)
  const url = `/v1/admin/rbac/groups/${group.id}`
  await owner.put(`${url}/members`, { memberIds: [] })
  assert.equal((await ada.get('/v1/admin/users')).status, 403)
  await owner.put(`${url}/members`, { memberIds: [ada.userId] })
  assert.equal((await owner.delete(`${ROLES}/${reading.id}`)).status, 409)
  assert.equal((await owner.delete(url)).status, 200)
  assert.equal((await ada.get('/v1/admin/users')).status, 403)
  assert.equal((await owner.delete(`${ROLES}/${reading.id}`)).status, 200)
})

test('nobody lends a group what they do not hold, or joins one that may do more', async () => {
  const strong = await role(['audit:read'])
  const wanted = { name: 'Strong', roleIds: [strong.id] }
  assert.equal((await clerk.post('/v1/admin/rbac/groups', wanted)).status, 403)
  const { body } = await owner.post('/v1/admin/rbac/groups', wanted)
  const joined = { memberIds: [clerk.userId] }
  const url = `/v1/admin/rbac/groups/${body.id}`
  assert.equal((await clerk.put(`${url}/members`, joined)).status, 403)
  assert.equal((await clerk.delete(url)).status, 403)
})

test('the system role can be neither changed, deleted nor put into a group', async () => {
  const [system] = (await owner.get(ROLES)).body.data
  assert.equal((await owner.patch(`${ROLES}/${system.id}`, { name: 'Boss' })).status, 409)
  assert.equal((await owner.delete(`${ROLES}/${system.id}`)).status, 409)
  const group = { name: 'Owners', roleIds: [system.id] }
  assert.equal((await owner.post('/v1/admin/rbac/groups', group)).status, 409)
})

test('the last owner stays one', async () => {
  const [system] = (await owner.get(ROLES)).body.data
  assert.equal((await assign(owner.userId, [])).status, 409)
  const second = await person(app)
  assert.equal((await assign(second.userId, [system.id])).status, 200)
  assert.equal((await assign(owner.userId, [], second)).status, 200)
  assert.equal((await assign(second.userId, [], second)).status, 409)
  assert.equal((await assign(owner.userId, [system.id], second)).status, 200)
})

test('a role of another tenant cannot be seen, given or changed', async () => {
  const tenantId = await otherTenant(app, 'roles.test')
  const stranger = await person(app, { tenantId, admin: true })
  const foreign = (await stranger.post(ROLES, { name: 'Foreign', permissions: ['users:read'] }))
    .body
  assert.equal((await owner.get(`${ROLES}/${foreign.id}`)).status, 404)
  assert.equal((await owner.patch(`${ROLES}/${foreign.id}`, { name: 'x' })).status, 404)
  const ada = await person(app)
  assert.equal((await assign(ada.userId, [foreign.id])).status, 400)
  const group = { name: 'Foreign', memberIds: [stranger.userId] }
  assert.equal((await owner.post('/v1/admin/rbac/groups', group)).status, 400)
})

test('a taken name is a 409, and an unknown role is a 404 before its body is wrong', async () => {
  const { name } = await role(['users:read'])
  assert.equal((await owner.post(ROLES, { name, permissions: [] })).status, 409)
  const unknown = `${ROLES}/01900000-0000-7000-8000-000000000000`
  assert.equal((await owner.patch(unknown, { colour: 'red' })).status, 404)
})
