import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { account, PASSWORD } from '#test/accounts.ts'
import { testApp, until } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { hearLinks } from '#test/links.ts'
import { person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'

const links = hearLinks()
const app = await testApp(null, { areas: [...areas, links.area] })
const admin = await person(app, { admin: true })

type Mail = { kind: string; recipient: string; subject: string; body: string }

function mailTo(recipient: string, kind: string): Promise<Mail> {
  return until(`a mail of ${kind}`, async () => {
    const { body } = await admin.get('/v1/admin/mails?limit=100')
    return (body.data as Mail[]).find((it) => it.kind === kind && it.recipient === recipient)
  })
}

function told(me: Client, kind: string) {
  return until(`to be told of ${kind}`, async () => {
    const { body } = await me.get('/v1/notifications')
    return body.data.some((it: { kind: string }) => it.kind === kind)
  })
}

test('a refresh token that is used again ends its session, and the person is told (hardening 17)', async () => {
  const ada = await account(app)
  const { refreshToken } = ada
  const { body } = await app.post('/v1/auth/refresh', { refreshToken })
  assert.equal((await app.post('/v1/auth/refresh', { refreshToken })).status, 401)
  assert.equal((await app.as(body.accessToken).get('/v1/users/me')).status, 401)
  const { subject } = await mailTo(ada.email, 'session_stolen')
  assert.equal(subject, 'We ended one of your sessions')
  await told(app.as((await ada.login()).body.accessToken), 'session_stolen')
})

test('a changed password is told, in the language of the person', async () => {
  const ada = await account(app)
  await ada.me.patch('/v1/users/me', { locale: 'fr' })
  const change = { currentPassword: PASSWORD, newPassword: 'another horse battery' }
  assert.equal((await ada.me.post('/v1/users/me/password', change)).status, 200)
  const { subject } = await mailTo(ada.email, 'password_changed')
  assert.equal(subject, 'Votre mot de passe a été changé')
})

test('the old address is told when another one is asked for, and when it has taken its place (hardening 20)', async () => {
  const ada = await account(app)
  const email = 'new.address@example.org'
  assert.equal((await ada.me.patch('/v1/users/me', { email })).status, 200)
  const before = await mailTo(ada.email, 'email_change_requested')
  assert.ok(before.body.includes(email))
  assert.equal((await ada.login()).status, 200)
  const token = await links.newest(app, 'verify', email)
  assert.equal((await app.post('/v1/auth/email/verify', { token })).status, 200)
  const after = await mailTo(ada.email, 'email_changed')
  assert.ok(after.body.includes(email))
  assert.equal((await ada.login()).status, 401)
})

test('an address that is not confirmed gets few mails that its account causes at will', async (t) => {
  await keepSettings(app, 'limits', { unconfirmedNotices: 2 })
  t.after(() => keepSettings(app, 'limits', {}))
  const passwords = [PASSWORD, 'another horse battery', 'a third horse battery', 'the last horse']
  for (const verified of [false, true]) {
    const { email, login } = await account(app, { verified })
    for (const [n, newPassword] of passwords.slice(1).entries()) {
      const currentPassword = passwords[n] ?? ''
      const me = app.as((await login(currentPassword)).body.accessToken)
      const change = { currentPassword, newPassword }
      assert.equal((await me.post('/v1/users/me/password', change)).status, 200)
    }
    const me = app.as((await login(passwords.at(-1))).body.accessToken)
    await until('all three are in the panel', async () => {
      const { body } = await me.get('/v1/notifications')
      const kinds = body.data.map(({ kind }: { kind: string }) => kind)
      return kinds.filter((kind: string) => kind === 'password_changed').length === 3
    })
    const query = `kind=password_changed&recipient=${encodeURIComponent(email)}`
    const { body } = await admin.get(`/v1/admin/mails?${query}`)
    assert.equal(body.data.length, verified ? 3 : 2)
  }
})
