import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'

const lines: string[] = []
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const app = await testApp(null, { log: pino({ level: 'trace' }, sink) })

test('the log of a process names both people, and holds no secret of anybody (hardening 55)', async () => {
  const admin = await person(app, { admin: true })
  const login = { email: 'secretive@example.org', password: 'correct horse battery' }
  const registered = await app.post('/v1/auth/register', { ...login, name: 'A\r\nforged: line' })
  assert.equal(registered.status, 400)
  const { body } = await app.post('/v1/auth/register', { ...login, name: 'Mary' })
  const mary = app.as(body.accessToken)
  const key = (await mary.post('/v1/api-keys', { permission: 'read' })).body.key
  const begun = await admin.post(`/v1/admin/users/${body.user.id}/impersonate`, {
    reason: 'Asked for help',
  })
  const as = app.as(begun.body.accessToken)
  await as.get('/v1/users/me')
  await app.as(key).get('/v1/users/me')
  await app.post('/v1/auth/refresh', { refreshToken: body.refreshToken })
  await app.post('/v1/auth/password/reset', { token: 'a guessed token', password: login.password })
  await mary.delete('/v1/users/me', { password: login.password })
  const text = lines.join('')
  assert.ok(lines.length > 5, 'something was logged')
  assert.ok(
    lines.some((line) => line.includes(body.user.id) && line.includes(admin.userId)),
    'a line has both people',
  )
  const secrets = [login.password, key, body.accessToken, body.refreshToken, 'a guessed token']
  for (const secret of [...secrets, begun.body.accessToken, admin.token, 'argon2']) {
    assert.ok(!text.includes(secret), `${secret.slice(0, 12)}… is in the log`)
  }
  assert.doesNotMatch(text, /^forged/m)
})
