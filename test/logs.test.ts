import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { checkOut } from '#test/checkout.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'

type Line = Record<string, unknown>

/** What an operator finds in the log about one purchase, and that nothing else is mixed into it. */
const lines: Line[] = []
const log = pino(
  { level: 'info', base: null },
  { write: (line: string) => lines.push(JSON.parse(line)) },
)
const shop = await gameShop({ log })
const { plan } = await shop.server()

/** What leads from one line to others: not whose it is, for everybody buys more than once. */
const LEADS = ['requestId', 'orderId', 'invoiceId', 'serviceId', 'serviceIds', 'reference']

function leadsOf(line: Line): string[] {
  return LEADS.flatMap((name) => [line[name]].flat()).filter((it) => typeof it === 'string')
}

/** All lines that one can get to from an id, by the ids in the lines. */
function follow(id: string): Line[] {
  const known = new Set([id])
  for (;;) {
    const found = lines.filter((line) => leadsOf(line).some((lead) => known.has(lead)))
    const size = known.size
    for (const lead of found.flatMap(leadsOf)) known.add(lead)
    if (known.size === size) return found
  }
}

async function purchase(player: Person, requestId: string) {
  await player.post('/v1/cart/items', { planId: plan.id })
  const headers = { 'x-request-id': requestId }
  const body = { gatewayId: shop.gatewayId }
  const placed = (await checkOut(player, body, { headers })).body
  await shop.complete(placed.payment.redirectUrl)
  await shop.becameOneSale(player, placed)
  return placed
}

test('the log follows one purchase through request, message and jobs, by its ids', async () => {
  const [ada, bob] = [await shop.customer(), await shop.customer()]
  const [hers, his] = await Promise.all([purchase(ada, 'checkout-1'), purchase(bob, 'checkout-2')])
  for (const [placed, requestId] of [
    [hers, 'checkout-1'],
    [his, 'checkout-2'],
  ] as const) {
    const found = follow(placed.order.id)
    const told = found.map((line) => line.event)
    const steps = [
      'orders.placed',
      'billing.invoice-paid',
      'services.activated',
      'orders.fulfilled',
    ]
    const places = steps.map((step) => told.indexOf(step))
    assert.ok(
      places.every((it, index) => it >= 0 && it > (places[index - 1] ?? -1)),
      told.join(', '),
    )
    const line = (event: string) => found.find((it) => it.event === event)
    assert.equal(line('orders.placed')?.requestId, requestId)
    assert.equal(line('billing.invoice-paid')?.invoiceId, placed.invoice.id)
    // What the provider's message set going is one piece, down to the server.
    assert.notEqual(line('billing.invoice-paid')?.requestId, requestId)
    assert.equal(line('services.activated')?.orderId, placed.order.id)
  }
  const theirs = new Set(follow(his.order.id))
  assert.ok(follow(hers.order.id).every((line) => !theirs.has(line)))
})

test('a payment found by the return page carries the id of that request, up to the provisioning of the server', async () => {
  const ada = await shop.customer()
  await ada.post('/v1/cart/items', { planId: plan.id })
  const placed = (await checkOut(ada, { gatewayId: shop.gatewayId })).body
  await shop.control('delivery', { mode: 'drop' })
  await shop.complete(placed.payment.redirectUrl)
  const headers = { 'x-request-id': 'return-1' }
  await fetch(`${shop.app.url}/v1/billing/return/${placed.payment.id}`, {
    headers,
    redirect: 'manual',
  })
  await shop.becameOneSale(ada, placed)
  await shop.control('delivery', { mode: 'auto' })
  const found = lines.filter(({ requestId }) => requestId === 'return-1')
  const told = found.map(({ event }) => event)
  for (const event of ['billing.invoice-paid', 'services.activated', 'orders.fulfilled']) {
    assert.ok(told.includes(event), `${event}: ${told}`)
  }
  const paid = lines.filter(
    ({ event, requestId }) => event === 'billing.invoice-paid' && !requestId,
  )
  assert.deepEqual(paid, [])
})

test('what happened is logged once it is committed, by ids alone', async () => {
  const email = 'somebody.new@example.org'
  const wanted = { email, password: 'a long enough password', name: 'Ada Lovelace', country: 'FR' }
  assert.equal((await shop.app.post('/v1/auth/register', wanted)).status, 201)
  const told = lines.filter(({ event }) => String(event).startsWith('users.'))
  assert.ok(told.some(({ event }) => event === 'users.email-verification-requested'))
  assert.ok(!JSON.stringify(lines).includes(email))
  const names = new Set(told.flatMap((line) => Object.keys(line)))
  assert.deepEqual(
    [...names].filter((name) => !/Id$|^(level|time|msg|event|requestId)$/.test(name)),
    [],
  )
})
