import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, until } from '#test/app.ts'
import { mailServer } from '#test/mail-server.ts'
import { person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'

const HOUR_SECONDS = 3600
const RETRIES = `from jobs.job where name = 'notifications.send-mail' and state = 'retry'`

test('while the mail server is away for an hour no request fails, and each mail goes out once (hardening 48)', async (t) => {
  const port = await freePort()
  const app = await testApp(t, { config: { smtpUrl: `smtp://127.0.0.1:${port}` } })
  const { database } = app.deps
  const admin = await person(app, { admin: true })
  const emails = ['ada', 'bob', 'eve'].map((name) => `${name}@example.org`)
  async function register(email = ''): Promise<number> {
    const body = { email, password: 'a long enough password', name: 'Ada' }
    return (await app.post('/v1/auth/register', body)).status
  }
  assert.equal(await register(emails[0]), 201)
  const queued = async () => (await admin.get('/v1/admin/mails?state=queued')).body.data
  let [awaySeconds, tries] = [0, 0]
  // The pauses between tries are of the machine's clock: each is noted, and then over at once.
  while (awaySeconds < HOUR_SECONDS) {
    tries += 1
    const pause = await until(`try ${tries} has failed`, async () => {
      const { rows } = await database.execute(
        `select extract(epoch from start_after - now())::float8 as seconds ${RETRIES}
         and retry_count >= $1 order by retry_count limit 1`,
        [tries - 1],
      )
      return rows[0]
    })
    awaySeconds += Math.max(1, Number(pause.seconds))
    await database.execute(
      `update jobs.job set start_after = now() where id in (select id ${RETRIES})`,
    )
  }
  // Others do not mind either, after an hour of it.
  assert.deepEqual([await register(emails[1]), await register(emails[2])], [201, 201])
  await until('all wait', async () => (await queued()).length === emails.length)
  const { received } = await mailServer(t, {}, { port })
  await until('all have gone out', async () => {
    await database.execute(
      `update jobs.job set start_after = now() where id in (select id ${RETRIES})`,
    )
    return (await queued()).length === 0
  })
  assert.deepEqual(received.flatMap(({ to }) => to).sort(), emails)
})
