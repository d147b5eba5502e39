import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import type { Made } from '#test/shop.ts'

type Body = Answer['body']

const shop = await gameShop()
const { admin, app, catalog, gatewayId } = shop
const NONE = { delivery: 'none', provisioning: null }

const rank = (product: object = {}, plan: object = {}) =>
  catalog.offer(plan, { ...NONE, ...product })

/** A customer with an active service without a server. */
async function bought(plan: Made): Promise<{ customer: Person; service: Body; url: string }> {
  const customer = await shop.customer()
  await shop.buy(customer, plan.id)
  const service = await shop.serviceBecame(customer, 'active')
  return { customer, service, url: `/v1/services/${service.id}` }
}

const noticeOf = (customer: Person, kind: string): Promise<Body> =>
  until(`a notice ${kind}`, async () => {
    const { data } = (await customer.get('/v1/notifications')).body
    return data.find((it: Body) => it.kind === kind)
  })

test('a product without a server needs only a price to be published', async () => {
  const draft = await catalog.product(NONE)
  assert.deepEqual(
    draft.publishFaults.map(({ path }: Body) => path),
    ['plans'],
  )
  const { product } = await rank()
  assert.deepEqual([product.delivery, product.sellable, product.publishFaults], ['none', true, []])
})

test('a service without a server is active when its payment arrives, and its panel has no server', async () => {
  const { plan } = await rank({ name: 'VIP rank' })
  const customer = await shop.customer()
  const placed = await shop.order(customer, plan.id)
  const [pending] = (await customer.get('/v1/services')).body.data
  assert.deepEqual([pending.status, pending.delivery], ['pending', 'none'])
  await shop.complete(placed.payment.redirectUrl)
  const service = await shop.serviceBecame(customer, 'active')
  assert.ok(service.activatedAt && service.currentPeriodStart && service.currentPeriodEnd)
  const order = (await customer.get(`/v1/billing/orders/${placed.order.id}`)).body
  const { title, body } = await noticeOf(customer, 'service_active')
  assert.match(title, /is active$/)
  assert.doesNotMatch(body, /server/i)
  assert.deepEqual(await shop.servers(), [])
  await until('the order is fulfilled', async () => {
    const { status } = (await customer.get(`/v1/billing/orders/${order.id}`)).body
    return status === 'fulfilled'
  })
  await shop.assertSound()
})

test('a service without a server ends at once when it is canceled now, and nothing is kept of it', async () => {
  const { plan } = await rank()
  const { customer, url } = await bought(plan)
  const canceled = await customer.post(`${url}/cancel`, { at: 'now' })
  assert.equal(canceled.status, 200, canceled.text)
  const ended = await shop.serviceBecame(customer, 'ended')
  assert.equal(ended.deleteServerAt, null)
  const { body } = await noticeOf(customer, 'service_ended')
  assert.doesNotMatch(body, /server|data/i)
})

test('a service without a server that staff terminate has no data to keep', async () => {
  const { plan } = await rank()
  const { customer, service } = await bought(plan)
  const path = `/v1/admin/services/${service.id}/terminate`
  const { status, text } = await admin.post(path, { keepData: true })
  assert.ok(status < 300, text)
  const ended = await shop.serviceBecame(customer, 'ended')
  assert.equal(ended.deleteServerAt, null)
})

test('a service without a server is suspended and reactivated without a panel', async () => {
  const { plan } = await rank()
  const { customer, service } = await bought(plan)
  const path = `/v1/admin/services/${service.id}`
  assert.ok((await admin.post(`${path}/suspend`)).status < 300)
  await shop.serviceBecame(customer, 'suspended')
  assert.doesNotMatch((await noticeOf(customer, 'service_suspended')).body, /server/i)
  assert.ok((await admin.post(`${path}/unsuspend`)).status < 300)
  await shop.serviceBecame(customer, 'active')
  assert.doesNotMatch((await noticeOf(customer, 'service_reactivated')).body, /server/i)
})

test('what is for servers only is refused with 409 service_without_server', async () => {
  const { plan } = await rank()
  const { customer, service, url } = await bought(plan)
  const ours = `/v1/admin/services/${service.id}`
  const calls: [Person, string, object?][] = [
    [customer, `${url}/power`, { action: 'start' }],
    [customer, `${url}/reinstall`],
    [admin, `${ours}/power`, { action: 'start' }],
    [admin, `${ours}/replace`, {}],
    [admin, `${ours}/reprovision`],
  ]
  for (const [by, path, body] of calls) {
    const answer = await by.post(path, body)
    assert.deepEqual([answer.status, answer.body.code], [409, 'service_without_server'], path)
  }
  const startup = await customer.patch(url, { environment: { SERVER_JARFILE: 'a.jar' } })
  assert.deepEqual([startup.status, startup.body.code], [409, 'service_without_server'])
  assert.equal((await customer.get(`${url}/status`)).body.available, false)
  assert.equal((await customer.get(url)).body.status, 'active')
})

test('a change between products without a server is made when it is paid; products with a server are no targets', async () => {
  const server = await shop.server()
  const large = await rank({ name: 'VIP+' }, { priceCents: 2000 })
  const upgradeTargetIds = [large.product.id, server.product.id]
  const small = await rank({ name: 'VIP', upgradeTargetIds })
  const { customer, url } = await bought(small.plan)
  const { data } = (await customer.get(`${url}/upgrade-targets`)).body
  assert.deepEqual(
    data.map((it: Body) => it.product.name),
    ['VIP+'],
  )
  const across = await customer.post(`${url}/upgrade`, { productId: server.product.id, gatewayId })
  assert.ok(across.status >= 400, across.text)
  const changed = await customer.post(`${url}/upgrade`, { productId: large.product.id, gatewayId })
  assert.equal(changed.status, 200, changed.text)
  await shop.complete(changed.body.payment.redirectUrl)
  await until('the service is on the other product', async () => {
    const { body } = await customer.get(url)
    return body.product.id === large.product.id && body.status === 'active'
  })
  assert.doesNotMatch((await noticeOf(customer, 'service_upgraded')).body, /server/i)
  await shop.assertSound()
})

test('the next period of a service without a server can be paid ahead', async () => {
  const { plan } = await rank()
  const { customer, service, url } = await bought(plan)
  const renewal = await customer.post(`${url}/renew`, { gatewayId })
  assert.equal(renewal.status, 200, renewal.text)
  await shop.complete(renewal.body.payment.redirectUrl)
  await shop.became(customer, renewal.body.invoice.id, 'paid')
  assert.equal((await customer.get(url)).body.currentPeriodEnd, service.currentPeriodEnd)
  await shop.assertSound()
})

test('the delivery of a product is fixed once it was sold, even if nobody paid', async () => {
  const { product, plan } = await rank()
  const path = `/v1/admin/products/${product.id}`
  const provisioning = {
    eggId: shop.eggId,
    nodeIds: [shop.nodeId],
    limits: { memoryMb: 1, diskMb: 1 },
  }
  const both = await admin.patch(path, { provisioning })
  assert.deepEqual([both.status, both.body.code], [422, 'provisioning_invalid'])
  const changed = await admin.patch(path, { delivery: 'server', provisioning })
  assert.deepEqual([changed.status, changed.body.sellable], [200, true])
  assert.equal((await admin.patch(path, NONE)).status, 200)
  await shop.order(await shop.customer(), plan.id)
  const fixed = await admin.patch(path, { delivery: 'server', provisioning })
  assert.deepEqual([fixed.status, fixed.body.code], [409, 'delivery_fixed'])
  assert.equal((await admin.patch(path, { delivery: 'none', position: 3 })).status, 200)
})

test('a service keeps the delivery that its product had at the order', async () => {
  const { plan } = await rank()
  const { service } = await bought(plan)
  const row = await app.deps.database
    .of(app.tenantId)
    .selectFrom('services.services')
    .select(['delivery', 'nodeId', 'serverId'])
    .where('id', '=', service.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(row, { delivery: 'none', nodeId: null, serverId: null })
})
