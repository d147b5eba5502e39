import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOut } from '#test/checkout.ts'
import { gameShop } from '#test/game-shop.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

const shop = await gameShop()
const { app, admin } = shop
const { plan } = await shop.server()

test('the customer and staff read the note of an order, without the empty lines around it', async () => {
  const ada = await shop.customer()
  await ada.post('/v1/cart/items', { planId: plan.id })
  const note = '\n Whitelist us first.\nThe map is “Skyblock”. \n'
  const { status, body, text } = await checkOut(ada, { gatewayId: shop.gatewayId, note })
  assert.equal(status, 201, text)
  const written = 'Whitelist us first.\nThe map is “Skyblock”.'
  assert.equal(body.order.note, written)
  const { id } = body.order
  assert.equal((await ada.get(`/v1/billing/orders/${id}`)).body.note, written)
  assert.equal((await admin.get(`/v1/admin/orders/${id}`)).body.note, written)
  const { orders } = (await ada.get('/v1/billing/export-data')).body.data.orders
  assert.equal(orders[0].note, written)
})

test('a note that is too long is refused and orders nothing; an empty one is none', async () => {
  const ada = await shop.customer()
  await ada.post('/v1/cart/items', { planId: plan.id })
  const refused = await checkOut(ada, { gatewayId: shop.gatewayId, note: 'x'.repeat(501) })
  assert.deepEqual([refused.status, refused.body.details[0].path], [400, 'note'], refused.text)
  assert.equal((await ada.get('/v1/cart')).body.items.length, 1)
  const placed = await checkOut(ada, { gatewayId: shop.gatewayId, note: '  \n' })
  assert.deepEqual([placed.status, placed.body.order.note], [201, null], placed.text)
})

test('the notes of a person are deleted with their account', async () => {
  const ada = await shop.customer()
  await ada.post('/v1/cart/items', { planId: plan.id })
  const note = 'Call me Countess.'
  const { body } = await checkOut(ada, { gatewayId: shop.gatewayId, note })
  await ada.post(`/v1/billing/orders/${body.order.id}/cancel`)
  await givePassword(app, ada.userId)
  const login = { email: ada.email, password: PASSWORD }
  const session = await app.post('/v1/auth/login', login)
  assert.equal(session.status, 200, session.text)
  const { accessToken } = session.body
  const left = await app.as(accessToken).delete('/v1/users/me', { password: PASSWORD })
  assert.equal(left.status, 200, left.text)
  assert.equal((await admin.get(`/v1/admin/orders/${body.order.id}`)).body.note, null)
})

test('an unpaid order says until when it is reserved, and a canceled one is not reserved', async () => {
  const ada = await shop.customer()
  await ada.post('/v1/cart/items', { planId: plan.id })
  const { body } = await checkOut(ada, { gatewayId: shop.gatewayId })
  const { id, createdAt, heldUntil } = body.order
  assert.ok(heldUntil > createdAt, heldUntil)
  const { body: canceled } = await ada.post(`/v1/billing/orders/${id}/cancel`)
  assert.deepEqual([canceled.status, canceled.heldUntil], ['canceled', null])
})
