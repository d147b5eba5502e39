import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { sealSetting } from '#tenants'
import { account, enrolPasskey, enrolTotp, PASSWORD } from '#test/accounts.ts'
import { testApp, until } from '#test/app.ts'
import { authenticator } from '#test/authenticator.ts'
import { discordServer } from '#test/discord.ts'
import { hearLinks } from '#test/links.ts'
import { apiKey, person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'

const links = hearLinks()
const discord = await discordServer()
const app = await testApp(null, {
  areas: [...areas, links.area],
  config: { discordUrl: discord.url, privateHosts: [`discord=${discord.host}`] },
})
const ME = '/v1/users/me'
const ORIGIN = 'http://shop.test'
const NEW_PASSWORD = 'another horse battery'

await keepSettings(app, 'connections', {
  discordClientId: discord.application.id,
  discordClientSecret: sealSetting(
    app.deps.secrets,
    { tenantId: app.tenantId, section: 'connections', field: 'discordClientSecret' },
    discord.application.secret,
  ),
})

type Ada = Awaited<ReturnType<typeof account>>

async function reset({ email }: { email: string }): Promise<void> {
  await app.post('/v1/auth/password/forgot', { email })
  const token = await links.newest(app, 'reset', email)
  const { status } = await app.post('/v1/auth/password/reset', { token, password: NEW_PASSWORD })
  assert.equal(status, 200)
}

async function change({ me }: Ada): Promise<void> {
  const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  assert.equal((await me.post(`${ME}/password`, passwords)).status, 200)
}

let moves = 0

/** Everything that can be begun with a password and completed later: how, and whether it still works. */
const BEGUN: Record<string, (ada: Ada) => Promise<() => Promise<number>>> = {
  async 'a change of address'({ me }) {
    moves += 1
    const email = `thief${moves}@example.org`
    assert.equal((await me.patch(ME, { email })).status, 200)
    const token = await links.newest(app, 'verify', email)
    return async () => (await app.post('/v1/auth/email/verify', { token })).status
  },
  async 'a reset link'({ email }) {
    await app.post('/v1/auth/password/forgot', { email })
    const token = await links.newest(app, 'reset', email)
    const password = 'a third horse battery'
    return async () => (await app.post('/v1/auth/password/reset', { token, password })).status
  },
  async 'a session'({ login }) {
    const { refreshToken } = (await login()).body
    return async () => (await app.post('/v1/auth/refresh', { refreshToken })).status
  },
  async 'an API key'({ userId }) {
    const key = await apiKey(app, { tenantId: app.tenantId, userId }, { permission: 'read-write' })
    return async () => (await key.get(ME)).status
  },
  async 'a sign-in that waits for its second factor'({ me, login }) {
    const totp = await enrolTotp(app, me)
    const { mfaToken } = (await login()).body
    await app.advance(30)
    return async () =>
      (await app.post('/v1/auth/login/mfa', { mfaToken, code: totp.code() })).status
  },
  async 'an authenticator app that is being enrolled'(ada) {
    const { secret } = (await ada.me.post(`${ME}/totp`, {})).body
    assert.ok(secret)
    return async () => {
      const { accessToken } = (await ada.login(NEW_PASSWORD)).body
      const again = app.as(accessToken)
      return (await again.post(`${ME}/totp/confirm`, { code: '123456' })).status
    }
  },
  async 'a passkey that is being enrolled'({ me, userId }) {
    const device = authenticator(ORIGIN)
    const options = await me.post(`${ME}/passkeys/options`, {})
    const response = device.create(options.body)
    return async () => {
      const { rows } = await app.deps.database.execute(
        'select count(*)::int as left from users.passkey_challenges where user_id = $1',
        [userId],
      )
      assert.deepEqual(rows, [{ left: 0 }])
      return (await me.post(`${ME}/passkeys`, { response })).status
    }
  },
  async 'an account elsewhere that is being linked'({ me, userId }) {
    const { url } = (await me.post(`${ME}/connections`, { provider: 'discord' })).body
    const back = discord.agree(url, { id: `80351110220${moves}`, username: 'thief' })
    return async () => {
      const { rows } = await app.deps.database.execute(
        'select count(*)::int as left from users.connection_starts where user_id = $1',
        [userId],
      )
      assert.deepEqual(rows, [{ left: 0 }])
      const { headers } = await app.get(back.pathname + back.search)
      return new URL(headers.location ?? '').searchParams.get('outcome') === 'connected' ? 200 : 410
    }
  },
  async 'an administrator who acts as the person'({ userId }) {
    const admin = await person(app, { admin: true })
    const { body } = await admin.post(`/v1/admin/users/${userId}/impersonate`, {
      reason: 'Asked for help',
    })
    const acting = app.as(body.accessToken)
    assert.equal((await acting.get(ME)).status, 200)
    return async () => (await acting.get(ME)).status
  },
}

for (const [what, begin] of Object.entries(BEGUN)) {
  for (const [credential, proceed] of Object.entries({ reset, change })) {
    test(`a password ${credential} ends ${what}`, async () => {
      const ada = await account(app)
      const complete = await begin(ada)
      await proceed(ada)
      const status = await complete()
      assert.ok(status >= 400 && status < 500, `${what} still works: ${status}`)
      const { body } = await ada.login(NEW_PASSWORD)
      assert.ok(body.accessToken ?? body.mfaToken, 'the owner signs in')
    })
  }
}

test('a password change gives a pending change of address up, and the address is confirmed as before', async () => {
  const ada = await account(app)
  await ada.me.patch(ME, { email: 'pending@example.org' })
  assert.equal((await ada.me.get(ME)).body.emailVerifiedAt, null)
  await change(ada)
  const { user } = (await ada.login(NEW_PASSWORD)).body
  assert.equal(user.pendingEmail, null)
  assert.equal(user.email, ada.email)
  assert.notEqual(user.emailVerifiedAt, null)
})

test('a confirmed change of address ends what was begun with the old one', async () => {
  const ada = await account(app)
  await app.post('/v1/auth/password/forgot', { email: ada.email })
  const password = 'a third horse battery'
  const old = await links.newest(app, 'reset', ada.email)
  const { secret } = (await ada.me.post(`${ME}/totp`, {})).body
  assert.ok(secret)
  await ada.me.patch(ME, { email: 'moved-away@example.org' })
  const token = await links.newest(app, 'verify', 'moved-away@example.org')
  assert.equal((await app.post('/v1/auth/email/verify', { token })).status, 200)
  assert.equal((await app.post('/v1/auth/password/reset', { token: old, password })).status, 410)
  assert.equal((await ada.me.post(`${ME}/totp/confirm`, { code: '123456' })).status, 409)
})

test('asking for the present address again cancels the change and keeps its confirmation', async () => {
  const ada = await account(app)
  await ada.me.patch(ME, { email: 'elsewhere@example.org' })
  const { body } = await ada.me.patch(ME, { email: ada.email })
  assert.equal(body.pendingEmail, null)
  assert.notEqual(body.emailVerifiedAt, null)
})

const ENROLMENTS = [
  ['an authenticator app', 'totp', {}],
  ['a passkey', 'passkeys/options', {}],
  ['an account elsewhere', 'connections', { provider: 'discord' }],
] as const

for (const [what, path, body] of ENROLMENTS) {
  test(`${what} is enrolled only once the address is confirmed`, async () => {
    const ada = await account(app, { verified: false })
    const refused = await ada.me.post(`${ME}/${path}`, body)
    assert.deepEqual([refused.status, refused.body.code], [403, 'email_not_verified'])
    const token = await links.newest(app, 'verify', ada.email)
    assert.equal((await app.post('/v1/auth/email/verify', { token })).status, 200)
    assert.ok((await ada.me.post(`${ME}/${path}`, body)).status < 300)
  })
}

test('an enrolment that began on a confirmed address is not completed while another one is pending', async () => {
  const ada = await account(app)
  const device = authenticator(ORIGIN)
  const response = device.create((await ada.me.post(`${ME}/passkeys/options`, {})).body)
  await ada.me.patch(ME, { email: 'other-passkey@example.org' })
  const { status, body } = await ada.me.post(`${ME}/passkeys`, { response })
  assert.deepEqual([status, body.code], [403, 'email_not_verified'])
})

/** An account as it was possible before enrolment needed a confirmed address. */
async function hijacked() {
  const ada = await account(app)
  const totp = await enrolTotp(app, ada.me)
  const passkey = await enrolPasskey(ada.me, ORIGIN)
  const { url } = (await ada.me.post(`${ME}/connections`, { provider: 'discord' })).body
  moves += 1
  const back = discord.agree(url, { id: `8035111022000${moves}`, username: 'thief' })
  await app.get(back.pathname + back.search)
  const { data } = (await ada.me.get(`${ME}/connections`)).body
  assert.equal(data.length, 1)
  return { ...ada, totp, passkey }
}

test('a reset on an address that was never confirmed removes factors, passkeys and accounts elsewhere', async () => {
  const ada = await hijacked()
  await app.deps.database.execute('update users.users set email_verified_at = null where id = $1', [
    ada.userId,
  ])
  await reset(ada)
  const { body } = await ada.login(NEW_PASSWORD)
  assert.ok(body.accessToken, 'the owner of the address signs in with the password alone')
  assert.notEqual(body.user.emailVerifiedAt, null)
  assert.equal(body.user.mfaEnabled, false)
  const me = app.as(body.accessToken)
  assert.deepEqual((await me.get(`${ME}/passkeys`)).body.data, [])
  assert.deepEqual((await me.get(`${ME}/connections`)).body.data, [])
  assert.deepEqual((await me.get(`${ME}/totp`)).body, {
    ...{ enabled: false, enabledAt: null, recoveryCodesLeft: 0 },
  })
  await until('the owner is notified', async () => {
    const notices = (await me.get('/v1/notifications')).body.data as { kind: string }[]
    const kinds = notices.map(({ kind }) => kind)
    return (
      kinds.filter((it) => it === 'second_factor_removed').length === 2 &&
      kinds.includes('account_disconnected')
    )
  })
})

test('staff who confirm an address that was never confirmed remove factors, passkeys and accounts elsewhere', async () => {
  const ada = await hijacked()
  await app.deps.database.execute('update users.users set email_verified_at = null where id = $1', [
    ada.userId,
  ])
  const staff = await person(app, { permissions: ['users:read', 'users:write'] })
  const { status, body } = await staff.post(`/v1/admin/users/${ada.userId}/confirm-email`)
  assert.equal(status, 200)
  assert.equal(body.mfaEnabled, false)
  const signedIn = await ada.login(PASSWORD)
  assert.ok(signedIn.body.accessToken, 'no second factor is left')
  assert.deepEqual((await ada.me.get(`${ME}/passkeys`)).body.data, [])
  assert.deepEqual((await ada.me.get(`${ME}/connections`)).body.data, [])
})

test('a reset on a confirmed address keeps its factors, also while another address is pending', async () => {
  const ada = await hijacked()
  await ada.me.patch(ME, { email: `pending${moves}@example.org` })
  await reset(ada)
  const { body } = await ada.login(NEW_PASSWORD)
  assert.ok(body.mfaRequired)
})
