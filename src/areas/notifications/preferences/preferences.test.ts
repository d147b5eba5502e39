import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kind, notifyAll } from '#notifications'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { type Person, person } from '#test/people.ts'
import { KINDS, POLICIES, STAFF_KINDS } from './policy.ts'

const app = await testApp(null)
const url = '/v1/notifications/preferences'
const { database, clock } = app.deps

const READY = { name: 'Survival', address: null }

/** Tells people that a server is ready, all at once; answers the ids. */
function tell(people: readonly Person[], mailed = true) {
  const notices = people.map(({ userId }) => {
    return { userId, kind: 'service_active' as const, data: READY, mailed }
  })
  return transact(database.of(app.tenantId), (tx) =>
    notifyAll(tx, app.tenantId, notices, clock.now()),
  )
}

async function reached({ userId, email, ...ada }: Person) {
  const db = database.of(app.tenantId)
  const [listed, discord, mails] = [
    (await ada.get('/v1/notifications')).body.data,
    await db
      .selectFrom('notifications.notifications')
      .select('id')
      .where('userId', '=', userId)
      .where('discord', '=', true)
      .execute(),
    await db
      .selectFrom('notifications.mails')
      .select('id')
      .where('recipient', '=', email)
      .execute(),
  ]
  return { inApp: listed.length, discord: discord.length, email: mails.length }
}

const kept = async ({ userId }: Person) => {
  const rows = await database
    .of(app.tenantId)
    .selectFrom('notifications.preferences')
    .select(['kind', 'channel', 'enabled'])
    .where('userId', '=', userId)
    .execute()
  return rows
}

test('each of many people is told where they want to be, and only there', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => person(app)))
  const [plain, noMail, noList, onlyDiscord, nothing] = people as [
    ...[Person, Person, Person, Person, Person],
  ]
  const set = async (who: Person, change: object) => {
    const answer = await who.patch(url, { data: [{ kind: 'service_active', ...change }] })
    assert.equal(answer.status, 200, answer.text)
  }
  await set(noMail, { email: false })
  await set(noList, { inApp: false })
  await set(onlyDiscord, { inApp: false, email: false })
  await set(nothing, { inApp: false, email: false, discord: false })
  const ids = await tell(people)
  assert.equal(ids.at(-1), null)
  assert.deepEqual(await reached(plain), { inApp: 1, discord: 1, email: 1 })
  assert.deepEqual(await reached(noMail), { inApp: 1, discord: 1, email: 0 })
  assert.deepEqual(await reached(noList), { inApp: 0, discord: 1, email: 1 })
  assert.deepEqual(await reached(onlyDiscord), { inApp: 0, discord: 1, email: 0 })
  assert.deepEqual(await reached(nothing), { inApp: 0, discord: 0, email: 0 })
  assert.equal((await noList.get('/v1/notifications/unread-count')).body.count, 0)
  assert.equal((await noList.post(`/v1/notifications/${ids[2]}/read`)).status, 404)
  await tell([plain], false)
  assert.equal((await reached(plain)).email, 1, 'unless whoever tells wants no mail')
})

test('only what differs from the default is kept', async () => {
  const ada = await person(app)
  await ada.patch(url, { data: [{ kind: 'credit_added', email: false, inApp: true }] })
  assert.deepEqual(await kept(ada), [{ kind: 'credit_added', channel: 'email', enabled: false }])
  const { body } = await ada.patch(url, { data: [{ kind: 'credit_added', email: true }] })
  assert.deepEqual(await kept(ada), [])
  const shown = body.data.find((it: { kind: string }) => it.kind === 'credit_added')
  assert.deepEqual(shown.email, { enabled: true, locked: false })
  assert.equal(body.data.length, KINDS.length - STAFF_KINDS.size)
})

test('what has to be told cannot be switched off, and money cannot be told on Discord', async () => {
  const ada = await person(app)
  for (const kind of ['invoice_sent', 'payment_reminder', 'service_ended', 'password_changed']) {
    const { status, body } = await ada.patch(url, { data: [{ kind, email: false }] })
    assert.equal(status, 422, kind)
    assert.equal(body.code, 'preference_locked')
    assert.equal((await ada.patch(url, { data: [{ kind, email: true }] })).status, 200)
  }
  const both = [
    { kind: 'service_failed', discord: false },
    { kind: 'invoice_paid', discord: true },
  ]
  assert.equal((await ada.patch(url, { data: both })).status, 422)
  assert.deepEqual(await kept(ada), [], 'a change is made as a whole or not at all')
})

test('no kind that names an amount reaches Discord', () => {
  const sample: Partial<Record<Kind, true>> = {
    ...{ invoice_sent: true, invoice_paid: true, payment_failed: true, refund_made: true },
    ...{ payment_action_required: true, credit_added: true, out_of_stock_credit: true },
    order_placed: true,
    ...{ renewal_invoice: true, payment_reminder: true, price_change: true },
    ...{ commission_earned: true, commission_available: true, commission_reversed: true },
    ...{ commission_restored: true, admin_attention: true },
  }
  for (const kind of KINDS.filter((it) => sample[it])) assert.equal(POLICIES[kind].discord, 'never')
})

test('two changes at once both count', async () => {
  const ada = await person(app)
  await Promise.all(
    ['credit_added', 'service_active', 'service_failed', 'announcement'].map((kind) =>
      ada.patch(url, { data: [{ kind, email: false }] }),
    ),
  )
  assert.equal((await kept(ada)).length, 4)
})

test('every kind has a name in the language of its person, each another one', async () => {
  const ada = await person(app)
  const english = (await ada.get(url)).body.data
  assert.equal((await ada.patch('/v1/users/me', { locale: 'fr' })).status, 200)
  const french = (await ada.get(url)).body.data
  for (const named of [english, french]) {
    const labels = named.map(({ label }: { label: string }) => label)
    assert.ok(labels.every((label: string) => label.length > 3))
    assert.equal(new Set(labels).size, KINDS.length - STAFF_KINDS.size)
  }
  const [first] = english
  assert.deepEqual([first.kind, first.label], ['invoice_sent', 'An invoice was sent'])
  assert.equal(french[0].label, 'Une facture a été envoyée')
  const changed = await ada.patch(url, { data: [{ kind: 'credit_added', email: false }] })
  assert.equal(changed.body.data[0].label, french[0].label)
})

test('what only staff are told is offered to staff alone', async () => {
  const kindsOf = async (who: Person) =>
    (await who.get(url)).body.data.map(({ kind }: { kind: string }) => kind)
  assert.deepEqual(await kindsOf(await person(app, { admin: true })), KINDS)
  const shown = await kindsOf(await person(app))
  assert.deepEqual(
    KINDS.filter((it) => !shown.includes(it)),
    ['admin_attention', 'ticket_new', 'ticket_assigned', 'ticket_customer_replied'],
  )
})
