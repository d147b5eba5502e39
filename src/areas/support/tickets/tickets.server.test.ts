import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import type { Answer, Client } from '#test/client.ts'
import { person } from '#test/people.ts'
import { answer } from '../messages/actions.ts'
import { staffOf } from './locking.ts'

type Body = Answer['body']

const app = await testApp(null)
const { database, clock } = app.deps
const PERMISSIONS = ['tickets:read', 'tickets:write']
const TICKETS = '/v1/admin/tickets'

const opened = async (customer: Client): Promise<Body> => {
  const { status, body, text } = await customer.post('/v1/tickets', { subject: 'Lag', body: 'Lag' })
  assert.equal(status, 201, text)
  return body
}

test('support A21: an answer waits for the one before it, and is refused', async () => {
  const [grace, alan] = [
    await person(app, { permissions: PERMISSIONS }),
    await person(app, { permissions: PERMISSIONS }),
  ]
  const { id } = await opened(await person(app))
  const [first] = (await grace.get(`${TICKETS}/${id}/messages`)).body.data
  const wanted = { kind: 'public', body: 'Hello', seenThrough: first.id } as const
  const second = await transact(database.of(app.tenantId), async (tx) => {
    await answer(tx, await staffOf(tx, grace), { ...wanted, id }, clock.now())
    const request = alan.post(`${TICKETS}/${id}/messages`, wanted)
    await until('the second answer waits', async () => {
      const { rows } = await database.execute(
        `select from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database()`,
      )
      return rows.length > 0
    })
    return { request }
  })
  const { status, body } = await second.request
  assert.deepEqual([status, body.code], [409, 'ticket_changed'])
})

test('support A22: 20 members of staff who ask for the next ticket at once get 20 tickets', async () => {
  const customers = await Promise.all(Array.from({ length: 20 }, () => person(app)))
  for (const customer of customers) await opened(customer)
  const staff = await Promise.all(customers.map(() => person(app, { permissions: PERMISSIONS })))
  const answers = await Promise.all(staff.map((it) => it.post(`${TICKETS}/next`)))
  const ids = answers.map(({ body }) => body.ticket?.id)
  assert.ok(ids.every(Boolean), JSON.stringify(ids))
  assert.equal(new Set(ids).size, 20)
})

test('support A30: of two tickets at once that are each the last one allowed, one is refused', async () => {
  const ada = await person(app)
  for (let count = 0; count < 4; count += 1) await opened(ada)
  const wanted = { subject: 'Lag', body: 'Lag' }
  const answers = await Promise.all([1, 2, 3].map(() => ada.post('/v1/tickets', wanted)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 429, 429])
})

test('the first tickets of a shop, opened at once, stand in one department', async (t) => {
  const fresh = await testApp(t)
  const customers = await Promise.all([1, 2, 3].map(() => person(fresh)))
  const tickets = await Promise.all(customers.map(opened))
  assert.equal(new Set(tickets.map(({ department }) => department.id)).size, 1)
})
