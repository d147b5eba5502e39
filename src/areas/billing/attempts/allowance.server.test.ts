import assert from 'node:assert/strict'
import { test } from 'node:test'
import { billingShop } from '#test/billing-shop.ts'

const shop = await billingShop()
const { gatewayId } = shop

test('top-ups and cards that one customer begins at once do not lock each other out', async () => {
  const answers: number[] = []
  for (let round = 0; round < 6; round += 1) {
    const ada = await shop.buyer()
    const begun = Array.from({ length: 4 }, () => [
      ada.post('/v1/billing/credits/top-up', { amountCents: 1000, gatewayId }),
      ada.post('/v1/billing/setup-intent', { gatewayId }),
    ])
    answers.push(...(await Promise.all(begun.flat())).map(({ status }) => status))
  }
  assert.deepEqual(
    answers.filter((status) => status >= 500),
    [],
  )
  assert.ok(answers.includes(201))
})
