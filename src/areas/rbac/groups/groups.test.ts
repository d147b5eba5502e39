import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { otherTenant, person } from '#test/people.ts'

const app = await testApp(null)
const owner = await person(app, { admin: true })
const GROUPS = '/v1/admin/rbac/groups'

async function role(name: string, permissions: string[]): Promise<string> {
  const { body } = await owner.post('/v1/admin/rbac/roles', { name, permissions })
  return body.id
}

const accessOf = (userId: string) => owner.get(`/v1/admin/rbac/users/${userId}/access`)

test('a group is shown with the names of its members', async () => {
  const ada = await person(app, { name: 'Ada Lovelace' })
  const { body: made } = await owner.post(GROUPS, { name: 'Support', memberIds: [ada.userId] })
  const members = [{ id: ada.userId, name: 'Ada Lovelace', email: ada.email }]
  assert.deepEqual(made.members, members)
  assert.deepEqual((await owner.get(`${GROUPS}/${made.id}`)).body.members, members)
  const renamed = await owner.patch(`${GROUPS}/${made.id}`, { name: 'First line' })
  assert.deepEqual(renamed.body.members, members)
  const set = await owner.put(`${GROUPS}/${made.id}/members`, { memberIds: [ada.userId] })
  assert.deepEqual(set.body.members, members)
  const { data } = (await owner.get(GROUPS)).body
  assert.deepEqual(data[0].members, members)
})

test('what a person may do names own roles apart from those of groups, and all permissions', async () => {
  const ada = await person(app)
  const [first, second] = [
    await role('Catalogue', ['store:read']),
    await role('Books', ['reports:read']),
  ]
  const { body: group } = await owner.post(GROUPS, {
    ...{ name: 'Accounting', roleIds: [second], memberIds: [ada.userId] },
  })
  await owner.put(`/v1/admin/rbac/users/${ada.userId}/roles`, { roleIds: [first] })
  const { body } = await accessOf(ada.userId)
  assert.deepEqual(body, {
    userId: ada.userId,
    grants: [
      {
        role: { id: second, name: 'Books', permissions: ['reports:read'] },
        group: { id: group.id, name: 'Accounting' },
      },
      { role: { id: first, name: 'Catalogue', permissions: ['store:read'] }, group: null },
    ],
    permissions: ['reports:read', 'store:read'],
  })
})

test('what a person of another tenant may do is not shown', async () => {
  const tenantId = await otherTenant(app, 'other.example')
  const stranger = await person(app, { tenantId })
  assert.equal((await accessOf(stranger.userId)).status, 404)
})
