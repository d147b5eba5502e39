import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { type TestApp, testApp, until } from '#test/app.ts'
import type { Answer, Client } from '#test/client.ts'
import { formWith } from '#test/dumps.ts'
import { apiKey, type Person, person } from '#test/people.ts'
import { startStorage } from '#test/s3-server.ts'
import { fileOf, upload, uploaded } from '#test/uploads.ts'
import { hashPassword, setPassword } from '#users'
import { faults } from '../faults.ts'
import { deleteAttachment } from './queries.ts'
import { fileKeyOf } from './rules.ts'

type Body = Answer['body']

const app = await testApp(null)
const { tenantId, deps } = app
const db = deps.database.of(tenantId)
const DAY = 24 * 3600

/** With a key, for sessions do not outlive the days that the clock is moved by. */
async function withKey(someone: Person): Promise<Person> {
  return { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
}
const grace = await withKey(await person(app, { admin: true }))

async function opened(someone: Client, ...attachmentIds: string[]): Promise<Body> {
  const wanted = { subject: 'Lag', body: 'It lags.', attachmentIds }
  const answer = await someone.post('/v1/tickets', wanted)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const isStored = (id: string) => deps.files.exists(fileKeyOf({ tenantId, id }))
const rowOf = (id: string) =>
  db.selectFrom('support.attachments').selectAll().where('id', '=', id).executeTakeFirst()
const rowsBy = ({ userId }: Person) =>
  db.selectFrom('support.attachments').selectAll().where('uploadedBy', '=', userId).execute()

async function assertGone(id: string): Promise<void> {
  await app.eventually('the file and its row to go', async () => {
    return (await rowOf(id)) === undefined && !(await isStored(id))
  })
}

test('an upload that no message names is deleted after a day, and one of a message stays', async () => {
  const ada = await withKey(await person(app))
  const [unused, used] = [await uploaded(ada), await uploaded(ada)]
  await opened(ada, used)
  await app.advance(DAY + 1)
  assert.equal(await isStored(unused), true, 'a message that is sent this second may still use it')
  await app.advance(3600)
  await assertGone(unused)
  assert.equal(await isStored(used), true)
})

test('a connection that breaks in the middle leaves neither a file nor a row', async () => {
  const ada = await person(app)
  const { raw, headers } = formWith(Buffer.alloc(500_000), {}, 'half.log')
  const { hostname, port } = new URL(app.url)
  const request = http.request({
    ...{ hostname, port, method: 'POST', path: '/v1/tickets/attachments' },
    headers: { ...headers, authorization: `Bearer ${ada.token}`, 'content-length': raw.length },
  })
  request.on('error', () => {})
  request.write(raw.subarray(0, 200_000))
  const begun = await until('the row', async () => (await rowsBy(ada))[0])
  assert.equal(begun.storedAt, null)
  request.destroy()
  await until('the failure', async () => (await rowOf(begun.id))?.erasedAt)
  await assertGone(begun.id)
  const files = path.join(folderOf(app), tenantId, 'support', 'files')
  assert.ok(!fs.readdirSync(files).some((name) => name.startsWith(begun.id)))
})

test('an upload whose row was deleted while it arrived is refused and leaves no file', async () => {
  const ada = await person(app)
  const { raw, headers } = formWith(Buffer.alloc(500_000), {}, 'slow.log')
  const { hostname, port } = new URL(app.url)
  const path = '/v1/tickets/attachments'
  const always = { authorization: `Bearer ${ada.token}`, 'content-length': raw.length }
  const { promise: status, resolve } = Promise.withResolvers<number | undefined>()
  const request = http.request(
    { hostname, port, path, method: 'POST', headers: { ...headers, ...always } },
    (response) => resolve(response.resume().statusCode),
  )
  request.write(raw.subarray(0, 200_000))
  const begun = await until('the row', async () => (await rowsBy(ada))[0])
  await transact(db, (tx) => deleteAttachment(tx, { tenantId, id: begun.id }))
  request.end(raw.subarray(200_000))
  assert.equal(await status, 410)
  assert.equal(await isStored(begun.id), false)
})

function folderOf({ deps: { config } }: TestApp): string {
  assert.ok('folder' in config.files)
  return config.files.folder
}

test('while files cannot be stored, uploads are 503, and they work again afterwards', async (t) => {
  const other = await testApp(t)
  const ada = await person(other)
  const blocked = path.join(folderOf(other), other.tenantId, 'support')
  fs.mkdirSync(path.dirname(blocked), { recursive: true })
  fs.writeFileSync(blocked, 'in the way')
  const refused = await upload(ada, Buffer.alloc(3_000_000))
  assert.deepEqual([refused.status, refused.body.code], [503, 'service_unavailable'], refused.text)
  fs.rmSync(blocked)
  const id = await uploaded(ada)
  const ticket = await opened(ada, id)
  assert.equal(ticket.status, 'open')
})

test('files in an object storage arrive, are downloaded and deleted; one that is away is a 503', async (t) => {
  const storage = await startStorage()
  const other = await testApp(t, { config: { files: { bucket: storage.place } } })
  const ada = await person(other)
  const content = Buffer.alloc(9 * 2 ** 20, 'x')
  const id = await uploaded(ada, content)
  const ticket = await opened(ada, id)
  const { body } = await ada.get(`/v1/tickets/${ticket.id}/attachments/${id}/link`)
  assert.deepEqual((await fileOf(other, body.url)).bytes, content)
  storage.fault({ method: 'PUT', target: /files/, kind: 'busy', times: 20 })
  assert.equal((await upload(ada, 'x')).status, 503)
})

test('a stored file that is missing is a 503, and the doctor names its ticket', async () => {
  const ada = await person(app)
  const id = await uploaded(ada)
  const ticket = await opened(ada, id)
  async function told(): Promise<string> {
    const lines: string[] = []
    for await (const line of faults(db, tenantId, deps.files)) lines.push(line)
    return lines.join('\n')
  }
  assert.doesNotMatch(await told(), /missing/)
  const key = fileKeyOf({ tenantId, id })
  await deps.files.delete(key)
  assert.equal(await told(), `A file on ticket ${ticket.number} is missing: ${key}`)
  const { body } = await ada.get(`/v1/tickets/${ticket.id}/attachments/${id}/link`)
  assert.equal((await fileOf(app, body.url)).status, 503)
})

/** Deletes an account with its password. */
async function leave({ userId, email }: Person): Promise<void> {
  const password = 'correct horse battery'
  const passwordHash = await hashPassword(password)
  await transact(db, (tx) => setPassword(tx, { tenantId, userId, passwordHash }, deps.clock.now()))
  const { body } = await app.post('/v1/auth/login', { email, password })
  const { status, text } = await app.as(body.accessToken).delete('/v1/users/me', { password })
  assert.equal(status, 200, text)
}

test('support A88: the export names files, and those of a deleted account are gone, wherever they were', async () => {
  const ada = await person(app)
  const bob = await person(app)
  const [own, elsewhere, unused] = [
    await uploaded(ada, 'a', 'own.log'),
    await uploaded(ada, 'b', 'elsewhere.log'),
    await uploaded(ada, 'c', 'unused.log'),
  ]
  const fix = await uploaded(grace, 'd', 'fix.txt')
  const bobs = await uploaded(bob, 'e', 'bobs.log')
  const { id } = await opened(ada, own)
  const reply = { kind: 'public', body: 'Try this', force: true, attachmentIds: [fix] }
  assert.equal((await grace.post(`/v1/admin/tickets/${id}/messages`, reply)).status, 201)
  const { id: other } = await opened(bob, bobs)
  await grace.post(`/v1/admin/tickets/${other}/participants`, { address: ada.email })
  await app.advance(60)
  const said = { body: 'Mine too', attachmentIds: [elsewhere] }
  assert.equal((await ada.post(`/v1/tickets/${other}/messages`, said)).status, 201)
  const { data } = (await ada.get('/v1/billing/export-data')).body
  assert.deepEqual(
    data.support.tickets[0].messages.map(({ files }: Body) => files),
    [['own.log'], ['fix.txt']],
  )
  assert.deepEqual(data.support.messagesOnTicketsOfOthers[0].files, ['elsewhere.log'])
  const { body: link } = await grace.get(`/v1/admin/tickets/${id}/attachments/${own}/link`)
  await leave(ada)
  assert.equal((await fileOf(app, link.url)).status, 404)
  assert.equal((await grace.get(`/v1/admin/tickets/${id}/attachments/${own}/link`)).status, 404)
  for (const gone of [own, elsewhere, unused, fix]) {
    assert.ok([undefined, ''].includes((await rowOf(gone))?.name))
    await assertGone(gone)
  }
  const { body: left } = await bob.get(`/v1/tickets/${other}/messages`)
  assert.deepEqual(
    left.data.map(({ attachments }: Body) => attachments.length),
    [1, 0],
  )
  assert.equal(await isStored(bobs), true)
})

test('the files of a ticket that was closed long ago are deleted, and its messages stay', async () => {
  await grace.patch('/v1/admin/settings', { support: { keepAttachmentMonths: 1 } })
  const ada = await withKey(await person(app))
  const [old, live] = [await uploaded(ada), await uploaded(ada)]
  const closed = await opened(ada, old)
  const open = await opened(ada, live)
  await ada.post(`/v1/tickets/${closed.id}/close`)
  await app.advance(30 * DAY)
  assert.equal(await isStored(old), true)
  await app.advance(2 * DAY)
  await assertGone(old)
  assert.equal(await isStored(live), true)
  const { body } = await ada.get(`/v1/tickets/${closed.id}/messages`)
  assert.deepEqual([body.data[0].body, body.data[0].attachments], ['It lags.', []])
  assert.equal((await ada.get(`/v1/tickets/${open.id}`)).body.status, 'open')
  await grace.patch('/v1/admin/settings', { support: { keepAttachmentMonths: null } })
})
