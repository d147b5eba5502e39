import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, until } from '#test/app.ts'
import { mailServer } from '#test/mail-server.ts'
import { person } from '#test/people.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

const app = await testApp(null)
const owner = await person(app, { admin: true })
const clerk = await person(app, { permissions: ['users:read', 'users:write'] })
const MESSAGE = { subject: 'About your server', text: 'We moved it.\r\n\r\nIt starts faster now.' }

const to = ({ userId }: { userId: string }) => `/v1/admin/users/${userId}/mails`

async function listMails(recipient: string) {
  const { body } = await owner.get(`/v1/admin/mails?recipient=${recipient}&kind=staff_message`)
  return body.data as { id: string; subject: string; state: string; body: string }[]
}

test('staff write a mail to one person: it is sent once, and stays in the log of mails', async (t) => {
  const { received, url: smtpUrl } = await mailServer(t)
  const shop = await testApp(t, { config: { smtpUrl } })
  const boss = await person(shop, { admin: true })
  const grace = await person(shop, { name: 'Grace', email: 'grace@example.org' })
  const sent = await boss.post(to(grace), MESSAGE)
  assert.equal(sent.status, 201, sent.text)
  assert.deepEqual(
    [sent.body.recipient, sent.body.subject, sent.body.kind, sent.body.state],
    [grace.email, MESSAGE.subject, 'staff_message', 'queued'],
  )
  const kept = await until('it is marked as sent', async () => {
    const { body } = await boss.get('/v1/admin/mails?kind=staff_message&state=sent')
    return body.data[0]
  })
  assert.deepEqual(
    [kept.id, kept.body],
    [sent.body.id, 'Hello Grace,\n\nWe moved it.\n\nIt starts faster now.'],
  )
  const mails = received.filter((it) => it.to.includes(grace.email))
  assert.equal(mails.length, 1)
  assert.match(mails[0]?.text ?? '', /Subject: About your server/)
})

test('with the same key a mail is written once, without a key each time', async () => {
  const ada = await person(app, { email: 'keyed@example.org' })
  const headers = { 'idempotency-key': 'one mail' }
  const both = await Promise.all([1, 2].map(() => clerk.post(to(ada), MESSAGE, { headers })))
  const again = await clerk.post(to(ada), MESSAGE, { headers })
  assert.equal(again.status, 201)
  for (const { status, body } of both) assert.ok(status === 409 || body.id === again.body.id)
  assert.equal((await listMails(ada.email)).length, 1)
  await clerk.post(to(ada), MESSAGE)
  assert.equal((await listMails(ada.email)).length, 2)
})

test('the person sees the mail in their timeline, their data has it, and it ends with the account', async () => {
  const ada = await person(app, { email: 'kept@example.org' })
  await clerk.post(to(ada), MESSAGE)
  const { data } = (await ada.get('/v1/users/me/timeline')).body
  const entry = data.find((it: { kind: string }) => it.kind === 'notifications.mailed')
  assert.equal(entry?.detail, MESSAGE.subject)
  const exported = await ada.get('/v1/billing/export-data')
  assert.match(exported.text, /About your server/)
  await givePassword(app, ada.userId)
  const gone = await ada.delete('/v1/users/me', { password: PASSWORD })
  assert.ok(gone.status < 300, gone.text)
  assert.deepEqual(await listMails(ada.email), [])
  assert.equal((await clerk.post(to(ada), MESSAGE)).status, 404)
})

test('bad input, strangers and people of another shop get no mail', async () => {
  const ada = await person(app, { email: 'quiet@example.org' })
  const bad = [
    {},
    { subject: 'A' },
    { text: 'A' },
    { subject: 'A\nBcc: eve@example.org', text: 'A' },
    { subject: ' ', text: 'A' },
    { subject: 'A', text: ' \n ' },
    { subject: 'A', text: 'a\u0000b' },
    { subject: 'A'.repeat(151), text: 'A' },
    { subject: 'A', text: 'A'.repeat(5001) },
    { ...MESSAGE, to: 'eve@example.org' },
  ]
  for (const body of bad) {
    const { status, text } = await clerk.post(to(ada), body)
    assert.equal(status, 400, `${JSON.stringify(body).slice(0, 80)}: ${text}`)
  }
  const reader = await person(app, { permissions: ['users:read'] })
  assert.equal((await reader.post(to(ada), MESSAGE)).status, 403)
  assert.equal((await ada.post(to(ada), MESSAGE)).status, 403)
  const nobody = { userId: '00000000-0000-7000-8000-000000000000' }
  assert.equal((await clerk.post(to(nobody), MESSAGE)).status, 404)
  const shop = await owner.post('/v1/admin/tenants', { name: 'Other', domains: ['o.example'] })
  const other = await person(app, { tenantId: shop.body.id, admin: true })
  assert.equal((await other.post(to(ada), MESSAGE)).status, 404)
  assert.deepEqual(await listMails(ada.email), [])
})

test('the audit log names the person and who wrote the mail', async () => {
  const ada = await person(app)
  await clerk.post(to(ada), MESSAGE)
  const { body } = await owner.get(`/v1/admin/audit-logs?objectId=${ada.userId}`)
  const [entry] = body.data
  assert.deepEqual(
    [entry.actorId, entry.route, entry.changed],
    [clerk.userId, '/v1/admin/users/:id/mails', true],
  )
})
