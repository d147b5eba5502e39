import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notify } from '#notifications'
import { json, transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { mailServer } from '#test/mail-server.ts'
import { person } from '#test/people.ts'

test('a mail goes out once over SMTP, and is marked as sent', async (t) => {
  const { received, url } = await mailServer(t)
  const app = await testApp(t, { config: { smtpUrl: url } })
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
  assert.match(received[0]?.text ?? '', new RegExp(`To: ${admin.email}`))
  assert.match(received[0]?.text ?? '', /play\.example\.org:25565/)
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
  const [, token] = /\/verify\/(\S+)/.exec(mail.body) ?? []
  assert.equal((await app.post('/v1/auth/email/verify', { token })).status, 200)
})

test('header injection: a tenant’s mail is sent in its brand, and nothing anybody typed starts a header (hardening 32)', async (t) => {
  const { received, url } = await mailServer(t)
  const app = await testApp(t, { config: { smtpUrl: url } })
  const platform = await person(app, { admin: true })
  const brand = {
    primaryColor: '#00aa55',
    senderAddress: 'hello@ada.example',
    legalFooter: 'Ada SAS',
    supportAddress: 'help@ada.example',
  }
  const made = await platform.post('/v1/admin/tenants', {
    ...{ name: 'Ada', domains: ['ada.example'], brand },
  })
  assert.equal(made.status, 201, made.text)
  const tenantId = made.body.id
  // Past the API, which refuses such names: as an import or an older version may have left them.
  const evil = 'Ada\r\nBcc: eve@example.org'
  const supportAddress = 'help@ada.example\r\nBcc: eve@example.org'
  const poisoned = json({ ...brand, senderName: evil, supportAddress })
  await transact(app.deps.database.of(tenantId), (tx) =>
    tx.updateTable('tenants.tenants').set({ brand: poisoned }).execute(),
  )
  const customer = await person(app, { tenantId, name: evil })
  await transact(app.deps.database.of(tenantId), (tx) =>
    notify(
      tx,
      {
        ...{ tenantId, userId: customer.userId, kind: 'service_active', link: '/services/1' },
        data: { name: evil, address: null },
      },
      app.deps.clock.now(),
    ),
  )
  const [mail] = await until('the mail arrives', () => received.length > 0 && received)
  assert.ok(mail)
  assert.equal(received.length, 1)
  assert.equal(mail.from, 'hello@ada.example')
  assert.deepEqual(mail.to, [customer.email])
  const [head = '', ...rest] = mail.text.split('\r\n\r\n')
  assert.doesNotMatch(head, /^bcc:/im)
  assert.match(head, /^From: .*<hello@ada\.example>$/m)
  assert.match(head, /^Reply-To: .*help@ada\.example/im)
  assert.match(head, /^Message-ID: <[^>]*@ada\.example>$/im)
  const body = rest.join('\n')
  assert.match(body, /http:\/\/ada\.example\/services\/1/)
  assert.match(body, /Ada SAS/)
  assert.match(body, /#00aa55/)
})
