import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { testApp, until } from '#test/app.ts'
import type { Answer, Client } from '#test/client.ts'
import { jpegOf, pngOf } from '#test/images.ts'
import { apiKey, otherTenant, type Person, person } from '#test/people.ts'
import { fileOf, upload, uploaded } from '#test/uploads.ts'

type Body = Answer['body']

const app = await testApp(null)
const admin = await person(app, { admin: true })
const owner = { ...admin, ...(await apiKey(app, admin, { permission: 'read-write' })) }
const PERMISSIONS = ['tickets:read', 'tickets:write']
/** With a key, for sessions do not outlive the days that the clock is moved by. */
async function customer(): Promise<Person> {
  const someone = await person(app)
  return { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
}
async function staff(): Promise<Person> {
  const someone = await person(app, { permissions: PERMISSIONS })
  return { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
}
const grace = await staff()
const DAY = 24 * 3600

async function opened(someone: Client, body: object = {}): Promise<Body> {
  const answer = await someone.post('/v1/tickets', { subject: 'Lag', body: 'It lags.', ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const write = (someone: Client, id: string, ...attachmentIds: string[]) =>
  someone.post(`/v1/tickets/${id}/messages`, { body: 'With files', attachmentIds })

const answer = (someone: Client, id: string, body: object) =>
  someone.post(`/v1/admin/tickets/${id}/messages`, {
    ...{ kind: 'public', body: 'Look at this', force: true, ...body },
  })

const linkTo = (someone: Client, ticketId: string, id: string, staffs = '') =>
  someone.get(`/v1${staffs}/tickets/${ticketId}/attachments/${id}/link`)

async function filesOf(someone: Client, id: string, staffs = ''): Promise<Body[]> {
  const { body } = await someone.get(`/v1${staffs}/tickets/${id}/messages`)
  return body.data.flatMap(({ attachments }: Body) => attachments)
}

/** A ticket of a customer with one file. */
async function withFile(someone: Client, content: Buffer | string = 'It lags.', name = 'log.txt') {
  const attachmentId = await uploaded(someone, content, name)
  const { id } = await opened(someone, { attachmentIds: [attachmentId] })
  return { id, attachmentId }
}

test('a customer attaches a picture and a log, and staff read and answer with a file', async () => {
  const ada = await customer()
  const png = pngOf()
  const picture = await uploaded(ada, png, 'Écran 1.png')
  const log = await uploaded(ada, 'It lags.', 'latest.log')
  const { id } = await opened(ada, { attachmentIds: [log, picture] })
  const octets = { mediaType: 'application/octet-stream', image: false, blocked: false }
  const shown = [
    {
      ...{ id: picture, name: 'Écran 1.png', sizeBytes: png.length },
      ...{ mediaType: 'image/png', image: true, blocked: false },
    },
    { id: log, name: 'latest.log', sizeBytes: 8, ...octets },
  ]
  assert.deepEqual(await filesOf(ada, id), shown)
  assert.deepEqual(await filesOf(grace, id, '/admin'), shown)
  const fix = await uploaded(grace, 'view-distance=6', 'server.properties')
  const answered = await answer(grace, id, { attachmentIds: [fix] })
  assert.equal(answered.status, 201, answered.text)
  assert.deepEqual(answered.body.attachments, [
    { id: fix, name: 'server.properties', sizeBytes: 15, ...octets },
  ])
  const link = await linkTo(ada, id, fix)
  assert.equal((await app.get(new URL(link.body.url).pathname)).text, 'view-distance=6')
  const staffs = await linkTo(grace, id, picture, '/admin')
  assert.deepEqual((await fileOf(app, staffs.body.url)).bytes, png)
})

test('a download carries the name as data, and a page of its own may do nothing', async () => {
  const ada = await customer()
  const { id, attachmentId } = await withFile(ada, '<script>alert(1)</script>', 'é ;x.html')
  const { body } = await linkTo(ada, id, attachmentId)
  const { pathname } = new URL(body.url)
  const head = await fetch(app.url + pathname, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '25'])
  for (const query of ['', '?inline=1']) {
    const { status, headers } = await fileOf(app, body.url, query)
    assert.equal(status, 200)
    assert.deepEqual(
      {
        type: headers.get('content-type'),
        disposition: headers.get('content-disposition'),
        policy: headers.get('content-security-policy'),
        sniff: headers.get('x-content-type-options'),
        resource: headers.get('cross-origin-resource-policy'),
        cache: headers.get('cache-control'),
        length: headers.get('content-length'),
      },
      {
        type: 'application/octet-stream',
        disposition: `attachment; filename="_ _x.html"; filename*=UTF-8''%C3%A9%20%3Bx.html`,
        policy: "default-src 'none'; sandbox",
        sniff: 'nosniff',
        resource: 'same-site',
        cache: 'private, no-store',
        length: '25',
      },
    )
  }
})

test('support A73: only images by their bytes are shown in a page; everything else is a download', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
  for (const [content, name, type] of [
    [jpegOf(), 'photo.html', 'image/jpeg'],
    [Buffer.concat([pngOf(), Buffer.from('<script>alert(1)</script>')]), 'a.png', 'image/png'],
    [svg, 'picture.png', null],
    ['%PDF-1.7', 'picture.gif', null],
    ['<?xml version="1.0"?><a/>', 'a.xml', null],
  ] as const) {
    const { id, attachmentId } = await withFile(await customer(), Buffer.from(content), name)
    const { body } = await linkTo(grace, id, attachmentId, '/admin')
    const shown = await fileOf(app, body.url, '?inline=1')
    const disposition = shown.headers.get('content-disposition')
    assert.equal(shown.headers.get('content-type'), type ?? 'application/octet-stream', name)
    assert.equal(disposition === null, type !== null, name)
    assert.match(shown.headers.get('content-security-policy') ?? '', /sandbox/)
    const saved = await fileOf(app, body.url)
    assert.equal(saved.headers.get('content-type'), 'application/octet-stream')
  }
  assert.equal((await app.get(`/v1/support/files/${newId()}?inline=2`)).status, 400)
})

test('the name of a file with a blocked ending is shown, and nobody can download it', async () => {
  const ada = await customer()
  const { id, attachmentId } = await withFile(ada, 'MZ', 'Setup.EXE')
  const { id: other, attachmentId: script } = await withFile(await customer(), 'rm', 'a.sh')
  assert.deepEqual(
    (await filesOf(grace, id, '/admin')).map(({ name, blocked }) => [name, blocked]),
    [['Setup.EXE', true]],
  )
  for (const refused of [
    await linkTo(ada, id, attachmentId),
    await linkTo(grace, id, attachmentId, '/admin'),
  ]) {
    assert.deepEqual([refused.status, refused.body.code], [409, 'attachment_blocked'])
  }
  const { body } = await linkTo(grace, other, script, '/admin')
  await owner.patch('/v1/admin/settings', { support: { blockedExtensions: ['sh'] } })
  assert.equal((await fileOf(app, body.url)).status, 404, 'also by an older link')
  assert.equal((await linkTo(ada, id, attachmentId)).status, 200)
  await owner.patch('/v1/admin/settings', { support: { blockedExtensions: null } })
})

test('support A75: an upload of another person, used before, or older than a day is refused', async () => {
  const ada = await customer()
  const bob = await customer()
  const mine = await uploaded(ada)
  const old = await uploaded(ada)
  const { id } = await opened(ada)
  const { id: bobs } = await opened(bob)
  const stolen = await write(bob, bobs, mine)
  assert.deepEqual([stolen.status, stolen.body.code], [422, 'attachment_not_usable'])
  assert.deepEqual(stolen.body.details, [
    { path: 'attachmentIds.0', message: 'is not an unused upload of yours' },
  ])
  assert.equal((await answer(grace, bobs, { attachmentIds: [mine] })).status, 422)
  assert.equal((await filesOf(bob, bobs)).length, 0)
  assert.equal((await write(ada, id, mine)).status, 201)
  const again = await write(ada, id, newId(), mine)
  assert.deepEqual(
    again.body.details.map(({ path }: Body) => path),
    ['attachmentIds.0', 'attachmentIds.1'],
  )
  assert.equal((await write(ada, id, old, old)).status, 400, 'twice in one message')
  await app.advance(DAY + 1)
  assert.equal((await write(ada, id, old)).status, 422)
  assert.equal((await filesOf(ada, id)).length, 1)
  const french = await ada.post(
    `/v1/tickets/${id}/messages`,
    { body: 'Encore', attachmentIds: [old] },
    { headers: { 'accept-language': 'fr' } },
  )
  assert.match(french.body.details[0].message, /^n’est pas/)
})

test('a message that is refused uses no upload', async () => {
  const ada = await customer()
  const mine = await uploaded(ada)
  const { id } = await opened(ada)
  assert.equal((await write(ada, id, mine, newId())).status, 422)
  assert.equal((await write(ada, id, mine)).status, 201)
})

test('a message has as many and as large files as the shop allows, and a file too', async () => {
  const ada = await customer()
  const limits = {
    ...{ maxAttachments: 2, maxAttachmentBytes: 2 * 2 ** 20 },
    maxMessageAttachmentBytes: 3 * 2 ** 20,
  }
  await owner.patch('/v1/admin/settings', { support: limits })
  const { body: offer } = await ada.get('/v1/support/departments')
  assert.deepEqual(offer.attachments, {
    ...{ count: 2, fileBytes: 2 * 2 ** 20, messageBytes: 3 * 2 ** 20 },
  })
  const small = [await uploaded(ada), await uploaded(ada), await uploaded(ada)]
  const { id } = await opened(ada)
  const many = await write(ada, id, ...small)
  assert.deepEqual(many.body.details, [
    { path: 'attachmentIds', message: 'may name at most 2 files' },
  ])
  const large = [
    await uploaded(ada, Buffer.alloc(2 * 2 ** 20)),
    await uploaded(ada, Buffer.alloc(2 ** 20 + 1)),
  ]
  const heavy = await write(ada, id, ...large)
  assert.deepEqual(heavy.body.details, [
    { path: 'attachmentIds', message: 'may be at most 3 MB in total' },
  ])
  const beyond = await upload(ada, Buffer.alloc(2 * 2 ** 20 + 1))
  assert.equal(beyond.status, 413, beyond.text)
  const none = { maxAttachments: null, maxAttachmentBytes: null, maxMessageAttachmentBytes: null }
  await owner.patch('/v1/admin/settings', { support: none })
})

test('a person uploads as much as is allowed in a day; one without a confirmed address less', async () => {
  const limits = { maxAttachmentBytes: 100_000, maxDailyAttachmentBytes: 350_000 }
  await owner.patch('/v1/admin/settings', { support: limits })
  const ada = await customer()
  const file = Buffer.alloc(90_000)
  const sent = await Promise.all([1, 2, 3, 4, 5].map(() => upload(ada, file)))
  assert.deepEqual(sent.map(({ status }) => status).sort(), [201, 201, 201, 429, 429])
  const refused = sent.find(({ status }) => status === 429)
  assert.equal(refused?.body.code, 'limit_reached')
  assert.ok(Number(refused?.headers['retry-after']) > DAY - 100)
  const eve = await person(app, { verified: false })
  assert.equal((await upload(eve, file)).status, 201)
  assert.equal((await upload(eve, file)).status, 201)
  assert.equal((await upload(eve, file)).status, 429)
  await app.advance(DAY)
  assert.equal((await upload(ada, file)).status, 201)
  const none = { maxAttachmentBytes: null, maxDailyAttachmentBytes: null }
  await owner.patch('/v1/admin/settings', { support: none })
})

test('a request that is no form, or a form without a file, stores nothing', async () => {
  const ada = await customer()
  assert.equal((await ada.post('/v1/tickets/attachments', {})).status, 415)
  const empty = { 'content-type': 'multipart/form-data; boundary=x' }
  const none = await ada.post('/v1/tickets/attachments', undefined, {
    ...{ raw: '--x--\r\n', headers: empty },
  })
  assert.equal(none.status, 400)
  assert.equal((await app.post('/v1/tickets/attachments', {})).status, 401)
})

test('support A14, A15: read keys and staff who view an account read files and upload none', async () => {
  const ada = await person(app)
  const { id, attachmentId } = await withFile(ada)
  const key = await apiKey(app, ada, { permission: 'read' })
  const reason = { reason: 'Asked for help' }
  const someone = await person(app, { admin: true })
  const begun = await someone.post(`/v1/admin/users/${ada.userId}/impersonate`, reason)
  for (const reader of [key, app.as(begun.body.accessToken)]) {
    assert.equal((await upload(reader, 'x')).status, 403)
    const { body } = await linkTo(reader, id, attachmentId)
    assert.equal((await fileOf(app, body.url)).status, 200)
  }
})

test('support A10, A12: files of others, of other departments and of other shops are 404', async () => {
  const ada = await customer()
  const bob = await customer()
  const { id, attachmentId } = await withFile(ada)
  const { id: bobs } = await opened(bob)
  const elsewhere = await otherTenant(app, 'attachments.test')
  const foreigner = await person(app, { tenantId: elsewhere })
  const foreignAgent = await person(app, { tenantId: elsewhere, admin: true })
  const { body: members } = await owner.post('/v1/admin/rbac/groups', {
    ...{ name: 'Billing', memberIds: [owner.userId] },
  })
  const { body: billing } = await owner.post('/v1/admin/departments', {
    ...{ names: { en: 'Billing' }, groupIds: [members.id] },
  })
  const { body: link } = await linkTo(grace, id, attachmentId, '/admin')
  for (const refused of [
    await linkTo(bob, id, attachmentId),
    await linkTo(bob, bobs, attachmentId),
    await linkTo(foreigner, id, attachmentId),
    await linkTo(foreignAgent, id, attachmentId, '/admin'),
    await linkTo(grace, bobs, attachmentId, '/admin'),
    await linkTo(ada, id, newId()),
  ]) {
    assert.equal(refused.status, 404, refused.text)
  }
  assert.equal((await linkTo(ada, id, attachmentId, '/admin')).status, 403)
  assert.equal((await fileOf(app, link.url)).status, 200)
  await owner.patch(`/v1/admin/tickets/${id}`, { departmentId: billing.id })
  assert.equal((await linkTo(grace, id, attachmentId, '/admin')).status, 404)
  assert.equal((await fileOf(app, link.url)).status, 404, 'also by an older link')
  const token = new URL(link.url).pathname
  assert.equal((await foreigner.get(token)).status, 404, 'a link of another shop')
  assert.equal((await app.get(token.slice(0, -2))).status, 404)
})

test('support A11: files of notes reach no customer', async () => {
  const ada = await customer()
  const { id } = await opened(ada)
  const secret = await uploaded(grace, 'Overclocked', 'overclocked.txt')
  assert.equal((await answer(grace, id, { kind: 'note', attachmentIds: [secret] })).status, 201)
  assert.deepEqual(await filesOf(ada, id), [])
  assert.equal((await linkTo(ada, id, secret)).status, 404)
  assert.equal((await linkTo(grace, id, secret, '/admin')).status, 200)
  assert.doesNotMatch((await ada.get('/v1/billing/export-data')).text, /overclocked/)
})

test('support A20: a participant reads files from when they were added until they are removed', async () => {
  const ada = await customer()
  const bob = await customer()
  const { id, attachmentId: early } = await withFile(ada)
  await app.advance(60)
  const url = `/v1/admin/tickets/${id}/participants`
  const { body } = await grace.post(url, { address: bob.email })
  const added = body.participants.find(({ role }: Body) => role === 'copied')
  await app.advance(60)
  const later = await uploaded(ada)
  assert.equal((await write(ada, id, later)).status, 201)
  assert.equal((await linkTo(bob, id, early)).status, 404)
  const { body: link } = await linkTo(bob, id, later)
  assert.equal((await fileOf(app, link.url)).status, 200)
  await grace.delete(`${url}/${added.id}`)
  assert.equal((await fileOf(app, link.url)).status, 404)
  assert.equal((await linkTo(bob, id, later)).status, 404)
})

test('support A74: a link works for five minutes, and only while its person may read', async () => {
  const ada = await customer()
  const agent = await staff()
  const { id, attachmentId } = await withFile(ada)
  const { body: own } = await linkTo(ada, id, attachmentId)
  const { body: theirs } = await linkTo(agent, id, attachmentId, '/admin')
  const suspended = await owner.post(`/v1/admin/users/${agent.userId}/suspend`)
  assert.equal(suspended.status, 200, suspended.text)
  assert.equal((await fileOf(app, theirs.url)).status, 404)
  await app.advance(4 * 60)
  assert.equal((await fileOf(app, own.url)).status, 200)
  await app.advance(60)
  const over = await fileOf(app, own.url)
  assert.deepEqual([over.status, JSON.parse(over.bytes.toString()).code], [410, 'gone'])
})

test('the message that continues a ticket which was closed long ago has its files', async () => {
  const ada = await customer()
  const { id } = await opened(ada)
  await grace.post(`/v1/admin/tickets/${id}/close`)
  await app.advance(15 * DAY)
  const { body } = await write(ada, id, await uploaded(ada))
  assert.notEqual(body.ticketId, id)
  assert.equal((await filesOf(ada, body.ticketId)).length, 1)
})

test('a mail about an answer says how many files it has, and names none of them', async () => {
  const ada = await customer()
  const { id } = await opened(ada)
  const ids = [await uploaded(grace, 'a', 'xylophone.txt'), await uploaded(grace, 'b', 'zebra.txt')]
  await answer(grace, id, { attachmentIds: ids })
  const mail = await until('a mail', async () => {
    const query = `recipient=${ada.email}&kind=ticket_answered`
    return (await owner.get(`/v1/admin/mails?${query}`)).body.data[0]
  })
  const { text } = await owner.get(`/v1/admin/mails/${mail.id}`)
  assert.match(text, /2 files are attached\./)
  assert.doesNotMatch(text, /xylophone|zebra/)
  assert.ok(text.includes(`/tickets/${id}`))
})
