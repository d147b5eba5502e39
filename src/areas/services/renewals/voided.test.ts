import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Instant, millis } from '#lib/time.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { faults } from '../faults.ts'
import { billVoidedAgain } from './requote.ts'

type Body = Answer['body']
type Customer = { person: Person; id: string; renewal: Body; end: Instant }

const DAY_SECONDS = 86_400

const shop = await gameShop()
const { app, admin, db, tenantId, gatewayId } = shop
const { plan } = await shop.server()

const serviceOf = async ({ id }: { id: string }) =>
  (await admin.get(`/v1/admin/services/${id}`)).body
const renewals = async ({ person }: { person: Person }): Promise<Body[]> => {
  const { body } = await person.get('/v1/billing/invoices')
  return body.data.filter(({ kind }: Body) => kind === 'renewal')
}

/** Somebody whose service has its first renewal, unpaid. */
async function renewed(): Promise<Customer> {
  const person = await shop.customer()
  const placed = await shop.order(person, plan.id)
  await shop.complete(placed.payment.redirectUrl)
  const { id, currentPeriodEnd: end } = await shop.serviceBecame(person, 'active')
  await reach(end, -3)
  const renewal = await app.eventually('the renewal is invoiced', async () => {
    return (await renewals({ person }))[0]
  })
  return { person, id, renewal, end }
}

/** Moves the clock on to so many days after an instant, if that is still to come. */
async function reach(at: Instant, days: number): Promise<void> {
  const seconds = (millis(at) - millis(app.deps.clock.now())) / 1000 + days * DAY_SECONDS
  if (seconds > 0) await app.advance(Math.ceil(seconds))
}

/** Lets the days pass in which it is warned and suspended. */
async function untilSuspended(of: Customer): Promise<void> {
  for (let day = 0; (await serviceOf(of)).status !== 'suspended'; day += 1) {
    assert.ok(day < 30, 'it is suspended in the end')
    await reach(of.end, day)
    await shop.quiet()
  }
}

async function pay({ person }: Customer, invoiceId: string): Promise<void> {
  const answer = await person.post(`/v1/billing/invoices/${invoiceId}/pay`, { gatewayId })
  assert.equal(answer.status, 200, answer.text)
  await shop.complete(answer.body.redirectUrl)
}

async function staff(path: string, body: object): Promise<void> {
  const answer = await admin.post(path, body)
  assert.ok(answer.status < 300, answer.text)
}

async function assertWithoutFaults(): Promise<void> {
  for await (const fault of faults(db, tenantId)) assert.fail(fault)
  await shop.assertSound()
}

for (const [what, path] of [
  ['voided', 'void'],
  ['credited in full', 'credit-note'],
] as const) {
  test(`a renewal that staff have ${what} is billed again at its price, taxed as of now, while the service goes on`, async () => {
    const ada = await renewed()
    const { id: first } = ada.renewal
    assert.equal((await ada.person.patch('/v1/users/me', { country: 'US' })).status, 200)
    await staff(`/v1/admin/invoices/${first}/${path}`, { reason: 'Her country was wrong' })
    const again = await app.eventually('there is another invoice', async () => {
      return (await renewals(ada)).find(({ id }) => id !== first)
    })
    assert.deepEqual([again.status, again.taxCents, again.dueAt], ['open', 0, ada.renewal.dueAt])
    await shop.inLedger((tx) =>
      billVoidedAgain(tx, { tenantId, invoiceId: first }, app.deps.clock.now()),
    )
    assert.equal((await renewals(ada)).length, 2, 'once, also when the job runs again')
    await pay(ada, again.id)
    await reach(ada.end, 1)
    await app.eventually('the paid period has begun', async () => {
      return (await serviceOf(ada)).currentPeriodStart === ada.end
    })
    await assertWithoutFaults()
  })
}

test('a renewal that is voided when its service is suspended leaves it suspended until the next one is paid', async () => {
  const ada = await renewed()
  await untilSuspended(ada)
  await staff(`/v1/admin/invoices/${ada.renewal.id}/void`, { reason: 'Test' })
  const again = await app.eventually('there is another invoice', async () => {
    return (await renewals(ada)).find(({ status }) => status === 'open')
  })
  assert.equal((await serviceOf(ada)).status, 'suspended')
  await pay(ada, again.id)
  await app.eventually('it runs again', async () => (await serviceOf(ada)).status === 'active')
  await assertWithoutFaults()
})

test('a renewal that is voided when nothing is to be renewed by itself is given up, and the service ends in its time', async () => {
  const ada = await renewed()
  const { status } = await ada.person.patch(`/v1/services/${ada.id}`, { autoRenew: false })
  assert.equal(status, 200)
  await staff(`/v1/admin/invoices/${ada.renewal.id}/void`, { reason: 'Test' })
  await reach(ada.end, 1)
  await app.eventually('it is over', async () => (await serviceOf(ada)).status === 'ended')
  assert.deepEqual(
    (await renewals(ada)).map(({ status }) => status),
    ['void'],
  )
  await assertWithoutFaults()
})

test('a renewal that is written off while its service runs is no gift: the service is suspended until it is paid', async () => {
  const ada = await renewed()
  await staff(`/v1/admin/invoices/${ada.renewal.id}/write-off`, {})
  assert.equal((await serviceOf(ada)).status, 'active', 'until the paid period is over')
  await reach(ada.end, 0.1)
  await app.eventually('it is suspended', async () => {
    return (await serviceOf(ada)).status === 'suspended'
  })
  const { length } = await renewals(ada)
  await staff(`/v1/admin/invoices/${ada.renewal.id}/mark-paid`, { gatewayId, reference: 'cash' })
  await app.eventually('it runs again', async () => (await serviceOf(ada)).status === 'active')
  assert.equal((await renewals(ada)).length, length)
  await assertWithoutFaults()
})
