import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOut } from '#test/checkout.ts'
import { gameShop } from '#test/game-shop.ts'

const shop = await gameShop()
const { admin, gatewayId } = shop
const monthly = { interval: 'month', currency: 'EUR' }

test('V13: many checkouts at once for the last unit of a value sell it once', async () => {
  const { product, plan } = await shop.server()
  const { body: group } = await admin.post('/v1/admin/option-groups', {
    ...{ name: 'Addresses', productIds: [product.id] },
  })
  const { body: option } = await admin.post('/v1/admin/options', {
    ...{ groupId: group.id, key: 'ip', kind: 'toggle', name: 'Dedicated IP' },
    values: [
      { key: 'off', label: 'No' },
      { key: 'on', label: 'Yes', stock: 1 },
    ],
    prices: [{ value: 'on', ...monthly, priceCents: 300 }],
  })
  const buyers = await Promise.all(Array.from({ length: 6 }, () => shop.customer()))
  for (const by of buyers) {
    const added = await by.post('/v1/cart/items', { planId: plan.id, options: { ip: true } })
    assert.equal(added.status, 201, added.text)
  }
  const answers = await Promise.all(buyers.map((by) => checkOut(by, { gatewayId })))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, 422, 422, 422, 422, 422], answers.map(({ text }) => text).join())
  const paths = answers.flatMap(({ body }) => body.details ?? [])
  assert.ok(paths.every(({ code }: { code: string }) => code === 'out_of_stock'))
  const { body: left } = await admin.get(`/v1/admin/options/${option.id}`)
  assert.equal(left.values.find(({ key }: { key: string }) => key === 'on').stock, 0)
})
