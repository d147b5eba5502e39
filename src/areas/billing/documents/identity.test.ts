import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Party } from './content.ts'
import { legalIdOf, peppolAddress, sirenOf, vatIdOf } from './identity.ts'

const nobody: Party = {
  ...{ name: 'A', contact: null, line1: null, line2: null, postcode: null, city: null },
  ...{ region: null, country: 'FR', email: null, vatNumber: null, registerNumber: null },
}

const sirens: [string, Partial<Party>, string | null][] = [
  ['a SIREN', { registerNumber: '303265045' }, '303265045'],
  [
    'a SIREN in groups, with its register',
    { registerNumber: '303 265 045 RCS Paris' },
    '303265045',
  ],
  ['a SIRET', { registerNumber: '30326504500017' }, '303265045'],
  ['a French VAT number', { vatNumber: 'FR40303265045' }, '303265045'],
  ['a number that is too short', { registerNumber: '12345' }, null],
  ['a number of another length', { registerNumber: '3032650451' }, null],
  ['a number of another country', { country: 'DE', registerNumber: '303265045' }, null],
  ['nothing', {}, null],
]

for (const [what, party, siren] of sirens) {
  test(`the SIREN of ${what} is ${siren}`, () => {
    assert.equal(sirenOf({ ...nobody, ...party }), siren)
  })
}

test('a VAT number counts in an e-invoice with its country before it only (BR-CO-09)', () => {
  assert.equal(vatIdOf({ ...nobody, vatNumber: 'DE136695976' }), 'DE136695976')
  assert.equal(vatIdOf({ ...nobody, vatNumber: 'EL123456783' }), 'EL123456783')
  assert.equal(vatIdOf({ ...nobody, vatNumber: '123456789' }), null)
  assert.equal(vatIdOf({ ...nobody, vatNumber: 'ZZ123456789' }), null)
})

test('a register number outside France is of no scheme', () => {
  const party = { ...nobody, country: 'DE', registerNumber: 'HRB 12345' }
  assert.deepEqual(legalIdOf(party), { id: 'HRB 12345', scheme: null })
})

const addresses: [string | null, ReturnType<typeof peppolAddress>][] = [
  ['DE136695976', { id: 'DE136695976', scheme: '9930' }],
  ['BE0123456749', { id: '0123456749', scheme: '0208' }],
  ['US123456', null],
  [null, null],
]

for (const [vatNumber, address] of addresses) {
  test(`the Peppol address of ${vatNumber} is ${address?.scheme ?? 'none'}`, () => {
    assert.deepEqual(peppolAddress({ ...nobody, vatNumber }), address)
  })
}
