import assert from 'node:assert/strict'
import { test } from 'node:test'
import { affiliate, broughtBy } from '#test/affiliates.ts'
import { gameShop } from '#test/game-shop.ts'

const shop = await gameShop()
const { admin } = shop

test('paid orders of the customers an affiliate brought are counted, and go with a correction', async () => {
  const { plan } = await shop.server({ name: 'Four gigabytes' })
  const [ada, eve] = [await affiliate(shop), await affiliate(shop)]
  const bob = await broughtBy(shop, ada, { country: 'FR' })
  const placed = await shop.order(bob, plan.id)
  const counts = async ({ id }: { id: string }) => {
    const { referralCount, orderCount } = (await admin.get(`/v1/admin/affiliates/${id}`)).body
    return [referralCount, orderCount]
  }
  assert.deepEqual(await counts(ada), [1, 0])
  await shop.complete(placed.payment.redirectUrl)
  await shop.serviceBecame(bob, 'active')
  assert.deepEqual(await counts(ada), [1, 1])
  const correction = { affiliateId: eve.id, reason: 'Asked for it' }
  const { status } = await admin.put(`/v1/admin/users/${bob.userId}/referral`, correction)
  assert.equal(status, 200)
  assert.deepEqual(
    [await counts(ada), await counts(eve)],
    [
      [0, 0],
      [1, 1],
    ],
  )
})
