import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { boundary } from '#lib/periods.ts'
import { DAY_MS, type Instant, later, millis } from '#lib/time.ts'
import { affiliate, broughtBy, commissionOf } from '#test/affiliates.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { helpOf } from '#test/help.ts'
import type { Person } from '#test/people.ts'
import { answers, receiver } from '#test/receiver.ts'
import { voucherCodes } from '#test/vouchers.ts'
import { applyDispute } from '../../billing/disputes/apply.ts'
import { CATALOGUE } from './catalogue.ts'
import { messageOf } from './schema.ts'

type Body = Answer['body']

const target = await receiver(null)
const shop = await gameShop({ config: { privateHosts: [target.place] } })
const { app, admin, db, tenantId } = shop
const added = await admin.post('/v1/admin/webhook-endpoints', { url: `${target.url}/all` })
assert.equal(added.status, 201, added.text)

const MONTHLY = { interval: 'month', intervalCount: 1 } as const
const PASSWORD = 'correct horse battery staple'

/** What came, in the order it came. */
function told(): Body[] {
  return target.at('/all').map(({ body }) => JSON.parse(body))
}

/** Waits for a message of a type about something, and compares it with what is promised of it. */
async function arrived(type: string, about: Record<string, unknown> = {}): Promise<Body> {
  const body = await app.eventually(type, () =>
    told().find((it) => {
      return it.type === type && Object.entries(about).every(([name, is]) => it.data[name] === is)
    }),
  )
  assertFits(type, body)
  return body
}

function assertFits(type: string, body: unknown): void {
  const named = CATALOGUE.find((it) => it.type === type)
  assert.ok(named, type)
  const schema: TSchema = messageOf(type, named.data)
  assert.deepEqual([...Value.Errors(schema, body)], [], type)
  const keys = Object.keys((body as { data: object }).data).sort()
  assert.deepEqual(keys, Object.keys(named.data.properties).sort(), type)
}

async function goTo(at: Instant): Promise<void> {
  const seconds = (millis(at) - millis(app.deps.clock.now())) / 1000 + 60
  if (seconds > 0) await app.advance(Math.ceil(seconds))
}

test('a purchase and a refund are told as they happen, and name nobody', async () => {
  const { plan } = await shop.server()
  const customer = await shop.customer('FR')
  const placed = await shop.buy(customer, plan.id)
  const service = await shop.serviceBecame(customer, 'active')
  const refund = { amountCents: 100, to: 'credit', reason: 'A late start' }
  const refunded = await admin.post(`/v1/admin/invoices/${placed.invoice.id}/refund`, refund)
  assert.ok(refunded.status < 300, refunded.text)
  const wanted = {
    'order.placed': placed.order.id,
    'invoice.issued': placed.invoice.id,
    'invoice.paid': placed.invoice.id,
    'service.activated': service.id,
    'order.fulfilled': placed.order.id,
    'credit_note.issued': null,
    'refund.made': null,
    'credit.added': null,
  }
  for (const [type, id] of Object.entries(wanted)) {
    const body = await arrived(type)
    if (id) assert.equal(body.data.id, id, type)
    assert.equal(body.data.userId, customer.userId, type)
  }
  const all = target.at('/all').map(({ body }) => body)
  for (const text of [customer.email, customer.name]) {
    assert.ok(!all.some((body) => body.includes(text)), text)
  }
})

test('an order that is given up, and a suspended person, are told', async () => {
  const { plan } = await shop.server()
  const customer = await shop.customer()
  const { order, invoice } = await shop.order(customer, plan.id)
  const path = `/v1/admin/invoices/${invoice.id}/void`
  assert.equal((await admin.post(path, { reason: 'Not wanted' })).status, 200)
  await admin.post(`/v1/admin/users/${customer.userId}/suspend`, {})
  for (const type of ['invoice.voided', 'order.canceled', 'service.ended', 'user.suspended']) {
    await arrived(type)
  }
  assert.equal((await arrived('order.canceled')).data.id, order.id)
  assert.equal((await arrived('user.suspended')).data.status, 'suspended')
})

test('an account that is opened, suspended, let in again and deleted is told', async () => {
  const login = { email: 'grace@example.org', password: PASSWORD }
  const opened = await app.post('/v1/auth/register', { ...login, name: 'Grace Hopper' })
  assert.equal(opened.status, 201, opened.text)
  const { id } = opened.body.user
  assert.equal((await arrived('user.registered', { id })).data.status, 'active')
  const path = `/v1/admin/users/${id}`
  assert.equal((await admin.post(`${path}/suspend`, {})).status, 200)
  assert.equal((await arrived('user.suspended', { id })).data.status, 'suspended')
  assert.equal((await admin.post(`${path}/unsuspend`, {})).status, 200)
  assert.equal((await arrived('user.unsuspended', { id })).data.status, 'active')
  const { accessToken } = (await app.post('/v1/auth/login', login)).body
  const gone = await app.as(accessToken).delete('/v1/users/me', { password: PASSWORD })
  assert.equal(gone.status, 200, gone.text)
  assert.equal((await arrived('user.deleted', { id })).data.status, 'deleted')
})

test('a renewal, a charge that fails, a suspension for it and the way back are told', async () => {
  const { plan } = await shop.server()
  const ada = await shop.customer()
  const placed = await shop.order(ada, plan.id, { savePaymentMethod: true })
  await shop.complete(placed.payment.redirectUrl)
  const { id, currentPeriodStart: anchor } = await shop.serviceBecame(ada, 'active')
  const [second, third] = [boundary(anchor, MONTHLY, 1), boundary(anchor, MONTHLY, 2)]
  await app.eventually('the card is saved', async () => {
    return (await ada.get('/v1/billing/payment-methods')).body.data.length > 0
  })
  await goTo(second)
  const renewed = await arrived('service.renewed', { id })
  assert.equal(renewed.data.currentPeriodEnd, third)
  await control(ada, 'expire')
  await goTo(later(third, -4 * DAY_MS))
  await app.eventually('the next invoice', async () => {
    return (await ada.get('/v1/billing/invoices?status=open')).body.data.length > 0
  })
  await goTo(third)
  const failed = await arrived('payment.failed', { userId: ada.userId })
  assert.equal(failed.data.purpose, 'renewal')
  await goTo(later(third, 3 * DAY_MS))
  const suspended = await arrived('service.suspended', { id })
  assert.equal(suspended.data.status, 'suspended')
  const how = { gatewayId: shop.gatewayId }
  const paying = await ada.post(`/v1/services/${id}/renew`, how)
  assert.equal(paying.status, 200, paying.text)
  await shop.complete(paying.body.payment.redirectUrl)
  assert.equal((await arrived('service.unsuspended', { id })).data.status, 'active')
})

/** Steers the saved card of somebody at the provider. */
async function control({ userId }: Person, what: string): Promise<void> {
  const { providerMethodId } = await db
    .selectFrom('billing.payment_methods')
    .select('providerMethodId')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  await shop.control(`payment-methods/${providerMethodId}/${what}`)
}

test('a change to another product is told once it is made, with the product it is on now', async () => {
  const limits = { memoryMb: 4096, diskMb: 5120, cpuPercent: 100 }
  const provisioning = { eggId: shop.eggId, nodeIds: [shop.nodeId], limits }
  const large = await shop.catalog.offer({ priceCents: 2500 }, { provisioning })
  const small = await shop.server({ upgradeTargetIds: [large.product.id] })
  const ada = await shop.customer()
  await shop.buy(ada, small.plan.id)
  const { id } = await shop.serviceBecame(ada, 'active')
  const wish = { productId: large.product.id, gatewayId: shop.gatewayId }
  const { status, body, text } = await ada.post(`/v1/services/${id}/upgrade`, wish)
  assert.equal(status, 200, text)
  assert.ok(!told().some((it) => it.type === 'service.upgraded'), 'money comes first')
  await shop.complete(body.payment.redirectUrl)
  const upgraded = await arrived('service.upgraded', { id })
  assert.equal(upgraded.data.productId, large.product.id)
})

test('a server that cannot be set up is told', async () => {
  const { product, plan } = await shop.catalog.offer()
  const ada = await shop.customer()
  const placed = await shop.order(ada, plan.id)
  await shop.admin.patch(`/v1/admin/products/${product.id}`, { provisioning: null })
  await shop.complete(placed.payment.redirectUrl)
  const [{ id }] = (await ada.get('/v1/services')).body.data
  assert.equal((await arrived('service.failed', { id })).data.status, 'failed')
})

test('something that staff have to do for a service is told', async () => {
  const instructions = 'Set it up.'
  const manual = { delivery: 'manual', provisioning: null, instructions, promiseHours: 24 }
  const { plan } = await shop.catalog.offer({}, manual)
  const customer = await shop.customer()
  await shop.buy(customer, plan.id)
  const { id } = await shop.serviceBecame(customer, 'provisioning')
  const { data } = await arrived('task.created', { serviceId: id })
  assert.deepEqual([data.action, data.userId], ['create', customer.userId])
})

test('commission that arises, is taken back, comes back and can be used is told, and a dispute', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  const { invoice, url } = await shop.checkout(bob)
  await shop.complete(url)
  await commissionOf(shop, invoice.id)
  const of = { affiliateId: ada.id, amountCents: 100 }
  await arrived('commission.earned', of)
  const { providerPaymentId: paymentId } = await db
    .selectFrom('billing.payments')
    .select('providerPaymentId')
    .where('userId', '=', bob.userId)
    .executeTakeFirstOrThrow()
  await disputed(paymentId, 'lost')
  await arrived('payment.disputed', { userId: bob.userId, state: 'lost' })
  await arrived('commission.reversed', of)
  await disputed(paymentId, 'won')
  await arrived('payment.disputed', { userId: bob.userId, state: 'won' })
  await arrived('commission.restored', of)
  await app.advance((31 * DAY_MS) / 1000)
  await arrived('commission.available', of)
})

test('a voucher that was redeemed is told, without its code', async () => {
  const [code = ''] = await voucherCodes(admin, { amountCents: 700 })
  const { userId, ...customer } = await shop.customer()
  const { status } = await customer.post('/v1/billing/vouchers/redeem', { code })
  assert.equal(status, 200)
  const { data } = await arrived('voucher.redeemed', { userId, amountCents: 700 })
  assert.equal(data.currency, 'EUR')
  assert.ok(!JSON.stringify(told()).includes(code))
})

test('what a system of the host refuses to deliver is told', async () => {
  const fields = { delivery: 'webhook', provisioning: null }
  const webhook = { url: `${target.url}/deliver` }
  const { product, plan } = await shop.catalog.offer({}, { ...fields, webhook })
  const path = `/v1/admin/products/${product.id}`
  for (const step of ['delivery/secret', 'delivery/test', 'publish']) {
    assert.equal((await admin.post(`${path}/${step}`)).status, 200, step)
  }
  target.on('/deliver', answers(409))
  const customer = await shop.customer()
  await shop.buy(customer, plan.id)
  const { id } = await shop.serviceBecame(customer, 'failed')
  const { data } = await arrived('service.delivery_failed', { serviceId: id })
  assert.deepEqual([data.action, data.code, data.userId], ['create', 'refused', customer.userId])
})

test('a help article is told when it is published and withdrawn, and none of its words', async () => {
  const help = helpOf(admin)
  const { id: categoryId } = await help.category('Told')
  const { id } = await help.published(categoryId, { title: 'Ratatoskr', slug: 'told-once' })
  const { data } = await arrived('article.published', { id, language: 'en', version: 1 })
  assert.deepEqual([data.slug, data.categoryId, data.audience], ['told-once', categoryId, 'public'])
  await help.withdraw(id)
  await arrived('article.withdrawn', { id, language: 'en', version: 1 })
  assert.doesNotMatch(JSON.stringify(told()), /Ratatoskr/)
})

test('an incident is told from its publication to its end, with its public words', async () => {
  const titles = { en: 'Slow network' }
  const incident = { kind: 'incident', impact: 'minor', titles, productIds: [] }
  const { id } = (await admin.post('/v1/admin/incidents', incident)).body
  const url = `/v1/admin/incidents/${id}`
  await admin.post(`${url}/publish`, { texts: { en: 'We look into it.' } })
  const { data } = await arrived('incident.opened', { id, status: 'investigating' })
  assert.deepEqual([data.titles, data.texts], [titles, { en: 'We look into it.' }])
  await admin.post(`${url}/updates`, { texts: { en: 'A switch.' }, state: 'identified' })
  await arrived('incident.updated', { id, status: 'identified' })
  await admin.post(`${url}/updates`, { texts: { en: 'Replaced.' }, state: 'resolved' })
  const { data: last } = await arrived('incident.resolved', { id, status: 'resolved' })
  assert.deepEqual(last.texts, { en: 'Replaced.' })
})

test('a ticket is told from its opening to its end, and none of its words', async () => {
  const ada = await shop.customer()
  const { body: ticket } = await ada.post('/v1/tickets', { subject: 'Lag', body: 'Yggdrasil' })
  const { id } = ticket
  const { data } = await arrived('ticket.opened', { id })
  assert.deepEqual([data.userId, data.status, data.number], [ada.userId, 'open', ticket.number])
  await ada.post(`/v1/tickets/${id}/messages`, { body: 'Yggdrasil again' })
  await arrived('ticket.customer_replied', { id })
  const url = `/v1/admin/tickets/${id}/messages`
  await admin.post(url, { kind: 'public', body: 'Yggdrasil is back', force: true, next: 'close' })
  await arrived('ticket.answered', { id, status: 'closed' })
  await arrived('ticket.assigned', { id })
  await arrived('ticket.closed', { id })
  await ada.post(`/v1/tickets/${id}/reopen`)
  await arrived('ticket.reopened', { id, status: 'open' })
  assert.ok(!JSON.stringify(told()).includes('Yggdrasil'))
})

const disputeId = `du_${newId()}`

/** What the provider says of a dispute: the sandbox does not reopen one that was lost. */
async function disputed(paymentId: string, state: 'lost' | 'won'): Promise<void> {
  const observedAt = app.deps.clock.now()
  const snapshot = {
    ...{ disputeId, payment: { paymentId }, state, reason: 'general', observedAt },
    amount: { amountCents: cents(1200), currency: 'EUR' },
    fundsHeldCents: cents(state === 'lost' ? 1200 : 0),
    ...{ feeCents: cents(0), feeCurrency: 'EUR' },
  }
  const gateway = { tenantId, gatewayId: shop.gatewayId }
  await shop.inLedger((tx) => applyDispute(tx, gateway, snapshot, observedAt))
}

test('of everything that is promised, something that really happened was told', () => {
  const types = new Set(told().map(({ type }) => type))
  const missing = CATALOGUE.map(({ type }) => type).filter((type) => !types.has(type))
  assert.deepEqual(missing, [])
})
