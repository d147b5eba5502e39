import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'

const app = await testApp(null)

test('of two owners who demote each other at once, one stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [ada, bob] = [await person(app, { admin: true }), await person(app, { admin: true })]
    const demote = (by: typeof ada, whom: typeof ada) =>
      by.put(`/v1/admin/rbac/users/${whom.userId}/roles`, { roleIds: [] })
    await Promise.all([demote(ada, bob), demote(bob, ada)])
    const { rows } = await app.deps.database.execute(
      `select count(*)::int as owners from rbac.user_roles
       join rbac.roles on roles.id = role_id and system`,
    )
    assert.equal(rows[0]?.owners, 1)
    await app.deps.database.execute('delete from rbac.user_roles')
  }
})

test('of two administrators who suspend each other at once, one stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [ada, bob] = [await person(app, { admin: true }), await person(app, { admin: true })]
    const suspend = (by: typeof ada, whom: typeof ada) =>
      by.post(`/v1/admin/users/${whom.userId}/suspend`)
    await Promise.all([suspend(ada, bob), suspend(bob, ada)])
    const { rows } = await app.deps.database.execute(
      'select count(*)::int as suspended from users.users where id in ($1, $2) and suspended_at is not null',
      [ada.userId, bob.userId],
    )
    assert.equal(rows[0]?.suspended, 1)
  }
})
