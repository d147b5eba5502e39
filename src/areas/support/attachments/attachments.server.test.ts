import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'
import { uploaded } from '#test/uploads.ts'
import { writeMessage } from '../messages/actions.ts'

const app = await testApp(null)
const { database, clock } = app.deps

test('support A75: of two messages that use the same upload at once, the second is refused', async () => {
  const ada = await person(app)
  const wanted = { subject: 'Lag', body: 'Lag' }
  const { body: ticket } = await ada.post('/v1/tickets', wanted)
  const attachmentIds = [await uploaded(ada)]
  const caller = {
    ...({ kind: 'user', via: 'session', permissions: new Set<string>(), readOnly: false } as const),
    ...{ tenantId: app.tenantId, userId: ada.userId, email: ada.email },
    ...{ credentialId: ada.sessionId, impersonatorId: null },
  }
  const second = await transact(database.of(app.tenantId), async (tx) => {
    const first = { id: ticket.id, body: 'First', attachmentIds }
    await writeMessage(tx, caller, first, clock.now())
    const request = ada.post('/v1/tickets', { ...wanted, attachmentIds })
    await until('the second message waits', async () => {
      const { rows } = await database.execute(
        `select from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database()`,
      )
      return rows.length > 0
    })
    return { request }
  })
  const { status, body } = await second.request
  assert.deepEqual([status, body.code], [422, 'attachment_not_usable'])
})

test('support A75: an upload that many requests attach at once is on one message', async () => {
  const grace = await person(app, { permissions: ['tickets:read', 'tickets:write'] })
  const attachmentIds = [await uploaded(grace)]
  const tickets = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const { body } = await (await person(app)).post('/v1/tickets', { subject: 'A', body: 'B' })
      return body.id as string
    }),
  )
  const answers = await Promise.all(
    tickets.map((id) =>
      grace.post(`/v1/admin/tickets/${id}/messages`, {
        ...{ kind: 'public', body: 'Hello', force: true, attachmentIds },
      }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422])
})
