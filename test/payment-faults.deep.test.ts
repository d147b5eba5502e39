import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { areas } from '#app/areas.ts'
import { faultsIn } from '#app/doctor.ts'
import { adminAttention } from '#billing'
import type { Area } from '#platform/area.ts'
import { onEvent } from '#platform/events.ts'
import { until } from '#test/app.ts'
import { sessionOf } from '#test/billing-shop.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'

const attention: { kind: string; data: Record<string, unknown> }[] = []
const listener: Area = {
  name: 'listener',
  jobs: [
    onEvent(adminAttention, 'listener.attention', async (_context, { kind, data }) => {
      attention.push({ kind, data })
    }),
  ],
}
const shop = await gameShop({ areas: [...areas, listener] })
const { app, db, control, provider, gatewayId, sdk } = shop
const { plan } = await shop.server()

afterEach(async () => {
  await clearFaults()
  await control('delivery', { mode: 'auto' })
})

async function clearFaults(): Promise<void> {
  await fetch(`${provider.url}/_sandbox/faults`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${provider.controlToken}` },
  })
}

type Placed = Answer['body']

const comeBack = ({ payment }: Placed) => app.get(`/v1/billing/return/${payment.id}`)

async function statusOf(player: Person, { invoice }: Placed): Promise<string> {
  return (await player.get(`/v1/billing/invoices/${invoice.id}`)).body.status
}

type Delivery = { copy: string; answers: number[] }

/** How we answered what was sent in a mode. */
async function answersTo(copy: string): Promise<number[]> {
  const response = await fetch(`${provider.url}/_sandbox/deliveries`, {
    headers: { authorization: `Bearer ${provider.controlToken}` },
  })
  const { waiting, past } = (await response.json()) as Record<'waiting' | 'past', Delivery[]>
  return [...waiting, ...past].filter((it) => it.copy === copy).flatMap(({ answers }) => answers)
}

for (const mode of ['duplicate', 'reverse', 'before-response']) {
  test(`messages in mode ${mode} make one sale (hardening 34)`, async () => {
    const player = await shop.customer()
    await control('delivery', { mode })
    const placed = await shop.buy(player, plan.id)
    await control('delivery', { mode: 'auto' })
    await shop.becameOneSale(player, placed)
  })
}

test('without any message the return page makes one sale', async () => {
  const player = await shop.customer()
  await control('delivery', { mode: 'drop' })
  const placed = await shop.buy(player, plan.id)
  assert.equal(await statusOf(player, placed), 'open')
  assert.match(String((await comeBack(placed)).headers.location), /status=paid$/)
  await shop.becameOneSale(player, placed)
})

test('without a message or a customer who comes back the sweeper makes one sale', async () => {
  const player = await shop.customer()
  await control('delivery', { mode: 'drop' })
  const placed = await shop.buy(player, plan.id)
  await app.advance(121)
  await shop.becameOneSale(player, placed)
})

test('twenty times each message and ten returns at once make one sale (hardening 34)', async () => {
  const player = await shop.customer()
  await control('delivery', { mode: 'drop' })
  const placed = await shop.buy(player, plan.id)
  await control('delivery', { mode: 'auto' })
  const { data: events } = await sdk.events.list({ limit: 2 })
  const again = events.flatMap(({ id }) => new Array<string>(20).fill(id))
  await Promise.all([
    ...again.map((event) => control('delivery', { mode: 'redeliver', event })),
    ...Array.from({ length: 10 }, () => comeBack(placed)),
  ])
  await shop.becameOneSale(player, placed)
})

for (const mode of ['bad-signature', 'old-timestamp']) {
  test(`messages with ${mode} are refused and change nothing (hardening 33)`, async () => {
    const player = await shop.customer()
    await control('delivery', { mode })
    const placed = await shop.buy(player, plan.id)
    await shop.settled()
    assert.deepEqual(new Set(await answersTo(mode)), new Set([400]))
    assert.equal(await statusOf(player, placed), 'open')
    await control('delivery', { mode: 'auto' })
    await comeBack(placed)
    await shop.becameOneSale(player, placed)
  })
}

test('a provider that cannot be asked when its message comes is asked again', async () => {
  const player = await shop.customer()
  const placed = await shop.order(player, plan.id)
  await control('faults', { route: 'GET *', kind: '500-before', n: 6 })
  await shop.complete(placed.payment.redirectUrl)
  assert.equal((await comeBack(placed)).status, 303)
  await shop.becameOneSale(player, placed)
})

test('a message that cannot be read holds nobody up, is shown, and is read once somebody wants it', async () => {
  const [player, other] = [await shop.customer(), await shop.customer()]
  const placed = await shop.order(player, plan.id)
  await control('faults', { route: 'GET *', kind: '500-before', n: 1000 })
  await shop.complete(placed.payment.redirectUrl)
  const failed = await until('it is given up', async () => {
    // Each try is the last one, and has its time at once.
    await app.deps.database.execute(
      `update jobs.job set retry_count = retry_limit, start_after = now()
       where name = 'billing.read-event' and state = 'retry'`,
    )
    const { body } = await shop.admin.get('/v1/admin/jobs')
    const its = body.data.filter(({ name }: Placed) => name === 'billing.read-event')
    const unread = await db
      .selectFrom('billing.provider_events')
      .select('state')
      .where('state', 'in', ['new', 'failed'])
      .execute()
    const isOver = unread.every(({ state }) => state === 'failed') && its.length === unread.length
    return its.length > 0 && isOver && its
  })
  await until('an administrator is told', () =>
    attention.some(({ kind }) => kind === 'event_not_applied'),
  )
  await clearFaults()
  await shop.becameOneSale(other, await shop.buy(other, plan.id))
  assert.equal(await statusOf(player, placed), 'open')
  for (const { id } of failed) {
    assert.equal((await shop.admin.post(`/v1/admin/jobs/${id}/retry`)).status, 200)
  }
  await shop.becameOneSale(player, placed)
  assert.deepEqual((await shop.admin.get('/v1/admin/jobs')).body.data, [])
})

test('messages signed with another endpoint’s secret are refused and change nothing (hardening 33)', async () => {
  const player = await shop.customer()
  const url = `${app.url}/v1/billing/webhooks/${gatewayId}`
  const { data: endpoints } = await sdk.webhookEndpoints.list()
  const own = endpoints.find((endpoint) => endpoint.url === url)
  await control('delivery', { mode: 'drop', endpoint: own?.id })
  const other = await sdk.webhookEndpoints.create({ url, enabled_events: ['*'] })
  const placed = await shop.buy(player, plan.id)
  await shop.settled()
  assert.ok((await answersTo('plain')).includes(400))
  assert.equal(await statusOf(player, placed), 'open')
  await sdk.webhookEndpoints.del(other.id)
  await control('delivery', { mode: 'auto', endpoint: own?.id })
  await comeBack(placed)
  await shop.becameOneSale(player, placed)
})

test('genuine money of another amount, currency, invoice or tenant pays nothing and is told (hardening 33)', async () => {
  const player = await shop.customer()
  const placed = await shop.order(player, plan.id)
  const { metadata } = await sdk.checkout.sessions.retrieve(sessionOf(placed.payment.redirectUrl))
  const other = crypto.randomUUID()
  const wrong = [
    { why: 'amount', amount: 1199 },
    { why: 'currency', currency: 'usd' },
    { why: 'invoice', metadata: { ...metadata, invoice_id: other } },
    { why: 'tenant', metadata: { ...metadata, tenant_id: other } },
  ]
  for (const { why, ...difference } of wrong) {
    await sdk.paymentIntents.create({
      ...{ amount: 1200, currency: 'eur', metadata: metadata ?? {}, ...difference },
      ...{ payment_method: 'pm_card_visa', confirm: true },
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    })
    await until(`an administrator is told of another ${why}`, () =>
      attention.some(({ kind, data }) => kind === 'payment_mismatch' && data.why === why),
    )
  }
  await shop.quiet()
  const mismatches = attention.filter(({ kind }) => kind === 'payment_mismatch')
  assert.equal(mismatches.length, wrong.length)
  assert.equal(await statusOf(player, placed), 'open')
  assert.deepEqual(
    (await player.get('/v1/services')).body.data.map((it: Placed) => it.status),
    ['pending'],
  )
  const breaks = await db.selectFrom('billing.breaks').select('attemptId').execute()
  assert.deepEqual(
    breaks.map(({ attemptId }) => attemptId),
    wrong.map(() => placed.payment.id),
  )
  await shop.complete(placed.payment.redirectUrl)
  await shop.becameOneSale(player, placed)
})

test('a provider that says paid and then unpaid takes nothing back', async () => {
  const player = await shop.customer()
  const placed = await shop.order(player, plan.id)
  const unpaid = await remembered()
  await shop.complete(placed.payment.redirectUrl)
  await shop.becameOneSale(player, placed)
  await control('restore', unpaid)
  await comeBack(placed)
  assert.equal(await statusOf(player, placed), 'paid')
  // Now it even says that nobody can have paid there.
  const session = sessionOf(placed.payment.redirectUrl)
  await control(`checkout-sessions/${session}/expire`)
  const read = () =>
    db
      .selectFrom('billing.provider_events')
      .select('state')
      .where('type', '=', 'checkout.session.expired')
      .executeTakeFirst()
  await app.eventually('its message is read', async () => {
    const state = (await read())?.state
    return state !== undefined && state !== 'new'
  })
  await shop.quiet()
  assert.equal(await statusOf(player, placed), 'paid')
  const [service] = (await player.get('/v1/services')).body.data
  assert.equal(service.status, 'active')
  for await (const fault of faultsIn(app.deps, areas)) assert.fail(fault)
})

/** Everything the provider has now, as it gives it back. */
async function remembered(): Promise<object> {
  const response = await fetch(`${provider.url}/_sandbox/snapshot`, {
    headers: { authorization: `Bearer ${provider.controlToken}` },
  })
  return (await response.json()) as object
}

for (const [kind, n] of [
  ['500-after', 1],
  ['timeout-after', 9],
  ['429', 1],
  ['no-error-key', 9],
  ['html-after', 1],
  ['empty-after', 1],
] as const) {
  test(`a page whose making meets ${kind} is found or made again, and makes one sale`, async () => {
    const player = await shop.customer()
    await control('faults', { route: 'POST /v1/checkout/sessions', kind, n, ms: 1 })
    const placed = await shop.order(player, plan.id)
    assert.equal(placed.payment.redirectUrl, null)
    await clearFaults()
    const pay = `/v1/billing/invoices/${placed.invoice.id}/pay`
    const payment = await app.eventually(
      'there is a page',
      async () => {
        const { body } = await player.post(pay, { gatewayId })
        return body.redirectUrl && body
      },
      { seconds: 31 },
    )
    await shop.complete(payment.redirectUrl)
    await shop.becameOneSale(player, placed)
  })
}

const keeper = await shop.customer()

async function savedMethod(): Promise<string> {
  const [known] = (await keeper.get('/v1/billing/payment-methods')).body.data
  if (known) return known.id
  const placed = await shop.order(keeper, plan.id, { savePaymentMethod: true })
  await shop.complete(placed.payment.redirectUrl)
  await shop.becameOneSale(keeper, placed)
  const { body } = await keeper.get('/v1/billing/payment-methods')
  return body.data[0].id
}

test('a saved card whose messages come before the answer is charged once', async () => {
  const paymentMethodId = await savedMethod()
  await control('delivery', { mode: 'before-response' })
  const placed = await shop.order(keeper, plan.id, { paymentMethodId })
  await shop.becameOneSale(keeper, placed)
})

for (const [kind, n] of [
  ['500-after', 1],
  ['timeout-after', 9],
  ['429', 1],
  ['no-error-key', 9],
  ['html-after', 1],
  ['empty-after', 1],
] as const) {
  test(`a saved card whose charge meets ${kind} is charged once`, async () => {
    const paymentMethodId = await savedMethod()
    await control('delivery', { mode: 'drop' })
    await control('faults', { route: 'POST /v1/payment_intents', kind, n, ms: 1 })
    const placed = await shop.order(keeper, plan.id, { paymentMethodId })
    await clearFaults()
    await app.eventually(
      'the payment is known',
      async () => (await statusOf(keeper, placed)) === 'paid',
      { seconds: 31 },
    )
    await shop.becameOneSale(keeper, placed)
  })
}

test('no invoice number is missing or used twice', async () => {
  const invoices = await db
    .selectFrom('billing.invoices')
    .select('number')
    .where('number', 'is not', null)
    .orderBy('number')
    .execute()
  const numbers = invoices.map(({ number }) => Number(number?.split('-').at(-1)))
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  )
})
