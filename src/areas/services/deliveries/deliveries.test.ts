import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { answers, type Received, receiver } from '#test/receiver.ts'
import { leaseDelivery } from './actions.ts'

type Body = Answer['body']

const target = await receiver(null)
const shop = await gameShop({ config: { privateHosts: [target.place] } })
const { admin, app, catalog, gatewayId } = shop
const HOUR = 3600
const PASSWORD = 'correct horse battery staple'
const DETAILS = [
  { label: 'Address', value: 'web.example.org' },
  { label: 'Password', value: PASSWORD, secret: true },
]

afterEach(() => shop.assertSound())

const ok = (body: object) =>
  answers(200, { 'content-type': 'application/json' }, JSON.stringify({ outcome: 'done', ...body }))
const products = '/v1/admin/products'

let paths = 0

type Made = { path: string; product: Body; plan: Body; secret: string; token: string }

/** A product that is delivered by the system at a path of its own, with a plan, on sale. */
async function bySystem(
  webhook: object = {},
  fields: object = {},
  plan: object = {},
): Promise<Made> {
  paths += 1
  const path = `/deliver-${paths}`
  const draft = await catalog.product({
    ...{ name: 'Web space', delivery: 'webhook', provisioning: null },
    ...{ webhook: { url: `${target.url}${path}`, ...webhook }, ...fields },
  })
  const url = `${products}/${draft.id}`
  const made = await catalog.plan(draft.id, plan)
  const { secret, token } = (await admin.post(`${url}/delivery/secret`)).body
  assert.equal((await admin.post(`${url}/delivery/test`)).body.ok, true)
  const { status, body: product, text } = await admin.post(`${url}/publish`)
  assert.equal(status, 200, text)
  return { path, product, plan: made, secret, token }
}

/** Waits for the calls of one kind to a path, that many at least. */
const calls = (path: string, type: string, count = 1): Promise<Received[]> =>
  until(`${count} calls ${type}`, () => {
    const found = target.at(path).filter(({ body }) => JSON.parse(body).type === type)
    return found.length >= count && found
  })

async function ordered({ plan }: Made, customer?: Person) {
  const buyer = customer ?? (await shop.customer())
  const placed = await shop.buy(buyer, plan.id)
  const service = await until('the service', async () => {
    const { body } = await buyer.get('/v1/services')
    return body.data[0]?.status !== 'pending' && body.data[0]
  })
  return { customer: buyer, placed, service, url: `/v1/services/${service.id}` }
}

const deliveriesOf = async (serviceId: string): Promise<Body[]> =>
  (await admin.get(`/v1/admin/services/${serviceId}/deliveries`)).body.data

const deliveryOf = (serviceId: string, action: string, state?: string): Promise<Body> =>
  until(`the delivery to ${action} is ${state}`, async () => {
    const [first] = (await deliveriesOf(serviceId)).filter((it) => it.action === action)
    return first && (!state || first.state === state) && first
  })

const callBack = (id: string, token: string, body: object) =>
  app.as(token).post(`/v1/deliveries/${id}/result`, body)

const noticeOf = (person: Person, kind: string): Promise<Body> =>
  until(`a notice ${kind}`, async () => {
    const { data } = (await person.get('/v1/notifications')).body
    return data.find((it: Body) => it.kind === kind)
  })

test('a product that a system delivers needs a URL, a secret and an accepted test to be published and sold', async () => {
  const upTo = ({ publishFaults }: Body) => publishFaults.map(({ path }: Body) => path)
  const draft = await catalog.product({ delivery: 'webhook', provisioning: null })
  const url = `${products}/${draft.id}`
  await catalog.plan(draft.id)
  assert.deepEqual([upTo(draft), draft.periodStarts], [['plans', 'webhook.url'], 'payment'])
  const early = await admin.post(`${url}/delivery/test`)
  assert.deepEqual([early.status, early.body.code], [422, 'product_incomplete'])
  const open = await admin.patch(url, { webhook: { url: 'http://example.org/deliver' } })
  assert.deepEqual([open.status, open.body.code], [422, 'https_required'])
  const inside = await admin.patch(url, { webhook: { url: 'https://127.0.0.1/deliver' } })
  assert.deepEqual([inside.status, inside.body.code], [422, 'address_not_allowed'])
  const named = await admin.patch(url, { webhook: { url: `${target.url}/publishing` } })
  assert.deepEqual(upTo(named.body), ['webhook.secret'])
  const made = (await admin.post(`${url}/delivery/secret`)).body
  const { body: shown } = await admin.get(url)
  assert.deepEqual(shown.webhookStatus, { secretEnd: made.secret.slice(-4), testedAt: null })
  target.on('/publishing', answers(500))
  const failed = await admin.post(`${url}/delivery/test`)
  assert.deepEqual([failed.body.ok, failed.body.statusCode], [false, 500])
  assert.equal((await admin.post(`${url}/publish`)).status, 422)
  target.on('/publishing', answers(204))
  assert.equal((await admin.post(`${url}/delivery/test`)).body.ok, true)
  const ping = target.at('/publishing').at(-1)
  const told = new Webhook(made.secret).verify(ping?.body ?? '', ping?.headers as never) as Body
  assert.deepEqual([told.type, told.data.productId], ['ping', draft.id])
  assert.equal((await admin.post(`${url}/publish`)).body.sellable, true)

  const moved = await admin.patch(url, { webhook: { url: `${target.url}/publishing?v=2` } })
  assert.deepEqual([moved.body.sellable, upTo(moved.body)], [false, ['webhook.url']])
  assert.equal((await admin.post(`${url}/delivery/test`)).body.ok, true)
  assert.equal((await admin.get(url)).body.sellable, true)
})

test('V35 a system gets signed calls, the same id at every try, and the service is active once it says so', async () => {
  const made = await bySystem()
  target.on(made.path, answers(503))
  const { service, customer, url } = await ordered(made)
  const [first] = await calls(made.path, 'service.create')
  const delivery = await deliveryOf(service.id, 'create', 'sent')
  assert.equal(first?.id, delivery.id)
  assert.equal((await customer.get(url)).body.handover.state, 'waiting')
  target.on(made.path, ok({ reference: 'space-42', details: DETAILS }))
  await app.advance(15)
  const [, second] = await calls(made.path, 'service.create', 2)
  assert.equal(second?.id, delivery.id)
  assert.equal(second?.body, first?.body)
  const told = new Webhook(made.secret).verify(second?.body ?? '', second?.headers as never) as Body
  assert.deepEqual(
    [told.type, told.data.deliveryId, told.data.customer, told.data.product.id],
    ['service.create', delivery.id, null, made.product.id],
  )
  assert.equal(told.data.service.id, service.id)
  assert.ok(told.data.callbackUrl.endsWith(`/v1/deliveries/${delivery.id}/result`))
  await shop.serviceBecame(customer, 'active')
  const done = await deliveryOf(service.id, 'create', 'done')
  assert.deepEqual([done.reference, done.attempts.length], ['space-42', 2])
  assert.equal((await customer.get(url)).body.handover.hasDetails, true)
  assert.deepEqual((await customer.get(`${url}/handover`)).body.details[1], DETAILS[1])
  await noticeOf(customer, 'service_active')
  await shop.quiet()
  const { rows } = await app.deps.database.execute(
    `select 1 from services.delivery_attempts as it where it::text like '%' || $1 || '%'`,
    [PASSWORD],
  )
  assert.equal(rows.length, 0)
})

test('V35 a system that answers 202 calls back; one that refuses is not asked again; a silent one is asked for three days', async () => {
  const later = await bySystem()
  target.on(later.path, answers(202))
  const accepted = await ordered(later)
  const waiting = await deliveryOf(accepted.service.id, 'create', 'accepted')
  assert.equal(waiting.nextAt, null)
  const called = await callBack(waiting.id, later.token, { outcome: 'done', reference: 'r-1' })
  assert.deepEqual([called.status, called.body.state], [200, 'done'], called.text)
  await shop.serviceBecame(accepted.customer, 'active')

  const refusing = await bySystem()
  target.on(refusing.path, answers(422, {}, JSON.stringify({ reason: 'No space left.' })))
  const refused = await ordered(refusing)
  const failed = await deliveryOf(refused.service.id, 'create', 'failed')
  assert.deepEqual([failed.failureCode, failed.failure], ['refused', 'No space left.'])
  await shop.serviceBecame(refused.customer, 'failed')
  assert.doesNotMatch((await refused.customer.get(refused.url)).text, /No space/)
  await noticeOf(refused.customer, 'service_failed')
  await until('staff are notified', async () => {
    const { data } = (await admin.get('/v1/notifications')).body
    return data.some(({ body }: Body) => body.includes('No space left.'))
  })

  const silent = await bySystem()
  target.on(silent.path, (response) => void response.socket?.destroy())
  const unheard = await ordered(silent)
  for (let tries = 1; tries < 10; tries += 1) {
    const sent = await until(`try ${tries} is recorded`, async () => {
      const [it] = await deliveriesOf(unheard.service.id)
      // The list may have read the delivery before the try, and the tries after it.
      const isSet = it?.nextAt && Date.parse(it.nextAt) > Date.parse(app.deps.clock.now())
      return it?.attempts.length === tries && isSet && it
    })
    const ms = Date.parse(sent.nextAt) - Date.parse(app.deps.clock.now())
    await app.advance(Math.max(0, ms / 1000) + 5)
  }
  const given = await deliveryOf(unheard.service.id, 'create', 'failed')
  assert.equal(given.failureCode, 'unanswered')
  const lasted = Date.parse(given.failedAt) - Date.parse(given.createdAt)
  assert.ok(lasted >= 72 * HOUR * 1000 && lasted < 90 * HOUR * 1000, `${lasted}`)
  await shop.serviceBecame(unheard.customer, 'failed')
})

test('V36 a forged, foreign or repeated call-back changes nothing', async () => {
  const made = await bySystem()
  const other = await bySystem()
  target.on(made.path, answers(202))
  const { service, customer } = await ordered(made)
  const { id } = await deliveryOf(service.id, 'create', 'accepted')
  const done = { outcome: 'done' }
  for (const token of ['moord_forged', other.token, customer.token]) {
    assert.equal((await callBack(id, token ?? '', done)).status, 401)
  }
  assert.equal((await app.post(`/v1/deliveries/${id}/result`, done)).status, 401)
  assert.equal((await callBack(service.id, made.token, done)).status, 404)
  assert.equal((await deliveryOf(service.id, 'create')).state, 'accepted')
  const answersOf = await Promise.all([done, done, done].map((it) => callBack(id, made.token, it)))
  assert.deepEqual(
    answersOf.map(({ status }) => status),
    [200, 200, 200],
  )
  const reversed = await callBack(id, made.token, { outcome: 'failed', reason: 'No.' })
  assert.deepEqual([reversed.status, reversed.body.code], [409, 'delivery_closed'])
  await shop.serviceBecame(customer, 'active')
  const { data } = (await customer.get('/v1/notifications')).body
  assert.equal(data.filter((it: Body) => it.kind === 'service_active').length, 1)
})

test('V37 a service is suspended, resumed and ended only when its system says so', async () => {
  const made = await bySystem()
  target.on(made.path, ok({}))
  const { service, customer, url } = await ordered(made)
  await shop.serviceBecame(customer, 'active')
  const ours = `/v1/admin/services/${service.id}`
  target.on(made.path, answers(202))
  assert.ok((await admin.post(`${ours}/suspend`)).status < 300)
  const suspension = await deliveryOf(service.id, 'suspend', 'accepted')
  assert.equal((await customer.get(url)).body.status, 'active')
  assert.equal((await callBack(suspension.id, made.token, { outcome: 'done' })).status, 200)
  await shop.serviceBecame(customer, 'suspended')
  assert.ok((await admin.post(`${ours}/unsuspend`)).status < 300)
  const back = await deliveryOf(service.id, 'resume', 'accepted')
  assert.equal((await customer.get(url)).body.status, 'suspended')
  assert.equal((await callBack(back.id, made.token, { outcome: 'done' })).status, 200)
  await shop.serviceBecame(customer, 'active')
  assert.equal((await customer.post(`${url}/cancel`, { at: 'now' })).status, 200)
  const end = await deliveryOf(service.id, 'end', 'accepted')
  assert.equal((await customer.get(url)).body.status, 'active')
  assert.equal((await callBack(end.id, made.token, { outcome: 'done' })).status, 200)
  await shop.serviceBecame(customer, 'ended')
})

test('a suspension that is lifted after it was sent is taken back; one that failed waits under attention until it is sent again', async () => {
  const made = await bySystem()
  target.on(made.path, ok({}))
  const { service, customer } = await ordered(made)
  await shop.serviceBecame(customer, 'active')
  const ours = `/v1/admin/services/${service.id}`
  target.on(made.path, answers(202))
  assert.ok((await admin.post(`${ours}/suspend`)).status < 300)
  await deliveryOf(service.id, 'suspend', 'accepted')
  assert.ok((await admin.post(`${ours}/unsuspend`)).status < 300)
  await deliveryOf(service.id, 'suspend', 'canceled')
  const resume = await deliveryOf(service.id, 'resume', 'accepted')
  assert.equal((await callBack(resume.id, made.token, { outcome: 'done' })).status, 200)

  target.on(made.path, answers(409))
  assert.ok((await admin.post(`${ours}/suspend`)).status < 300)
  await deliveryOf(service.id, 'suspend', 'failed')
  const { data } = (await admin.get('/v1/admin/services/troubled?kind=transition')).body
  assert.ok(data.some((it: Body) => it.id === service.id))
  target.on(made.path, ok({}))
  assert.equal((await admin.post(`${ours}/retry`)).status, 200)
  await shop.serviceBecame(customer, 'suspended')
})

test('what a system has not confirmed in time stands under attention, and staff send it again with the same id', async () => {
  const made = await bySystem({ confirmHours: 2 })
  target.on(made.path, answers(202))
  const { service, customer } = await ordered(made)
  const { id } = await deliveryOf(service.id, 'create', 'accepted')
  const counted = async (): Promise<number> => {
    const { items } = (await admin.get('/v1/admin/attention')).body
    return items.find((it: Body) => it.kind === 'service_delivery')?.count ?? 0
  }
  const troubled = async (): Promise<Body> => {
    const { data } = (await admin.get('/v1/admin/services/troubled?kind=delivery')).body
    return data.find((it: Body) => it.id === service.id)
  }
  const before = await counted()
  assert.equal(await troubled(), undefined)
  await app.advance(2 * HOUR + 90)
  const found = await until('it is under attention', troubled)
  assert.equal(found.troubles[0].kind, 'delivery')
  assert.ok((await counted()) > before)
  assert.equal((await admin.post(`/v1/admin/services/${service.id}/retry`)).status, 200)
  await calls(made.path, 'service.create', 2)
  await deliveryOf(service.id, 'create', 'accepted')
  target.on(made.path, ok({}))
  assert.equal((await admin.post(`/v1/admin/deliveries/${id}/send`)).status, 200)
  const [, second, third] = await calls(made.path, 'service.create', 3)
  assert.deepEqual([second?.id, third?.id], [id, id])
  await shop.serviceBecame(customer, 'active')
  assert.equal(await troubled(), undefined)
  const late = await admin.post(`/v1/admin/deliveries/${id}/send`)
  assert.deepEqual([late.status, late.body.code], [409, 'delivery_closed'])
})

test('a cancellation before the delivery pays everything back, and a system that was asked is asked to end it', async () => {
  const made = await bySystem()
  target.on(made.path, answers(202))
  const { service, customer, url, placed } = await ordered(made)
  const create = await deliveryOf(service.id, 'create', 'accepted')
  assert.equal((await customer.post(`${url}/cancel`, { at: 'period_end' })).status, 200)
  const end = await deliveryOf(service.id, 'end', 'accepted')
  const late = await callBack(create.id, made.token, { outcome: 'done' })
  assert.deepEqual([late.status, late.body.code], [409, 'delivery_closed'])
  assert.equal((await callBack(end.id, made.token, { outcome: 'done' })).status, 200)
  await shop.serviceBecame(customer, 'ended')
  const { body: invoice } = await customer.get(`/v1/billing/invoices/${placed.invoice.id}`)
  assert.equal(invoice.creditedCents, invoice.totalCents)
})

test('staff refund a delivery that was refused, and its system is not asked to end what it never had', async () => {
  const made = await bySystem()
  target.on(made.path, answers(410))
  const { service, customer, placed } = await ordered(made)
  await shop.serviceBecame(customer, 'failed')
  const ours = `/v1/admin/services/${service.id}`
  const refunded = await admin.post(`${ours}/refund`, { to: 'payment' })
  assert.equal(refunded.body.refundCents, placed.invoice.totalCents, refunded.text)
  await shop.serviceBecame(customer, 'ended')
  assert.deepEqual(
    (await deliveriesOf(service.id)).map(({ action }) => action),
    ['create'],
  )
})

test('a change of plan is sent with the plan that it goes to, and what is refused is paid back as credit', async () => {
  const large = await bySystem({}, { name: 'Web space XL' }, { priceCents: 3000 })
  const small = await bySystem({}, { upgradeTargetIds: [large.product.id] })
  target.on(small.path, ok({}))
  const change = async (customer: Person, url: string) => {
    const wanted = { productId: large.product.id, gatewayId }
    const { status, body, text } = await customer.post(`${url}/upgrade`, wanted)
    assert.equal(status, 200, text)
    await shop.complete(body.payment.redirectUrl)
  }
  const first = await ordered(small)
  await shop.serviceBecame(first.customer, 'active')
  target.on(large.path, ok({}))
  await change(first.customer, first.url)
  const [sent] = await calls(large.path, 'service.change')
  const { data } = JSON.parse(sent?.body ?? '')
  assert.deepEqual([data.product.id, data.previous.productId], [large.product.id, small.product.id])
  await until('it is on the other product', async () => {
    const { body } = await first.customer.get(first.url)
    return body.product.id === large.product.id
  })

  const second = await ordered(small)
  await shop.serviceBecame(second.customer, 'active')
  target.on(large.path, answers(409))
  await change(second.customer, second.url)
  await deliveryOf(second.service.id, 'change', 'failed')
  assert.equal((await second.customer.get(second.url)).body.product.id, small.product.id)
  assert.ok((await shop.creditOf(second.customer)) > 0)

  const third = await ordered(small)
  await shop.serviceBecame(third.customer, 'active')
  target.on(large.path, answers(202))
  await change(third.customer, third.url)
  await deliveryOf(third.service.id, 'change', 'accepted')
  const canceled = await admin.post(`/v1/admin/services/${third.service.id}/cancel-upgrade`)
  assert.ok(canceled.status < 300, canceled.text)
  const undoing = await until('the change is undone', async () => {
    const rows = await deliveriesOf(third.service.id)
    return (
      rows[0]?.action === 'change' &&
      rows[0].state === 'accepted' &&
      rows[1]?.state === 'canceled' &&
      rows[0]
    )
  })
  const undone = (await calls(large.path, 'service.change')).find((it) => it.id === undoing.id)
  assert.equal(JSON.parse(undone?.body ?? '').data.product.id, small.product.id)
})

test('customers are named to a system only where its product says so', async () => {
  const made = await bySystem({ includeCustomer: true })
  target.on(made.path, ok({}))
  const { customer } = await ordered(made)
  const [sent] = await calls(made.path, 'service.create')
  const { data } = JSON.parse(sent?.body ?? '')
  assert.deepEqual([data.customer.id, data.customer.email], [customer.userId, customer.email])
})

test('a new secret signs beside the old one for a day, and the tokens of both count', async () => {
  const made = await bySystem()
  target.on(made.path, answers(202))
  const renewed = (await admin.post(`${products}/${made.product.id}/delivery/secret`)).body
  assert.equal((await admin.get(`${products}/${made.product.id}`)).body.sellable, false)
  assert.equal((await admin.post(`${products}/${made.product.id}/delivery/test`)).body.ok, true)
  const ping = target.at(made.path).at(-1)
  const { body = '', id: messageId = '', headers = {} } = ping ?? {}
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
  const signatures = [renewed.secret, made.secret].map((it) =>
    new Webhook(it).sign(messageId, sentAt, body),
  )
  assert.equal(headers['webhook-signature'], signatures.join(' '))
  const { service } = await ordered(made)
  const { id } = await deliveryOf(service.id, 'create', 'accepted')
  assert.equal((await callBack(id, made.token, { outcome: 'done' })).status, 200)
  await app.advance(25 * HOUR)
  const other = await ordered(made)
  const next = await deliveryOf(other.service.id, 'create', 'accepted')
  assert.equal((await callBack(next.id, made.token, { outcome: 'done' })).status, 401)
  assert.equal((await callBack(next.id, renewed.token, { outcome: 'done' })).status, 200)
})

test('a delivery whose process died while it was sent is sent again by another', async () => {
  const made = await bySystem()
  target.on(made.path, answers(202))
  const { service, customer } = await ordered(made)
  const { id } = await deliveryOf(service.id, 'create', 'accepted')
  // As a process leaves it that dies after it took the delivery.
  const { tenantId, deps } = app
  await deps.database.execute(
    `update services.deliveries set accepted_at = null, next_at = $2, lease_until = null where id = $1`,
    [id, deps.clock.now()],
  )
  const taken = await transact(deps.database.of(tenantId), (tx) =>
    leaseDelivery(tx, { tenantId, id }, deps.clock.now()),
  )
  assert.equal(taken?.id, id)
  target.on(made.path, ok({}))
  await app.advance(75)
  await shop.serviceBecame(customer, 'active')
})

test('a system gets one call at a time for a service: an end waits until a creation is answered', async () => {
  const made = await bySystem()
  const held = Promise.withResolvers<void>()
  target.on(made.path, async (response, { body }) => {
    if (JSON.parse(body).type === 'service.create') await held.promise
    response.writeHead(202).end()
  })
  const { service, customer, url } = await ordered(made)
  await calls(made.path, 'service.create')
  assert.equal((await customer.post(`${url}/cancel`, { at: 'now' })).status, 200)
  await until('the end is put off', async () => {
    const [end] = (await deliveriesOf(service.id)).filter(({ action }) => action === 'end')
    return end && end.nextAt > end.createdAt
  })
  assert.equal((await deliveryOf(service.id, 'end')).state, 'waiting')
  held.resolve()
  await until('the creation is recorded', async () => {
    const rows = await deliveriesOf(service.id)
    return rows.find(({ action }) => action === 'create')?.attempts.length === 1
  })
  await app.advance(10)
  const [end] = await calls(made.path, 'service.end')
  await deliveryOf(service.id, 'end', 'accepted')
  assert.equal((await callBack(end?.id ?? '', made.token, { outcome: 'done' })).status, 200)
  await shop.serviceBecame(customer, 'ended')
})
