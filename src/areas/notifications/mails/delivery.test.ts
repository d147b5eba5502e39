import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notify } from '#notifications'
import { transact } from '#platform/database/index.ts'
import { type TestApp, testApp, until } from '#test/app.ts'
import { mailServer } from '#test/mail-server.ts'
import { type Person, person } from '#test/people.ts'

/** Tells somebody that their server is ready, which is worth a mail. */
function tell(app: TestApp, { tenantId, userId }: Person, name = 'Survival') {
  const notice = {
    tenantId,
    userId,
    kind: 'service_active' as const,
    data: { name, address: null },
  }
  return transact(app.deps.database.of(tenantId), (tx) => notify(tx, notice, app.deps.clock.now()))
}

const idIn = (text: string) => /^Message-ID: (.*)$/im.exec(text)?.[1]

async function mailTo(admin: Person, { email }: Person, state: string) {
  return until(`the mail is ${state}`, async () => {
    const query = `recipient=${encodeURIComponent(email)}&state=${state}`
    const { body, status, text } = await admin.get(`/v1/admin/mails?${query}`)
    assert.equal(status, 200, text)
    return body.data[0]
  })
}

test('mails reach a server that refuses, waits and breaks off: each once or more, none never (hardening 48)', async (t) => {
  const tries = new Map<string, number>()
  const { received, url } = await mailServer(t, {
    recipient(address) {
      if (address.startsWith('nobody')) return '550 5.1.1 No such user'
      if (address.startsWith('blocked')) return '550 5.7.1 Blocked by policy'
      return null
    },
    message({ to: [address = ''] }) {
      const count = (tries.get(address) ?? 0) + 1
      tries.set(address, count)
      if (address.startsWith('later') && count === 1) return '451 4.3.0 Try later'
      return address.startsWith('broken') && count === 1 ? 'cut' : null
    },
  })
  const app = await testApp(t, { config: { smtpUrl: url } })
  const admin = await person(app, { admin: true })
  const [nobody, blocked, later, broken] = await Promise.all(
    ['nobody', 'blocked', 'later', 'broken'].map((name) =>
      person(app, { email: `${name}@example.org` }),
    ),
  )
  assert.ok(nobody && blocked && later && broken)
  for (const it of [nobody, blocked, later, broken]) await tell(app, it)

  const refused = await mailTo(admin, nobody, 'undeliverable')
  assert.match(refused.failure, /5\.1\.1/)
  const told = await until('it is told in the product', async () => {
    const { data } = (await nobody.get('/v1/notifications')).body
    return data.find((it: { kind: string }) => it.kind === 'mail_undeliverable')
  })
  assert.equal(told.data.address, nobody.email)
  await tell(app, nobody, 'Creative')
  await mailTo(admin, nobody, 'undeliverable')

  const policy = await mailTo(admin, blocked, 'failed')
  assert.match(policy.failure, /5\.7\.1/)
  const { data: ofBlocked } = (await blocked.get('/v1/notifications')).body
  assert.equal(ofBlocked.length, 1, 'a refusal by policy says nothing of the address')

  const failed = await until('the first try has failed', async () => {
    const { data } = (await admin.get('/v1/admin/mails?recipient=later@example.org')).body
    return data[0]?.failure && data[0]
  })
  assert.equal(failed.state, 'queued', 'it is tried again')
  // The pause before the next try is of the machine's clock: it is shortened here.
  const hurry = () =>
    app.deps.database.execute(
      `update jobs.job set start_after = now() where name = 'notifications.send-mail' and state = 'retry'`,
    )
  await until('both have gone out', async () => {
    await hurry()
    const sent = received.filter(({ to: [address = ''] }) => /later|broken/.test(address))
    return sent.length === 3 && sent
  })
  const twice = received.filter(({ to: [address = ''] }) => address.startsWith('broken'))
  assert.equal(twice.length, 2, 'the answer was lost, so it went out again')
  assert.equal(idIn(twice[0]?.text ?? ''), idIn(twice[1]?.text ?? ''))
  assert.equal((await mailTo(admin, broken, 'sent')).failure, null)
  assert.equal(received.filter(({ to }) => to.includes(nobody.email)).length, 0)
})

test('an address that takes mail again is written to again, once it is confirmed or by an administrator', async (t) => {
  let dead = true
  const { received, url } = await mailServer(t, {
    recipient: () => (dead ? '550 5.1.1 No such user' : null),
  })
  const app = await testApp(t, { config: { smtpUrl: url } })
  const [admin, ada] = [await person(app, { admin: true }), await person(app, { verified: false })]
  await tell(app, ada)
  const mail = await mailTo(admin, ada, 'undeliverable')
  dead = false
  // Who wants to prove that the address is theirs is written to all the same.
  await app.post('/v1/auth/email/resend', { email: ada.email })
  const link = await until('the link arrives', () => received[0])
  const text = link.text.replace(/=\r\n/g, '').replaceAll('=3D', '=')
  const [, token] = /verify\/([\w-]+)/.exec(text) ?? []
  assert.equal((await app.post('/v1/auth/email/verify', { token })).status, 200)
  await until('the address counts again', async () => {
    await tell(app, ada, `Server ${received.length}`)
    return received.length > 1
  })
  const bulk = { action: 'resend', ids: [mail.id] }
  const tried = await admin.post('/v1/admin/mails/bulk', { ...bulk, dryRun: true })
  assert.deepEqual([tried.status, tried.body.done], [200, 1], tried.text)
  assert.equal((await admin.get(`/v1/admin/mails/${mail.id}`)).body.state, 'undeliverable')
  assert.equal((await admin.post('/v1/admin/mails/bulk', bulk)).body.done, 1)
  await until('it went out', async () => {
    return (await admin.get(`/v1/admin/mails/${mail.id}`)).body.state === 'sent'
  })
  assert.ok(
    received.some((it) => it.text.includes(`<${mail.id}.1@`)),
    'as another mail',
  )
})

test('mails that may be stopped say how, and one click without a session stops their kind only', async (t) => {
  const { received, url } = await mailServer(t)
  const app = await testApp(t, { config: { smtpUrl: url } })
  const ada = await person(app)
  await tell(app, ada)
  const first = await until('the mail', () => received[0])
  const [head = ''] = first.text.split('\r\n\r\n')
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ')
  const [, link = ''] = /^List-Unsubscribe: <(.*)>$/im.exec(unfolded) ?? []
  assert.match(unfolded, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/im)
  assert.ok(link.startsWith('http://shop.test/'), link)
  const path = link.replace('http://shop.test', '')
  const page = await app.get(path)
  assert.equal(page.status, 200)
  assert.match(page.text, /<form method="post">/)
  const on = async () => {
    const { data } = (await ada.get('/v1/notifications/preferences')).body
    return data.flatMap((it: { kind: string; email: { enabled: boolean } }) =>
      it.email.enabled ? it.kind : [],
    )
  }
  const before = await on()
  assert.ok(before.includes('service_active'), 'a link that is only opened changes nothing')
  const stopped = await app.request('POST', path, undefined, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    raw: 'List-Unsubscribe=One-Click',
  })
  assert.equal(stopped.status, 200, stopped.text)
  assert.deepEqual(
    await on(),
    before.filter((kind: string) => kind !== 'service_active'),
  )
  for (const token of ['', 'nonsense', `${path.split('=')[1]}x`.slice(1)]) {
    const answer = await app.post(`/v1/notifications/unsubscribe?token=${token}`)
    assert.ok([400, 404].includes(answer.status), answer.text)
  }
  await tell(app, ada)
  const { tenantId, userId } = ada
  const data = { name: 'Survival', unpaid: true }
  await transact(app.deps.database.of(tenantId), (tx) =>
    notify(tx, { tenantId, userId, kind: 'service_suspended', data }, app.deps.clock.now()),
  )
  const second = await until('the next mail', () => received[1])
  assert.match(second.text, /^Subject: .*suspended/im, 'of the kind that was stopped none goes out')
  assert.doesNotMatch(second.text, /unsubscribe/i, 'what has to be told cannot be stopped')
})

test('a server that offers encryption gets it', async (t) => {
  const { received, url } = await mailServer(t, {}, { startTls: true })
  const smtpUrl = `${url}?requireTLS=true&tls.rejectUnauthorized=false`
  const app = await testApp(t, { config: { smtpUrl } })
  await tell(app, await person(app))
  const mail = await until('the mail', () => received[0])
  assert.equal(mail.secure, true)
})

test('without a mail server mails are kept; their links only while they open something', async (t) => {
  const app = await testApp(t)
  const admin = await person(app, { admin: true })
  const ada = await person(app, { email: 'ada@example.org', verified: false })
  await app.post('/v1/auth/email/resend', { email: ada.email })
  const mail = await mailTo(admin, ada, 'kept')
  assert.match(mail.body, /\/verify\/[\w-]{20}/)
  const whole = (await admin.get(`/v1/admin/mails/${mail.id}`)).body
  assert.match(whole.text, /\/verify\/[\w-]{20}/)
  assert.match(whole.html, /^<!doctype html>\n<html lang="en">/)
  assert.equal((await admin.get('/v1/admin/mails?state=queued')).body.data.length, 0)
  assert.equal((await admin.get('/v1/admin/mails?kind=invoice_sent')).body.data.length, 0)
  const again = await admin.post(`/v1/admin/mails/${mail.id}/resend`)
  assert.equal(again.body.code, 'no_mail_server')
  assert.equal((await admin.post('/v1/admin/mails/test')).body.code, 'no_mail_server')
  app.deps.clock.advance(3 * 24 * 3600 * 1000)
  // A session of before has ended by now.
  const clerk = await person(app, { admin: true })
  assert.equal((await clerk.get(`/v1/admin/mails/${mail.id}`)).body.body, '')
  const list = await clerk.get('/v1/admin/mails')
  assert.equal(list.status, 200)
  assert.doesNotMatch(list.text, /\/verify\/[\w-]{20}/)
  await app.eventually('it is gone from the table too', async () => {
    const { rows } = await app.deps.database.execute(
      `select from notifications.mails where body like '%/verify/%'`,
    )
    return rows.length === 0
  })
  app.deps.clock.advance(366 * 24 * 3600 * 1000)
  await app.eventually('it is deleted', async () => {
    const { rows } = await app.deps.database.execute('select from notifications.mails')
    return rows.length === 0
  })
})
