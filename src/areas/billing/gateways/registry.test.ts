import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import type { GatewayCapabilities, PaymentGateway } from './contract.ts'
import { gatewayDrivers } from './registry.ts'

type OptionalMethod = {
  [K in keyof PaymentGateway]-?: undefined extends PaymentGateway[K] ? K : never
}[keyof PaymentGateway]

const WANTED: Readonly<Record<OptionalMethod, (can: GatewayCapabilities) => boolean>> = {
  ensureCustomer: ({ saveMethod, portal }) => saveMethod !== 'none' || portal,
  forgetCustomer: ({ saveMethod, portal }) => saveMethod !== 'none' || portal,
  startSetup: ({ saveMethod }) => saveMethod === 'setup',
  fetchSetup: ({ saveMethod }) => saveMethod === 'setup',
  listMethods: ({ saveMethod }) => saveMethod !== 'none',
  detachMethod: ({ saveMethod }) => saveMethod !== 'none',
  setDefaultMethod: ({ portal }) => portal,
  chargeSaved: ({ chargeSaved }) => chargeSaved,
  createPortalSession: ({ portal }) => portal,
  ensureWebhook: ({ webhook }) => webhook === 'signed',
  listChanges: ({ listChanges }) => listChanges,
  listPayments: ({ listPayments }) => listPayments,
}

const drivers = gatewayDrivers({
  sandboxProviderUrl: 'http://127.0.0.1:4242',
  sandboxMollieUrl: 'http://127.0.0.1:4243',
  sandboxPaypalUrl: 'http://127.0.0.1:4245',
})

for (const [name, driver] of drivers) {
  test(`the driver ${name} has an optional method exactly where a capability says so`, () => {
    for (const [method, wanted] of Object.entries(WANTED)) {
      assert.equal(method in driver, wanted(driver.capabilities), method)
    }
  })

  test(`the driver ${name} is listed under its own name`, () => {
    assert.equal(driver.driver, name)
  })

  test(`the driver ${name} refuses settings and secrets it does not know`, () => {
    assert.equal(Value.Check(driver.settingsSchema, { baseUrl: 'http://127.0.0.1' }), false)
    assert.equal(Value.Check(driver.secretsSchema, { password: 'secret' }), false)
  })
}

test('the sandbox is a driver only where the configuration names its provider', () => {
  const real = gatewayDrivers({
    ...{ sandboxProviderUrl: null, sandboxMollieUrl: null, sandboxPaypalUrl: null },
  })
  for (const name of ['sandbox', 'sandbox_mollie', 'sandbox_paypal']) {
    assert.equal(real.has(name), false)
    assert.equal(drivers.has(name), true)
  }
})

const secrets = [
  ['stripe', { secretKey: 'sk_live_123' }, true],
  ['stripe', { secretKey: 'rk_test_123' }, true],
  ['stripe', { secretKey: 'sk_test_1', webhookSecret: 'whsec_12345678' }, true],
  [
    'stripe',
    {
      secretKey: 'sk_test_1',
      webhookSecret: 'whsec_12345678',
      webhookSecretPrevious: 'whsec_87654321',
    },
    true,
  ],
  ['stripe', {}, false],
  ['stripe', { secretKey: 'pk_test_123' }, false],
  ['stripe', { secretKey: 'sk_test_1', webhookSecret: '' }, false],
  ['stripe', { secretKey: 'sk_test_1', webhookSecret: 'whsec_12345678\n' }, false],
  ['sandbox', { secretKey: 'sk_test_123' }, true],
  ['sandbox', { secretKey: 'sk_live_123' }, false],
  ['sandbox', { secretKey: 'rk_test_123' }, false],
  ['mollie', { apiKey: `live_${'a'.repeat(30)}` }, true],
  ['mollie', { apiKey: 'live_short' }, false],
  ['mollie', { apiKey: `access_${'a'.repeat(30)}` }, false],
  ['sandbox_mollie', { apiKey: `test_${'a'.repeat(30)}` }, true],
  ['sandbox_mollie', { apiKey: `live_${'a'.repeat(30)}` }, false],
  ['paypal', { clientId: 'A'.repeat(80), clientSecret: 'E'.repeat(80) }, true],
  ['paypal', { clientId: 'A'.repeat(80) }, false],
  ['paypal', { clientId: 'short', clientSecret: 'E'.repeat(80) }, false],
  ['bank_transfer', {}, true],
] as const

for (const [field, value] of [
  ['holder', '\u200b\u2060'],
  ['holder', 'Ada\nHosting'],
  ['bankName', ' \u2800'],
]) {
  test(`a bank transfer refuses a ${field} of ${JSON.stringify(value)}`, () => {
    const schema = drivers.get('bank_transfer')?.settingsSchema
    assert.ok(schema)
    const account = { holder: 'Ada Hosting', iban: 'DE02120300000000202051', bankName: 'Bank' }
    assert.equal(Value.Check(schema, account), true)
    assert.equal(Value.Check(schema, { ...account, [field ?? '']: value }), false)
  })
}

for (const [name, given, fits] of secrets) {
  test(`${name} ${fits ? 'takes' : 'refuses'} the secrets ${JSON.stringify(given)}`, () => {
    const schema = drivers.get(name)?.secretsSchema
    assert.ok(schema)
    assert.equal(Value.Check(schema, given), fits)
  })
}
