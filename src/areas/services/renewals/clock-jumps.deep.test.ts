import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundary } from '#lib/periods.ts'
import { type Instant, later, millis } from '#lib/time.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app } = shop
const { plan } = await shop.server()

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]
const MONTHLY = { interval: 'month', intervalCount: 1 } as const
/** How a clock that is wrong, and is put right again and again, strays around the time it is. */
const JUMPS = [-5 * MINUTE, 10 * MINUTE, -5 * MINUTE, HOUR, -2 * HOUR, HOUR]

async function goTo(at: Instant): Promise<void> {
  const seconds = Math.ceil((millis(at) - millis(app.deps.clock.now())) / 1000)
  if (seconds > 0) await app.advance(seconds)
}

/** Everything that is due at a moment, and whatever else a clock that jumps around it finds. */
async function jumpAround(at: Instant, look: () => Promise<boolean>): Promise<void> {
  await goTo(later(at, MINUTE * 1000))
  await app.eventually(`what is due at ${at} is done`, look)
  for (const seconds of JUMPS) await app.advance(seconds)
}

const invoicesOf = async (of: Person): Promise<Body[]> =>
  (await of.get('/v1/billing/invoices')).body.data
const told = async (of: Person, kind: string): Promise<number> =>
  (await of.get('/v1/notifications')).body.data.filter((it: Body) => it.kind === kind).length

async function buys(how: object = {}): Promise<{ person: Person; id: string; start: Instant }> {
  const person = await shop.customer()
  const placed = await shop.order(person, plan.id, how)
  await shop.complete(placed.payment.redirectUrl)
  const { id, currentPeriodStart } = await shop.serviceBecame(person, 'active')
  return { person, id, start: boundary(currentPeriodStart, MONTHLY, 1) }
}

test('around jumps of the clock a renewal is invoiced, told and charged once (hardening 49)', async () => {
  const { person, id, start } = await buys({ savePaymentMethod: true })
  await app.eventually('the card is saved', async () => {
    const { body } = await person.get('/v1/billing/payment-methods')
    return body.data.length > 0
  })
  await jumpAround(later(start, -7 * DAY * 1000), async () => (await invoicesOf(person)).length > 1)
  const isPaid = async () =>
    (await person.get(`/v1/services/${id}`)).body.currentPeriodStart === start
  await jumpAround(start, isPaid)
  const invoices = await invoicesOf(person)
  assert.deepEqual(
    invoices.map(({ status, totalCents }) => [status, totalCents]),
    [
      ['paid', 1200],
      ['paid', 1200],
    ],
  )
  assert.equal(await told(person, 'renewal_invoice'), 1)
  await shop.assertSound()
})

test('around jumps of the clock each step of dunning is taken once (hardening 49)', async () => {
  const { person, id, start } = await buys()
  const day = (days: number) => later(start, days * DAY * 1000)
  const status = async () => (await person.get(`/v1/services/${id}`)).body.status
  await jumpAround(day(-7), async () => (await invoicesOf(person)).length > 1)
  await jumpAround(day(-3), async () => (await told(person, 'payment_reminder')) === 1)
  await jumpAround(day(2), async () => (await told(person, 'payment_reminder')) === 2)
  assert.equal(await status(), 'active')
  await jumpAround(day(3), async () => (await status()) === 'suspended')
  await jumpAround(day(10), async () => (await told(person, 'payment_reminder')) === 4)
  await jumpAround(day(14), async () => (await status()) === 'ended')
  assert.equal((await invoicesOf(person)).length, 2)
  for (const [kind, times] of [
    ['renewal_invoice', 1],
    ['payment_reminder', 4],
    ['service_suspended', 1],
    ['service_ended', 1],
  ] as const) {
    assert.equal(await told(person, kind), times, kind)
  }
  await shop.assertSound()
})
