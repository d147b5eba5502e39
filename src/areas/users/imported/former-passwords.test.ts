import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSync } from '@node-rs/bcrypt'
import { areas } from '#app/areas.ts'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { hearLinks } from '#test/links.ts'
import { insertUser } from '#users'
import { boundTo } from './legacy.ts'

const links = hearLinks()
const app = await testApp(null, { areas: [...areas, links.area] })
const PASSWORD = 'correct horse battery'

/** Somebody who was imported with a password as another system kept it. */
async function imported(email: string, hash: string): Promise<string> {
  const { deps, tenantId } = app
  const now = deps.clock.now()
  const userId = newId()
  await transact(deps.database.of(tenantId), async (tx) => {
    const person = { email, name: 'Ada', passwordHash: null, createdAt: now }
    await insertUser(tx, { ...person, tenantId, id: userId })
    const sealedHash = deps.secrets.seal(hash, boundTo({ tenantId, userId }))
    await tx
      .insertInto('users.legacy_passwords')
      .values({ tenantId, userId, form: 'bcrypt', sealedHash, createdAt: now })
      .execute()
  })
  return userId
}

function login(email: string, password = PASSWORD) {
  return app.post('/v1/auth/login', { email, password })
}

for (const prefix of ['$2a$', '$2b$', '$2y$']) {
  test(`a bcrypt hash of another system that begins with ${prefix} signs in, and is replaced`, async () => {
    const email = `bcrypt${prefix.at(2)}@example.org`
    await imported(email, hashSync(PASSWORD, 4).replace(/^\$2.\$/, prefix))
    assert.equal((await login(email, 'wrong horse battery')).status, 401)
    assert.equal((await login(email)).status, 200)
    const { rows } = await app.deps.database.execute(
      `select password_hash like '$argon2id$%' as ours from users.users where email = $1`,
      [email],
    )
    assert.deepEqual(rows, [{ ours: true }])
  })
}

test('a failed sign-in compares with bcrypt outside the main thread', async () => {
  await imported('slow@example.org', hashSync(PASSWORD, 13))
  await login('warm@example.org')
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
  assert.equal((await login('nobody1@example.org')).status, 401)
  const mainThread = process.threadCpuUsage(own).user
  const together = process.cpuUsage(all).user
  assert.ok(mainThread < together / 2, `${mainThread} of ${together} µs in the main thread`)
})

test('a former password that costs too much is not compared: the answer is that of a wrong one, and a link is mailed once a day', async () => {
  const email = 'costly@example.org'
  const hash = hashSync(PASSWORD, 4).replace('$04$', '$31$')
  const userId = await imported(email, hash)
  const wrong = await login('nobody@example.org')
  const sent = () => links.asked.filter((it) => it.userId === userId && it.purpose === 'reset')
  for (let round = 0; round < 3; round += 1) {
    const { status, body } = await login(email)
    assert.deepEqual([status, body], [401, wrong.body])
  }
  const token = await links.newest(app, 'reset', email)
  await app.advance(24 * 3600 + 1)
  await login(email)
  await until('a second link on the next day', () => sent().length > 1)
  assert.equal(sent().length, 2)
  const password = 'another horse battery'
  assert.equal((await app.post('/v1/auth/password/reset', { token, password })).status, 410)
  const next = await links.newest(app, 'reset', email, token)
  assert.equal((await app.post('/v1/auth/password/reset', { token: next, password })).status, 200)
  assert.equal((await login(email, password)).status, 200)
})

test('a failed sign-in of somebody whose password can be compared mails nothing', async () => {
  const userId = await imported('compared@example.org', hashSync(PASSWORD, 4))
  await login('compared@example.org', 'wrong horse battery')
  const other = await imported('marker@example.org', hashSync(PASSWORD, 4).replace('$04$', '$31$'))
  await login('marker@example.org')
  await until('the link of the other', () => links.asked.some((it) => it.userId === other))
  assert.ok(!links.asked.some((it) => it.userId === userId))
})
