import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, dayOf, HOUR_MS, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, type Person, person } from '#test/people.ts'
import { announceClosings, closeAnswered } from './auto-close.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin } = shop
const settings = { ...admin, ...(await apiKey(app, admin, { permission: 'read-write' })) }
const TICKETS = '/v1/admin/tickets'

/** With keys, for sessions do not outlive the days that the clock is moved by. */
async function withKey(someone: Person) {
  return { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
}
const grace = await withKey(
  await person(app, { permissions: ['tickets:read', 'tickets:write'], name: 'Grace Hopper' }),
)

const days = (count: number) => app.advance(count * 24 * 3600)
const change = (support: object) => settings.patch('/v1/admin/settings', { support })

/** A ticket of a new customer that was answered just now. */
async function answered(next = 'answered') {
  const ada = await withKey(await shop.customer())
  const opened = await ada.post('/v1/tickets', { subject: 'Lag', body: 'It lags.' })
  assert.equal(opened.status, 201, opened.text)
  const id: string = opened.body.id
  const said = await grace.post(`${TICKETS}/${id}/messages`, {
    ...{ kind: 'public', body: 'Try again.', force: true, next },
  })
  assert.equal(said.status, 201, said.text)
  const read = async (): Promise<Body> => (await ada.get(`/v1/tickets/${id}`)).body
  const notices = async (kind: string): Promise<Body[]> => {
    const { body, text } = await ada.get('/v1/notifications')
    assert.ok(body.data, text)
    return body.data.filter((it: Body) => it.kind === kind)
  }
  return { ada, id, read, notices }
}

test('support E15: a customer who does not answer is reminded once on day 5, and the ticket is closed on day 7', async () => {
  const { ada, id, read, notices } = await answered()
  const planned = later(app.deps.clock.now(), 7 * DAY_MS)
  await days(4)
  assert.deepEqual(await notices('ticket_closing'), [])
  await days(1)
  const [reminder, ...more] = await notices('ticket_closing')
  assert.equal(more.length, 0)
  const { number, status: before, closesAt: end } = await read()
  assert.ok(end >= planned && end < later(planned, HOUR_MS), end)
  assert.deepEqual(reminder.data, { number, closesOn: dayOf(end) })
  assert.deepEqual([before, reminder.link], ['answered', `/tickets/${id}`])
  assert.equal((await grace.get(`${TICKETS}/${id}`)).body.closesAt, end)
  await days(1)
  assert.equal((await read()).status, 'answered')
  await days(1)
  const { status, closesAt } = await read()
  assert.deepEqual([status, closesAt], ['closed', null])
  const { body } = await grace.get(`${TICKETS}/${id}`)
  assert.deepEqual([body.closedBy, body.changes.at(-1).kind], ['auto', 'closed'])
  assert.equal(body.changes.at(-1).actorName, null)
  assert.equal((await notices('ticket_closing')).length, 1)
  assert.equal((await notices('ticket_closed')).length, 1)
  await ada.post(`/v1/tickets/${id}/messages`, { body: 'It still lags.' })
  assert.equal((await read()).status, 'open', 'it is reopened as every closed ticket')
})

test('support E19: after 20 days without the service the reminder comes first, and the ticket is closed 2 days later', async () => {
  const { read, notices } = await answered()
  await days(20)
  assert.deepEqual(
    [(await read()).status, (await notices('ticket_closing')).length],
    ['answered', 1],
  )
  await days(1)
  assert.equal((await read()).status, 'answered')
  await days(1)
  assert.equal((await read()).status, 'closed')
})

test('a message after the reminder keeps the ticket, and the next answer starts the days again', async () => {
  const { ada, id, read, notices } = await answered()
  await days(5)
  await ada.post(`/v1/tickets/${id}/messages`, { body: 'Wait.' })
  assert.equal((await read()).closesAt, null)
  await days(20)
  assert.equal((await read()).status, 'open')
  await grace.post(`${TICKETS}/${id}/messages`, { kind: 'public', body: 'Done.', force: true })
  await days(4)
  assert.equal((await notices('ticket_closing')).length, 1)
  await days(1)
  assert.equal((await notices('ticket_closing')).length, 2)
})

test('a note does not keep a ticket from being closed', async () => {
  const { id, read } = await answered()
  await days(5)
  await grace.post(`${TICKETS}/${id}/messages`, { kind: 'note', body: 'Nothing heard.' })
  await days(2)
  assert.equal((await read()).status, 'closed')
})

test('tickets that are open or on hold are never closed by time', async () => {
  const open = await answered('open')
  const held = await answered('hold')
  await days(40)
  assert.equal((await open.read()).status, 'open')
  assert.equal((await held.read()).status, 'on_hold')
})

test('whoever has muted a ticket is not reminded', async () => {
  const { ada, id, read, notices } = await answered()
  assert.equal((await ada.post(`/v1/tickets/${id}/mute`)).status, 200)
  await days(5)
  assert.equal((await notices('ticket_closing')).length, 0)
  await days(2)
  assert.equal((await read()).status, 'closed')
})

test('a shop can switch reminders off, and closing altogether', async () => {
  const { read, notices } = await answered()
  await change({ autoCloseDays: 0 })
  await days(30)
  assert.equal((await read()).status, 'answered')
  await change({ autoCloseDays: 40, autoCloseNoticeDays: 0 })
  await days(9)
  assert.equal((await read()).status, 'answered')
  await days(1)
  assert.equal((await read()).status, 'closed')
  assert.equal((await notices('ticket_closing')).length, 0)
  const refused = await change({ autoCloseDays: -1 })
  assert.equal(refused.status, 400, refused.text)
  await change({ autoCloseDays: 7, autoCloseNoticeDays: 2 })
})

test('support A6: of two runs at once, one reminds and one closes', async () => {
  const { read, notices } = await answered()
  const { database, clock } = app.deps
  const { tenantId } = app
  const batch = { tenantId, limit: 100, autoCloseDays: 7, autoCloseNoticeDays: 2 }
  const twice = async (work: typeof closeAnswered, inDays: number) => {
    const now = later(clock.now(), inDays * DAY_MS)
    const run = () => transact(database.of(tenantId), (tx) => work(tx, batch, now))
    const counts = await Promise.all([run(), run()])
    return counts.reduce((sum, count) => sum + count, 0)
  }
  assert.equal(await twice(announceClosings, 5), 1)
  assert.equal((await notices('ticket_closing')).length, 1)
  assert.equal(await twice(closeAnswered, 7), 1)
  assert.equal((await read()).status, 'closed')
})
