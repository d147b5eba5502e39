import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { boundary } from '#lib/periods.ts'
import { DAY_MS, later, millis } from '#lib/time.ts'
import { startVies } from '#sandbox/vies/server.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'

type Body = Answer['body']

const vies = await startVies()
after(() => vies.close())
const shop = await gameShop({ config: { viesUrl: vies.url, privateHosts: [`vies=${vies.host}`] } })
const { app, admin } = shop
const { plan } = await shop.server()
const seller = await admin.patch(`/v1/admin/tenants/${shop.tenantId}`, {
  seller: { vatNumber: 'FR40303265045' },
})
assert.equal(seller.status, 200, seller.text)

const MONTHLY = { interval: 'month', intervalCount: 1 } as const
const ADDRESS = { line1: 'Hauptstraße 1', postcode: '10115', city: 'Berlin', country: 'DE' }
const NUMBER = 'DE136695976'

/** A German business whose number has this form; nobody was asked about it yet. */
async function business(vatNumber: string): Promise<Person> {
  const person = await shop.customer('DE')
  const change = { company: 'Spiele GmbH', address: ADDRESS, vatNumber }
  const { status, body } = await person.patch('/v1/users/me', change)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.vatStatus, 'unchecked')
  return person
}

async function vatStatusBecame(person: Person, status: string): Promise<void> {
  await app.eventually(`the number is ${status}`, async () => {
    const { body } = await person.get('/v1/users/me')
    return body.vatStatus === status
  })
}

function told(person: Person, kind: string): Promise<Body> {
  return app.eventually(`to be told of ${kind}`, async () => {
    const { body } = await person.get('/v1/notifications')
    return body.data.find((it: Body) => it.kind === kind)
  })
}

test('a number is checked after it was set, and asked about once however often it is set', async () => {
  const ada = await business(NUMBER)
  await vatStatusBecame(ada, 'valid')
  const asked = vies.questions.length
  await ada.patch('/v1/users/me', { vatNumber: NUMBER })
  assert.equal((await ada.get('/v1/users/me')).body.vatStatus, 'valid')
  assert.equal(vies.questions.length, asked)
  const none = await ada.patch('/v1/users/me', { vatNumber: null })
  assert.equal(none.body.vatStatus, 'none')
})

test('a register that is away holds up no sale, and is asked again until it answers', async () => {
  vies.say(NUMBER, 'MS_UNAVAILABLE')
  const ada = await business(NUMBER)
  await vatStatusBecame(ada, 'unavailable')
  const placed = await shop.order(ada, plan.id)
  assert.equal(placed.invoice.totalCents, 1000)
  vies.say(NUMBER, 'valid')
  await app.advance(5 * 60)
  await vatStatusBecame(ada, 'valid')
})

test('E23: a number that the register no longer knows changes what is invoiced from then on', async () => {
  vies.say(NUMBER, 'valid')
  const ada = await business(NUMBER)
  await vatStatusBecame(ada, 'valid')
  const placed = await shop.order(ada, plan.id)
  await shop.complete(placed.payment.redirectUrl)
  const service = await shop.serviceBecame(ada, 'active')
  const first = (await ada.get(`/v1/billing/invoices/${placed.invoice.id}`)).body
  assert.deepEqual([first.totalCents, first.taxes[0].category], [1000, 'AE'])
  const { evidence } = (await admin.get(`/v1/admin/invoices/${first.id}`)).body
  assert.equal(evidence.vatCheck.vatNumber, NUMBER)
  assert.equal(evidence.vatCheck.requester, 'FR40303265045')
  assert.match(evidence.vatCheck.consultationNumber, /^WAPI/)

  // Asked a day before the invoice when the answer is older than the setting says.
  vies.say(NUMBER, 'invalid')
  await admin.patch('/v1/admin/settings', { tax: { viesDays: 20 } })
  const start = boundary(service.currentPeriodStart, MONTHLY, 1)
  const invoicedAt = later(start, -7 * DAY_MS)
  const aheadSeconds = (millis(invoicedAt) - millis(app.deps.clock.now())) / 1000
  await app.advance(Math.ceil(aheadSeconds) - 86_000)
  await vatStatusBecame(ada, 'invalid')
  assert.equal((await told(ada, 'vat_number_invalid')).data.vatNumber, NUMBER)
  assert.match((await told(admin, 'admin_attention')).body, new RegExp(NUMBER))
  await app.advance(86_000)
  const renewal = await app.eventually('the renewal is invoiced', async () => {
    const { body } = await ada.get('/v1/billing/invoices')
    return body.data.find(({ dueAt }: Body) => dueAt === start)
  })
  assert.deepEqual([renewal.totalCents, renewal.taxes[0].category], [1190, 'S'])
  assert.deepEqual((await ada.get(`/v1/billing/invoices/${first.id}`)).body, first)
  await shop.assertSound()
})

test('a number of a place outside the EU is in no register, and nobody is asked', async () => {
  const asked = vies.questions.length
  const grace = await shop.customer('GB')
  await grace.patch('/v1/users/me', { vatNumber: 'GB123456789' })
  await app.advance(60)
  assert.equal((await grace.get('/v1/users/me')).body.vatStatus, 'unchecked')
  assert.equal(vies.questions.length, asked)
})
