import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evidenceOf } from './evidence.ts'

const facts = {
  billingCountry: 'DE',
  paymentCountry: 'DE',
  reverseCharge: false,
  twoNeeded: true,
}

const cases = [
  ['two pieces that agree', {}, false],
  ['two that agree by the VAT of Monaco', { billingCountry: 'MC', paymentCountry: 'FR' }, false],
  ['two that differ', { paymentCountry: 'FR' }, true],
  ['two that differ although one were enough', { paymentCountry: 'FR', twoNeeded: false }, true],
  ['one where two are needed', { paymentCountry: null }, true],
  ['one where one is enough', { paymentCountry: null, twoNeeded: false }, false],
  [
    'a country no list knows, where one is enough',
    { paymentCountry: 'ZZ', twoNeeded: false },
    false,
  ],
  ['none where two are needed', { billingCountry: null, paymentCountry: null }, true],
  ['two that differ, of a business', { paymentCountry: 'FR', reverseCharge: true }, false],
] as const

for (const [what, given, conflict] of cases) {
  test(`${what}: ${conflict ? 'somebody has to look' : 'nobody has to look'}`, () => {
    assert.equal(evidenceOf({ ...facts, ...given }).conflict, conflict)
  })
}

test('the pieces name their kind, and the billing country stands when they differ', () => {
  const { evidence } = evidenceOf({ ...facts, paymentCountry: 'FR' })
  assert.deepEqual(evidence, {
    pieces: [
      { kind: 'billing_address', country: 'DE' },
      { kind: 'payment', country: 'FR' },
    ],
    country: 'DE',
  })
})
