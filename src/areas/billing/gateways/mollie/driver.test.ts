import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cents } from '#lib/money.ts'
import { instant, later } from '#lib/time.ts'
import { type Fault, startMollie } from '#sandbox/mollie/server.ts'
import { chargeInput, correlation, gatewayContext } from '#test/gateway-context.ts'
import { outboundTo } from '#test/providers.ts'
import { paymentInput } from '#test/stripe-sandbox.ts'
import type { PaymentGateway } from '../contract.ts'
import type { GatewayErrorKind } from '../error.ts'
import { mollieGateway } from './gateway.ts'

const mollie = await startMollie()
after(() => mollie.close())
mollie.deliver(false)
const outbound = outboundTo(mollie)
const gateway = mollieGateway({
  driver: 'sandbox_mollie',
  baseUrl: mollie.url,
}) as Required<PaymentGateway>
const context = gatewayContext({
  secrets: { apiKey: mollie.apiKey },
  request: (call) => outbound.request(call),
})

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
  return { ...started, attemptId, input, id: started.ref.paymentId ?? '' }
}

async function mandate(outcome = 'paid') {
  const customer = { userId: 'user-1', email: 'ada@example.org' }
  const { customerId } = await gateway.ensureCustomer(context, customer, `cus-${attempts}`)
  const { id } = await begin({ customerId, saveMethod: true })
  mollie.complete(id, { laterCharges: outcome })
  const { method } = await gateway.fetchPayment(context, { paymentId: id })
  return { customerId, methodId: method?.methodId ?? '' }
}

test('a page is opened with the amount as text, and an address only we could have made', async () => {
  const { next, id, attemptId, state } = await begin()
  assert.equal(state, 'open')
  assert.ok(next.kind === 'redirect')
  const kept = mollie.store.payments.get(id)
  assert.deepEqual(kept?.amount, { currency: 'EUR', value: '12.50' })
  const { searchParams } = new URL(kept?.webhookUrl ?? '')
  assert.equal(searchParams.get('attempt'), attemptId)
  assert.equal(searchParams.get('token'), `token-of-${attemptId}`)
})

test('the same call twice opens one page', async () => {
  const { input, id } = await begin()
  const again = await gateway.startPayment(context, input)
  assert.equal(again.ref.paymentId, id)
})

const faults: [Fault['kind'], GatewayErrorKind, GatewayErrorKind][] = [
  ['500-before', 'unknown_outcome', 'unavailable'],
  ['hang-up-after', 'unknown_outcome', 'unavailable'],
  ['not-json', 'unknown_outcome', 'unavailable'],
  ['429', 'rate_limited', 'rate_limited'],
]
for (const [kind, write, read] of faults) {
  test(`${kind} is ${write} for what may have happened, and ${read} for a question`, async () => {
    // A call that is safe to repeat is repeated once where a connection was closed.
    const times = kind === 'hang-up-after' ? 2 : 1
    mollie.fault({ method: 'POST', path: /payments$/, kind, times })
    await assert.rejects(begin(), { kind: write })
    const { id } = await begin()
    mollie.fault({ method: 'GET', path: /payments\/tr_/, kind, times })
    await assert.rejects(gateway.fetchPayment(context, { paymentId: id }), { kind: read })
  })
}

test('nobody there is unavailable: nothing was sent', async () => {
  const nobody = mollieGateway({ driver: 'sandbox_mollie', baseUrl: 'http://127.0.0.1:1' })
  await assert.rejects(nobody.startPayment(context, paymentInput()), { kind: 'unavailable' })
})

test('what a lost answer made is found by its attempt; what was never made is none', async () => {
  mollie.fault({ method: 'POST', path: /payments$/, kind: 'hang-up-after', times: 2 })
  await assert.rejects(begin(), { kind: 'unknown_outcome' })
  const since = later(instant(Date.now()), -60_000)
  const made = correlation({ attemptId: `attempt-${attempts}` })
  const found = await gateway.findByAttempt(context, { correlation: made, since })
  assert.equal(found?.correlation?.attemptId, `attempt-${attempts}`)
  const none = correlation({ attemptId: 'never' })
  assert.equal(await gateway.findByAttempt(context, { correlation: none, since }), null)
  mollie.fault({ method: 'GET', path: /payments$/, kind: '500-before', times: 1 })
  await assert.rejects(gateway.findByAttempt(context, { correlation: none, since }), {
    kind: 'unavailable',
  })
})

const wrongAmounts = [
  [1000, 'KWD'],
  [0, 'EUR'],
] as const
for (const [amount, currency] of wrongAmounts) {
  test(`${amount} of ${currency} is refused before Mollie is asked`, async () => {
    const before = mollie.journal.length
    const money = { amountCents: cents(amount), currency }
    await assert.rejects(begin({ amount: money }), { kind: 'amount_not_allowed' })
    assert.equal(mollie.journal.length, before)
  })
}

test('a key that is wrong or of the other mode is credentials, and stands in no message', async () => {
  const apiKey = `test_${'x'.repeat(30)}`
  const wrong = { ...context, secrets: { apiKey } }
  await assert.rejects(gateway.verifyCredentials(wrong), (error: Error & { kind: string }) => {
    assert.equal(error.kind, 'credentials')
    return !error.message.includes(apiKey)
  })
  const live = { ...context, secrets: { apiKey: `live_${'x'.repeat(30)}` } }
  await assert.rejects(gateway.verifyCredentials(live), { kind: 'credentials' })
})

test('a message counts only at the address that was made for its attempt', async () => {
  const receive = (query: Record<string, string>, body = 'id=tr_1') =>
    gateway.receiveWebhook(context, {
      ...{ headers: {}, body: Buffer.from(body), query, receivedAt: instant(1000) },
    })
  const query = { attempt: 'attempt-1', token: 'token-of-attempt-1' }
  const [event] = await receive(query)
  assert.equal(event?.eventKey, 'tr_1:1000')
  assert.deepEqual(await receive(query, 'id=../customers'), [])
  for (const forged of [{}, { ...query, token: '' }, { ...query, attempt: 'attempt-2' }]) {
    await assert.rejects(receive(forged as Record<string, string>), { kind: 'webhook_rejected' })
  }
})

test('a payment of somebody else, or of another gateway, is none of ours', async () => {
  const { id } = await begin()
  const event = { eventKey: 'x', type: 'payment', objectId: id, payload: null }
  const other = { ...context, gatewayId: 'gateway-2' }
  assert.deepEqual(await gateway.observe(other, event), [{ type: 'ignored', why: 'other_gateway' }])
  const strange = { ...context, installationId: 'inst-2' }
  assert.deepEqual(await gateway.observe(strange, event), [{ type: 'ignored', why: 'not_ours' }])
  const unknown = { ...event, objectId: 'tr_unknown' }
  assert.deepEqual(await gateway.observe(context, unknown), [{ type: 'ignored', why: 'not_ours' }])
})

test('a mandate is charged once, however often it is asked and whatever key is forgotten', async () => {
  const saved = await mandate()
  const about = { ...saved, correlation: correlation({ attemptId: `renewal-${attempts}` }) }
  const first = await gateway.chargeSaved(context, chargeInput(about))
  assert.equal(first.state, 'paid')
  const again = await gateway.chargeSaved(
    context,
    chargeInput({ ...about, idempotencyKey: 'another' }),
  )
  assert.equal(again.ref.paymentId, first.ref.paymentId)
})

const declines = [
  ['insufficient_funds', 'declined', 'later'],
  ['card_expired', 'declined', 'new_method'],
  ['possible_fraud', 'declined', 'never'],
  ['authentication_required', 'authentication_required', 'customer_action'],
  ['something_new', 'declined', 'later'],
] as const
for (const [reason, kind, retry] of declines) {
  test(`${reason} is ${kind}, to be tried again: ${retry}`, async () => {
    const saved = await mandate(reason)
    const about = { ...saved, correlation: correlation({ attemptId: `renewal-${attempts}` }) }
    const input = chargeInput({ ...about, idempotencyKey: `charge-${attempts}` })
    await assert.rejects(
      gateway.chargeSaved(context, input),
      (error: { kind: string; decline?: { retry: string; customerMessageKey: string } }) => {
        assert.equal(error.kind, kind)
        assert.equal(error.decline?.retry, retry)
        return !error.decline?.customerMessageKey.includes('fraud')
      },
    )
  })
}

test('a mandate that was revoked is gone', async () => {
  const { customerId, methodId } = await mandate()
  await gateway.detachMethod(context, methodId)
  await gateway.detachMethod(context, methodId)
  assert.deepEqual(await gateway.listMethods(context, customerId), [])
  const input = chargeInput({
    ...{ customerId, methodId, idempotencyKey: `charge-${attempts}` },
    correlation: correlation({ attemptId: `renewal-${attempts}` }),
  })
  await assert.rejects(gateway.chargeSaved(context, input), { kind: 'method_gone' })
})

test('a customer is forgotten with the mandates, and a second time is fine', async () => {
  const { customerId, methodId } = await mandate()
  await gateway.forgetCustomer(context, customerId)
  await gateway.forgetCustomer(context, customerId)
  await gateway.detachMethod(context, methodId)
  const again = { userId: 'u', email: 'ada@example.org', existingCustomerId: customerId }
  const { customerId: next } = await gateway.ensureCustomer(context, again, 'cus:again')
  assert.notEqual(next, customerId)
})

test('a refund is made once, and more than is left went back some other way', async () => {
  const { id, attemptId } = await begin()
  mollie.complete(id)
  const refund = {
    ...{ idempotencyKey: 'refund-1', ourRefundId: 'refund-1', payment: { paymentId: id } },
    amount: { amountCents: cents(500), currency: 'EUR' },
    correlation: correlation({ attemptId }),
  }
  const made = await gateway.refund(context, refund)
  const again = await gateway.refund(context, { ...refund, idempotencyKey: 'forgotten' })
  assert.equal(again.refundId, made.refundId)
  mollie.refundByHand(id, 750)
  const more = { ...refund, idempotencyKey: 'refund-2', ourRefundId: 'refund-2' }
  await assert.rejects(gateway.refund(context, more), { kind: 'already_done' })
  assert.equal((await gateway.fetchRefunds(context, { paymentId: id })).length, 2)
})

test('changes name what was made since, again once it has changed, over several pages', async () => {
  const since = instant(Date.now())
  const { id } = await begin()
  for (let more = 0; more < 260; more += 1) {
    const copy = mollie.store.payments.get(id)
    if (copy) mollie.store.payments.set(`tr_more${more}`, { ...copy, id: `tr_more${more}` })
  }
  mollie.complete(id)
  const chargeback = mollie.chargeBack(id)
  const keys = async () => {
    const all: string[] = []
    for await (const { eventKey } of gateway.listChanges(context, since)) all.push(eventKey)
    return all
  }
  assert.deepEqual(await keys(), [`${id}:paid`, `${chargeback.id}:made`])
  mollie.reverse(chargeback.id)
  assert.ok((await keys()).includes(`${chargeback.id}:reversed`))
})
