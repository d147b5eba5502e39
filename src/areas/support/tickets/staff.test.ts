import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { later } from '#lib/time.ts'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, type Person, person } from '#test/people.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin } = shop
const PERMISSIONS = ['tickets:read', 'tickets:write']
/** With a key, for sessions do not outlive the hours that the clock is moved by. */
async function staff(name: string) {
  const someone = await person(app, { name, permissions: PERMISSIONS })
  return { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
}
const grace = await staff('Grace Hopper')
const alan = await staff('Alan Turing')
const TICKETS = '/v1/admin/tickets'

async function opened(body: object = {}, customer?: Person): Promise<Body> {
  const ada = customer ?? (await shop.customer())
  const answer = await ada.post('/v1/tickets', { subject: 'Lag', body: 'It lags.', ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function department(body: object): Promise<Body> {
  const answer = await admin.post('/v1/admin/departments', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function group(...members: Person[]): Promise<string> {
  const memberIds = members.map(({ userId }) => userId)
  const { body } = await admin.post('/v1/admin/rbac/groups', { name: newId(), memberIds })
  return body.id
}

const idsIn = async (query: string, who = grace): Promise<string[]> =>
  (await who.get(`${TICKETS}?limit=100&${query}`)).body.data.map(({ id }: Body) => id)

const messagesOf = async (id: string): Promise<Body[]> =>
  (await grace.get(`${TICKETS}/${id}/messages`)).body.data

const say = (id: string, body: object, who = grace) =>
  who.post(`${TICKETS}/${id}/messages`, { kind: 'public', body: 'Hello', ...body })

test('views show what waits, what is mine, and what is done, with their counts', async () => {
  const before = (await grace.get(`${TICKETS}/counts`)).body.views
  const first = await opened()
  await app.advance(60)
  const second = await opened()
  const third = await opened()
  await grace.post(`${TICKETS}/${second.id}/take`)
  await say(third.id, { force: true })
  const open = (await idsIn('view=open')).filter((id) => [first.id, second.id].includes(id))
  assert.deepEqual(open, [first.id, second.id], 'the longest wait is first')
  assert.ok((await idsIn('view=unassigned')).includes(first.id))
  assert.ok(!(await idsIn('view=unassigned')).includes(second.id))
  assert.deepEqual(await idsIn('view=mine'), [third.id, second.id])
  assert.ok((await idsIn('view=answered')).includes(third.id))
  await grace.post(`${TICKETS}/${third.id}/close`)
  assert.ok((await idsIn('view=closed')).includes(third.id))
  const { views } = (await grace.get(`${TICKETS}/counts`)).body
  assert.deepEqual(
    [views.open - before.open, views.unassigned - before.unassigned, views.mine - before.mine],
    [2, 1, 1],
  )
  assert.equal(views.closed - before.closed, 1)
  assert.deepEqual(await idsIn(`view=all&number=${first.number.slice(2).toLowerCase()}`), [
    first.id,
  ])
})

test('a list is read in pages, without doubles and gaps', async () => {
  const ada = await shop.customer()
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.push((await opened({}, ada)).id)
  const found: string[] = []
  let cursor = ''
  do {
    const page = `${TICKETS}?view=open&userId=${ada.userId}&limit=2${cursor}`
    const { body } = await grace.get(page)
    found.push(...body.data.map(({ id }: Body) => id))
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  assert.deepEqual(found, ids)
  assert.equal((await grace.get(`${TICKETS}?cursor=nonsense`)).status, 400)
})

test('support A12: staff outside the groups of a department see nothing of its tickets', async () => {
  const groupIds = [await group(alan)]
  const { id: departmentId } = await department({ names: { en: 'Abuse' }, groupIds })
  const { id } = await opened({ departmentId })
  assert.equal((await alan.get(`${TICKETS}/${id}`)).status, 200)
  const { data } = (await alan.get(`/v1/admin/departments/${departmentId}/staff`)).body
  assert.deepEqual(data, [{ id: alan.userId, name: alan.name }])
  assert.ok((await idsIn('view=open', alan)).includes(id))
  for (const answer of [
    await grace.get(`${TICKETS}/${id}`),
    await grace.get(`${TICKETS}/${id}/messages`),
    await say(id, { force: true }),
    await grace.patch(`${TICKETS}/${id}`, { subject: 'Mine' }),
    await grace.post(`${TICKETS}/${id}/take`),
    await grace.post(`${TICKETS}/${id}/close`),
    await grace.post(`${TICKETS}/${id}/hold`, {}),
    await grace.post(`${TICKETS}/${id}/participants`, { address: grace.email }),
    await grace.get(`/v1/admin/departments/${departmentId}/staff`),
  ]) {
    assert.equal(answer.status, 404)
  }
  assert.ok(!(await idsIn('view=all')).includes(id))
  const counts = async (who: Person) =>
    (await who.get(`${TICKETS}/counts`)).body.departments.some((it: Body) => it.id === departmentId)
  assert.deepEqual([await counts(grace), await counts(alan)], [false, true])
  const { id: own } = await opened()
  const moved = await grace.patch(`${TICKETS}/${own}`, { departmentId })
  assert.equal(moved.status, 404, 'nor move tickets there')
})

test('the staff of a department are read in pages, each once, whichever way they may work on tickets', async () => {
  const { id: departmentId } = await department({ names: { en: 'Sales' } })
  const list = `/v1/admin/departments/${departmentId}/staff`
  const { data } = (await grace.get(`${list}?limit=100`)).body
  const ids = data.map(({ id }: Body) => id)
  assert.ok(ids.includes(grace.userId) && ids.includes(alan.userId))
  assert.deepEqual([...new Set(ids)], ids)
  const found: string[] = []
  let cursor = ''
  do {
    const { body } = await grace.get(`${list}?limit=1${cursor}`)
    found.push(...body.data.map(({ id }: Body) => id))
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  assert.deepEqual(found, ids)
  assert.equal((await grace.get(`${list}?cursor=nonsense`)).status, 400)
})

test('support A13: who is taken out of a group does not see its tickets with the next request', async () => {
  const groupId = await group(alan)
  const { id: departmentId } = await department({ names: { en: 'VIP' }, groupIds: [groupId] })
  const { id } = await opened({ departmentId })
  assert.equal((await alan.get(`${TICKETS}/${id}`)).status, 200)
  await admin.put(`/v1/admin/rbac/groups/${groupId}/members`, { memberIds: [] })
  assert.equal((await alan.get(`${TICKETS}/${id}`)).status, 404)
})

test('support A21: an answer to a ticket with a newer message is refused unless it is forced', async () => {
  const ada = await shop.customer()
  const { id } = await opened({}, ada)
  const [first] = await messagesOf(id)
  await ada.post(`/v1/tickets/${id}/messages`, { body: 'It works again' })
  for (const seenThrough of [first?.id, null]) {
    const { status, body } = await say(id, { seenThrough })
    assert.deepEqual([status, body.code], [409, 'ticket_changed'])
  }
  assert.equal((await messagesOf(id)).length, 2, 'nothing was written')
  const seenThrough = (await messagesOf(id)).at(-1)?.id
  assert.equal((await say(id, { seenThrough })).status, 201)
  assert.equal((await say(id, { seenThrough, kind: 'note' })).status, 201, 'a note may be late')
  assert.equal((await say(id, { seenThrough, force: true })).status, 201)
})

test('staff move, prioritise and assign a ticket, and read later who did it', async () => {
  const { id: departmentId } = await department({ names: { en: 'Billing', fr: 'Facturation' } })
  const { id } = await opened()
  const change = { departmentId, priority: 'urgent', assigneeId: alan.userId, subject: 'Refund' }
  const { status, body, text } = await grace.patch(`${TICKETS}/${id}`, change)
  assert.equal(status, 200, text)
  assert.deepEqual(
    [body.department.name, body.priority, body.assignee.name, body.subject],
    ['Billing', 'urgent', 'Alan Turing', 'Refund'],
  )
  assert.deepEqual(
    body.changes.map(({ kind, actorName, after }: Body) => [kind, actorName, after]),
    [
      ['department', 'Grace Hopper', 'Billing'],
      ['priority', 'Grace Hopper', 'urgent'],
      ['assigned', 'Grace Hopper', 'Alan Turing'],
    ],
  )
  await until('Alan is notified', async () =>
    (await alan.get('/v1/notifications')).body.data.some(
      (it: Body) => it.kind === 'ticket_assigned' && it.link === `/admin/tickets/${id}`,
    ),
  )
  const customer = await person(app)
  const refused = await grace.patch(`${TICKETS}/${id}`, { assigneeId: customer.userId })
  assert.deepEqual([refused.status, refused.body.code], [422, 'assignee_without_access'])
  const groupIds = [await group(grace)]
  const { id: closed } = await department({ names: { en: 'Inner' }, groupIds })
  const moved = await grace.patch(`${TICKETS}/${id}`, { departmentId: closed })
  assert.equal(moved.body.assignee, null, 'Alan does not see that department')
})

test('a hold ends by itself, or with a message of the customer', async () => {
  const ada = await shop.customer()
  const { id } = await opened({}, ada)
  const held = await say(id, {
    ...{ force: true, next: 'hold' },
    holdUntil: later(app.deps.clock.now(), 3_600_000),
  })
  assert.equal(held.status, 201, held.text)
  assert.equal((await ada.get(`/v1/tickets/${id}`)).body.status, 'on_hold')
  assert.ok((await idsIn('view=on_hold')).includes(id))
  await app.advance(3601)
  const { body } = await grace.get(`${TICKETS}/${id}`)
  assert.deepEqual(
    [body.status, body.holdUntil, body.changes.at(-1).actorName],
    ['open', null, null],
  )
  const past = await grace.post(`${TICKETS}/${id}/hold`, { until: '2020-01-01T00:00:00Z' })
  assert.deepEqual([past.status, past.body.code], [422, 'hold_in_the_past'])
  await grace.post(`${TICKETS}/${id}/hold`, {})
  await ada.post(`/v1/tickets/${id}/messages`, { body: 'Hello?' })
  assert.equal((await grace.get(`${TICKETS}/${id}`)).body.status, 'open')
  await grace.post(`${TICKETS}/${id}/close`)
  const refused = await grace.post(`${TICKETS}/${id}/hold`, {})
  assert.deepEqual([refused.status, refused.body.code], [409, 'ticket_closed'])
  assert.equal((await grace.post(`${TICKETS}/${id}/reopen`)).body.status, 'open')
})

test('the next ticket is the most urgent one that nobody has', async () => {
  const taker = await staff('Joan Clarke')
  const { id: departmentId } = await department({
    ...{ names: { en: 'Queue' }, groupIds: [await group(taker)] },
  })
  const first = await opened({ departmentId })
  await app.advance(60)
  const high = await opened({ departmentId, priority: 'high' })
  for (const { body: all } of [await grace.get(`${TICKETS}?view=unassigned&limit=100`)]) {
    for (const { id } of all.data) await grace.post(`${TICKETS}/${id}/take`)
  }
  const next = async () => (await taker.post(`${TICKETS}/next`)).body.ticket?.id ?? null
  assert.deepEqual([await next(), await next(), await next()], [high.id, first.id, null])
})

test('staff open a ticket for a customer, who is notified and answers', async () => {
  const ada = await shop.customer()
  const wanted = { userId: ada.userId, subject: 'Your node', body: 'We move it on Friday.' }
  const { status, body, text } = await grace.post(TICKETS, wanted)
  assert.equal(status, 201, text)
  assert.deepEqual(
    [body.status, body.openedVia, body.assignee.name],
    ['answered', 'staff', 'Grace Hopper'],
  )
  await until('the customer is notified', async () =>
    (await ada.get('/v1/notifications')).body.data.some((it: Body) => it.kind === 'ticket_opened'),
  )
  await ada.post(`/v1/tickets/${body.id}/messages`, { body: 'Fine' })
  assert.equal((await grace.get(`${TICKETS}/${body.id}`)).body.status, 'open')
  assert.equal((await grace.post(TICKETS, { ...wanted, userId: newId() })).status, 404)
})

test('a ticket for a customer is about their own service and in a department that its author sees', async () => {
  const ada = await shop.customer()
  const { plan } = await shop.server({ name: 'Six gigabytes' })
  await shop.buy(ada, plan.id)
  const service = await shop.serviceBecame(ada, 'active')
  const other = await shop.customer()
  const groupIds = [await group(alan)]
  const { id: departmentId } = await department({ names: { en: 'Fraud' }, groupIds })
  const words = { subject: 'Your server', body: 'We move it.' }
  const own = { ...words, userId: ada.userId, serviceId: service.id }
  for (const refused of [
    { ...own, userId: other.userId },
    { ...own, departmentId },
  ]) {
    assert.equal((await grace.post(TICKETS, refused)).status, 404)
  }
  const reader = await person(app, { permissions: ['tickets:read'] })
  assert.equal((await reader.post(TICKETS, own)).status, 403)
  assert.deepEqual(await idsIn(`view=all&userId=${ada.userId}`), [])
  const { status, body, text } = await alan.post(TICKETS, { ...own, departmentId })
  assert.equal(status, 201, text)
  assert.deepEqual([body.service.id, body.department.name], [service.id, 'Fraud'])
})

test('departments are named in the language of the reader, and one always stays', async () => {
  const ada = await shop.customer()
  const { id } = await department({ names: { en: 'Sales', fr: 'Ventes' }, position: -5 })
  const offer = async (language: string): Promise<Body[]> =>
    (await ada.get('/v1/support/departments', { headers: { 'accept-language': language } })).body
      .departments
  assert.equal((await offer('fr'))[0]?.name, 'Ventes')
  assert.equal((await offer('de'))[0]?.name, 'Sales')
  const url = `/v1/admin/departments/${id}`
  assert.deepEqual((await admin.get(url)).body.names, { en: 'Sales', fr: 'Ventes' })
  await admin.patch(url, { visibility: 'staff' })
  assert.ok(!(await offer('en')).some((it) => it.id === id))
  assert.equal(
    (await ada.post('/v1/tickets', { subject: 'A', body: 'B', departmentId: id })).status,
    404,
  )
  assert.equal((await admin.delete(url)).status, 200)
  assert.equal((await admin.get(url)).status, 404)
  assert.equal((await admin.post(`${url}/restore`)).body.visibility, 'staff')
  const left = (await admin.get('/v1/admin/departments')).body.data.filter(
    (it: Body) => it.visibility === 'customers' && !it.archivedAt,
  )
  const answers = []
  for (const it of left) answers.push(await admin.delete(`/v1/admin/departments/${it.id}`))
  assert.deepEqual([answers.at(-1)?.status, answers.at(-1)?.body.code], [409, 'last_department'])
  const unknown = await admin.post('/v1/admin/departments', {
    names: { en: 'X' },
    groupIds: [newId()],
  })
  assert.equal(unknown.status, 400)
})
