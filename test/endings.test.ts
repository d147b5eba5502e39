import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { type Account, account, PASSWORD } from '#test/accounts.ts'
import { testApp, until } from '#test/app.ts'
import { hearLinks } from '#test/links.ts'
import { apiKey, person } from '#test/people.ts'
import { openStream } from '#test/stream.ts'

/** What ends the access of somebody ends all of it, with its own answer. */
const links = hearLinks()
const app = await testApp(null, { areas: [...areas, links.area] })
const admin = await person(app, { admin: true })
const ME = '/v1/users/me'

const ENDINGS: [string, (ada: Account) => Promise<{ status: number }>][] = [
  [
    'a changed password',
    ({ me }) => {
      const change = { currentPassword: PASSWORD, newPassword: 'another horse battery' }
      return me.post(`${ME}/password`, change)
    },
  ],
  [
    'a password set by mail',
    async ({ email }) => {
      await app.post('/v1/auth/password/forgot', { email })
      const token = await links.newest(app, 'reset', email)
      return app.post('/v1/auth/password/reset', { token, password: 'another horse battery' })
    },
  ],
  ['a suspension', ({ userId }) => admin.post(`/v1/admin/users/${userId}/suspend`)],
  ['the end of the account', ({ me }) => me.delete(ME, { password: PASSWORD })],
]

for (const [what, end] of ENDINGS) {
  test(`${what} ends every session, refresh token, key and stream (hardening 18)`, async () => {
    const ada = await account(app)
    const phone = (await ada.login()).body
    const key = await apiKey(app, { ...ada, tenantId: app.tenantId }, { permission: 'read' })
    const tokens = [ada.accessToken, phone.accessToken, key.key]
    const streams = await Promise.all(tokens.map((token) => openStream({ url: app.url, token })))
    for (const stream of streams) await stream.heard('unread')
    for (const token of tokens) assert.equal((await app.as(token).get(ME)).status, 200)
    assert.equal((await end(ada)).status, 200)
    for (const token of tokens) assert.equal((await app.as(token).get(ME)).status, 401)
    for (const { refreshToken } of [ada, phone]) {
      assert.equal((await app.post('/v1/auth/refresh', { refreshToken })).status, 401)
    }
    await until('the streams have ended', () => streams.every(({ ended }) => ended))
    for (const stream of streams) {
      assert.deepEqual(stream.events.at(-1)?.data, { reason: 'credential' })
    }
    for (const token of tokens) {
      assert.equal((await app.as(token).get('/v1/notifications/stream')).status, 401)
    }
  })
}
