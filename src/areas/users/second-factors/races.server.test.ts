import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { account, enrolTotp } from '#test/accounts.ts'
import { testApp } from '#test/app.ts'
import { countGuess } from '../sign-in-throttling/actions.ts'

const app = await testApp(null)
const db = app.deps.database.of(app.tenantId)

test('TOTP replay: of five sign-ins that show one code at once one comes in (hardening 16)', async () => {
  const ada = await account(app)
  const totp = await enrolTotp(app, ada.me)
  await app.advance(30)
  const pending = []
  for (let count = 0; count < 5; count += 1) pending.push((await ada.login()).body.mfaToken)
  const code = totp.code()
  const answers = await Promise.all(
    pending.map((mfaToken) => app.post('/v1/auth/login/mfa', { mfaToken, code })),
  )
  const came = answers.filter(({ status }) => status === 200)
  assert.equal(came.length, 1)
})

test('a recovery code that is shown five times at once works once', async () => {
  const ada = await account(app)
  const { recoveryCodes } = await enrolTotp(app, ada.me)
  const pending = []
  for (let count = 0; count < 5; count += 1) pending.push((await ada.login()).body.mfaToken)
  const [code] = recoveryCodes
  const answers = await Promise.all(
    pending.map((mfaToken) => app.post('/v1/auth/login/mfa', { mfaToken, code })),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('of fifty guesses that come at once no more than the ten free ones are made', async () => {
  const { userId } = await account(app)
  const key = { tenantId: app.tenantId, account: userId, network: '192.0.2.1' }
  const now = app.deps.clock.now()
  const guesses = await Promise.allSettled(
    Array.from({ length: 50 }, () => transact(db, (tx) => countGuess(tx, key, now))),
  )
  assert.equal(guesses.filter(({ status }) => status === 'fulfilled').length, 10)
})

test('an mfaToken bears five wrong codes, however many come at once', async () => {
  const ada = await account(app)
  await enrolTotp(app, ada.me)
  const { mfaToken } = (await ada.login()).body
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => app.post('/v1/auth/login/mfa', { mfaToken, code: '000000' })),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [401])
  const wrong = answers.filter(({ body }) => body.message === 'This code is wrong.')
  assert.equal(wrong.length, 5)
})
