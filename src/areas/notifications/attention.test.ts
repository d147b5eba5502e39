import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { type Person, person } from '#test/people.ts'
import { notifyAdmins } from './actions.ts'

const app = await testApp(null)
const { tenantId } = app
const owner = await person(app, { admin: true })
const support = await person(app, { permissions: ['services:read'] })
const billing = await person(app, { permissions: ['invoices:*'] })
const customer = await person(app)

async function happens(times = 1): Promise<void> {
  const facts = { name: 'A server', goal: 'active' as const, code: 'no_capacity', detail: 'Full' }
  const attention = { tenantId, topic: 'service_stuck' as const, facts }
  for (let time = 0; time < times; time += 1) {
    await transact(app.deps.database.of(tenantId), (tx) =>
      notifyAdmins(tx, attention, app.deps.clock.now()),
    )
  }
}

const db = app.deps.database.of(tenantId)

async function toldOf({ userId }: Person): Promise<number> {
  const rows = await db
    .selectFrom('notifications.notifications')
    .select('id')
    .where('userId', '=', userId)
    .where('kind', '=', 'admin_attention')
    .execute()
  return rows.length
}

async function mailsTo({ email }: Person): Promise<string[]> {
  const rows = await db
    .selectFrom('notifications.mails')
    .select('subject')
    .where('recipient', '=', email)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ subject }) => subject)
}

test('that a server stands still reaches all staff who see services, also by mail, and nobody else', async () => {
  await happens()
  for (const who of [owner, support]) {
    assert.equal(await toldOf(who), 1)
    assert.equal((await mailsTo(who)).length, 1)
  }
  for (const who of [billing, customer]) {
    assert.equal(await toldOf(who), 0)
    assert.equal((await mailsTo(who)).length, 0)
  }
})

test('a thousand matters are a few mails an hour, and all of them stand in the panel', async () => {
  await app.advance(2 * 3600)
  await happens(30)
  const mails = (await mailsTo(support)).slice(0, -1)
  assert.equal(mails.length, 6)
  assert.match(mails[0] ?? '', /More matters/)
  assert.equal(await toldOf(support), 31)
  await app.advance(2 * 3600)
  await happens()
  assert.equal((await mailsTo(support)).length, 8, 'an hour later single mails come again')
})
