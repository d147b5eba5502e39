import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { person } from '#test/people.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin } = shop
const TICKETS = '/v1/admin/tickets'
const staff = (name: string) =>
  person(app, { name, permissions: ['tickets:read', 'tickets:write'] })
const grace = await staff('Grace Hopper')
const alan = await staff('Alan Turing')
const ada = await shop.customer()

async function opened(body: object = {}): Promise<Body> {
  const wanted = { userId: ada.userId, subject: 'Lag', body: 'It lags.', ...body }
  const answer = await admin.post(TICKETS, wanted)
  assert.equal(answer.status, 201, answer.text)
  await ada.post(`/v1/tickets/${answer.body.id}/messages`, { body: 'Still.' })
  return answer.body
}

const tag = (id: string, ...tags: string[]) => grace.patch(`${TICKETS}/${id}`, { tags })

const tagsFor = async (who = grace, query = ''): Promise<Body[]> =>
  (await who.get(`${TICKETS}/tags?${query}`)).body.data

test('staff set all tags of a ticket at once, and its history shows the change', async () => {
  const { id } = await opened()
  const { status, body, text } = await tag(id, ' Refund ', 'refund', 'Spam  wave')
  assert.equal(status, 200, text)
  assert.deepEqual(body.tags, ['refund', 'spam wave'])
  assert.deepEqual((await tag(id, 'spam wave', 'ddos')).body.tags, ['ddos', 'spam wave'])
  await tag(id, 'ddos', 'spam wave')
  const { changes } = (await grace.get(`${TICKETS}/${id}`)).body
  assert.deepEqual(
    changes.map(({ kind, actorName, before, after }: Body) => [kind, actorName, before, after]),
    [
      ['tags', 'Grace Hopper', null, 'refund, spam wave'],
      ['tags', 'Grace Hopper', 'refund, spam wave', 'ddos, spam wave'],
    ],
    'an equal list is no change',
  )
  assert.deepEqual((await tag(id)).body.tags, [])
})

test('a tag has 1 to 40 characters without commas and control characters, and a ticket at most ten', async () => {
  const { id } = await opened()
  const ten = [...'abcdefghij']
  assert.equal((await tag(id, ...ten, 'k')).status, 400)
  for (const wrong of ['', '  ', 'a,b', 'a\nb', 'x'.repeat(41), 'İ'.repeat(40)]) {
    assert.equal((await tag(id, wrong)).status, 400, JSON.stringify(wrong))
  }
  assert.equal((await tag(id, ...ten)).status, 200)
  assert.equal((await tag(id, '𝒳'.repeat(40))).status, 200)
})

test('the list of tickets is filtered by a tag, in pages', async () => {
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const { id } = await opened()
    await tag(id, 'wave', `wave ${count}`)
    ids.push(id)
  }
  await opened()
  const found: string[] = []
  let cursor = ''
  do {
    const { body } = await grace.get(`${TICKETS}?view=open&tag=WAVE&limit=2${cursor}`)
    found.push(...body.data.map(({ id }: Body) => id))
    for (const { tags } of body.data) assert.ok(tags.includes('wave'))
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  assert.deepEqual(found.sort(), ids.sort())
  assert.deepEqual((await grace.get(`${TICKETS}?view=closed&tag=wave`)).body.data, [])
})

test('tags are suggested by their beginning with the number of open tickets, in pages', async () => {
  const first = await opened()
  const second = await opened()
  await tag(first.id, 'net lag', 'net loss', 'other')
  await tag(second.id, 'net lag')
  await grace.post(`${TICKETS}/${second.id}/close`)
  assert.deepEqual(await tagsFor(grace, 'q=NET'), [
    { name: 'net lag', open: 1 },
    { name: 'net loss', open: 1 },
  ])
  const page = (await grace.get(`${TICKETS}/tags?q=net&limit=1`)).body
  assert.deepEqual(page.data, [{ name: 'net lag', open: 1 }])
  const next = await grace.get(`${TICKETS}/tags?q=net&limit=1&cursor=${page.nextCursor}`)
  assert.deepEqual([next.body.data[0].name, next.body.nextCursor], ['net loss', null])
  assert.equal((await grace.get(`${TICKETS}/tags?cursor=nonsense`)).status, 400)
})

test('support A12: staff outside the groups of a department see no tags of its tickets', async () => {
  const group = { name: newId(), memberIds: [alan.userId] }
  const groupIds = [(await admin.post('/v1/admin/rbac/groups', group)).body.id]
  const made = await admin.post('/v1/admin/departments', { names: { en: 'Abuse' }, groupIds })
  const { id } = await opened()
  await alan.patch(`${TICKETS}/${id}`, { departmentId: made.body.id, tags: ['police', 'public'] })
  const other = await opened()
  await tag(other.id, 'public')
  const counted = async (who: typeof grace) =>
    (await tagsFor(who, 'q=p&limit=100')).map(({ name, open }) => [name, open])
  assert.deepEqual(await counted(alan), [
    ['police', 1],
    ['public', 2],
  ])
  assert.deepEqual(await counted(grace), [['public', 1]])
  assert.ok(!(await grace.get(`${TICKETS}?view=all&tag=police`)).text.includes('police'))
  assert.equal((await tag(id, 'mine')).status, 404)
  const reader = await person(app, { permissions: ['tickets:read'] })
  assert.equal((await reader.patch(`${TICKETS}/${other.id}`, { tags: [] })).status, 403)
})

test('support A11: tags are in no answer, notice, mail, export or webhook', async () => {
  const { id } = await opened()
  await tag(id, 'quarrelsome')
  await grace.post(`${TICKETS}/${id}/messages`, { kind: 'public', body: 'Hello', force: true })
  await grace.post(`${TICKETS}/${id}/close`)
  await until('the customer is notified of the end', async () =>
    (await ada.get('/v1/notifications')).body.data.some((it: Body) => it.kind === 'ticket_closed'),
  )
  for (const path of [
    ...['tickets', `tickets/${id}`, `tickets/${id}/messages`, 'notifications'],
    ...['billing/export-data', 'users/me'],
  ]) {
    const { text } = await ada.get(`/v1/${path}`)
    assert.doesNotMatch(text, /quarrelsome|"tags"/, path)
  }
  assert.equal((await ada.get(`${TICKETS}/tags`)).status, 403)
  const { rows } = await app.deps.database.execute(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema in
       ('support', 'notifications', 'webhooks', 'jobs', 'bot', 'users', 'platform')`,
  )
  const holding: string[] = []
  for (const { name } of rows as { name: string }[]) {
    const { rows: hits } = await app.deps.database.execute(
      `select 1 from ${name} t where t::text ilike '%quarrelsome%' limit 1`,
    )
    if (hits.length > 0) holding.push(name)
  }
  assert.deepEqual(
    holding.sort(),
    ['support.changes', 'support.ticket_tags'],
    'mails, webhooks, stream events and jobs are written without tags',
  )
})
