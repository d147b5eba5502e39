import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundary } from '#lib/periods.ts'
import { type Instant, later, millis } from '#lib/time.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app } = shop
const { plan } = await shop.server()

const WEEK_MS = 7 * 86_400_000
const MONTHLY = { interval: 'month', intervalCount: 1 } as const

/** Moves the clock a minute past an instant. */
async function goTo(at: Instant): Promise<void> {
  const seconds = (millis(at) - millis(app.deps.clock.now())) / 1000 + 60
  if (seconds > 0) await app.advance(Math.ceil(seconds))
}

test('a year of renewals is charged to the saved card, each month once', async () => {
  const ada = await shop.customer()
  const placed = await shop.order(ada, plan.id, { savePaymentMethod: true })
  await shop.complete(placed.payment.redirectUrl)
  const { id, currentPeriodStart: anchor } = await shop.serviceBecame(ada, 'active')
  for (let month = 1; month <= 12; month += 1) {
    const start = boundary(anchor, MONTHLY, month)
    await goTo(later(start, -WEEK_MS))
    const newest = await app.eventually('the invoice', async () => {
      const { data } = (await ada.get('/v1/billing/invoices')).body
      return data.length === month + 1 && data[0]
    })
    assert.deepEqual([newest.dueAt, newest.lines[0].periodStart], [start, start])
    await goTo(start)
    await app.eventually(`month ${month} is paid for`, async () => {
      const { body } = await ada.get(`/v1/services/${id}`)
      return body.currentPeriodStart === start
    })
  }
  const { data } = (await ada.get('/v1/billing/invoices')).body
  assert.equal(data.length, 13)
  for (const { status, totalCents } of data as Body[]) {
    assert.deepEqual([status, totalCents], ['paid', 1200])
  }
  await shop.assertSound()
})
