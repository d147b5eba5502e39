import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formBrowser } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'
import { formatsOf } from '../parts/formats.ts'

const shop = await gameShop()
const { app } = shop

test('the page of an order shows five steps of setting up its server, and how long each of them took', async () => {
  const { plan } = await shop.server({ name: 'Castle' })
  const customer = await shop.customer()
  await givePassword(app, customer.userId)
  await shop.buy(customer, plan.id)
  await shop.serviceBecame(customer, 'active')
  const [order] = (await customer.get('/v1/billing/orders')).body.data
  const visitor = formBrowser(app)
  const { email } = customer
  await visitor.submit('/sign-in', { email, password: PASSWORD, next: '' })
  const { status, text } = await visitor.open(`/orders/${order.id}`)
  assert.equal(status, 200)
  assert.equal(text.match(/<li class="done">/g)?.length, 5, text)
  assert.match(text, /Place reserved.*?<span class="t">[\d.]+ s<\/span>/s)
  assert.doesNotMatch(text, /data-ms/, 'nothing is counted any more')
  const [id] = order.items[0].serviceIds
  assert.match(text, new RegExp(`class="button" href="/servers/${id}">Open my server`))
  assert.match(text, /href="\/servers">Go to my servers/)
})

test('the page of an order without a server shows its payment and its activation', async () => {
  const rank = { name: 'VIP', delivery: 'none', provisioning: null }
  const { plan } = await shop.catalog.offer({}, rank)
  const customer = await shop.customer()
  await givePassword(app, customer.userId)
  await shop.buy(customer, plan.id)
  await shop.serviceBecame(customer, 'active')
  const [order] = (await customer.get('/v1/billing/orders')).body.data
  const visitor = formBrowser(app)
  const { email } = customer
  await visitor.submit('/sign-in', { email, password: PASSWORD, next: '' })
  const { text } = await visitor.open(`/orders/${order.id}`)
  assert.equal(text.match(/<li class="done">/g)?.length, 2, text)
  assert.match(text, /Service active/)
  assert.doesNotMatch(text, /Server created/)
  const [id] = order.items[0].serviceIds
  assert.match(text, new RegExp(`href="/servers/${id}">See my service`))
})

test('the page of an order whose server could not be made leads to it, and follows what staff retry', async () => {
  const { plan, product: made } = await shop.server({ name: 'Fort' })
  const customer = await shop.customer()
  await givePassword(app, customer.userId)
  const placed = await shop.order(customer, plan.id)
  const product = `/v1/admin/products/${made.id}`
  await shop.admin.patch(product, { provisioning: null })
  await shop.complete(placed.payment.redirectUrl)
  const { id } = await shop.serviceBecame(customer, 'failed')
  const [order] = (await customer.get('/v1/billing/orders')).body.data
  const visitor = formBrowser(app)
  const { email } = customer
  await visitor.submit('/sign-in', { email, password: PASSWORD, next: '' })
  const stopped = await visitor.open(`/orders/${order.id}`)
  assert.match(stopped.text, /Fort is not ready yet/)
  assert.match(stopped.text, new RegExp(`href="/servers/${id}">Open my server`))
  assert.match(stopped.text, /data-poll/)
  const limits = { memoryMb: 1024, diskMb: 1024 }
  const provisioning = { eggId: shop.eggId, nodeIds: [shop.nodeId], limits }
  await shop.admin.patch(product, { provisioning })
  const again = await shop.admin.post(`/v1/admin/services/${id}/reprovision`)
  assert.equal(again.status, 200, again.text)
  const { text } = await visitor.open(`/orders/${order.id}`)
  assert.match(text, /Setting up Fort|Fort is ready/)
})

test('the shop says when staff deliver a product, and the page of its order does not wait for that', async () => {
  const manual = { name: 'Voice', slug: 'voice', delivery: 'manual', provisioning: null }
  const terms = { instructions: 'Set it up.', promiseHours: 48 }
  const { plan } = await shop.catalog.offer({}, { ...manual, ...terms })
  const customer = await shop.customer()
  await givePassword(app, customer.userId)
  await shop.buy(customer, plan.id)
  await shop.serviceBecame(customer, 'provisioning')
  const [order] = (await customer.get('/v1/billing/orders')).body.data
  const visitor = formBrowser(app)
  const { email } = customer
  await visitor.submit('/sign-in', { email, password: PASSWORD, next: '' })
  const product = await visitor.open('/p/voice')
  assert.match(product.text, /ready within 48 hours of your payment/)
  assert.match(product.text, /first period begins with the delivery/)
  assert.doesNotMatch(product.text, /Set it up/)
  const { text } = await visitor.open(`/orders/${order.id}`)
  assert.match(text, /We are preparing Voice/)
  assert.match(text, /Delivered by our team/)
  assert.doesNotMatch(text, /data-poll|data-ms|Server created/)
})

for (const [ms, english, french] of [
  [3400, '3.4 s', '3,4 s'],
  [15_900, '15 s', '15 s'],
  [68_000, '1 min 08 s', '1 min 08 s'],
] as const) {
  test(`${ms} ms are written as ${english}`, () => {
    assert.equal(formatsOf({ locale: 'en' }).duration(ms), english)
    assert.equal(formatsOf({ locale: 'fr' }).duration(ms), french)
  })
}
