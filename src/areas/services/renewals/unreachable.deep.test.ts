import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { boundary } from '#lib/periods.ts'
import { DAY_MS, HOUR_MS, type Instant, later, millis } from '#lib/time.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { mailServer } from '#test/mail-server.ts'
import type { Person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'

type Body = Answer['body']

/** How the mail server answers for an address, once a test has said so. */
const answers = new Map<string, string>()
const { received, url } = await mailServer(
  { after },
  { recipient: (address) => answers.get(address) ?? null },
)
const shop = await gameShop({ config: { smtpUrl: url } })
const { app, admin } = shop
const { plan } = await shop.server()
const MONTHLY = { interval: 'month', intervalCount: 1 } as const

type Customer = { person: Person; id: string; due: Instant }

/** Somebody with an active service, whose next period nobody will pay. */
async function customer(name: string): Promise<Customer> {
  const person = await shop.buyer({ email: `${name}@example.org`, country: 'FR' })
  await shop.buy(person, plan.id)
  const { id, currentPeriodStart } = await shop.serviceBecame(person, 'active')
  const due = boundary(currentPeriodStart, MONTHLY, 1)
  await goTo(later(due, -5 * DAY_MS))
  await app.eventually('the renewal is invoiced', async () => {
    return (await person.get('/v1/billing/invoices')).body.data.length === 2
  })
  return { person, id, due }
}

async function goTo(at: Instant): Promise<void> {
  const seconds = (millis(at) - millis(app.deps.clock.now())) / 1000 + 60
  if (seconds > 0) await app.advance(Math.ceil(seconds))
}

const stateOf = async ({ person, id }: Customer): Promise<string> =>
  (await person.get(`/v1/services/${id}`)).body.status

const became = (of: Customer, status: string) =>
  app.eventually(`the service is ${status}`, async () => (await stateOf(of)) === status)

/** What administrators were told of somebody's service that nobody can announce. */
async function alarms({ id }: Customer, step: 'suspension' | 'end'): Promise<Body[]> {
  const { data } = (await admin.get('/v1/notifications')).body
  return data.filter(({ link, data: { topic, facts } }: Body) => {
    return link === `/admin/servers/${id}` && topic === 'warning_refused' && facts.step === step
  })
}

const alarmed = (of: Customer, step: 'suspension' | 'end') =>
  app.eventually('operators are told', async () => (await alarms(of, step)).length > 0)

async function unwarned(): Promise<string[]> {
  const { body, status, text } = await admin.get('/v1/admin/services/troubled?kind=unwarned')
  assert.equal(status, 200, text)
  return body.data.map(({ id }: Body) => id)
}

async function mailsTo({ person }: Customer, more = ''): Promise<Body[]> {
  return (await admin.get(`/v1/admin/mails?recipient=${person.email}${more}`)).body.data
}

function remindersTo(of: Customer): Promise<Body[]> {
  return mailsTo(of, '&kind=payment_reminder')
}

/** All that was due was looked at, and every mail was tried that can be. */
async function isAtWork(): Promise<boolean> {
  const { rows } = await app.deps.database.execute(
    `select from jobs.job where name = 'services.dun'
       and state in ('created', 'retry', 'active') and start_after <= now() limit 1`,
  )
  return rows.length > 0
}

async function settled(of: Customer): Promise<void> {
  await app.eventually('no work waits, and no mail to them for its first try', async () => {
    if (await isAtWork()) return false
    return (await remindersTo(of)).every(({ state, failure }) => state !== 'queued' || failure)
  })
}

for (const [why, answer, state] of [
  ['does not exist', '550 5.1.1 No such user', 'undeliverable'],
  ['refuses us by policy', '550 5.7.1 Blocked by policy', 'failed'],
] as const) {
  test(`an address that ${why}: operators hear of it a day before the suspension, and of the end`, async () => {
    const ada = await customer(state)
    const day = (days: number) => later(ada.due, days * DAY_MS)
    answers.set(ada.person.email, answer)
    await goTo(day(-3))
    await app.eventually('a reminder was refused', async () => {
      return (await remindersTo(ada))[0]?.state === state
    })
    // Where another mail was refused first, nothing goes to that address any more.
    const failures = (await mailsTo(ada)).flatMap(({ failure }) => failure ?? [])
    assert.match(failures.join(), /5\.[17]\.1/)
    await goTo(day(1))
    await settled(ada)
    assert.deepEqual(await alarms(ada, 'suspension'), [])
    await goTo(day(2))
    await alarmed(ada, 'suspension')
    assert.ok((await unwarned()).includes(ada.id))
    await goTo(later(day(3), -HOUR_MS))
    await settled(ada)
    assert.equal(await stateOf(ada), 'active')
    await goTo(later(day(3), HOUR_MS))
    await became(ada, 'suspended')
    await goTo(day(12))
    await settled(ada)
    assert.deepEqual(await alarms(ada, 'end'), [])
    await goTo(day(13))
    await alarmed(ada, 'end')
    await goTo(later(day(14), -HOUR_MS))
    await settled(ada)
    assert.equal(await stateOf(ada), 'suspended')
    await goTo(later(day(14), HOUR_MS))
    await became(ada, 'ended')
    assert.deepEqual(
      [(await alarms(ada, 'suspension')).length, (await alarms(ada, 'end')).length],
      [1, 1],
    )
    assert.equal((await unwarned()).includes(ada.id), false)
  })
}

test('a refused notice that an operator sends again counts from when it went out', async () => {
  const ada = await customer('repaired')
  const day = (days: number) => later(ada.due, days * DAY_MS)
  answers.set(ada.person.email, '550 5.7.1 Blocked by policy')
  await goTo(day(-3))
  await app.eventually('a reminder', async () => (await remindersTo(ada)).length === 1)
  await settled(ada)
  await goTo(day(2))
  await alarmed(ada, 'suspension')
  await settled(ada)
  answers.delete(ada.person.email)
  await goTo(day(2.5))
  await settled(ada)
  const [newest] = await remindersTo(ada)
  assert.equal(newest.state, 'failed')
  const again = await admin.post(`/v1/admin/mails/${newest.id}/resend`)
  assert.equal(again.status, 200, again.text)
  await app.eventually('it went out', async () => (await remindersTo(ada))[0]?.state === 'sent')
  await app.advance(2 * 3600)
  await app.eventually('it is no trouble any more', async () => {
    return !(await unwarned()).includes(ada.id)
  })
  await goTo(later(day(3), 6 * HOUR_MS))
  await settled(ada)
  assert.equal(await stateOf(ada), 'active')
  await goTo(later(day(3.5), 2 * HOUR_MS))
  await became(ada, 'suspended')
})

test('while our mail server takes nothing, nobody is suspended, and everybody is reminded again', async () => {
  const ada = await customer('waiting')
  const day = (days: number) => later(ada.due, days * DAY_MS)
  answers.set(ada.person.email, '450 4.2.0 Later')
  await goTo(day(-3))
  await app.eventually('a reminder waits', async () => (await remindersTo(ada)).length === 1)
  for (const days of [0, 1, 3, 5, 6.1, 9, 12.2]) {
    await goTo(day(days))
    await settled(ada)
  }
  assert.equal(await stateOf(ada), 'active')
  assert.deepEqual(await alarms(ada, 'suspension'), [])
  const written = (await remindersTo(ada)).length
  assert.ok(written > 5, `${written}: more than the days of reminders ask for`)
  answers.delete(ada.person.email)
  await goTo(day(16))
  const sent = await app.eventually('one goes out', async () => {
    return (await remindersTo(ada)).find(({ state }) => state === 'sent')
  })
  assert.ok(received.some(({ to }) => to.includes(ada.person.email)))
  await goTo(later(sent.sentAt, 23 * HOUR_MS))
  await settled(ada)
  assert.equal(await stateOf(ada), 'active')
  await goTo(later(sent.sentAt, 26 * HOUR_MS))
  await became(ada, 'suspended')
})

test('without any days of reminders a customer is told a day before the suspension', async () => {
  await keepSettings(app, 'services', { reminderDays: [] })
  const ada = await customer('unreminded')
  await goTo(later(ada.due, DAY_MS))
  await settled(ada)
  assert.deepEqual(await remindersTo(ada), [])
  await goTo(later(ada.due, 2 * DAY_MS))
  await app.eventually('the notice', async () => (await remindersTo(ada))[0]?.state === 'sent')
  await goTo(later(ada.due, 3 * DAY_MS + HOUR_MS))
  await became(ada, 'suspended')
})
