import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'
import { hashPassword, setPassword } from '#users'

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

test('of an owner who suspends another and is demoted by them at once, one stays an owner', async () => {
  for (let round = 0; round < 5; round += 1) {
    await app.deps.database.execute('delete from rbac.user_roles')
    const [ada, bob] = [await person(app, { admin: true }), await person(app, { admin: true })]
    await Promise.all([
      ada.post(`/v1/admin/users/${bob.userId}/suspend`),
      bob.put(`/v1/admin/rbac/users/${ada.userId}/roles`, { roleIds: [] }),
    ])
    assert.equal(await ownersLeft(), 1)
  }
})

test('of two owners who delete their accounts at once, one stays', async () => {
  const password = 'correct horse battery'
  const passwordHash = await hashPassword(password)
  await app.deps.database.execute('delete from rbac.user_roles')
  const owners = [await person(app, { admin: true }), await person(app, { admin: true })]
  const now = app.deps.clock.now()
  const signedIn = []
  for (const { tenantId, userId, email } of owners) {
    const db = app.deps.database.of(tenantId)
    await transact(db, (tx) => setPassword(tx, { tenantId, userId, passwordHash }, now))
    const { body } = await app.post('/v1/auth/login', { email, password })
    signedIn.push(app.as(body.accessToken))
  }
  const answers = await Promise.all(signedIn.map((it) => it.delete('/v1/users/me', { password })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.equal(await ownersLeft(), 1)
})

/** How many owners can still sign in. */
async function ownersLeft(): Promise<unknown> {
  const { rows } = await app.deps.database.execute(
    `select count(*)::int as owners from rbac.user_roles held
     join rbac.roles on roles.id = held.role_id and roles.system
     join users.users person on person.id = held.user_id
     where person.suspended_at is null and person.deleted_at is null`,
  )
  return rows[0]?.owners
}
