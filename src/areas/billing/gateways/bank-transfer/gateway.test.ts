import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import { instant } from '#lib/time.ts'
import { gatewayContext } from '#test/gateway-context.ts'
import { bankTransferGateway } from './gateway.ts'
import { isReference } from './reference.ts'

const gateway = bankTransferGateway()
const now = instant('2030-01-08T00:00:00Z')

const context = gatewayContext({
  mode: 'live',
  settings: { holder: 'Ada Hosting', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
  secrets: {},
  now: () => now,
})

function start(attemptId: string, amountCents = 1250, currency = 'EUR') {
  return gateway.startPayment(context, {
    correlation: {
      installationId: 'inst-1',
      tenantId: 'tenant-1',
      gatewayId: 'gateway-1',
      attemptId,
      invoiceId: 'invoice-1',
    },
    idempotencyKey: `inst-1:checkout:${attemptId}:1`,
    amount: { amountCents: cents(amountCents), currency },
    description: 'Invoice 1',
    saveMethod: false,
    returnUrl: 'https://shop.example/return',
    cancelUrl: 'https://shop.example/cancel',
  })
}

test('paying by transfer answers the account, the amount and a reference with check digits', async () => {
  const { state, next } = await start('attempt-1')
  assert.equal(state, 'action_required')
  assert.ok(next.kind === 'instructions')
  assert.ok(isReference(next.reference))
  assert.deepEqual(next.lines.slice(0, 4), [
    { label: 'holder', value: 'Ada Hosting' },
    { label: 'iban', value: 'DE89 3704 0044 0532 0130 00' },
    { label: 'bic', value: 'COBADEFFXXX' },
    { label: 'amount', value: '12.50 EUR' },
  ])
})

test('two attempts for one invoice have the same reference', async () => {
  const [first, second] = await Promise.all([start('attempt-1'), start('attempt-2')])
  assert.deepEqual(first, second)
})

const amounts = [
  [500, 'JPY', '500 JPY'],
  [5, 'EUR', '0.05 EUR'],
  [1500, 'KWD', '1.500 KWD'],
] as const

for (const [amount, currency, text] of amounts) {
  test(`${amount} of ${currency} is shown as ${text}`, async () => {
    const { next } = await start('attempt-1', amount, currency)
    assert.ok(next.kind === 'instructions')
    assert.equal(next.lines.find(({ label }) => label === 'amount')?.value, text)
  })
}

test('an IBAN with a wrong digit is refused before the gateway can be used', async () => {
  const wrong = { ...context, settings: { holder: 'Ada', iban: 'DE89370400440532013001' } }
  await assert.rejects(gateway.verifyCredentials(wrong), { kind: 'invalid_request' })
})

test('the account is its own credential', async () => {
  const account = await gateway.verifyCredentials(context)
  assert.deepEqual(account, { accountId: 'DE89370400440532013000', mode: 'live', country: 'DE' })
})

test('asking about a transfer is unsupported, and none is ever found', async () => {
  await assert.rejects(gateway.fetchPayment(context, {}), { kind: 'unsupported' })
  const correlation = { installationId: '', tenantId: '', gatewayId: '', attemptId: 'attempt-1' }
  assert.equal(await gateway.findByAttempt(context, { correlation, since: now }), null)
})

test('a refund waits for a person', async () => {
  const refund = await gateway.refund(context, {
    idempotencyKey: 'inst-1:refund:refund-1:1',
    ourRefundId: 'refund-1',
    payment: { paymentId: 'entry-1' },
    amount: { amountCents: cents(500), currency: 'EUR' },
    correlation: { installationId: '', tenantId: '', gatewayId: '', attemptId: 'attempt-1' },
  })
  assert.equal(refund.state, 'pending')
  assert.equal(refund.ourRefundId, 'refund-1')
})
