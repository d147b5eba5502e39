import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { newId } from '#lib/id.ts'
import { dayOf } from '#lib/time.ts'
import { until } from '#test/app.ts'
import { camtStatement } from '#test/bank-files.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { receiver } from '#test/receiver.ts'

type Line = Record<string, unknown>
type Placed = Answer['body']

/** However a purchase is paid, the id of its order alone finds it in the log, from the order to the webhook. */
const lines: Line[] = []
const log = pino(
  { level: 'debug', base: null },
  { write: (line: string) => lines.push(JSON.parse(line)) },
)
const target = await receiver(null)
const shop = await gameShop({ log, config: { privateHosts: [target.place] } })
const { app, admin, gatewayId } = shop
const { plan } = await shop.server()
const hook = { url: `${target.url}/hook`, events: ['order.placed', 'service.activated'] }
assert.equal((await admin.post('/v1/admin/webhook-endpoints', hook)).status, 201)
const transfer = await admin.post('/v1/admin/gateways', {
  ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 9 },
  settings: { holder: 'Host', iban: 'DE02120300000000202051' },
})
assert.equal(transfer.status, 201, transfer.text)

/** An order that is not paid yet. */
async function ordered(player: Person, how: object = { gatewayId }): Promise<Placed> {
  await player.post('/v1/cart/items', { planId: plan.id })
  const { status, body, text } = await checkOut(player, how)
  assert.equal(status, 201, text)
  return body
}

/** How the purchase is paid on each path. */
const PATHS: Record<string, (player: Person) => Promise<Placed>> = {
  async 'a webhook of the payment provider'(player) {
    const placed = await ordered(player)
    await shop.complete(placed.payment.redirectUrl)
    return placed
  },
  async 'the return page'(player) {
    const placed = await ordered(player)
    await shop.control('delivery', { mode: 'drop' })
    await shop.complete(placed.payment.redirectUrl)
    const url = `${app.url}/v1/billing/return/${placed.payment.id}`
    assert.equal((await fetch(url, { redirect: 'manual' })).status, 303)
    return placed
  },
  async credit(player) {
    const credit = { amountCents: 5000, currency: 'EUR', reason: 'Goodwill' }
    const given = await admin.post(`/v1/admin/users/${player.userId}/credits`, credit)
    assert.ok(given.status < 300, given.text)
    return ordered(player, { useCredits: true })
  },
  async 'staff who mark it as paid'(player) {
    const placed = await ordered(player, { gatewayId: transfer.body.id })
    const paid = { gatewayId: transfer.body.id, reference: newId() }
    const { status, text } = await admin.post(
      `/v1/admin/invoices/${placed.invoice.id}/mark-paid`,
      paid,
    )
    assert.equal(status, 200, text)
    return placed
  },
  async 'a bank statement'(player) {
    const placed = await ordered(player, { gatewayId: transfer.body.id })
    const { reference } = placed.payment.instructions
    const amount = (placed.invoice.dueCents / 100).toFixed(2)
    const content = camtStatement([
      { amount, text: reference, id: newId(), day: dayOf(app.deps.clock.now()) },
    ])
    const statement = { gatewayId: transfer.body.id, format: 'camt.053', content }
    const { status, text } = await admin.post('/v1/admin/bank-statements', statement)
    assert.ok(status < 300, text)
    return placed
  },
}

/** What an operator looks for, in the order in which it happens. */
const STEPS: readonly (readonly [step: string, is: (line: Line) => boolean])[] = [
  ['the order', ({ event }) => event === 'orders.placed'],
  ['the payment', ({ event }) => event === 'billing.invoice-paid'],
  ['a job', ({ job, msg }) => job !== undefined && msg === 'job done'],
  ['the panel', ({ job }) => job === 'services.provision'],
  ['the server', ({ event }) => event === 'services.activated'],
  ['a webhook', ({ msg }) => msg === 'webhook sent'],
]

for (const [how, pay] of Object.entries(PATHS)) {
  test(`one id finds a purchase that is paid by ${how} in the whole log`, async () => {
    const player = await shop.customer()
    const placed = await pay(player)
    await shop.serviceBecame(player, 'active')
    await shop.control('delivery', { mode: 'auto' })
    const purchaseId = placed.order.id
    const missing = () => {
      const found = lines.filter((line) => line.purchaseId === purchaseId)
      return STEPS.filter(([, is]) => !found.some(is)).map(([step]) => step)
    }
    await until(`all of it is logged: ${missing()}`, () => missing().length === 0)
    // The message about the order, and the one about its service.
    await until('both webhooks are logged', () => {
      return (
        lines.filter((it) => it.purchaseId === purchaseId && it.msg === 'webhook sent').length >= 2
      )
    })
    // Nothing of another purchase is mixed into it.
    const mine = lines.filter((line) => line.purchaseId === purchaseId)
    const others = mine.flatMap(({ orderId }) => orderId ?? []).filter((it) => it !== purchaseId)
    assert.deepEqual(others, [])
  })
}
