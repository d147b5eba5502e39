import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { notify } from '#notifications'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'

test('a mail goes out once over SMTP, and is marked as sent', async (t) => {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk
      })
      stream.on('end', () => {
        received.push(text)
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const app = await testApp(t, { config: { smtpUrl: `smtp://127.0.0.1:${port}` } })
  t.after(() => server.close())
  const admin = await person(app, { admin: true, name: 'Zoë' })
  await transact(app.deps.database.of(app.tenantId), (tx) =>
    notify(
      tx,
      {
        tenantId: app.tenantId,
        userId: admin.userId,
        kind: 'service_active',
        data: { name: 'Survival', address: 'play.example.org:25565' },
      },
      app.deps.clock.now(),
    ),
  )
  const sent = await until('the mail is marked as sent', async () => {
    const { body } = await admin.get('/v1/admin/mails')
    return body.data.find((mail: { sentAt: string | null }) => mail.sentAt)
  })
  assert.equal(received.length, 1)
  assert.match(received[0] ?? '', new RegExp(`To: ${admin.email}`))
  assert.match(received[0] ?? '', /play\.example\.org:25565/)
  assert.equal(sent.failure, null)
})

test('who registers gets a link by mail that confirms the address', async (t) => {
  const app = await testApp(t)
  const admin = await person(app, { admin: true })
  const email = 'grace@example.org'
  const wanted = { email, password: 'correct horse battery', name: 'Grace Hopper' }
  assert.equal((await app.post('/v1/auth/register', wanted)).status, 201)
  const mail = await until('the mail', async () => {
    const { body } = await admin.get('/v1/admin/mails')
    return body.data.find((it: { kind: string }) => it.kind === 'verify_email')
  })
  assert.equal(mail.recipient, email)
  const [, token] = /\?token=(\S+)/.exec(mail.body) ?? []
  assert.equal((await app.post('/v1/auth/email/verify', { token })).status, 200)
})
