import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { transact } from '#platform/database/index.ts'
import { account, enrolTotp, PASSWORD } from '#test/accounts.ts'
import { testApp } from '#test/app.ts'
import { hearLinks } from '#test/links.ts'
import { countGuess, forgiveGuesses } from './actions.ts'

const links = hearLinks()
const app = await testApp(null, {
  areas: [...areas, links.area],
  config: { trustProxy: ['127.0.0.1'] },
})
const db = app.deps.database.of(app.tenantId)

function from(address: string) {
  return { headers: { 'x-forwarded-for': address } }
}

function login(email: string, password: string, address: string) {
  return app.post('/v1/auth/login', { email, password }, from(address))
}

function keyOf(account: string, network: string) {
  return { tenantId: app.tenantId, account, network }
}

/** Guesses as the database sees them: without the work of comparing passwords. */
function guess(account: string, network: string, times: number): Promise<void> {
  return transact(db, async (tx) => {
    for (let count = 0; count < times; count += 1) {
      await countGuess(tx, keyOf(account, network), app.deps.clock.now())
    }
  })
}

/** So many guesses were wrong: 16 here or 60 everywhere wait for a minute and more. */
async function failed(account: string, network: string, failures: number): Promise<void> {
  await guess(account, network === '*' ? '203.0.113.1' : network, 1)
  await app.deps.database.execute(
    'update users.guesses set failures = $3 where account = $1 and network = $2',
    [account, network, failures],
  )
}

test('after many wrong guesses from an address the right password waits too, and then counts', async () => {
  const { email, userId } = await account(app)
  await failed(userId, '192.0.2.1', 16)
  const { status, body, headers } = await login(email, PASSWORD, '192.0.2.1')
  assert.equal(status, 429)
  assert.equal(body.code, 'too_many_attempts')
  assert.match(headers['retry-after'] ?? '', /^[1-9]\d?$/)
  await app.advance(64)
  assert.equal((await login(email, PASSWORD, '192.0.2.1')).status, 200)
  assert.equal((await login(email, 'not the password', '192.0.2.1')).status, 401)
})

test('enumeration: an address that nobody has is slowed down in the same words', async () => {
  const { email } = await account(app)
  const answers = []
  for (const known of [email, 'nobody@example.org']) {
    assert.equal((await login(known, 'not the password', '192.0.2.2')).status, 401)
    await app.deps.database.execute(
      "update users.guesses set failures = 16 where network = '192.0.2.2'",
    )
    const { status, body } = await login(known, 'not the password', '192.0.2.2')
    answers.push({ status, body })
  }
  assert.equal(answers[0]?.status, 429)
  assert.deepEqual(answers[1], answers[0])
})

test('guesses from many addresses slow strangers down, and not where the person signed in before', async () => {
  const { email, userId } = await account(app)
  assert.equal((await login(email, PASSWORD, '198.51.100.1')).status, 200)
  await failed(userId, '*', 60)
  assert.equal((await login(email, PASSWORD, '198.51.100.99')).status, 429)
  assert.equal((await login(email, PASSWORD, '198.51.100.1')).status, 200)
})

test('nobody is locked out: whoever waits a few minutes comes in from anywhere', async () => {
  const { email, userId } = await account(app)
  await failed(userId, '*', 60)
  assert.equal((await login(email, PASSWORD, '198.51.100.2')).status, 429)
  await app.advance(300)
  assert.equal((await login(email, PASSWORD, '198.51.100.2')).status, 200)
})

test('nobody is locked out: whoever follows the link in a mail is known where they did', async () => {
  const { email, userId } = await account(app)
  await app.post('/v1/auth/password/forgot', { email })
  const token = await links.newest(app, 'reset', email)
  await failed(userId, '*', 60)
  const password = 'another horse battery'
  const reset = { token, password }
  const answer = await app.post('/v1/auth/password/reset', reset, from('198.51.100.3'))
  assert.equal(answer.status, 200)
  assert.equal((await login(email, password, '198.51.100.4')).status, 429)
  assert.equal((await login(email, password, '198.51.100.3')).status, 200)
})

test('a guess that has to wait is not counted, so waiting ends', async () => {
  const { userId } = await account(app)
  await failed(userId, '192.0.2.3', 16)
  for (let count = 0; count < 20; count += 1) {
    await assert.rejects(guess(userId, '192.0.2.3', 1), { statusCode: 429 })
  }
  await app.advance(64)
  await guess(userId, '192.0.2.3', 1)
  await assert.rejects(guess(userId, '192.0.2.3', 1), { statusCode: 429 })
})

test('a right guess takes back what its network had counted, and nothing of the others', async () => {
  const { userId } = await account(app)
  await guess(userId, '192.0.2.4', 9)
  await guess(userId, '192.0.2.5', 9)
  const now = app.deps.clock.now()
  await transact(db, (tx) =>
    forgiveGuesses(tx, keyOf(userId, '192.0.2.4'), { signedIn: false }, now),
  )
  const rows = await db
    .selectFrom('users.guesses')
    .select(['network', 'failures'])
    .where('account', '=', userId)
    .where('network', 'in', ['*', '192.0.2.4', '192.0.2.5'])
    .orderBy('network')
    .execute()
  assert.deepEqual(rows, [
    { network: '*', failures: 9 },
    { network: '192.0.2.4', failures: 0 },
    { network: '192.0.2.5', failures: 9 },
  ])
})

test('wrong codes are guesses as well: a fresh mfaToken brings no further tries', async () => {
  const ada = await account(app)
  await enrolTotp(app, ada.me)
  const second = (mfaToken: string) =>
    app.post('/v1/auth/login/mfa', { mfaToken, code: '000000' }, from('192.0.2.6'))
  const first = (await login(ada.email, PASSWORD, '192.0.2.6')).body.mfaToken
  for (let count = 0; count < 5; count += 1) assert.equal((await second(first)).status, 401)
  const next = (await login(ada.email, PASSWORD, '192.0.2.6')).body.mfaToken
  for (let count = 0; count < 3; count += 1) assert.equal((await second(next)).status, 401)
  const { failures } = await db
    .selectFrom('users.guesses')
    .select('failures')
    .where('account', '=', ada.userId)
    .where('network', '=', '192.0.2.6')
    .executeTakeFirstOrThrow()
  assert.equal(failures, 10)
})

test('a password guessed in an open session is slowed down like one at the login', async () => {
  const ada = await account(app)
  await failed(ada.userId, '192.0.2.7', 16)
  const change = { currentPassword: PASSWORD, newPassword: 'another horse battery' }
  const answer = await ada.me.post('/v1/users/me/password', change, from('192.0.2.7'))
  assert.equal(answer.status, 429)
})

test('what is no longer needed is forgotten: guesses after a day, addresses after 90', async () => {
  const ada = await account(app)
  await login(ada.email, PASSWORD, '192.0.2.8')
  await guess(ada.userId, '192.0.2.9', 3)
  const networks = async () => {
    const rows = await db
      .selectFrom('users.guesses')
      .select('network')
      .where('account', '=', ada.userId)
      .orderBy('network')
      .execute()
    return rows.map(({ network }) => network)
  }
  await app.advance(2 * 24 * 3600)
  assert.deepEqual(await networks(), ['127.0.0.1', '192.0.2.8'])
  await app.advance(92 * 24 * 3600)
  assert.deepEqual(await networks(), [])
})
