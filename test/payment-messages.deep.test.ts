import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import Stripe from 'stripe'
import { newId } from '#lib/id.ts'
import { until } from '#test/app.ts'
import { sessionOf } from '#test/billing-shop.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { person } from '#test/people.ts'
import { connect } from '../src/areas/billing/gateways/connection.ts'
import { findGateway } from '../src/areas/billing/gateways/queries.ts'

/** Genuine messages of the provider, sent by the test: of any kind, in any order, as often as wanted. */
const shop = await gameShop()
const { app, db, control, gatewayId, sdk, tenantId } = shop
const { plan } = await shop.server()

afterEach(() => control('delivery', { mode: 'auto' }))

type Named = { id: string }
type Message = { id?: string; type: string; account?: string; object: Named }

/** Sends a message as the provider signs it; answers our status. */
async function send({ id = `evt_${newId()}`, object, ...rest }: Message): Promise<number> {
  const row = await findGateway(db, { tenantId, gatewayId })
  assert.ok(row)
  const { webhookSecret: secret = '' } = (await connect(app.deps, row)).context.secrets
  const event = { id, object: 'event', created: 1_893_456_000, livemode: false }
  const raw = JSON.stringify({ ...event, ...rest, data: { object } })
  const header = Stripe.webhooks.generateTestHeaderString({ payload: raw, secret })
  const headers = { 'stripe-signature': header }
  return (await app.post(`/v1/billing/webhooks/${gatewayId}`, undefined, { raw, headers })).status
}

/** How messages about an object were read. */
async function readOf({ id }: Named): Promise<string[]> {
  const rows = await db
    .selectFrom('billing.provider_events')
    .select(['state', 'note'])
    .where('objectId', '=', id)
    .execute()
  return rows.map(({ state, note }) => `${state} ${note ?? ''}`.trim()).sort()
}

/** An order that was paid at the provider, which has told nobody. */
async function paidInSilence() {
  await control('delivery', { mode: 'drop' })
  const customer = await shop.customer()
  const placed: Answer['body'] = await shop.buy(customer, plan.id)
  const session = await sdk.checkout.sessions.retrieve(sessionOf(placed.payment.redirectUrl))
  const intent = await sdk.paymentIntents.retrieve(String(session.payment_intent))
  assert.equal(intent.status, 'succeeded')
  return { customer, placed, session, intent }
}

test('genuine messages that are of another account, or of no known kind, pay nothing (hardening 33)', async () => {
  const { customer, placed, intent } = await paidInSilence()
  const admin = await person(app, { admin: true })
  const account = 'acct_1Another'
  assert.equal(await send({ type: 'payment_intent.succeeded', account, object: intent }), 200)
  assert.equal(await send({ type: 'a.kind.of.tomorrow', object: intent }), 200)
  await until('both are read', async () => {
    return String(await readOf(intent)) === 'done,ignored irrelevant_type'
  })
  const { body } = await admin.get('/v1/admin/breaks')
  const [found, ...more] = body.data
  assert.deepEqual([found.kind, found.objectId, more], ['payment_mismatch', intent.id, []])
  assert.deepEqual(found.details, { why: 'account', accountId: account })
  await until('an administrator is told', async () => {
    return (await admin.get('/v1/notifications')).text.includes(account)
  })
  const invoice = await customer.get(`/v1/billing/invoices/${placed.invoice.id}`)
  assert.deepEqual([invoice.body.status, invoice.body.paidCents], ['open', 0])
  assert.equal(await send({ type: 'payment_intent.succeeded', object: intent }), 200)
  await shop.becameOneSale(customer, placed)
})

const KINDS = ['payment_intent.succeeded', 'checkout.session.completed', 'invoice.paid'] as const

function orders<T>(of: readonly T[]): T[][] {
  return of.length < 2
    ? [[...of]]
    : of.flatMap((first) => orders(of.filter((it) => it !== first)).map((rest) => [first, ...rest]))
}

for (const kinds of orders(KINDS)) {
  test(`${kinds.join(', then ')} make one payment, one service and one mail (hardening 34)`, async () => {
    const { customer, placed, session, intent } = await paidInSilence()
    const { metadata } = intent
    const objects = {
      'payment_intent.succeeded': intent,
      'checkout.session.completed': session,
      'invoice.paid': { id: `in_${newId()}`, object: 'invoice', metadata },
    }
    for (const type of kinds) {
      const object = objects[type]
      assert.equal(await send({ type, object }), 200)
      await until('it is read', async () => !(await readOf(object)).includes('new'))
    }
    await shop.becameOneSale(customer, placed)
    assert.deepEqual(await mailsOf(customer.email), ['invoice_paid', 'service_active'])
  })
}

test('the three of them, twenty times each at the same moment, make one of each too (hardening 34)', async () => {
  const { customer, placed, session, intent } = await paidInSilence()
  const { metadata } = intent
  const messages = [
    { type: 'payment_intent.succeeded', object: intent },
    { type: 'checkout.session.completed', object: session },
    { type: 'invoice.paid', object: { id: `in_${newId()}`, object: 'invoice', metadata } },
  ].map((it) => ({ ...it, id: `evt_${newId()}` }))
  const all = Array.from({ length: 20 }, () => messages).flat()
  const answers = await Promise.all(all.map(send))
  assert.deepEqual(new Set(answers), new Set([200]))
  await shop.becameOneSale(customer, placed)
  assert.deepEqual(await mailsOf(customer.email), ['invoice_paid', 'service_active'])
})

test('of two payments of one order that succeed at once one pays, the other becomes credit (hardening 35)', async () => {
  const { customer, placed, intent } = await paidInSilence()
  const another = await sdk.paymentIntents.create({
    ...{ amount: 1200, currency: 'eur', metadata: intent.metadata },
    ...{ payment_method: 'pm_card_visa', confirm: true },
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  })
  assert.equal(another.status, 'succeeded')
  const type = 'payment_intent.succeeded'
  await Promise.all([intent, another].map((object) => send({ type, object })))
  for (const object of [intent, another]) {
    await until('it is read', async () => String(await readOf(object)) === 'done')
  }
  const { body } = await customer.get(`/v1/billing/invoices/${placed.invoice.id}`)
  assert.deepEqual([body.status, body.paidCents, body.dueCents], ['paid', 1200, 0])
  assert.equal(await shop.creditOf(customer), 1200)
  await shop.serviceBecame(customer, 'active')
  await shop.assertSound(customer.userId)
})

/** What a customer was sent a mail about. */
async function mailsOf(email: string): Promise<string[]> {
  const { body } = await shop.admin.get(`/v1/admin/mails?recipient=${encodeURIComponent(email)}`)
  return body.data.map(({ kind }: { kind: string }) => kind).sort()
}
