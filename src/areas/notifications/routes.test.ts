import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { notify, notifyAdmins } from '#notifications'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { type Person, person } from '#test/people.ts'

const app = await testApp(null)

async function tell({ tenantId, userId }: Person, times = 1): Promise<void> {
  const data = { number: 'INV-2026-000001', amountCents: cents(1200), currency: 'EUR' }
  await transact(app.deps.database.of(tenantId), async (tx) => {
    for (let index = 0; index < times; index += 1) {
      await notify(tx, { tenantId, userId, kind: 'invoice_paid', data }, app.deps.clock.now())
    }
  })
}

test('the list is the 50 most recent, newest first', async () => {
  const ada = await person(app)
  await tell(ada, 52)
  const { body } = await ada.get('/v1/notifications')
  assert.equal(body.data.length, 50)
  assert.equal(body.nextCursor, null)
  const ids = body.data.map((it: { id: string }) => it.id)
  assert.deepEqual(ids, [...ids].sort().reverse())
  assert.equal((await ada.get('/v1/notifications/unread-count')).body.count, 52)
})

test('a read notification counts no more, and its first reading stands', async () => {
  const ada = await person(app)
  await tell(ada, 2)
  const [{ id }] = (await ada.get('/v1/notifications')).body.data
  const first = await ada.post(`/v1/notifications/${id}/read`)
  assert.equal(first.status, 200)
  await app.advance(60)
  const second = await ada.post(`/v1/notifications/${id}/read`)
  assert.equal(second.body.readAt, first.body.readAt)
  assert.deepEqual((await ada.get('/v1/notifications/unread-count')).body, { count: 1 })
})

test('marking all as read says how many there were', async () => {
  const ada = await person(app)
  await tell(ada, 3)
  assert.deepEqual((await ada.post('/v1/notifications/read-all')).body, { updated: 3 })
  assert.deepEqual((await ada.post('/v1/notifications/read-all')).body, { updated: 0 })
})

test("somebody else's notification is not found, and stays unread", async () => {
  const [ada, eve] = [await person(app), await person(app)]
  await tell(ada)
  const [{ id }] = (await ada.get('/v1/notifications')).body.data
  assert.equal((await eve.post(`/v1/notifications/${id}/read`)).status, 404)
  assert.equal((await eve.post(`/v1/notifications/${newId()}/read`)).status, 404)
  assert.equal((await ada.get('/v1/notifications/unread-count')).body.count, 1)
})

test('administrators are told of their work in the language each of them has', async () => {
  const [ada, grace] = [await person(app, { admin: true }), await person(app, { admin: true })]
  assert.equal((await grace.patch('/v1/users/me', { locale: 'fr' })).status, 200)
  const failure = { code: 'server_gone', detail: 'The server is not on the panel.' }
  const facts = { name: 'Survival', goal: 'suspended' as const, ...failure }
  await transact(app.deps.database.of(app.tenantId), async (tx) => {
    const attention = { tenantId: app.tenantId, topic: 'service_stuck' as const, facts }
    await notifyAdmins(tx, attention, app.deps.clock.now())
  })
  const newest = async (me: Person) => (await me.get('/v1/notifications')).body.data[0]
  const [english, french] = [await newest(ada), await newest(grace)]
  assert.equal(english.title, 'The server of Survival could not be suspended')
  assert.equal(french.title, 'Le serveur de Survival n’a pas pu être suspendu')
  assert.equal(french.body, 'Le serveur n’est pas sur le panneau.')
  assert.deepEqual(french.data, { topic: 'service_stuck', facts })
})

test('without a mail server a mail is kept for administrators, in one line of subject', async () => {
  const admin = await person(app, { admin: true })
  const facts = { name: 'A name\r\nBcc: eve@example.org' }
  await transact(app.deps.database.of(app.tenantId), async (tx) => {
    const attention = { tenantId: app.tenantId, topic: 'reinstall_failed' as const, facts }
    await notifyAdmins(tx, attention, app.deps.clock.now())
  })
  await tell(admin)
  const { body } = await admin.get('/v1/admin/mails')
  const [mail] = body.data
  assert.equal(mail.recipient, admin.email)
  assert.equal(mail.sentAt, null)
  assert.equal(mail.subject, 'We received your payment of €12.00')
  assert.match(mail.body, /INV-2026-000001/)
  const told = (await admin.get('/v1/notifications')).body.data
  assert.ok(told.some((it: { kind: string }) => it.kind === 'admin_attention'))
  assert.equal((await (await person(app)).get('/v1/admin/mails')).status, 403)
})
