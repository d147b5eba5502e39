import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { account, enrolPasskey, enrolTotp, PASSWORD, unknownToken } from '#test/accounts.ts'
import { testApp, until } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { hearLinks } from '#test/links.ts'
import { apiKey, person } from '#test/people.ts'

const links = hearLinks()
const app = await testApp(null, { areas: [...areas, links.area] })
const ME = '/v1/users/me'
const ORIGIN = 'http://shop.test'

function second(mfaToken: string, code: string) {
  return app.post('/v1/auth/login/mfa', { mfaToken, code })
}

/** Somebody with codes on, whose current code was not used yet. */
async function guarded() {
  const ada = await account(app)
  const totp = await enrolTotp(app, ada.me)
  await app.advance(30)
  return { ...ada, totp }
}

function kinds(me: Client): Promise<string[]> {
  return me
    .get('/v1/notifications')
    .then(({ body }) => body.data.map(({ kind }: { kind: string }) => kind))
}

test('codes count once they are confirmed, and a sign-in then takes two steps (hardening 16)', async () => {
  const ada = await account(app)
  assert.equal((await ada.me.post(`${ME}/totp`, {})).status, 200)
  assert.equal((await ada.me.get(ME)).body.mfaEnabled, false)
  assert.ok((await ada.login()).body.accessToken)
  const totp = await enrolTotp(app, ada.me)
  assert.equal(totp.recoveryCodes.length, 10)
  assert.equal((await ada.me.get(ME)).body.mfaEnabled, true)
  const first = await ada.login()
  assert.equal(first.status, 200)
  assert.deepEqual(Object.keys(first.body), ['mfaRequired', 'mfaToken', 'expiresIn', 'methods'])
  assert.deepEqual(first.body.methods, ['totp', 'recovery_code'])
  await app.advance(30)
  const done = await second(first.body.mfaToken, totp.code())
  assert.equal(done.status, 200, done.text)
  assert.equal((await app.as(done.body.accessToken).get(ME)).status, 200)
})

test('the QR code names the shop and the account, and the seed is sealed in the database', async () => {
  const ada = await account(app)
  const { body } = await ada.me.post(`${ME}/totp`, {})
  const uri = new URL(body.uri)
  assert.equal(uri.protocol, 'otpauth:')
  assert.equal(uri.searchParams.get('secret'), body.secret)
  assert.equal(uri.searchParams.get('issuer'), 'Moorage')
  assert.ok(decodeURIComponent(uri.pathname).includes(ada.email))
  const { rows } = await app.deps.database.execute(
    'select count(*)::int as found from users.totp_secrets t where t::text like $1',
    [`%${body.secret}%`],
  )
  assert.deepEqual(rows, [{ found: 0 }])
})

test('a wrong code turns nothing on, and codes that are on are not started again', async () => {
  const ada = await account(app)
  const none = await ada.me.post(`${ME}/totp/confirm`, { code: '123456' })
  assert.equal(none.status, 409)
  await ada.me.post(`${ME}/totp`, {})
  const wrong = await ada.me.post(`${ME}/totp/confirm`, { code: 'abcdef' })
  assert.equal(wrong.status, 422)
  assert.equal((await ada.me.get(ME)).body.mfaEnabled, false)
  await enrolTotp(app, ada.me)
  assert.equal((await ada.me.post(`${ME}/totp`, {})).status, 409)
})

test('TOTP replay: a code is accepted once, also at once twice, and the one before it never again (hardening 16)', async () => {
  const { login, totp, me } = await guarded()
  const tokens = [(await login()).body.mfaToken, (await login()).body.mfaToken]
  // Of one moment: the next half minute may begin on the way.
  const [code, earlier, next] = [totp.code(), totp.code(-30), totp.code(30)]
  const answers = await Promise.all(tokens.map((token) => second(token, code)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
  const { mfaToken } = (await login()).body
  assert.equal((await second(mfaToken, code)).status, 401)
  assert.equal((await second(mfaToken, earlier)).status, 401)
  assert.equal((await second(mfaToken, next)).status, 200)
  // What has signed in proves nothing else either.
  for (const used of [code, next]) {
    const off = await me.delete(`${ME}/totp`, { currentPassword: PASSWORD, code: used })
    assert.deepEqual([off.status, off.body.code], [403, 'code_wrong'])
  }
})

test('the code that turned codes on does not sign in (hardening 16)', async () => {
  const ada = await account(app)
  const totp = await enrolTotp(app, ada.me)
  const { mfaToken } = (await ada.login()).body
  assert.equal((await second(mfaToken, totp.firstCode)).status, 401)
})

test('a recovery code signs in once, however it is typed, and the person is told', async () => {
  const { login, totp } = await guarded()
  const [code = ''] = totp.recoveryCodes
  const first = await second((await login()).body.mfaToken, ` ${code.toUpperCase()} `)
  assert.equal(first.status, 200, first.text)
  assert.equal((await second((await login()).body.mfaToken, code)).status, 401)
  const me = app.as(first.body.accessToken)
  assert.equal((await me.get(`${ME}/totp`)).body.recoveryCodesLeft, 9)
  await until('the notice', async () => (await kinds(me)).includes('recovery_code_used'))
})

test('only the hashes of recovery codes and of an mfaToken are in the database', async () => {
  const { login, totp } = await guarded()
  const { mfaToken } = (await login()).body
  for (const secret of [mfaToken, ...totp.recoveryCodes]) {
    const { rows } = await app.deps.database.execute(
      `select (select count(*)::int from users.recovery_codes r where r::text like $1)
            + (select count(*)::int from users.pending_sign_ins p where p::text like $1) as found`,
      [`%${secret}%`],
    )
    assert.deepEqual(rows, [{ found: 0 }])
  }
})

test('token confusion: an mfaToken is no access token and no refresh token, and they are no mfaTokens', async () => {
  const { login, totp, refreshToken, accessToken } = await guarded()
  const { mfaToken } = (await login()).body
  assert.equal((await app.as(mfaToken).get(ME)).status, 401)
  assert.equal((await app.post('/v1/auth/refresh', { refreshToken: mfaToken })).status, 401)
  const code = totp.code()
  for (const token of [refreshToken, unknownToken]) {
    assert.equal((await second(token, code)).status, 401)
  }
  assert.equal((await second(accessToken.slice(0, 200), code)).status, 401)
  assert.equal((await second(mfaToken, code)).status, 200)
})

test('an mfaToken works once, for ten minutes, and bears five wrong codes', async () => {
  const { login, totp } = await guarded()
  const used = (await login()).body.mfaToken
  assert.equal((await second(used, totp.code())).status, 200)
  assert.equal((await second(used, totp.code(30))).status, 401)
  const worn = (await login()).body.mfaToken
  for (let tries = 0; tries < 5; tries += 1) {
    assert.equal((await second(worn, '000000')).status, 401)
  }
  await app.advance(60)
  assert.equal((await second(worn, totp.code())).status, 401)
  const late = (await login()).body.mfaToken
  await app.advance(601)
  assert.equal((await second(late, totp.code())).status, 401)
})

test("an mfaToken is bound to its person: somebody else's code does not fit", async () => {
  const ada = await guarded()
  const eve = await guarded()
  const { mfaToken } = (await ada.login()).body
  assert.equal((await second(mfaToken, eve.totp.code())).status, 401)
})

test('a changed password ends the sign-ins that wait for their second factor', async () => {
  const { login, totp, me } = await guarded()
  const { mfaToken } = (await login()).body
  const change = { currentPassword: PASSWORD, newPassword: 'another horse battery' }
  assert.equal((await me.post(`${ME}/password`, change)).status, 200)
  assert.equal((await second(mfaToken, totp.code())).status, 401)
})

test('a password reset does not get around the second factor (hardening 16)', async () => {
  const { email, login, totp } = await guarded()
  await app.post('/v1/auth/password/forgot', { email })
  const token = await links.newest(app, 'reset', email)
  const password = 'another horse battery'
  const reset = await app.post('/v1/auth/password/reset', { token, password })
  assert.deepEqual(reset.body, { reset: true })
  const { body } = await login(password)
  assert.equal(body.accessToken, undefined)
  assert.equal((await second(body.mfaToken, totp.code())).status, 200)
})

test('somebody who was suspended between the two steps does not come in', async () => {
  const admin = await person(app, { admin: true })
  const { login, totp, userId } = await guarded()
  const { mfaToken } = (await login()).body
  assert.equal((await admin.post(`/v1/admin/users/${userId}/suspend`)).status, 200)
  const { status, body } = await second(mfaToken, totp.code())
  assert.equal(status, 403)
  assert.equal(body.code, 'account_suspended')
})

test('turning codes off takes the password and a code, and the person is told of both ways', async () => {
  const { login, totp, me } = await guarded()
  const remove = (currentPassword: string, code: string) =>
    me.delete(`${ME}/totp`, { currentPassword, code })
  assert.equal((await remove('not the password', totp.code())).status, 403)
  const wrong = await remove(PASSWORD, '000000')
  assert.equal(wrong.status, 403)
  assert.equal(wrong.body.code, 'code_wrong')
  assert.equal((await me.get(ME)).body.mfaEnabled, true)
  assert.equal((await remove(PASSWORD, totp.recoveryCodes[0] ?? '')).status, 200)
  assert.equal((await me.get(ME)).body.mfaEnabled, false)
  assert.equal((await me.get(`${ME}/totp`)).body.recoveryCodesLeft, 0)
  assert.ok((await login()).body.accessToken)
  await until('the notices', async () => {
    const told = await kinds(me)
    return told.includes('second_factor_added') && told.includes('second_factor_removed')
  })
})

test('new recovery codes take the place of the old ones', async () => {
  const { login, totp, me } = await guarded()
  const { status, body } = await me.post(`${ME}/recovery-codes`, {})
  assert.equal(status, 201)
  const old = await second((await login()).body.mfaToken, totp.recoveryCodes[0] ?? '')
  assert.equal(old.status, 401)
  const fresh = await second((await login()).body.mfaToken, body.recoveryCodes[0])
  assert.equal(fresh.status, 200)
  const plain = await account(app)
  assert.equal((await plain.me.post(`${ME}/recovery-codes`, {})).status, 409)
})

test('a session that did not show the second factor adds none, and makes no recovery codes', async () => {
  const ada = await account(app)
  const before = app.as((await ada.login()).body.accessToken)
  await enrolTotp(app, ada.me)
  const paths = [`${ME}/recovery-codes`, `${ME}/passkeys/options`]
  for (const path of paths) {
    const { status, body } = await before.post(path, { currentPassword: PASSWORD })
    assert.equal(status, 403)
    assert.equal(body.code, 'second_factor_required')
  }
  assert.equal((await ada.me.post(`${ME}/passkeys/options`, {})).status, 200)
})

test('an old sign-in shows the password before it adds a second factor', async () => {
  const ada = await account(app)
  await app.advance(16 * 60)
  const { body } = await app.post('/v1/auth/refresh', { refreshToken: ada.refreshToken })
  const me = app.as(body.accessToken)
  assert.equal((await me.post(`${ME}/totp`, {})).status, 403)
  const wrong = { currentPassword: 'not the password' }
  assert.equal((await me.post(`${ME}/totp`, wrong)).status, 403)
  assert.equal((await me.post(`${ME}/totp`, { currentPassword: PASSWORD })).status, 200)
})

test('an API key changes no second factor without the password', async () => {
  const ada = await person(app)
  const key = await apiKey(app, ada, { permission: 'read-write' })
  for (const path of ['totp', 'passkeys/options', 'recovery-codes']) {
    assert.equal((await key.post(`${ME}/${path}`, {})).status, 403)
  }
  const off = { currentPassword: PASSWORD, code: '123456' }
  assert.equal((await key.delete(`${ME}/totp`, off)).status, 403)
})

test('a passkey is a second factor by itself: the first one comes with recovery codes', async () => {
  const ada = await account(app)
  const { recoveryCodes } = await enrolPasskey(ada.me, ORIGIN)
  assert.equal(recoveryCodes.length, 10)
  const { mfaToken, methods } = (await ada.login()).body
  assert.deepEqual(methods, ['passkey', 'recovery_code'])
  assert.equal((await second(mfaToken, '123456')).status, 401)
  assert.equal((await second(mfaToken, recoveryCodes[0])).status, 200)
})
