import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { lockUser } from '#users'

const app = await testApp(null)
const db = app.deps.database.of(app.tenantId)
const ME = '/v1/users/me'
const PASSWORD = 'correct horse battery'
let made = 0

async function member() {
  made += 1
  const login = { email: `member${made}@example.org`, password: PASSWORD }
  const { body } = await app.post('/v1/auth/register', { ...login, name: 'Mary Somerville' })
  return { ...app.as(body.accessToken), login, userId: String(body.user.id) }
}

type Member = Awaited<ReturnType<typeof member>>

/** How many connections of this database wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  await until(`${count} to wait`, async () => {
    const { rows } = await app.deps.database.execute(
      `select count(distinct lock.pid)::int as count from pg_locks lock
       join pg_stat_activity activity on activity.pid = lock.pid
       where activity.datname = current_database() and not lock.granted`,
    )
    return rows[0]?.count === count
  })
}

const LATE: [string, (ada: Member) => Promise<{ status: number }>, number][] = [
  ['a key that is made', (ada) => ada.post('/v1/api-keys', { permission: 'read' }), 401],
  ['a sign-in', (ada) => app.post('/v1/auth/login', ada.login), 401],
  ['a change of the profile', (ada) => ada.patch(ME, { name: 'Back again' }), 404],
]

for (const [what, come, expected] of LATE) {
  test(`${what} while the account is being deleted comes too late`, async () => {
    const ada = await member()
    const key = { tenantId: app.tenantId, userId: ada.userId }
    const { deletion, late } = await transact(db, async (tx) => {
      await lockUser(tx, key)
      const first = ada.delete(ME, { password: PASSWORD })
      await untilWaiting(1)
      const second = come(ada)
      await untilWaiting(2)
      return { deletion: () => first, late: () => second }
    })
    assert.equal((await deletion()).status, 200)
    assert.equal((await late()).status, expected)
    const { rows } = await app.deps.database.execute(
      `select (select count(*)::int from users.sessions where user_id = $1) as sessions,
              (select count(*)::int from users.api_keys where user_id = $1) as keys,
              (select name from users.users where id = $1) as name`,
      [ada.userId],
    )
    assert.deepEqual(rows, [{ sessions: 0, keys: 0, name: 'Deleted user' }])
  })
}
