import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import tls from 'node:tls'
import { notify } from '#notifications'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { mailServer } from '#test/mail-server.ts'
import { otherTenant, type Person, person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'

const URL_ = '/v1/admin/mail-server'
const TEST = '/v1/admin/mails/test'
const own = { host: '127.0.0.1', security: 'none' }

const certificate = madeCertificate()
const before = tls.getCACertificates('default')
tls.setDefaultCACertificates([...before, certificate.cert])
after(() => tls.setDefaultCACertificates(before))
const signIn = { username: 'shop@example.org', password: 'a secret of the shop' }
const ofPlatform = await mailServer({ after })
const ofShop = await mailServer({ after })
const guarded = await mailServer({ after }, {}, { startTls: true, tls: certificate, signIn })
const away = await freePort()
const opened = [portOf(ofShop.url), portOf(guarded.url), away, 2525]
const app = await testApp(null, {
  config: { smtpUrl: ofPlatform.url, privateHosts: opened.map((it) => `mail=127.0.0.1:${it}`) },
})
const admin = await person(app, { admin: true })

function portOf(url: string): number {
  return Number(new URL(url).port)
}

function tell({ tenantId, userId }: Person, name: string) {
  const notice = {
    tenantId,
    userId,
    kind: 'service_active' as const,
    data: { name, address: null },
  }
  return transact(app.deps.database.of(tenantId), (tx) => notify(tx, notice, app.deps.clock.now()))
}

test('mails of a shop go through its own mail server, and those of another shop through the one of the installation', async () => {
  const port = portOf(ofShop.url)
  const tenantId = await otherTenant(app, 'other.example')
  const other = await person(app, { tenantId, admin: true })
  assert.deepEqual((await admin.get(URL_)).body, { own: null, platform: true })

  const set = await admin.put(URL_, { ...own, port })
  assert.equal(set.status, 200, set.text)
  const { status, username } = set.body.own
  assert.deepEqual([status, username], ['unknown', null])
  const tested = await admin.post(TEST)
  const { email } = admin
  assert.deepEqual(tested.body, { ok: true, server: 'own', recipient: email, message: null })
  assert.equal((await admin.get(URL_)).body.own.status, 'ok')
  assert.match(ofShop.received[0]?.text ?? '', /^Subject: Test mail$/im)

  await tell(admin, 'Survival')
  await tell(other, 'Creative')
  await until('both mails arrive', () => ofShop.received.length > 1 && ofPlatform.received[0])
  assert.deepEqual([ofShop.received[1]?.to, ofPlatform.received[0]?.to], [[email], [other.email]])
  assert.deepEqual((await other.get(URL_)).body, { own: null, platform: true })
  assert.equal((await other.delete(URL_)).status, 404)

  // The opening is of the first shop: it opens nothing for another one.
  const refused = await other.put(URL_, { ...own, port })
  assert.deepEqual([refused.status, refused.body.code], [422, 'address_not_allowed'])
  assert.equal((await admin.delete(URL_)).body.own, null)
  await tell(admin, 'Skyblock')
  await until('the mail arrives', () => ofPlatform.received.length > 1)
})

test('a mail server that fails is reported, and the one of the installation sends its mails until it works again', async (t) => {
  const port = away
  const clerk = await person(app, { permissions: ['services:read'] })
  await admin.put(URL_, { ...own, port })
  await tell(clerk, 'Survival')
  const failing = await until('the failure is seen', async () => {
    const { own: server } = (await admin.get(URL_)).body
    return server.status === 'unhealthy' && server
  })
  assert.match(failing.message, /ECONNREFUSED/)
  const kinds = async (who: Person) =>
    (await who.get('/v1/admin/attention')).body.items.map(({ kind }: { kind: string }) => kind)
  assert.deepEqual(await kinds(admin), ['mail_server'])
  assert.deepEqual(await kinds(clerk), [])
  const { data: notices } = (await admin.get('/v1/notifications')).body
  assert.match(notices[0].title, /^The mail server 127\.0\.0\.1 does not accept mails$/)

  // The pause before the next try is of the machine's clock: it is shortened here.
  await until('the mail arrives by the other server', async () => {
    await app.deps.database.execute(
      `update jobs.job set start_after = now() where name = 'notifications.send-mail' and state = 'retry'`,
    )
    return ofPlatform.received.find(({ to }) => to.includes(clerk.email))
  })
  const back = await mailServer(t, {}, { port })
  await tell(clerk, 'Creative')
  await until('it is spared for some minutes', () => {
    return ofPlatform.received.filter(({ to }) => to.includes(clerk.email)).length > 1
  })
  assert.equal(back.received.length, 0)
  app.deps.clock.advance(6 * 60_000)
  await tell(clerk, 'Skyblock')
  await until('it is tried again', () => back.received[0])
  await until('it works again', async () => (await admin.get(URL_)).body.own.status === 'ok')
  assert.deepEqual(await kinds(admin), [])
})

test('a password is encrypted on the way, never shown, and never sent to another server', async () => {
  const port = portOf(guarded.url)
  const place = { host: '127.0.0.1', port, security: 'starttls', username: signIn.username }
  const pathsOf = async (body: object) => {
    const answer = await admin.put(URL_, body)
    assert.equal(answer.status, 400, answer.text)
    return answer.body.details.map(({ path }: { path: string }) => path)
  }
  assert.deepEqual(await pathsOf(place), ['password'])
  assert.deepEqual(await pathsOf({ ...place, password: 'x', security: 'none' }), ['security'])
  assert.deepEqual(await pathsOf({ ...own, port, password: 'x' }), ['username'])
  const wrong = await admin.put(URL_, { ...place, password: 'a wrong password' })
  assert.equal(wrong.status, 200, wrong.text)
  const refused = await admin.post(TEST)
  assert.equal(refused.body.ok, false)
  assert.match(refused.body.message, /Invalid/)
  assert.equal((await admin.get(URL_)).body.own.status, 'unhealthy')

  const right = await admin.put(URL_, { ...place, password: signIn.password })
  assert.deepEqual([right.body.own.status, right.body.own.message], ['unknown', null])
  assert.doesNotMatch(right.text, /a secret of the shop/)
  assert.equal((await admin.put(URL_, place)).status, 200, 'the same server keeps its password')
  const sent = await admin.post(TEST)
  assert.deepEqual([sent.body.ok, sent.body.message], [true, null])
  assert.equal(guarded.received[0]?.secure, true)
  const { rows } = await app.deps.database.execute('select * from notifications.mail_servers')
  assert.doesNotMatch(JSON.stringify(rows), /a secret of the shop/)
  assert.deepEqual(await pathsOf({ ...place, port: 2525 }), ['password'])
  assert.deepEqual(await pathsOf({ ...place, username: 'eve' }), ['password'])
})

test('a mail server may not be at a private address, and its port is one of mail', async () => {
  for (const place of [
    { host: '127.0.0.1', port: 25 },
    { host: '10.0.0.5', port: 587 },
    { host: '169.254.169.254', port: 25 },
    { host: '::1', port: 25 },
    { host: '8.8.8.8', port: 22 },
    { host: '8.8.8.8', port: 6379 },
  ]) {
    const { status, body } = await admin.put(URL_, { ...place, security: 'none' })
    assert.deepEqual([status, body.code], [422, 'address_not_allowed'], JSON.stringify(place))
  }
  for (const host of ['', 'a b', 'smtp.example.org/path', 'user@smtp.example.org']) {
    assert.equal((await admin.put(URL_, { host, port: 25, security: 'none' })).status, 400, host)
  }
  const reader = await person(app, { permissions: ['system:read'] })
  assert.equal((await reader.get(URL_)).status, 200)
  assert.equal((await reader.put(URL_, { ...own, port: 25 })).status, 403)
  assert.equal((await reader.post(TEST)).status, 403)
  const clerk = await person(app, { permissions: ['services:read'] })
  assert.equal((await clerk.get(URL_)).status, 403)
})

/** A certificate for 127.0.0.1 with its key. */
function madeCertificate(): { key: string; cert: string } {
  const pem = execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', '-', '-out', '-', '-days', '2', '-subj', '/CN=127.0.0.1'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [key = ''] = /-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----/.exec(pem) ?? []
  const [cert = ''] = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/.exec(pem) ?? []
  return { key, cert }
}
