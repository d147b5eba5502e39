import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { type Person, person } from '#test/people.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin, panel } = shop
const { product, plan } = await shop.server()
const yearly = await shop.catalog.plan(product.id, { interval: 'year', priceCents: 9000 })

const DAY_SECONDS = 86_400

type Customer = { person: Person; id: string; placed: Body }

async function customer(how: object = {}): Promise<Customer> {
  const someone = await shop.customer()
  const placed = await shop.order(someone, plan.id, how)
  await shop.complete(placed.payment.redirectUrl)
  const { id } = await shop.serviceBecame(someone, 'active')
  return { person: someone, id, placed }
}

const serviceOf = async ({ person: { get }, id }: Customer): Promise<Body> =>
  (await get(`/v1/services/${id}`)).body
const asAdmin = async ({ id }: Customer): Promise<Body> =>
  (await admin.get(`/v1/admin/services/${id}`)).body

function became(of: Customer, status: string): Promise<Body> {
  return app.eventually(`the service is ${status}`, async () => {
    const service = await serviceOf(of)
    return service.status === status && service
  })
}

async function serverOf(of: Customer): Promise<Body> {
  const { externalId } = await asAdmin(of)
  return (await shop.servers()).find((it) => it.externalId === externalId)
}

const post = ({ person: { post: send }, id }: Customer, what: string, body?: object) =>
  send(`/v1/services/${id}/${what}`, body)
const patch = ({ person: { patch: send }, id }: Customer, body: object) =>
  send(`/v1/services/${id}`, body)
const operate = ({ id }: Customer, what: string, body?: object) =>
  admin.post(`/v1/admin/services/${id}/${what}`, body)

const told = async ({ person: { get } }: Customer, kind: string): Promise<number> =>
  (await get('/v1/notifications')).body.data.filter((it: Body) => it.kind === kind).length

test('a service is renamed here and on the panel, and renews or not as its owner says', async () => {
  const ada = await customer()
  const renamed = await patch(ada, { name: 'Castle', autoRenew: false })
  assert.equal(renamed.status, 200, renamed.text)
  assert.deepEqual([renamed.body.name, renamed.body.autoRenew], ['Castle', false])
  await app.eventually(
    'the panel has the name',
    async () => (await serverOf(ada)).name === 'Castle',
  )
  assert.equal((await serverOf(ada)).externalId, (await asAdmin(ada)).externalId)
  const nothing = await patch(ada, {})
  assert.deepEqual([nothing.status, nothing.body], [200, renamed.body])
  assert.equal((await patch(ada, { name: '' })).status, 400)
  assert.equal((await patch(ada, { priceCents: 1 })).status, 400)
  const stranger = await shop.customer()
  assert.equal((await stranger.patch(`/v1/services/${ada.id}`, { name: 'x' })).status, 404)
})

test('another plan is planned for the next period, and taken back', async () => {
  const ada = await customer()
  const planned = await patch(ada, { planId: yearly.id })
  assert.equal(planned.status, 200, planned.text)
  const { scheduledChange, currentPeriodEnd } = planned.body
  const at = currentPeriodEnd
  assert.deepEqual(scheduledChange, { productId: product.id, planId: yearly.id, at })
  assert.equal((await patch(ada, { planId: null })).body.scheduledChange, null)
  const other = await shop.catalog.offer()
  for (const planId of [newId(), other.plan.id]) {
    assert.equal((await patch(ada, { planId })).status, 404)
  }
})

test('a cancellation at the end of the period can be taken back, and ends it there', async () => {
  const ada = await customer()
  assert.equal((await post(ada, 'cancel')).status, 400)
  assert.equal((await post(ada, 'resume')).status, 409)
  const canceled = await post(ada, 'cancel', { at: 'period_end', reason: 'No time to play' })
  assert.equal(canceled.status, 200, canceled.text)
  assert.deepEqual([canceled.body.status, canceled.body.cancelAtPeriodEnd], ['active', true])
  assert.equal((await post(ada, 'renew', { gatewayId: shop.gatewayId })).status, 409)
  assert.equal((await post(ada, 'resume')).body.cancelAtPeriodEnd, false)
  await post(ada, 'cancel', { at: 'period_end' })
  const { cancelReason } = await asAdmin(ada)
  assert.equal(cancelReason, null)
})

test('a service that is canceled now ends once the panel has deleted its server', async () => {
  const ada = await customer()
  await panel.fault('DELETE /api/application/servers/{id}', '504-before')
  const canceled = await post(ada, 'cancel', { at: 'now' })
  assert.deepEqual([canceled.status, canceled.body.status], [200, 'active'])
  assert.equal((await post(ada, 'cancel', { at: 'now' })).body.code, 'service_ending')
  const stuck = await app.eventually('the failure is seen', async () => {
    const { transition, status } = await asAdmin(ada)
    return transition?.lastError && { transition, status }
  })
  assert.deepEqual([stuck.status, stuck.transition.to], ['active', 'deleted'])
  await app.advance(60)
  const ended = await became(ada, 'ended')
  assert.equal(ended.endReason, 'canceled')
  assert.equal(await serverOf(ada), undefined)
  assert.equal(await told(ada, 'service_ended'), 1)
  for (const what of ['cancel', 'resume', 'renew', 'withdraw']) {
    const { status, body } = await post(ada, what, what === 'cancel' ? { at: 'now' } : {})
    assert.deepEqual([status, body.code], [409, 'service_ended'], what)
  }
})

test('an order that nobody has paid has nothing to cancel or withdraw from', async () => {
  const someone = await shop.customer()
  const placed = await shop.order(someone, plan.id)
  const [id] = placed.order.items[0].serviceIds
  const waiting = { person: someone, id, placed }
  assert.equal((await post(waiting, 'cancel', { at: 'now' })).body.code, 'service_pending')
  assert.equal((await post(waiting, 'withdraw')).body.code, 'service_pending')
  assert.equal((await operate(waiting, 'suspend')).status, 409)
})

test('an administrator suspends a service, and it is suspended when the panel says so', async () => {
  const ada = await customer()
  await panel.fault('POST /api/application/servers/{id}/suspend', 'commit-then-500')
  const asked = await operate(ada, 'suspend')
  assert.equal(asked.status, 200, asked.text)
  assert.deepEqual([asked.body.status, asked.body.suspendReasons], ['active', ['admin']])
  await app.eventually(
    'the failure is seen',
    async () => (await asAdmin(ada)).transition?.lastError,
  )
  await app.advance(60)
  await became(ada, 'suspended')
  assert.equal((await serverOf(ada)).status, 'suspended')
  assert.equal((await operate(ada, 'suspend')).status, 200)
  const lifted = await operate(ada, 'unsuspend')
  assert.deepEqual(lifted.body.suspendReasons, [])
  const back = await became(ada, 'active')
  assert.equal(back.suspendedAt, null)
  assert.equal((await serverOf(ada)).status, null)
  assert.equal((await operate(ada, 'unsuspend')).body.code, 'service_not_suspended')
  assert.deepEqual(
    [await told(ada, 'service_suspended'), await told(ada, 'service_reactivated')],
    [1, 1],
  )
})

test('an administrator ends a service; its data is gone at once, or kept for some days', async () => {
  const [ada, bob] = [await customer(), await customer()]
  await operate(ada, 'terminate', { reason: 'fraud' })
  assert.equal((await became(ada, 'ended')).endReason, 'fraud')
  assert.equal(await serverOf(ada), undefined)
  await operate(bob, 'terminate', { keepData: true })
  assert.equal((await became(bob, 'ended')).endReason, 'terminated')
  assert.equal((await serverOf(bob)).status, 'suspended')
  await app.advance(7 * DAY_SECONDS + 60)
  await app.eventually('its data is deleted', async () => (await serverOf(bob)) === undefined)
})

test('a service that failed can be ended, with no server left behind', async () => {
  const someone = await shop.customer()
  const bare = await shop.catalog.offer()
  const placed = await shop.order(someone, bare.plan.id)
  await admin.patch(`/v1/admin/products/${bare.product.id}`, { provisioning: null })
  await shop.complete(placed.payment.redirectUrl)
  const { id } = await shop.serviceBecame(someone, 'failed')
  const failed = { person: someone, id, placed }
  assert.equal((await operate(failed, 'terminate', { reason: 'refunded' })).status, 200)
  assert.equal((await became(failed, 'ended')).endReason, 'refunded')
})

test('administrators find services by status, product and order', async () => {
  const ada = await customer()
  const { orderId } = await asAdmin(ada)
  const list = async (query: string) =>
    (await admin.get(`/v1/admin/services?${query}`)).body.data.map((it: Body) => it.id)
  assert.deepEqual(await list(`orderId=${orderId}`), [ada.id])
  assert.ok((await list(`status=active&productId=${product.id}`)).includes(ada.id))
  assert.ok(!(await list('status=ended')).includes(ada.id))
  assert.equal((await admin.get('/v1/admin/services?status=gone')).status, 400)
})

test('what administrators do needs their permission', async () => {
  const ada = await customer()
  const reader = await person(app, { permissions: ['services:read'] })
  for (const what of ['suspend', 'unsuspend', 'terminate', 'cancel-upgrade']) {
    assert.equal((await reader.post(`/v1/admin/services/${ada.id}/${what}`)).status, 403, what)
  }
  assert.equal((await operate(ada, 'cancel-upgrade')).body.code, 'no_upgrade')
})

test('a new price needs a day, and a month of notice', async () => {
  const ada = await customer()
  const change = (body: object) => admin.patch(`/v1/admin/services/${ada.id}`, body)
  assert.equal((await change({ priceCents: 1200 })).status, 400)
  const today = app.deps.clock.now().slice(0, 10)
  const early = await change({ priceCents: 1200, effectiveFrom: today })
  assert.deepEqual([early.status, early.body.code], [422, 'price_notice_too_short'])
  assert.equal((await change({ priceCents: 1200, effectiveFrom: '2099-01-01' })).status, 200)
  assert.equal(await told(ada, 'price_change'), 1)
})

test('a consumer who withdraws gets back what was not used, and the server goes', async () => {
  const ada = await customer({ immediateStart: true })
  const { currentPeriodStart, currentPeriodEnd } = await serviceOf(ada)
  const whole = Date.parse(currentPeriodEnd) - Date.parse(currentPeriodStart)
  await app.advance(4 * DAY_SECONDS)
  const withdrawn = await post(ada, 'withdraw')
  assert.equal(withdrawn.status, 200, withdrawn.text)
  const kept = Math.round((1200 * 4 * DAY_SECONDS * 1000) / whole)
  assert.ok(Math.abs(withdrawn.body.refundCents - (1200 - kept)) <= 1, withdrawn.text)
  assert.equal((await became(ada, 'ended')).endReason, 'refunded')
  assert.equal(await serverOf(ada), undefined)
  const invoice = await ada.person.get(`/v1/billing/invoices/${ada.placed.invoice.id}`)
  assert.equal(invoice.body.refundedCents, withdrawn.body.refundCents)
})

test('a business cannot withdraw, and a consumer not after 14 days', async () => {
  const [firm, late] = [await customer(), await customer()]
  const business = { company: 'Castle Ltd' }
  assert.equal((await firm.person.patch('/v1/users/me', business)).status, 200)
  assert.equal((await post(firm, 'withdraw')).body.code, 'not_a_consumer')
  await app.advance(15 * DAY_SECONDS)
  assert.equal((await post(late, 'withdraw')).body.code, 'withdrawal_period_over')
  await shop.assertSound()
})

test('several services are suspended at once: each for itself, tried before, once, and with an entry each', async () => {
  const [ada, bob] = [await customer(), await customer()]
  const unknown = newId()
  const ids = [ada.id, unknown, bob.id]
  const bulk = (body: object, who: Person = admin) => who.post('/v1/admin/services/bulk', body)
  const outcomes = ({ body }: Answer) => body.rows.map(({ outcome }: Body) => outcome)

  const tried = await bulk({ action: 'suspend', ids, dryRun: true })
  assert.equal(tried.status, 200, tried.text)
  assert.deepEqual(outcomes(tried), ['done', 'failed', 'done'])
  assert.deepEqual([tried.body.done, tried.body.unchanged, tried.body.failed], [2, 0, 1])
  assert.deepEqual((await asAdmin(ada)).suspendReasons, [], 'a dry run changes nothing')

  const done = await bulk({ action: 'suspend', ids })
  assert.deepEqual(done.body.rows, tried.body.rows)
  assert.equal(done.body.rows[1].code, 'not_found')
  await became(ada, 'suspended')
  await became(bob, 'suspended')
  const again = await bulk({ action: 'suspend', ids })
  assert.deepEqual(outcomes(again), ['unchanged', 'failed', 'unchanged'])
  const { data } = (await admin.get('/v1/admin/audit-logs?limit=100')).body
  const entries = data.filter(({ route, changed }: Body) => changed && /services.bulk/.test(route))
  const objects = entries.map(({ objectId, statusCode }: Body) => [objectId, statusCode])
  // One entry for each change of an object; a repetition that changed nothing leaves one, too.
  assert.ok(objects.some(([id]: string[]) => id === ada.id))
  assert.ok(objects.every(([id]: string[]) => id !== unknown))
  assert.ok(objects.every(([, code]: [string, number]) => code === 200))

  const back = await bulk({ action: 'unsuspend', ids: [ada.id, bob.id] })
  assert.deepEqual(outcomes(back), ['done', 'done'])
  await became(bob, 'active')
  const nothing = await bulk({ action: 'retry', ids: [bob.id] })
  assert.equal(nothing.body.rows[0].code, 'nothing_to_retry')

  const clerk = await person(app, { permissions: ['services:read'] })
  assert.equal((await bulk({ action: 'suspend', ids }, clerk)).status, 403)
  for (const wrong of [[], [ada.id, ada.id], ['x'], Array.from({ length: 101 }, () => newId())]) {
    assert.equal((await bulk({ action: 'suspend', ids: wrong })).status, 400)
  }
})
