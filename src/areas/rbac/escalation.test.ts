import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { testApp } from '#test/app.ts'
import { type Person, person } from '#test/people.ts'
import { catalogueOf } from './rules.ts'

const app = await testApp(null)
const owner = await person(app, { admin: true })
const ROLES = '/v1/admin/rbac/roles'
const GROUPS = '/v1/admin/rbac/groups'
const CLERK = ['rbac:read', 'rbac:write', 'users:read']

let made = 0

async function role(permissions: string[], by: Person = owner): Promise<string> {
  made += 1
  const { status, body, text } = await by.post(ROLES, { name: `Role ${made}`, permissions })
  assert.equal(status, 201, text)
  return body.id
}

async function group(by: Person, fields: object): Promise<{ status: number; id: string }> {
  made += 1
  const { status, body } = await by.post(GROUPS, { name: `Group ${made}`, ...fields })
  return { status, id: body.id }
}

test('every permission that a route wants is in the catalogue, with a description', () => {
  const catalogue = new Map(catalogueOf(areas).map((it) => [it.key, it.description]))
  // What a bot's token may do is no permission of people.
  const ofPeople = app.routes.filter(({ config }) => config.access !== 'bot')
  const wanted = ofPeople.flatMap(({ config }) => config.permission ?? [])
  for (const key of wanted) assert.ok(catalogue.get(key), `${key} is in the catalogue`)
  for (const [key, description] of catalogue) {
    assert.ok(description.length > 10, `${key} is described`)
    assert.ok(key.endsWith(':*') || wanted.includes(key), `${key} opens a route`)
  }
  assert.equal(catalogue.size, catalogueOf(areas).length, 'each is there once')
})

test('a member of a group cannot give it more than they hold (escalation through groups)', async () => {
  const clerk = await person(app, { permissions: CLERK })
  const weak = await role(['users:read'])
  const strong = await role(['audit:read'])
  const { id } = await group(owner, { roleIds: [weak], memberIds: [clerk.userId] })
  assert.equal((await clerk.patch(`${GROUPS}/${id}`, { roleIds: [weak, strong] })).status, 403)
  assert.equal((await clerk.patch(`${ROLES}/${weak}`, { permissions: ['audit:read'] })).status, 403)
  assert.equal((await clerk.patch(`${ROLES}/${weak}`, { permissions: ['audit:*'] })).status, 403)
  assert.equal((await clerk.get('/v1/admin/audit-logs')).status, 403)
})

test('a group that is filled first and given its roles later lets nobody climb', async () => {
  const clerk = await person(app, { permissions: CLERK })
  const strong = await role(['audit:read'])
  const { status, id } = await group(clerk, { memberIds: [clerk.userId] })
  assert.equal(status, 201)
  assert.equal((await clerk.patch(`${GROUPS}/${id}`, { roleIds: [strong] })).status, 403)
  assert.equal((await clerk.put(`${GROUPS}/${id}/members`, { memberIds: [] })).status, 200)
})

test('who left a stronger group cannot come back by themselves, nor bring others in', async () => {
  const clerk = await person(app, { permissions: CLERK })
  const friend = await person(app)
  const { id } = await group(owner, { roleIds: [await role(['audit:read'])] })
  for (const memberIds of [[clerk.userId], [friend.userId], []]) {
    assert.equal((await clerk.put(`${GROUPS}/${id}/members`, { memberIds })).status, 403)
    assert.equal((await clerk.patch(`${GROUPS}/${id}`, { memberIds })).status, 403)
  }
  assert.equal((await clerk.patch(`${GROUPS}/${id}`, { name: 'Mine' })).status, 403)
})

test('a role of a whole area is not given by who holds a part of it', async () => {
  const clerk = await person(app, { permissions: [...CLERK, 'store:read'] })
  assert.equal((await clerk.post(ROLES, { name: 'All', permissions: ['store:*'] })).status, 403)
  const strong = await role(['store:*'])
  const ada = await person(app)
  const url = `/v1/admin/rbac/users/${ada.userId}/roles`
  assert.equal((await clerk.put(url, { roleIds: [strong] })).status, 403)
  assert.equal((await clerk.put(url, { roleIds: [await role(['store:read'], clerk)] })).status, 200)
})

test('the last owner is neither suspended nor removed, by whoever', async () => {
  const rows = await app.deps.database.execute(
    `select count(*)::int as owners from rbac.user_roles join rbac.roles on roles.id = role_id
     where roles.system`,
  )
  assert.equal(rows.rows[0]?.owners, 1)
  const url = `/v1/admin/rbac/users/${owner.userId}/roles`
  assert.equal((await owner.put(url, { roleIds: [] })).body.code, 'last_owner')
  const self = await owner.post(`/v1/admin/users/${owner.userId}/suspend`)
  assert.equal(self.body.code, 'own_account')
})

test('what is taken from a group is gone on the next request (hardening 8)', async () => {
  const ada = await person(app)
  const { id } = await group(owner, {
    roleIds: [await role(['audit:read'])],
    memberIds: [ada.userId],
  })
  assert.equal((await ada.get('/v1/admin/audit-logs')).status, 200)
  await owner.patch(`${GROUPS}/${id}`, { roleIds: [] })
  assert.equal((await ada.get('/v1/admin/audit-logs')).status, 403)
})
