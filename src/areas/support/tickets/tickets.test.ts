import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, otherTenant, type Person, person } from '#test/people.ts'
import { hashPassword, setPassword } from '#users'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin } = shop
const { plan } = await shop.server()
const grace = await person(app, {
  name: 'Grace Hopper',
  permissions: ['tickets:read', 'tickets:write'],
})
// A key, for sessions do not outlive the days that the clock is moved by.
const agent = { ...grace, ...(await apiKey(app, grace, { permission: 'read-write' })) }
const elsewhere = await otherTenant(app, 'tickets.test')
const foreigner = await person(app, { tenantId: elsewhere })
const foreignAgent = await person(app, { tenantId: elsewhere, admin: true })
const DAY = 24 * 3600

async function opened(customer: Person, body: object = {}): Promise<Body> {
  const wanted = { subject: 'Lag', body: 'My server lags.', ...body }
  const answer = await customer.post('/v1/tickets', wanted)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function answered(id: string, body: object = {}): Promise<Body> {
  const wanted = { kind: 'public', body: 'We look into it.', force: true, ...body }
  const answer = await agent.post(`/v1/admin/tickets/${id}/messages`, wanted)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const statusOf = async (customer: Person, id: string) =>
  (await customer.get(`/v1/tickets/${id}`)).body.status
const messagesOf = async (customer: Person, id: string): Promise<Body[]> =>
  (await customer.get(`/v1/tickets/${id}/messages`)).body.data
const noticesOf = async (someone: Person, link: string): Promise<string[]> =>
  (await someone.get('/v1/notifications')).body.data
    .filter((it: Body) => it.link === link)
    .map(({ kind }: Body) => kind)

async function noticed(someone: Person, link: string, kind: string): Promise<void> {
  await until(`a notice ${kind}`, async () => (await noticesOf(someone, link)).includes(kind))
}

test('a customer asks about a service, staff answer, and both are notified', async () => {
  const ada = await shop.customer()
  await shop.buy(ada, plan.id)
  const service = await shop.serviceBecame(ada, 'active')
  const ticket = await opened(ada, { serviceId: service.id, priority: 'high' })
  assert.match(ticket.number, /^T-[0-9A-Z]{8}$/)
  assert.deepEqual(
    [ticket.status, ticket.department.name, ticket.service.id, ticket.isRequester],
    ['open', 'Support', service.id, true],
  )
  await noticed(agent, `/admin/tickets/${ticket.id}`, 'ticket_new')
  const { body: staffs } = await agent.get(`/v1/admin/tickets/${ticket.id}`)
  assert.deepEqual(
    [staffs.customer.email, staffs.priority, staffs.openedVia, staffs.service.name],
    [ada.email, 'high', 'api', service.name],
  )
  await answered(ticket.id)
  await noticed(ada, `/tickets/${ticket.id}`, 'ticket_answered')
  assert.equal(await statusOf(ada, ticket.id), 'answered')
  const [mine, theirs] = await messagesOf(ada, ticket.id)
  assert.deepEqual([mine?.isMine, mine?.author, mine?.body], [true, 'customer', 'My server lags.'])
  assert.deepEqual(
    [theirs?.isMine, theirs?.author, theirs?.authorName, theirs?.body],
    [false, 'staff', 'Grace', 'We look into it.'],
  )
  const { body: after } = await agent.get(`/v1/admin/tickets/${ticket.id}`)
  assert.deepEqual([after.assignee.name, after.status], ['Grace Hopper', 'answered'])
  const written = await ada.post(`/v1/tickets/${ticket.id}/messages`, { body: 'Still lags.' })
  assert.equal(written.status, 201, written.text)
  await noticed(agent, `/admin/tickets/${ticket.id}`, 'ticket_customer_replied')
  const list = (await ada.get(`/v1/tickets?status=open&serviceId=${service.id}`)).body.data
  assert.deepEqual(
    list.map(({ id }: Body) => id),
    [ticket.id],
  )
  assert.equal((await ada.get('/v1/tickets?status=closed')).body.data.length, 0)
})

test('notices and mails name a ticket by its number, and contain no word that was written on it', async () => {
  const ada = await shop.customer()
  const { id, number } = await opened(ada, { subject: 'Xylophone', body: 'Yggdrasil' })
  await answered(id, { body: 'Zeppelin' })
  await noticed(ada, `/tickets/${id}`, 'ticket_answered')
  const [notice] = (await ada.get('/v1/notifications')).body.data
  assert.ok(notice.title.includes(number), notice.title)
  const mail = await until('a mail', async () => {
    const query = `recipient=${ada.email}&kind=ticket_answered`
    return (await admin.get(`/v1/admin/mails?${query}`)).body.data[0]
  })
  const { body: whole } = await admin.get(`/v1/admin/mails/${mail.id}`)
  const told = JSON.stringify([whole, (await ada.get('/v1/notifications')).body])
  for (const word of ['Xylophone', 'Yggdrasil', 'Zeppelin']) assert.ok(!told.includes(word), word)
})

test('support A11: notes, priority, assignee and addresses of staff are in no answer to a customer', async () => {
  const ada = await shop.customer()
  const { id } = await opened(ada)
  await answered(id, { kind: 'note', body: 'Seems to be overclocked' })
  await answered(id)
  for (const path of ['', `/${id}`, `/${id}/messages`]) {
    const { text } = await ada.get(`/v1/tickets${path}`)
    assert.doesNotMatch(text, /overclocked|priority|assignee|Hopper/)
    for (const word of [agent.email, agent.userId]) assert.ok(!text.includes(word), word)
  }
  assert.doesNotMatch((await ada.get('/v1/billing/export-data')).text, /overclocked/)
  assert.equal(await statusOf(ada, id), 'answered')
})

test('support A10: tickets of others, and of other shops, are 404', async () => {
  const ada = await shop.customer()
  const bob = await shop.customer()
  const { id } = await opened(ada)
  for (const stranger of [bob, foreigner]) {
    for (const answer of [
      await stranger.get(`/v1/tickets/${id}`),
      await stranger.get(`/v1/tickets/${id}/messages`),
      await stranger.post(`/v1/tickets/${id}/messages`, { body: 'Hello' }),
      await stranger.post(`/v1/tickets/${id}/close`),
      await stranger.post(`/v1/tickets/${id}/mute`),
    ]) {
      assert.equal(answer.status, 404)
    }
    assert.equal((await stranger.get('/v1/tickets')).body.data.length, 0)
  }
  for (const answer of [
    await foreignAgent.get(`/v1/admin/tickets/${id}`),
    await foreignAgent.post(`/v1/admin/tickets/${id}/messages`, { kind: 'note', body: 'Hello' }),
    await foreignAgent.patch(`/v1/admin/tickets/${id}`, { subject: 'Mine' }),
    await foreignAgent.post(`/v1/admin/tickets/${id}/take`),
  ]) {
    assert.equal(answer.status, 404)
  }
  assert.equal((await ada.get(`/v1/admin/tickets/${id}`)).status, 403)
})

test('support A17: unknown fields are 400, and services and invoices of others 404', async () => {
  const ada = await shop.customer()
  await shop.buy(ada, plan.id)
  const service = await shop.serviceBecame(ada, 'active')
  const bob = await shop.customer()
  const ticket = { subject: 'Lag', body: 'It lags.' }
  for (const field of ['authorId', 'kind', 'closedAt', 'tenantId', 'userId']) {
    const { status } = await bob.post('/v1/tickets', { ...ticket, [field]: bob.userId })
    assert.equal(status, 400, field)
  }
  const [invoice] = (await ada.get('/v1/billing/invoices')).body.data
  for (const about of [
    { serviceId: service.id },
    { invoiceId: invoice.id },
    { departmentId: newId() },
  ]) {
    assert.equal((await bob.post('/v1/tickets', { ...ticket, ...about })).status, 404)
  }
  const { id } = await opened(bob)
  const moved = await agent.patch(`/v1/admin/tickets/${id}`, { serviceId: service.id })
  assert.equal(moved.status, 404)
  assert.equal((await bob.post('/v1/tickets', { ...ticket, priority: 'urgent' })).status, 400)
  assert.equal((await bob.post('/v1/tickets', { ...ticket, subject: ' ' })).status, 400)
})

test('support A14, A15: read keys and staff who view an account read tickets and write nothing', async () => {
  const ada = await shop.customer()
  const { id } = await opened(ada)
  const key = await apiKey(app, ada, { permission: 'read' })
  const reason = { reason: 'Asked for help' }
  const begun = await admin.post(`/v1/admin/users/${ada.userId}/impersonate`, reason)
  for (const reader of [key, app.as(begun.body.accessToken)]) {
    assert.equal((await reader.get(`/v1/tickets/${id}/messages`)).body.data.length, 1)
    const { status } = await reader.post(`/v1/tickets/${id}/messages`, { body: 'Not me' })
    assert.equal(status, 403)
    assert.equal((await reader.post('/v1/tickets', { subject: 'No', body: 'No' })).status, 403)
  }
})

test('a customer closes and reopens a ticket; a message reopens it, too', async () => {
  const ada = await shop.customer()
  const { id } = await opened(ada)
  const closed = await ada.post(`/v1/tickets/${id}/close`)
  assert.equal(closed.body.status, 'closed')
  assert.ok(closed.body.reopensUntil > closed.body.closedAt)
  assert.equal((await ada.post(`/v1/tickets/${id}/close`)).status, 200, 'again')
  assert.equal((await ada.post(`/v1/tickets/${id}/reopen`)).body.status, 'open')
  await answered(id, { next: 'close' })
  assert.equal(await statusOf(ada, id), 'closed')
  await ada.post(`/v1/tickets/${id}/messages`, { body: 'One more thing' })
  assert.equal(await statusOf(ada, id), 'open')
  const { changes } = (await agent.get(`/v1/admin/tickets/${id}`)).body
  assert.deepEqual(
    changes.map(({ kind }: Body) => kind),
    ['closed', 'reopened', 'closed', 'assigned', 'reopened'],
  )
})

test('support E16: a message on a ticket that was closed long ago opens one that continues it', async () => {
  const ada = await shop.customer()
  const { id, department } = await opened(ada)
  await agent.post(`/v1/admin/tickets/${id}/close`)
  await noticed(ada, `/tickets/${id}`, 'ticket_closed')
  await app.advance(15 * DAY)
  const refused = await ada.post(`/v1/tickets/${id}/reopen`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'reopen_expired'])
  const { body } = await ada.post(`/v1/tickets/${id}/messages`, { body: 'It is back' })
  assert.notEqual(body.ticketId, id)
  assert.equal(await statusOf(ada, id), 'closed')
  const next = (await ada.get(`/v1/tickets/${body.ticketId}`)).body
  assert.deepEqual(
    [next.followsId, next.subject, next.department.id, next.status],
    [id, 'Lag', department.id, 'open'],
  )
  assert.equal((await ada.get(`/v1/tickets/${id}`)).body.followedById, body.ticketId)
})

test('support A20: someone whom staff add reads and writes from then on, until they are removed', async () => {
  const ada = await shop.customer()
  const bob = await shop.customer()
  const { id } = await opened(ada, { body: 'Before' })
  await app.advance(60)
  const url = `/v1/admin/tickets/${id}/participants`
  const { body: shared } = await agent.post(url, { address: bob.email.toUpperCase() })
  assert.equal((await agent.post(url, { address: 'nobody@example.org' })).status, 404)
  assert.equal((await agent.post(url, { address: bob.email })).body.participants.length, 2, 'once')
  await app.advance(60)
  await answered(id, { body: 'After' })
  await noticed(bob, `/tickets/${id}`, 'ticket_answered')
  assert.deepEqual(
    (await messagesOf(bob, id)).map(({ body }) => body),
    ['After'],
  )
  assert.equal((await bob.post(`/v1/tickets/${id}/messages`, { body: 'Me too' })).status, 201)
  assert.equal((await bob.post(`/v1/tickets/${id}/close`)).status, 403)
  const seen = (await bob.get(`/v1/tickets/${id}`)).body
  assert.equal(seen.isRequester, false)
  assert.ok(!JSON.stringify(seen).includes(ada.email))
  const added = shared.participants.find(({ role }: Body) => role === 'copied')
  const requester = shared.participants.find(({ role }: Body) => role === 'requester')
  assert.equal((await agent.delete(`${url}/${requester.id}`)).status, 404)
  assert.equal((await agent.delete(`${url}/${added.id}`)).status, 200)
  assert.equal((await bob.get(`/v1/tickets/${id}`)).status, 404)
})

test('a muted ticket brings no more notices', async () => {
  const ada = await shop.customer()
  const { id } = await opened(ada)
  assert.equal((await ada.post(`/v1/tickets/${id}/mute`)).body.muted, true)
  await answered(id)
  const { id: other } = await opened(ada)
  await answered(other)
  await noticed(ada, `/tickets/${other}`, 'ticket_answered')
  assert.deepEqual(await noticesOf(ada, `/tickets/${id}`), [])
  assert.equal((await ada.post(`/v1/tickets/${id}/unmute`)).body.muted, false)
})

test('support A30: tickets and messages beyond the limits are 429 with Retry-After', async () => {
  const ada = await shop.customer()
  for (let count = 0; count < 5; count += 1) await opened(ada)
  const sixth = await ada.post('/v1/tickets', { subject: 'Lag', body: 'Again' })
  assert.deepEqual([sixth.status, sixth.body.code], [429, 'limit_reached'])
  const wait = Number(sixth.headers['retry-after'])
  assert.ok(wait > 3000 && wait <= 3600, `${wait}`)
  await app.advance(3601)
  const { id } = await opened(ada)
  for (let count = 1; count < 30; count += 1) {
    const { status } = await ada.post(`/v1/tickets/${id}/messages`, { body: `${count}` })
    assert.equal(status, 201, `${count}`)
  }
  const beyond = await ada.post(`/v1/tickets/${id}/messages`, { body: 'One more' })
  assert.deepEqual([beyond.status, beyond.body.code], [429, 'limit_reached'])
})

test('an account without a confirmed address has two open tickets at once', async () => {
  const eve = await person(app, { verified: false })
  const { id } = await opened(eve)
  await opened(eve)
  assert.equal((await eve.post('/v1/tickets', { subject: 'A', body: 'B' })).status, 429)
  await eve.post(`/v1/tickets/${id}/close`)
  await opened(eve)
})

test('a shop that takes no tickets refuses new ones, and continues those that are open', async () => {
  const ada = await shop.customer()
  const { id } = await opened(ada)
  await admin.patch('/v1/admin/settings', { support: { enabled: false } })
  assert.equal((await ada.get('/v1/support/departments')).body.enabled, false)
  const refused = await ada.post('/v1/tickets', { subject: 'A', body: 'B' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'support_disabled'])
  assert.equal((await ada.post(`/v1/tickets/${id}/messages`, { body: 'Hello' })).status, 201)
  await admin.patch('/v1/admin/settings', { support: { enabled: null } })
})

/** Deletes an account with its password. */
async function leave({ userId, email }: Person): Promise<void> {
  const { tenantId, deps } = app
  const password = 'correct horse battery'
  const passwordHash = await hashPassword(password)
  await transact(deps.database.of(tenantId), (tx) =>
    setPassword(tx, { tenantId, userId, passwordHash }, deps.clock.now()),
  )
  const { body } = await app.post('/v1/auth/login', { email, password })
  const { status, text } = await app.as(body.accessToken).delete('/v1/users/me', { password })
  assert.equal(status, 200, text)
}

test('support A88: the export holds messages, and a deleted account leaves no text', async () => {
  const ada = await shop.customer()
  const bob = await shop.customer()
  const { id } = await opened(ada, { subject: 'Quillfeather', body: 'I am Quillfeather' })
  const { id: bobs } = await opened(bob)
  await agent.post(`/v1/admin/tickets/${bobs}/participants`, { address: ada.email })
  await app.advance(60)
  await ada.post(`/v1/tickets/${bobs}/messages`, { body: 'Regards, Quillfeather' })
  const { data } = (await ada.get('/v1/billing/export-data')).body
  const [exported] = data.support.tickets
  assert.deepEqual(
    [exported.subject, exported.messages[0].body, data.support.messagesOnTicketsOfOthers.length],
    ['Quillfeather', 'I am Quillfeather', 1],
  )
  await agent.patch(`/v1/admin/tickets/${id}`, { tags: ['quillfeather'] })
  await leave(ada)
  const { body: left } = await agent.get(`/v1/admin/tickets/${id}`)
  assert.deepEqual([left.status, left.closedBy, left.subject], ['closed', 'erasure', ''])
  assert.deepEqual([left.tags, left.changes], [[], []], 'staff may have named the person in a tag')
  assert.equal((await agent.get(`/v1/admin/tickets/${id}/messages`)).body.data.length, 0)
  const messages: Body[] = (await bob.get(`/v1/tickets/${bobs}/messages`)).body.data
  assert.deepEqual(
    messages.map(({ body }) => body),
    ['My server lags.', ''],
  )
})
