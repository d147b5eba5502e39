import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { later } from '#lib/time.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { type Person, person } from '#test/people.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin } = shop
const TICKETS = '/v1/admin/tickets'
const REPLIES = '/v1/admin/saved-replies'
const staff = (name: string, ...more: string[]) =>
  person(app, { name, permissions: ['tickets:read', 'tickets:write', ...more] })
const grace = await staff('Grace Hopper')
const alan = await staff('Alan Turing', 'support:read', 'support:write')
const ada = await shop.customer()

async function opened(customer?: Person): Promise<Body> {
  const asking = customer ?? (await shop.customer())
  const answer = await asking.post('/v1/tickets', { subject: 'Lag', body: 'It lags.' })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function saved(body: object = {}, who = grace): Promise<Body> {
  const wanted = { name: newId(), texts: { en: 'Hello' }, ...body }
  const answer = await who.post(REPLIES, wanted)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function closedDepartment(...members: Person[]): Promise<string> {
  const memberIds = members.map(({ userId }) => userId)
  const group = await admin.post('/v1/admin/rbac/groups', { name: newId(), memberIds })
  const wanted = { names: { en: 'Abuse' }, groupIds: [group.body.id], visibility: 'staff' }
  return (await admin.post('/v1/admin/departments', wanted)).body.id
}

const answered = (id: string, body: object, who = grace) =>
  who.post(`${TICKETS}/${id}/messages`, { kind: 'public', body: 'Edited', force: true, ...body })

const usable = async (id: string, query = '', who = grace): Promise<Body[]> =>
  (await who.get(`${TICKETS}/${id}/saved-replies?limit=100${query}`)).body.data

const stateOf = async (id: string): Promise<Body> => (await admin.get(`${TICKETS}/${id}`)).body

test('a reply is used by its owner only, and a shared one by all staff', async () => {
  const own = await saved({ name: 'Mine' })
  assert.equal(
    (await grace.post(REPLIES, { name: 'A', texts: { en: 'A' }, shared: true })).status,
    403,
  )
  const shared = await saved({ name: 'Ours', shared: true }, alan)
  const idsFor = async (who: Person): Promise<string[]> =>
    (await who.get(`${REPLIES}?limit=100`)).body.data.map(({ id }: Body) => id)
  assert.deepEqual(await idsFor(grace), [own.id, shared.id], 'by name')
  assert.deepEqual(await idsFor(alan), [shared.id])
  for (const answer of [
    await alan.get(`${REPLIES}/${own.id}`),
    await alan.patch(`${REPLIES}/${own.id}`, { name: 'Taken over' }),
    await alan.delete(`${REPLIES}/${own.id}`),
    await answered((await opened()).id, { savedReplyId: own.id }, alan),
  ]) {
    assert.equal(answer.status, 404)
  }
  assert.equal((await grace.patch(`${REPLIES}/${shared.id}`, { name: 'X' })).status, 403)
  assert.equal((await grace.delete(`${REPLIES}/${shared.id}`)).status, 403)
  assert.equal((await grace.get(`${REPLIES}/${shared.id}`)).status, 200)
  const reader = await person(app, { permissions: ['tickets:read'] })
  assert.equal((await reader.get(REPLIES)).status, 403)
})

test('a name is taken only among the living replies of the same owner', async () => {
  const { id } = await saved({ name: 'Refund' })
  const again = { name: 'refund', texts: { en: 'A' } }
  assert.equal((await grace.post(REPLIES, again)).body.code, 'name_taken')
  await saved({ name: 'Refund', shared: true }, alan)
  assert.equal((await grace.delete(`${REPLIES}/${id}`)).status, 200)
  assert.equal((await grace.get(`${REPLIES}/${id}`)).status, 404)
  const { id: second } = await saved({ name: 'Refund' })
  assert.equal((await grace.post(`${REPLIES}/${id}/restore`)).body.code, 'name_taken')
  await grace.patch(`${REPLIES}/${second}`, { name: 'Money back' })
  const restored = await grace.post(`${REPLIES}/${id}/restore`)
  assert.deepEqual([restored.status, restored.body.archivedAt], [200, null])
  const archived = (await grace.get(`${REPLIES}?archived=true`)).body.data
  assert.deepEqual(archived, [])
})

test('replies are read in pages by name, and found by a part of it', async () => {
  const who = await staff('Edsger Dijkstra')
  for (const name of ['b', 'A', 'c 50%', 'B']) {
    if (name !== 'B') await saved({ name: `${name} page` }, who)
  }
  const found: string[] = []
  let cursor = ''
  do {
    const { body } = await who.get(`${REPLIES}?q=PAGE&limit=2${cursor}`)
    found.push(...body.data.map(({ name }: Body) => name))
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  assert.deepEqual(found, ['A page', 'b page', 'c 50% page'])
  assert.equal((await who.get(`${REPLIES}?q=${encodeURIComponent('50%')}`)).body.data.length, 1)
  assert.equal((await who.get(`${REPLIES}?cursor=nonsense`)).status, 400)
})

test('support A28: unknown placeholders, departments and people are refused when a reply is saved', async () => {
  const wanted = { name: newId(), texts: { en: 'Hello' } }
  for (const [status, body] of [
    [422, { texts: { en: '{{customer.email}}' } }],
    [400, { texts: {} }],
    [400, { texts: { xx: 'A' } }],
    [400, { departmentIds: [newId()] }],
    [400, { actions: { departmentId: newId() } }],
    [422, { actions: { assigneeId: ada.userId } }],
    [400, { actions: { assigneeId: grace.userId, assignToMe: true } }],
    [400, { actions: { holdHours: 2 } }],
    [400, { actions: { next: 'open' } }],
    [400, { actions: { tags: ['a,b'] } }],
    [400, { ownerId: alan.userId }],
  ] as const) {
    const answer = await grace.post(REPLIES, { ...wanted, ...body })
    assert.equal(answer.status, status, JSON.stringify(body))
  }
  const { id } = await saved()
  const refused = await grace.patch(`${REPLIES}/${id}`, { texts: { en: '{{nothing}}' } })
  assert.equal(refused.body.code, 'unknown_placeholder')
  const message = '{{nothing}} is not a placeholder.'
  assert.deepEqual(refused.body.details, [{ path: 'texts.en', message }])
})

test('the text for a ticket has its values, in the language of the customer', async () => {
  const bob = await shop.customer()
  // Imported names may look like this; the form of an account refuses them.
  await app.deps.database.execute(
    `update users.users set name = '{{staff.firstName}} Bobson' where id = $1`,
    [bob.userId],
  )
  const { id, number } = await opened(bob)
  const name = newId()
  const texts = {
    en: 'Dear {{customer.name}}, {{ticket.number}} on {{service.name}}. {{staff.firstName}}',
    fr: 'Bonjour {{customer.firstName}}',
  }
  await saved({ name, texts })
  const [english] = await usable(id, `&q=${name}`)
  assert.deepEqual(
    [english?.text, english?.missing],
    [`Dear {{staff.firstName}} Bobson, ${number} on . Grace`, ['service.name']],
  )
  await bob.patch('/v1/users/me', { locale: 'fr' })
  assert.equal((await usable(id, `&q=${name}`))[0]?.text, 'Bonjour {{staff.firstName}}')
  await bob.patch('/v1/users/me', { locale: 'pl' })
  assert.match((await usable(id, `&q=${name}`))[0]?.text, /^Dear/)
})

test('support T11: where names of staff are hidden, a reply is signed with the department', async () => {
  const { id } = await opened()
  const name = newId()
  await saved({ name, texts: { en: '{{staff.firstName}}' } })
  await admin.patch('/v1/admin/settings', { support: { showStaffNames: 'team' } })
  const [hidden] = await usable(id, `&q=${name}`)
  await admin.patch('/v1/admin/settings', { support: { showStaffNames: null } })
  assert.equal(hidden?.text, 'Support')
})

test('support A26: an answer does what its saved reply says, in one transaction', async () => {
  const departmentId = await closedDepartment(grace, alan)
  const { id } = await opened()
  await grace.patch(`${TICKETS}/${id}`, { tags: ['old'] })
  const { id: savedReplyId, revision } = await saved({
    actions: {
      ...{ next: 'hold', holdHours: 24, priority: 'urgent', assigneeId: alan.userId },
      ...{ departmentId, tags: ['Refund', 'old'] },
    },
  })
  const body = { savedReplyId, savedReplyRevision: revision }
  const before = app.deps.clock.now()
  const sent = await answered(id, body)
  assert.equal(sent.status, 201, sent.text)
  assert.equal(sent.body.body, 'Edited')
  const after = await stateOfAs(grace, id)
  assert.deepEqual(
    [after.status, after.priority, after.assignee.id, after.department.id, after.tags],
    ['on_hold', 'urgent', alan.userId, departmentId, ['old', 'refund']],
  )
  assert.ok(after.holdUntil >= later(before, 24 * 3_600_000), after.holdUntil)
  assert.ok(after.holdUntil <= later(app.deps.clock.now(), 24 * 3_600_000), after.holdUntil)
})

const stateOfAs = async (who: Person, id: string): Promise<Body> =>
  (await who.get(`${TICKETS}/${id}`)).body

test('the author of an answer removes actions and chooses another status', async () => {
  const { id } = await opened()
  const { id: savedReplyId } = await saved(
    {
      shared: true,
      actions: { next: 'close', priority: 'high', assignToMe: true, tags: ['bye'] },
    },
    alan,
  )
  await grace.post(`${TICKETS}/${id}/take`)
  const withoutActions = ['next', 'priority', 'tags', 'assignee']
  const bare = await answered(id, { savedReplyId, withoutActions }, alan)
  assert.equal(bare.status, 201, bare.text)
  const kept = await stateOf(id)
  assert.deepEqual(
    [kept.status, kept.priority, kept.assignee.id, kept.tags],
    ['answered', 'normal', grace.userId, []],
  )
  await answered(id, { savedReplyId, next: 'open' }, grace)
  const open = await stateOf(id)
  assert.deepEqual([open.status, open.priority, open.tags], ['open', 'high', ['bye']])
})

test('a reply that moves a ticket hands it over: its author does not get it', async () => {
  const { id } = await opened()
  const departmentId = await closedDepartment(grace)
  const { id: savedReplyId } = await saved({ actions: { departmentId } })
  await answered(id, { savedReplyId })
  const { assignee, department } = await stateOfAs(grace, id)
  assert.deepEqual([assignee, department.id], [null, departmentId])
})

test('nothing is sent where an action is refused, or the reply is archived or has changed', async () => {
  const { id } = await opened()
  const hidden = await closedDepartment(alan)
  const shared = { shared: true, texts: { en: 'Moved' } }
  const moving = await saved({ ...shared, actions: { departmentId: hidden } }, alan)
  const limited = await saved({ ...shared, departmentIds: [hidden] }, alan)
  const other = await closedDepartment(alan, grace)
  const elsewhere = await saved({ ...shared, departmentIds: [other] }, alan)
  const eve = await staff('Eve Adams')
  const assigning = await saved({ ...shared, actions: { assigneeId: eve.userId } }, alan)
  await admin.post(`/v1/admin/users/${eve.userId}/suspend`)
  const changed = await saved({})
  await grace.patch(`${REPLIES}/${changed.id}`, { actions: { next: 'close' } })
  const archived = await saved({})
  await grace.delete(`${REPLIES}/${archived.id}`)
  const tagging = await saved({ actions: { tags: ['eleventh'] } })
  await grace.patch(`${TICKETS}/${id}`, { tags: [...'abcdefghij'] })
  const ids = (await usable(id)).map((it) => it.id)
  for (const it of [moving, limited, elsewhere, archived]) assert.ok(!ids.includes(it.id))
  const before = await stateOf(id)
  for (const [code, reply] of [
    ['saved_reply_not_usable', moving],
    ['not_found', limited],
    ['saved_reply_not_usable', elsewhere],
    ['assignee_without_access', assigning],
    ['saved_reply_changed', changed],
    ['saved_reply_archived', archived],
    ['too_many_tags', tagging],
  ] as const) {
    const body = { savedReplyId: reply.id, savedReplyRevision: 1 }
    const answer = await answered(id, archived === reply ? { savedReplyId: reply.id } : body)
    assert.equal(answer.body.code, code, answer.text)
  }
  assert.equal((await answered(id, { kind: 'note', savedReplyId: tagging.id })).status, 400)
  assert.deepEqual(await stateOf(id), before)
  const messages = (await grace.get(`${TICKETS}/${id}/messages`)).body.data
  assert.equal(messages.length, 1, 'only that of the customer')
})

test('support A21: a saved reply is not sent over a newer message, and a repeated request sends it once', async () => {
  const { id } = await opened()
  const { id: savedReplyId } = await saved({ actions: { next: 'close', tags: ['done'] } })
  const late = await answered(id, { savedReplyId, force: false, seenThrough: null })
  assert.equal(late.body.code, 'ticket_changed')
  const now = await stateOf(id)
  assert.deepEqual([now.status, now.tags], ['open', []])
  const headers = { 'idempotency-key': newId() }
  const body = { kind: 'public', body: 'Bye', force: true, savedReplyId }
  const first = await grace.post(`${TICKETS}/${id}/messages`, body, { headers })
  const second = await grace.post(`${TICKETS}/${id}/messages`, body, { headers })
  assert.deepEqual([first.status, second.body.id], [201, first.body.id])
  const messages = (await grace.get(`${TICKETS}/${id}/messages`)).body.data
  assert.equal(messages.length, 2)
})
