import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { areas } from '#app/areas.ts'
import { startService } from '#platform/start.ts'
import { type Account, account, PASSWORD } from '#test/accounts.ts'
import { testApp, until } from '#test/app.ts'
import { clientFor } from '#test/client.ts'
import { apiKey, person } from '#test/people.ts'
import { openStream } from '#test/stream.ts'

const app = await testApp(null)
const other = await startService({ ...app.deps.config, port: 0 }, areas, {
  migrating: false,
  log: pino({ level: 'silent' }),
})
after(() => other.stop())
const admin = await person(app, { admin: true })
const ME = '/v1/users/me'
const BELIEVED_MS = 1000
/** What the machine may take beside that, while it does other things too. */
const SLACK_MS = 2000

const ENDINGS: [string, (ada: Account) => Promise<{ status: number }>][] = [
  [
    'a changed password',
    ({ me }) => {
      const change = { currentPassword: PASSWORD, newPassword: 'another horse battery' }
      return me.post(`${ME}/password`, change)
    },
  ],
  ['a suspension', ({ userId }) => admin.post(`/v1/admin/users/${userId}/suspend`)],
  ['the end of the account', ({ me }) => me.delete(ME, { password: PASSWORD })],
]

for (const [what, end] of ENDINGS) {
  test(`what ${what} ends at one process has ended on another within a second (hardening 18)`, async () => {
    const ada = await account(app)
    const { key } = await apiKey(app, { ...ada, tenantId: app.tenantId }, { permission: 'read' })
    const url = other.url ?? ''
    const elsewhere = [ada.accessToken, key].map((token) =>
      clientFor(url, { authorization: `Bearer ${token}` }),
    )
    const stream = await openStream({ url, token: ada.accessToken })
    await stream.heard('unread')
    for (const client of elsewhere) assert.equal((await client.get(ME)).status, 200)
    assert.equal((await end(ada)).status, 200)
    const endedMs = performance.now()
    await Promise.all([
      until('the end of the stream', () => stream.events.at(-1)?.event === 'end'),
      ...elsewhere.map((client) =>
        until('the end', async () => (await client.get(ME)).status === 401),
      ),
    ])
    const tookMs = performance.now() - endedMs
    assert.ok(tookMs < BELIEVED_MS + SLACK_MS, `it took ${tookMs} ms`)
  })
}
