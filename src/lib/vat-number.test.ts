import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDigitsFail, isEuVatNumberOf, vatNumberOf } from './vat-number.ts'

const accepted = [
  ['BE1000000021', 'BE', 'BE1000000021'],
  ['EL123456783', 'GR', 'EL123456783'],
  ['GR 123 456 783', 'GR', 'EL123456783'],
  ['de 136.695-976', 'DE', 'DE136695976'],
  ['FR40303265045', 'FR', 'FR40303265045'],
  ['FR40303265045', 'MC', 'FR40303265045'],
  ['FR40303265045', 'RE', 'FR40303265045'],
  ['CHE-123.456.789 MWST', 'CH', 'CHE123456789MWST'],
  ['GB123456789', 'GB', 'GB123456789'],
] as const

for (const [text, country, stored] of accepted) {
  test(`E22: ${text} is accepted for ${country}`, () => {
    assert.equal(vatNumberOf(text, country), stored)
  })
}

const refused = [
  ['DE12345678', 'DE', 'vat_number_invalid'],
  ['DE136695976', 'FR', 'vat_number_country_mismatch'],
  ['136695976', 'DE', 'vat_number_country_mismatch'],
  ['EL123456783', 'CY', 'vat_number_country_mismatch'],
  ['DE136695976', 'US', 'vat_number_country_mismatch'],
  ['', 'DE', 'vat_number_country_mismatch'],
  ['GB', 'GB', 'vat_number_invalid'],
  ['<script>', 'US', 'vat_number_invalid'],
] as const

for (const [text, country, code] of refused) {
  test(`E22: "${text}" is refused for ${country} with ${code}`, () => {
    assert.throws(() => vatNumberOf(text, country), { statusCode: 422, code })
  })
}

const checked = [
  ['DE136695976', false],
  ['DE136695977', true],
  ['DE129274202', false],
  ['FR40303265045', false],
  ['FR41303265045', true],
  ['FRK7399859412', false],
  ['BE0403170701', false],
  ['BE1000000021', false],
  ['BE0403170702', true],
  ['IT00743110157', false],
  ['IT00743110158', true],
  ['NL004495445B01', false],
  ['NL123456789B13', false],
  ['NL123456789B14', true],
  ['PL1234567890', false],
] as const

for (const [number, fails] of checked) {
  test(`the check digits of ${number} ${fails ? 'fail' : 'do not fail'}`, () => {
    assert.equal(checkDigitsFail(number), fails)
  })
}

test('a stored number counts only for the country it is of', () => {
  assert.ok(isEuVatNumberOf('DE136695976', 'DE'))
  assert.ok(!isEuVatNumberOf('DE136695976', 'AT'))
  assert.ok(!isEuVatNumberOf('GB123456789', 'GB'))
})
