import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOut } from '#test/checkout.ts'
import { gameShop } from '#test/game-shop.ts'
import { asOwner } from '#test/owner.ts'
import { TEST_SELLER } from '#test/seller.ts'

const shop = await gameShop({ sells: false })
const { app, admin, gatewayId, db } = shop
const { plan } = await shop.server({ upgradeTargetIds: [] })
const CUSTOMER = {
  message: 'This shop does not take orders at the moment. Try again later.',
  code: 'shop_not_ready',
}

const numbers = async () => {
  const { rows } = await asOwner(app.deps.database, 'select number from billing.invoices')
  return rows.filter(({ number }) => number !== null).length
}

async function forgetSeller(): Promise<void> {
  await asOwner(
    app.deps.database,
    "update tenants.tenants set seller = '{}', seller_ready_at = null",
  )
}

test('a shop whose seller was never entered sells nothing and takes no number', async () => {
  const player = await shop.customer()
  assert.equal((await player.post('/v1/cart/items', { planId: plan.id })).status, 201)
  const before = (await player.get('/v1/cart')).body.items.length
  const sold = [
    await checkOut(player, { gatewayId }),
    await player.post('/v1/billing/credits/top-up', { amountCents: 500, gatewayId }),
  ]
  for (const { status, body } of sold) {
    assert.equal(status, 409)
    assert.deepEqual({ message: body.message, code: body.code }, CUSTOMER)
    assert.equal(body.details, undefined, 'a customer learns nothing of the shop')
  }
  assert.equal((await player.get('/v1/cart')).body.items.length, before, 'the cart is kept')
  const lines = [{ description: 'Work', unitPriceCents: 500 }]
  const draft = await admin.post('/v1/admin/invoices', { userId: player.userId, lines })
  assert.equal(draft.status, 409)
  assert.equal(draft.body.code, 'shop_not_ready')
  const fields = ['name', 'line1', 'city', 'country', 'taxStatus']
  assert.deepEqual(
    draft.body.details.map((it: { path: string }) => it.path),
    fields.map((field) => `seller.${field}`),
  )
  assert.equal(await numbers(), 0)
  assert.deepEqual((await player.get('/v1/billing/invoices')).body.data, [])
})

test('a shop sells from the moment in which its seller is complete', async () => {
  const player = await shop.customer()
  const { taxStatus, ...address } = TEST_SELLER
  const half = await admin.patch('/v1/admin/shop', { seller: address })
  assert.equal(half.status, 200, half.text)
  assert.deepEqual(
    half.body.missing.map((it: { path: string }) => it.path),
    ['seller.taxStatus'],
  )
  await player.post('/v1/cart/items', { planId: plan.id })
  assert.equal((await checkOut(player, { gatewayId })).status, 409)
  const whole = await admin.patch('/v1/admin/shop', { seller: { taxStatus } })
  assert.deepEqual(whole.body.missing, [])
  assert.ok(whole.body.sellerReadyAt)
  const placed = await checkOut(player, { gatewayId })
  assert.equal(placed.status, 201, placed.text)
  const invoice = await db
    .selectFrom('billing.invoices')
    .select('seller')
    .where('id', '=', placed.body.invoice.id)
    .executeTakeFirstOrThrow()
  assert.equal(invoice.seller.name, TEST_SELLER.name)
  const undecided = await admin.patch('/v1/admin/shop', { seller: { vatNumber: null } })
  assert.deepEqual([undecided.status, undecided.body.code], [422, 'seller_incomplete'])
})

test('without a seller nothing is renewed, upgraded or begun to be paid, and staff learn why', async () => {
  const player = await shop.customer()
  const placed = await shop.buy(player, plan.id)
  const service = await shop.serviceBecame(player, 'active')
  const waiting = await shop.order(player, plan.id)
  const before = await numbers()
  await forgetSeller()
  const pay = await player.post(`/v1/billing/invoices/${waiting.invoice.id}/pay`, { gatewayId })
  assert.deepEqual([pay.status, pay.body.code], [409, 'shop_not_ready'])
  const ahead = await player.post(`/v1/services/${service.id}/renew`, { gatewayId })
  assert.deepEqual([ahead.status, ahead.body.code], [409, 'shop_not_ready'])
  await app.advance(30 * 86_400)
  const failure = await app.eventually('the renewal is noted as failed', async () => {
    const row = await db
      .selectFrom('services.services')
      .select('renewalFailure')
      .where('id', '=', service.id)
      .executeTakeFirst()
    return row?.renewalFailure
  })
  assert.match(failure, /seller is not complete.*seller\.name/)
  assert.equal(await numbers(), before)
  const note = { amountCents: 100, reason: 'Goodwill', to: 'credit' }
  const credited = await admin.post(`/v1/admin/invoices/${placed.invoice.id}/refund`, note)
  assert.ok(credited.status < 300, credited.text)
  assert.equal((await admin.patch('/v1/admin/shop', { seller: TEST_SELLER })).status, 200)
  await app.advance(7 * 3600)
  await app.eventually('the service is renewed', async () => {
    const { body } = await player.get('/v1/billing/invoices')
    return body.data.some((it: { kind: string }) => it.kind === 'renewal')
  })
})

test('a shop without a way to pay sells nothing that costs something, and takes no number', async () => {
  const player = await shop.customer()
  assert.equal((await player.post('/v1/cart/items', { planId: plan.id })).status, 201)
  const before = await numbers()
  const gateway = `/v1/admin/gateways/${gatewayId}`
  assert.equal((await admin.patch(gateway, { enabled: false })).status, 200)
  for (const choice of [{ gatewayId }, {}]) {
    const { status, body } = await checkOut(player, choice)
    assert.deepEqual([status, body.code], [422, 'gateway_unavailable'])
  }
  assert.equal(await numbers(), before)
  for (const list of ['/v1/billing/invoices', '/v1/billing/orders']) {
    assert.deepEqual((await player.get(list)).body.data, [], list)
  }
  assert.equal((await player.get('/v1/cart')).body.items.length, 1, 'the cart is kept')
  assert.equal((await admin.patch(gateway, { enabled: true })).status, 200)
  assert.equal((await checkOut(player, { gatewayId })).status, 201)
})
