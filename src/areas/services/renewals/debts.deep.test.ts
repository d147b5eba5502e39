import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { DAY_MS, dayOf, type Instant, later, millis } from '#lib/time.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { asOwner } from '#test/owner.ts'
import type { Person } from '#test/people.ts'

type Body = Answer['body']
type Customer = { person: Person; id: string; invoiceId: string }

const FILE = new URL('../../../../migrations/0059-debts.sql', import.meta.url)

const shop = await gameShop()
const { app, admin, db, gatewayId } = shop
const { product, plan } = await shop.server()
const once = await shop.catalog.plan(product.id, { interval: 'one_time', priceCents: 2000 })
const large = await shop.server({}, { priceCents: 2500 })
await admin.patch(`/v1/admin/products/${product.id}`, { upgradeTargetIds: [large.product.id] })

/** Somebody with a server that was sold once, or is sold by the month. */
async function customer(planId: string, how: object = {}): Promise<Customer> {
  const person = await shop.customer()
  const placed = await shop.order(person, planId, how)
  await shop.complete(placed.payment.redirectUrl)
  const { id } = await shop.serviceBecame(person, 'active')
  return { person, id, invoiceId: placed.invoice.id }
}

/** Somebody who changed to the larger product, with the invoice of that. */
async function changed(how: object = {}): Promise<Customer> {
  const bob = await customer(plan.id, how)
  const wanted = { productId: large.product.id, gatewayId }
  const { body } = await bob.person.post(`/v1/services/${bob.id}/upgrade`, wanted)
  if (body.payment?.redirectUrl) await shop.complete(body.payment.redirectUrl)
  await app.eventually('it is changed', async () => {
    return (await serviceOf(bob)).product.id === large.product.id
  })
  return { ...bob, invoiceId: body.invoice.id }
}

async function serviceOf({ person, id }: Customer): Promise<Body> {
  return (await person.get(`/v1/services/${id}`)).body
}

async function invoiceOf({ person, invoiceId }: Customer): Promise<Body> {
  return (await person.get(`/v1/billing/invoices/${invoiceId}`)).body
}

async function reminders({ person }: Customer): Promise<Body[]> {
  const { body } = await person.get('/v1/notifications')
  return body.data.filter((it: Body) => it.kind === 'payment_reminder')
}

function became(of: Customer, status: string): Promise<Body> {
  return app.eventually(`the service is ${status}`, async () => {
    const service = await serviceOf(of)
    return service.status === status && service
  })
}

function reminded(of: Customer, count: number): Promise<Body[]> {
  return app.eventually(`there are ${count} reminders`, async () => {
    const all = await reminders(of)
    return all.length >= count && all
  })
}

/** The bank takes the newest money of an invoice back for good; answers when. */
async function takenBack(of: Customer): Promise<Instant> {
  const { providerPaymentId } = await db
    .selectFrom('billing.payments as payment')
    .innerJoin('billing.payment_allocations as part', 'part.paymentId', 'payment.id')
    .select('payment.providerPaymentId')
    .where('part.invoiceId', '=', of.invoiceId)
    .orderBy('payment.id', 'desc')
    .executeTakeFirstOrThrow()
  const { id } = await shop.control('disputes', { paymentIntent: providerPaymentId })
  await shop.control(`disputes/${id}/close`, { outcome: 'lost' })
  await app.eventually('it is due again', async () => (await invoiceOf(of)).status === 'open')
  const { dueAt } = await app.eventually('it is owed', () =>
    db
      .selectFrom('services.periods')
      .select('dueAt')
      .where('invoiceId', '=', of.invoiceId)
      .where('paidAt', 'is', null)
      .executeTakeFirst(),
  )
  return dueAt
}

async function goTo(at: Instant): Promise<void> {
  const seconds = (millis(at) - millis(app.deps.clock.now())) / 1000 + 60
  if (seconds > 0) await app.advance(Math.ceil(seconds))
}

async function pay({ person, invoiceId }: Customer): Promise<void> {
  const { body } = await person.post(`/v1/billing/invoices/${invoiceId}/pay`, { gatewayId })
  await shop.complete(body.redirectUrl)
}

function suspendAtOnce(suspendOnDispute: boolean) {
  return admin.patch('/v1/admin/settings', { services: { suspendOnDispute } })
}

test('R3.10: what was sold once is asked for like a renewal when its money is taken back, and ends like one', async () => {
  const ada = await customer(once.id)
  const lost = await takenBack(ada)
  const day = (days: number) => later(lost, days * DAY_MS)
  await became(ada, 'suspended')
  await app.advance(60)
  const [first] = await reminded(ada, 1)
  assert.deepEqual(
    [first?.data.amountCents, first?.data.dueOn, first?.data.next, first?.link],
    [2400, dayOf(lost), 'end', `/invoices/${ada.invoiceId}`],
  )
  await goTo(day(1))
  await reminded(ada, 2)
  await goTo(day(3))
  await reminded(ada, 3)
  await goTo(day(10))
  const [last] = await reminded(ada, 4)
  assert.deepEqual([last?.data.next, last?.data.on], ['end', dayOf(day(14))])
  assert.equal((await serviceOf(ada)).status, 'suspended')
  await goTo(day(14))
  assert.equal((await became(ada, 'ended')).endReason, 'unpaid')
  const { status, dueCents } = await invoiceOf(ada)
  assert.deepEqual([status, dueCents], ['void', 0])
  await shop.assertSound()
})

test('R4.7: a change is paid once more, and nobody is reminded of it any longer', async () => {
  const bob = await changed()
  const lost = await takenBack(bob)
  await became(bob, 'suspended')
  await app.advance(60)
  await reminded(bob, 1)
  const renewing = await bob.person.post(`/v1/services/${bob.id}/renew`, { gatewayId })
  assert.equal(renewing.body.invoice?.id, bob.invoiceId, renewing.text)
  await shop.complete(renewing.body.payment.redirectUrl)
  await became(bob, 'active')
  await goTo(later(lost, 5 * DAY_MS))
  assert.equal((await serviceOf(bob)).status, 'active')
  assert.equal((await reminders(bob)).length, 1)
  // Taken back once more, it is owed once more.
  await takenBack(bob)
  await became(bob, 'suspended')
  await pay(bob)
  await became(bob, 'active')
})

test('where a chargeback suspends nobody at once, what was sold once is suspended when its grace is over', async () => {
  const setting = await suspendAtOnce(false)
  assert.equal(setting.status, 200, setting.text)
  const ada = await customer(once.id)
  const lost = await takenBack(ada)
  await app.advance(60)
  const [first] = await reminded(ada, 1)
  assert.deepEqual(
    [first?.data.next, first?.data.on],
    ['suspension', dayOf(later(lost, 3 * DAY_MS))],
  )
  assert.equal((await serviceOf(ada)).status, 'active')
  const bob = await customer(plan.id)
  await takenBack(bob)
  const wanted = { productId: large.product.id, gatewayId }
  const refused = await bob.person.post(`/v1/services/${bob.id}/upgrade`, wanted)
  assert.deepEqual([refused.status, refused.body.code], [409, 'period_unpaid'], refused.text)
  await goTo(later(lost, 3 * DAY_MS))
  await became(ada, 'suspended')
  await pay(ada)
  await became(ada, 'active')
  await suspendAtOnce(true)
})

test('a saved card is charged for a change that was taken back, and never for what was sold once', async () => {
  const [ada, bob] = [
    await customer(once.id, { savePaymentMethod: true }),
    await changed({ savePaymentMethod: true }),
  ]
  for (const { person } of [ada, bob]) {
    await app.eventually('the card is saved', async () => {
      return (await person.get('/v1/billing/payment-methods')).body.data.length > 0
    })
  }
  await takenBack(ada)
  await takenBack(bob)
  await app.advance(60)
  await app.eventually('it is charged', async () => (await invoiceOf(bob)).status === 'paid')
  await became(bob, 'active')
  await app.eventually('a charge was looked at', () =>
    db
      .selectFrom('services.periods')
      .select('id')
      .where('invoiceId', '=', ada.invoiceId)
      .where('charged', '>', 0)
      .executeTakeFirst(),
  )
  assert.equal((await invoiceOf(ada)).status, 'open')
  const attempts = await db
    .selectFrom('billing.payment_attempts')
    .select('id')
    .where('userId', '=', ada.person.userId)
    .execute()
  assert.equal(attempts.length, 1)
})

test('what was taken back before there were debts is asked for from the migration on', async () => {
  const bob = await changed()
  await takenBack(bob)
  await became(bob, 'suspended')
  const { database } = app.deps
  const where = `invoice_id = '${bob.invoiceId}'`
  await asOwner(
    database,
    `delete from services.warnings where period_id in (select id from services.periods where ${where})`,
  )
  const gone = await asOwner(database, `delete from services.periods where ${where}`)
  assert.equal(gone.rowCount, 1)
  const sql = fs.readFileSync(FILE, 'utf8')
  await asOwner(database, sql.slice(sql.indexOf('insert into')))
  await app.advance(60)
  await reminded(bob, 1)
  await pay(bob)
  await became(bob, 'active')
})

test('of two services whose money was taken back together, each is paid or given up by itself', async () => {
  const person = await shop.customer()
  await person.post('/v1/cart/items', { planId: plan.id })
  await person.patch(`/v1/cart/items/${(await person.get('/v1/cart')).body.items[0].id}`, {
    quantity: 2,
  })
  const placed = (await checkOut(person, { gatewayId })).body
  await shop.complete(placed.payment.redirectUrl)
  const both = await app.eventually('both are active', async () => {
    const { body } = await person.get('/v1/services')
    return body.data.every((it: Body) => it.status === 'active') && body.data
  })
  const [ada, bob]: Customer[] = both.map(({ id }: Body) => {
    return { person, id, invoiceId: placed.invoice.id }
  })
  assert.ok(ada && bob)
  await takenBack(ada)
  for (const it of [ada, bob]) await became(it, 'suspended')
  const { totalCents } = await invoiceOf(ada)
  const canceled = await person.post(`/v1/services/${ada.id}/cancel`, { at: 'now' })
  assert.equal(canceled.status, 200, canceled.text)
  await became(ada, 'ended')
  const left = await invoiceOf(bob)
  assert.deepEqual([left.status, left.dueCents], ['open', totalCents / 2])
  await pay(bob)
  await became(bob, 'active')
  assert.equal((await serviceOf(ada)).status, 'ended')
  await shop.assertSound()
})
