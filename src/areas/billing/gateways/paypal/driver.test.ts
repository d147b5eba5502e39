import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cents } from '#lib/money.ts'
import { type Instant, instant, later } from '#lib/time.ts'
import { type Fault, startPaypal } from '#sandbox/paypal/server.ts'
import { chargeInput, correlation, gatewayContext } from '#test/gateway-context.ts'
import { outboundTo } from '#test/providers.ts'
import { paymentInput } from '#test/stripe-sandbox.ts'
import type { GatewayContext, ListedPayment, PaymentGateway } from '../contract.ts'
import type { GatewayErrorKind } from '../error.ts'
import { paypalGateway } from './gateway.ts'

const paypal = await startPaypal()
after(() => paypal.close())
paypal.deliver(false)
const outbound = outboundTo(paypal)
const gateway = paypalGateway({
  driver: 'sandbox_paypal',
  baseUrl: paypal.url,
}) as Required<PaymentGateway>
const { clientId, clientSecret } = paypal
const context = gatewayContext({
  secrets: { clientId, clientSecret },
  request: (call) => outbound.request(call),
})
const key = { idempotencyKey: 'unused' }

let attempts = 0
/** Begins to pay, each time for another attempt. */
async function begin(changes: Parameters<typeof paymentInput>[0] = {}) {
  attempts += 1
  const attemptId = `attempt-${attempts}`
  const input = paymentInput({
    ...{ correlation: correlation({ attemptId }), idempotencyKey: `key-${attempts}` },
    ...changes,
  })
  const started = await gateway.startPayment(context, input)
  return { ...started, attemptId, input, id: started.ref.checkoutId ?? '' }
}

/** A payment that has brought its money. */
async function paid(changes: Parameters<typeof begin>[0] = {}) {
  const begun = await begin(changes)
  paypal.approve(begun.id)
  const snapshot = await gateway.settlePayment(context, begun.ref, key)
  assert.equal(snapshot.state, 'paid')
  return { ...begun, snapshot, paymentId: snapshot.ref.paymentId ?? '' }
}

async function wallet(outcome = 'paid') {
  const customer = { userId: 'user-1', email: 'ada@example.org' }
  const { customerId } = await gateway.ensureCustomer(context, customer, 'unused')
  const { id, ref } = await begin({ customerId, saveMethod: true })
  paypal.approve(id, { laterCharges: outcome })
  const { method } = await gateway.settlePayment(context, ref, key)
  assert.equal(method?.reusableOffSession, true)
  return { customerId, methodId: method?.methodId ?? '' }
}

test('an order names our attempt, twice the same call makes one', async () => {
  const { next, id, attemptId, state, input } = await begin()
  assert.equal(state, 'open')
  assert.ok(next.kind === 'redirect')
  const kept = paypal.store.orders.get(id)
  assert.deepEqual(kept?.amount, { currency_code: 'EUR', value: '12.50' })
  assert.equal(kept?.customId, `inst-1.gateway-1.${attemptId}`)
  assert.equal(kept?.invoiceId, attemptId)
  const again = await gateway.startPayment(context, input)
  assert.equal(again.ref.checkoutId, id)
})

test('approved is not paid: settling takes the money, once', async () => {
  const { id, ref } = await begin()
  assert.equal((await gateway.settlePayment(context, ref, key)).state, 'open')
  paypal.approve(id)
  const approved = await gateway.fetchPayment(context, ref)
  assert.deepEqual([approved.state, approved.toSettle], ['processing', true])
  assert.equal(approved.received.amountCents, 0)
  const [one, other] = await Promise.all([
    gateway.settlePayment(context, ref, key),
    gateway.settlePayment(context, ref, key),
  ])
  assert.deepEqual([one.state, other.state], ['paid', 'paid'])
  assert.equal(one.received.amountCents, 1250)
  assert.deepEqual(one.fee, { amountCents: cents(35), currency: 'EUR' })
  assert.equal(paypal.store.orders.get(id)?.captures.length, 1)
  const byCapture = await gateway.fetchPayment(context, { paymentId: one.ref.paymentId ?? '' })
  assert.equal(byCapture.ref.checkoutId, id)
})

test('a capture that is declined leaves the order open for its customer', async () => {
  const { id, ref } = await begin()
  paypal.approve(id, { outcome: 'INSTRUMENT_DECLINED' })
  const declined = await gateway.settlePayment(context, ref, key)
  assert.deepEqual([declined.state, declined.failure?.retry], ['open', 'later'])
  assert.equal(declined.toSettle, undefined)
  await new Promise((resolve) => setTimeout(resolve, 2))
  paypal.approve(id)
  assert.equal((await gateway.settlePayment(context, ref, key)).state, 'paid')
})

test('an order nobody wants any more is not captured, though its customer agreed', async () => {
  const { id, ref } = await begin()
  paypal.approve(id)
  assert.equal((await gateway.cancelPayment(context, ref, key)).state, 'canceled')
  assert.deepEqual(paypal.store.orders.get(id)?.captures, [])
  const done = await paid()
  assert.equal((await gateway.cancelPayment(context, done.ref, key)).state, 'paid')
})

const faults: [Fault['kind'], GatewayErrorKind, GatewayErrorKind][] = [
  ['500-before', 'unknown_outcome', 'unavailable'],
  ['hang-up-after', 'unknown_outcome', 'unavailable'],
  ['not-json', 'unknown_outcome', 'unavailable'],
  ['429', 'rate_limited', 'rate_limited'],
]
for (const [kind, write, read] of faults) {
  test(`${kind} is ${write} for what may have happened, and ${read} for a question`, async () => {
    paypal.fault({ method: 'POST', path: /orders$/, kind, times: 1 })
    await assert.rejects(begin(), { kind: write })
    const { ref } = await begin()
    // A connection that was closed is tried once more.
    const times = kind === 'hang-up-after' ? 2 : 1
    paypal.fault({ method: 'GET', path: /orders\//, kind, times })
    await assert.rejects(gateway.fetchPayment(context, ref), { kind: read })
  })
}

test('nobody there is unavailable, an id it does not know is not found', async () => {
  const nobody = paypalGateway({ driver: 'sandbox_paypal', baseUrl: 'http://127.0.0.1:1' })
  await assert.rejects(nobody.startPayment(context, paymentInput()), { kind: 'unavailable' })
  await assert.rejects(gateway.fetchPayment(context, { checkoutId: 'NOPE' }), { kind: 'not_found' })
})

const wrongAmounts = [
  [1000, 'HUF'],
  [1000, 'KWD'],
  [0, 'EUR'],
] as const
for (const [amount, currency] of wrongAmounts) {
  test(`${amount} of ${currency} is refused before PayPal is asked`, async () => {
    const before = paypal.journal.length
    const money = { amountCents: cents(amount), currency }
    await assert.rejects(begin({ amount: money }), { kind: 'amount_not_allowed' })
    assert.equal(paypal.journal.length, before)
  })
}

test('wrong credentials, and a stand-in for live money, are refused', async () => {
  const wrong = { ...context, secrets: { clientId, clientSecret: `E${'x'.repeat(60)}` } }
  await assert.rejects(gateway.verifyCredentials(wrong), (error: Error & { kind: string }) => {
    assert.equal(error.kind, 'credentials')
    return !error.message.includes(wrong.secrets.clientSecret)
  })
  await assert.rejects(gateway.verifyCredentials({ ...context, mode: 'live' }), {
    kind: 'credentials',
  })
  assert.equal((await gateway.verifyCredentials(context)).accountId, 'APP-SANDBOX')
})

test('a saved wallet is charged once under a key; a second capture of an attempt is refused', async () => {
  const saved = await wallet()
  const about = { ...saved, correlation: correlation({ attemptId: `renewal-${attempts}` }) }
  const first = await gateway.chargeSaved(context, chargeInput(about))
  assert.equal(first.state, 'paid')
  const again = await gateway.chargeSaved(context, chargeInput(about))
  assert.equal(again.ref.paymentId, first.ref.paymentId)
  const forgotten = chargeInput({ ...about, idempotencyKey: 'another' })
  await assert.rejects(gateway.chargeSaved(context, forgotten), { kind: 'unknown_outcome' })
})

test('what a lost answer captured is found by its attempt; what was never made is none', async () => {
  const saved = await wallet()
  const lost = correlation({ attemptId: `renewal-${attempts}` })
  paypal.fault({ method: 'POST', path: /orders$/, kind: 'hang-up-after', times: 1 })
  const input = chargeInput({ ...saved, correlation: lost, idempotencyKey: `charge-${attempts}` })
  await assert.rejects(gateway.chargeSaved(context, input), { kind: 'unknown_outcome' })
  const since = later(instant(Date.now()), -60_000)
  const found = await gateway.findByAttempt(context, { correlation: lost, since })
  assert.equal(found?.correlation?.attemptId, lost.attemptId)
  assert.equal(found?.state, 'paid')
  const never = correlation({ attemptId: 'never' })
  assert.equal(await gateway.findByAttempt(context, { correlation: never, since }), null)
})

const declines = [
  ['INSTRUMENT_DECLINED', 'declined', 'later'],
  ['PAYER_ACCOUNT_LOCKED_OR_CLOSED', 'declined', 'new_method'],
  ['COMPLIANCE_VIOLATION', 'declined', 'never'],
  ['PAYER_ACTION_REQUIRED', 'authentication_required', 'customer_action'],
] as const
for (const [issue, kind, retry] of declines) {
  test(`${issue} is ${kind}, to be tried again: ${retry}`, async () => {
    const saved = await wallet(issue)
    const about = { ...saved, correlation: correlation({ attemptId: `renewal-${attempts}` }) }
    const input = chargeInput({ ...about, idempotencyKey: `charge-${attempts}` })
    await assert.rejects(
      gateway.chargeSaved(context, input),
      (error: { kind: string; decline?: { retry: string } }) => {
        assert.equal(error.kind, kind)
        return error.decline?.retry === retry
      },
    )
  })
}

test('a wallet that was removed is gone, however often it is removed', async () => {
  const { customerId, methodId } = await wallet()
  await gateway.detachMethod(context, methodId)
  await gateway.detachMethod(context, methodId)
  const input = chargeInput({
    ...{ customerId, methodId, idempotencyKey: `charge-${attempts}` },
    correlation: correlation({ attemptId: `renewal-${attempts}` }),
  })
  await assert.rejects(gateway.chargeSaved(context, input), { kind: 'method_gone' })
})

test('a refund is made once; ours is known from one that somebody made there', async () => {
  const { paymentId, attemptId } = await paid()
  const refund = {
    ...{ idempotencyKey: `refund-${attempts}`, ourRefundId: 'refund-1', payment: { paymentId } },
    amount: { amountCents: cents(500), currency: 'EUR' },
    correlation: correlation({ attemptId }),
  }
  const made = await gateway.refund(context, refund)
  assert.equal(made.ourRefundId, 'refund-1')
  assert.equal((await gateway.refund(context, refund)).refundId, made.refundId)
  const other = paypal.refundByHand(paymentId, 700)
  const all = await gateway.fetchRefunds(context, { paymentId })
  assert.deepEqual(
    all.map(({ refundId, ourRefundId }) => [refundId, ourRefundId]),
    [
      [made.refundId, 'refund-1'],
      [other, undefined],
    ],
  )
  assert.equal((await gateway.fetchPayment(context, { paymentId })).refundedCents, 1200)
  const more = { ...refund, idempotencyKey: 'refund-more', ourRefundId: 'refund-2' }
  await assert.rejects(gateway.refund(context, more), { kind: 'already_done' })
})

/** The newest event of a type, as it is in the log. */
function eventOf(type: string) {
  const event = paypal.store.events.findLast((it) => it.event_type === type)
  assert.ok(event)
  return event
}

test('a message counts only as PayPal signed it, for a webhook of ours', async () => {
  await paid()
  const event = eventOf('PAYMENT.CAPTURE.COMPLETED')
  const webhooks: GatewayContext = {
    ...context,
    secrets: { ...context.secrets, webhookSecret: 'WEBHOOK-1' },
  }
  const { headers, body } = paypal.messageOf(event, 'WEBHOOK-1')
  const receive = (changed: Record<string, string> = {}, text = body, c = webhooks) =>
    gateway.receiveWebhook(c, {
      headers: { ...headers, ...changed },
      body: Buffer.from(text),
      ...{ query: {}, receivedAt: instant(Date.now()) },
    })
  const [envelope] = await receive()
  assert.equal(envelope?.eventKey, event.id)
  assert.equal(envelope?.objectId, event.resource.id)
  const rotated = {
    ...context,
    secrets: { ...webhooks.secrets, webhookSecret: 'NEW-1', webhookSecretPrevious: 'WEBHOOK-1' },
  }
  assert.equal((await receive({}, body, rotated)).length, 1)
  await assert.rejects(receive({}, body, context), { kind: 'not_found' })
  const elsewhere = 'https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1'
  const forged: [Record<string, string>, string?][] = [
    [{}, `${body} `],
    [{ 'paypal-transmission-id': 'another' }],
    [{ 'paypal-transmission-time': '2030-01-01T00:00:00Z' }],
    [{ 'paypal-transmission-sig': '' }],
    [{ 'paypal-transmission-sig': 'AAAA' }],
    [{ 'paypal-auth-algo': 'none' }],
    [{ 'paypal-cert-url': elsewhere }],
    [{ 'paypal-cert-url': `${paypal.url}/v1/notifications/certs/../../x` }],
    [{ 'paypal-cert-url': `${paypal.url}/v2/checkout/orders` }],
    [{ 'paypal-cert-url': 'nonsense' }],
  ]
  for (const [changed, text] of forged) {
    await assert.rejects(receive(changed, text), { kind: 'webhook_rejected' })
  }
  const strange = paypal.messageOf(event, 'OTHER-1')
  await assert.rejects(receive(strange.headers), { kind: 'webhook_rejected' })
})

test('strangers who name certificates do not make us ask for ever', async () => {
  const own = paypalGateway({ driver: 'sandbox_paypal', baseUrl: paypal.url })
  const asked: string[] = []
  const counting = {
    ...context,
    secrets: { ...context.secrets, webhookSecret: 'WEBHOOK-1' },
    request: async ({ url }: { url: string }) => {
      asked.push(url)
      return { status: 404, headers: {}, text: '' }
    },
  }
  for (let stranger = 0; stranger < 30; stranger += 1) {
    const headers = {
      ...{ 'paypal-transmission-id': 'x', 'paypal-transmission-time': 'x' },
      ...{ 'paypal-transmission-sig': 'AAAA', 'paypal-auth-algo': 'SHA256withRSA' },
      'paypal-cert-url': `${paypal.url}/v1/notifications/certs/CERT-${stranger}`,
    }
    const request = { headers, body: Buffer.from('{}'), query: {}, receivedAt: instant(0) }
    await assert.rejects(own.receiveWebhook(counting, request), { kind: 'webhook_rejected' })
  }
  assert.equal(asked.length, 10)
})

test('an event of somebody else, or of another gateway, is none of ours', async () => {
  await paid()
  const payload = eventOf('PAYMENT.CAPTURE.COMPLETED')
  const event = { eventKey: 'x', type: payload.event_type, payload }
  const other = { ...context, gatewayId: 'gateway-2' }
  assert.deepEqual(await gateway.observe(other, event), [{ type: 'ignored', why: 'other_gateway' }])
  const strange = { ...context, installationId: 'inst-2' }
  assert.deepEqual(await gateway.observe(strange, event), [{ type: 'ignored', why: 'not_ours' }])
  const gone = { ...payload, resource: { id: 'NOPE' } }
  assert.deepEqual(await gateway.observe(context, { ...event, payload: gone }), [
    { type: 'ignored', why: 'not_ours' },
  ])
  assert.deepEqual(await gateway.observe(context, { ...event, payload: null }), [
    { type: 'ignored', why: 'irrelevant_type' },
  ])
})

const stages = [
  ['INQUIRY', null, 'inquiry', 0],
  ['INQUIRY', 'RESOLVED_SELLER_FAVOUR', 'closed_without_loss', 0],
  ['CHARGEBACK', null, 'needs_response', 1250],
  ['CHARGEBACK', 'RESOLVED_SELLER_FAVOUR', 'won', 0],
  ['CHARGEBACK', 'RESOLVED_BUYER_FAVOUR', 'lost', 1250],
] as const
for (const [stage, outcome, state, held] of stages) {
  test(`a dispute in ${stage}, ${outcome ?? 'open'}, is ${state}`, async () => {
    const { paymentId } = await paid()
    const { dispute_id: id } = paypal.dispute(paymentId, stage)
    if (outcome) paypal.resolve(id, outcome)
    const payload = eventOf(outcome ? 'CUSTOMER.DISPUTE.RESOLVED' : 'CUSTOMER.DISPUTE.CREATED')
    const told = await gateway.observe(context, {
      ...{ eventKey: 'x', type: payload.event_type, payload },
    })
    const dispute = told.find((it) => it.type === 'dispute')
    assert.ok(dispute?.type === 'dispute')
    assert.deepEqual([dispute.dispute.state, dispute.dispute.fundsHeldCents], [state, held])
  })
}

test('of a claim that the buyer won in part, that part is lost', async () => {
  const { paymentId } = await paid()
  const { dispute_id: id } = paypal.dispute(paymentId, 'CHARGEBACK')
  paypal.resolve(id, 'RESOLVED_BUYER_FAVOUR', 400)
  const payload = eventOf('CUSTOMER.DISPUTE.RESOLVED')
  const told = await gateway.observe(context, {
    ...{ eventKey: 'x', type: payload.event_type, payload },
  })
  const dispute = told.find((it) => it.type === 'dispute')
  assert.ok(dispute?.type === 'dispute')
  assert.deepEqual([dispute.dispute.state, dispute.dispute.fundsHeldCents], ['lost', 400])
})

test('the log is read newest first, over several pages', async () => {
  const since = instant(Date.now())
  const { id } = await paid()
  const [event] = paypal.store.events.slice(-1)
  assert.ok(event)
  for (let more = 0; more < 130; more += 1) {
    paypal.store.events.push({ ...event, id: `WH-more-${more}` })
  }
  const keys: string[] = []
  for await (const { eventKey } of gateway.listChanges(context, since)) keys.push(eventKey)
  assert.equal(keys[0], 'WH-more-129')
  assert.equal(keys.length, 132, `${id} was approved and captured`)
})

/** Everything PayPal lists since then, as it is told and by its capture. */
async function listed(since: Instant, c = context) {
  const found = new Map<string, ListedPayment>()
  for await (const it of gateway.listPayments(c, since)) {
    const [first] = it.told
    assert.ok(first?.type === 'payment')
    found.set(first.payment.ref.paymentId ?? '', it)
  }
  return found
}

function minutesAgo(minutes: number): Instant {
  return later(instant(Date.now()), -minutes * 60_000)
}

test('payments are listed with what they brought, without asking for each', async () => {
  const { paymentId, attemptId } = await paid()
  const before = paypal.journal.length
  const told = (await listed(minutesAgo(5))).get(paymentId)?.told
  const asked = paypal.journal.slice(before).filter((it) => it.endsWith(`/captures/${paymentId}`))
  assert.deepEqual(asked, [])
  assert.equal(told?.length, 1)
  assert.ok(told[0]?.type === 'payment')
  const { received, refundedCents, disputedCents, correlation: ours } = told[0].payment
  assert.deepEqual(received, { amountCents: cents(1250), currency: 'EUR' })
  assert.deepEqual([refundedCents, disputedCents], [0, 0])
  assert.equal(ours?.attemptId, attemptId)
})

test('what was refunded or disputed is listed with that', async () => {
  const [refunded, disputed] = [await paid(), await paid()]
  paypal.refundByHand(refunded.paymentId, 500)
  paypal.dispute(disputed.paymentId)
  const all = await listed(minutesAgo(5))
  const types = (id: string) => all.get(id)?.told.map(({ type }) => type)
  const payment = (id: string) => {
    const [first] = all.get(id)?.told ?? []
    return first?.type === 'payment' ? first.payment : undefined
  }
  assert.deepEqual(types(refunded.paymentId), ['payment', 'refund'])
  assert.equal(payment(refunded.paymentId)?.refundedCents, 500)
  assert.deepEqual(types(disputed.paymentId), ['payment', 'dispute'])
  assert.equal(payment(disputed.paymentId)?.disputedCents, 1250)
})

test('a list that is behind lacks what is new; asking again tells it', async (t) => {
  const { paymentId } = await paid()
  const order = [...paypal.store.orders.values()].at(-1)
  for (const capture of order?.captures ?? []) capture.create_time = minutesAgo(240)
  const late = await paid()
  paypal.refundByHand(paymentId, 300)
  t.after(() => Object.assign(paypal.store.search, { behindMs: 0 }))
  paypal.store.search.behindMs = 180 * 60_000
  const all = await listed(minutesAgo(300))
  assert.equal(all.has(late.paymentId), false)
  const row = all.get(paymentId)
  assert.equal(row?.told.length, 1)
  const again = (await row.again?.()) ?? []
  assert.deepEqual(
    again.map(({ type }) => type),
    ['payment', 'refund'],
  )
})

test('a time that holds more than PayPal lists is read in halves, each payment once', async (t) => {
  const { id } = await paid()
  const order = paypal.store.orders.get(id)
  const [capture] = order?.captures ?? []
  assert.ok(order && capture)
  const moved = [...paypal.store.orders.values()].flatMap((it) => [...it.captures, ...it.refunds])
  // More in one old day than one question may come to.
  const extra = moved.length + 5
  const day = 24 * 60 * 60_000
  const old = Array.from({ length: extra }, (_, index) => ({
    ...{ ...capture, id: `OLD${index}` },
    create_time: new Date(Date.now() - 3 * day - index * 60_000).toISOString(),
  }))
  order.captures.push(...old)
  t.after(() => {
    order.captures.length = 1
    paypal.store.search.most = 10_000
  })
  paypal.store.search.most = moved.length
  const seen: string[] = []
  for await (const { told } of gateway.listPayments(context, minutesAgo(6 * 24 * 60))) {
    if (told[0]?.type === 'payment') seen.push(told[0].payment.ref.paymentId ?? '')
  }
  assert.equal(new Set(seen).size, seen.length)
  assert.deepEqual(
    old.filter((it) => !seen.includes(it.id)),
    [],
  )
})

test('payments of another gateway, and those without our mark, are not listed', async () => {
  const { paymentId } = await paid()
  assert.equal((await listed(minutesAgo(5))).has(paymentId), true)
  assert.equal((await listed(minutesAgo(5), { ...context, gatewayId: 'gateway-2' })).size, 0)
  const strange = paypal.store.orders.get((await paid()).id)
  assert.ok(strange)
  strange.customId = undefined
  const [capture] = strange.captures
  assert.equal((await listed(minutesAgo(5))).has(capture?.id ?? ''), false)
})

test('an app that may not search is told so', async (t) => {
  t.after(() => Object.assign(paypal.store.search, { allowed: true }))
  paypal.store.search.allowed = false
  await assert.rejects(listed(minutesAgo(5)), {
    ...{ kind: 'credentials', providerCode: 'NOT_AUTHORIZED' },
  })
})

test('a webhook is registered once, taken over where it is there, and kept up to date', async () => {
  const { webhookUrl } = context
  const made = await gateway.ensureWebhook(context)
  assert.equal(made.newSecret, made.endpointId)
  const stored = {
    ...context,
    webhookEndpointId: made.endpointId,
    secrets: { ...context.secrets, webhookSecret: made.endpointId },
  }
  assert.deepEqual(await gateway.ensureWebhook(stored), { endpointId: made.endpointId })
  assert.deepEqual(await gateway.ensureWebhook(context), made)
  const [webhook] = [...paypal.store.webhooks.values()].filter(({ url }) => url === webhookUrl)
  assert.ok(webhook)
  const names = webhook.event_types.length
  webhook.event_types = []
  await gateway.ensureWebhook(stored)
  assert.equal(paypal.store.webhooks.get(webhook.id)?.event_types.length, names)
})
