import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COUNTRIES, isCountry } from './country.ts'
import { day } from './time.ts'
import { EU_COUNTRIES, standardRateOn, standardRatesOf, territoryOf } from './vat.ts'

test('a country is a known code in capitals', () => {
  assert.equal(new Set(COUNTRIES).size, 253)
  for (const code of ['FR', 'GR', 'GB', 'MC', 'XI', 'IC']) assert.ok(isCountry(code))
  for (const code of ['fr', 'EL', 'UK', 'ZZ', 'EU', '']) assert.ok(!isCountry(code), code)
})

const current = {
  AT: 2000,
  BE: 2100,
  BG: 2000,
  CY: 1900,
  CZ: 2100,
  DE: 1900,
  DK: 2500,
  EE: 2400,
  ES: 2100,
  FI: 2550,
  FR: 2000,
  GR: 2400,
  HR: 2500,
  HU: 2700,
  IE: 2300,
  IT: 2200,
  LT: 2100,
  LU: 1700,
  LV: 2100,
  MT: 1800,
  NL: 2100,
  PL: 2300,
  PT: 2300,
  RO: 2100,
  SE: 2500,
  SI: 2200,
  SK: 2300,
} as const

test('the standard rates of all 27 member states are known', () => {
  const on = day('2026-05-04')
  const rates = Object.fromEntries(EU_COUNTRIES.map((it) => [it, standardRateOn(it, on)]))
  assert.deepEqual(rates, current)
})

const changes = [
  ['EE', '2025-06-30', 2200],
  ['EE', '2025-07-01', 2400],
  ['DE', '2020-06-30', 1900],
  ['DE', '2020-07-01', 1600],
  ['DE', '2020-12-31', 1600],
  ['RO', '2025-07-31', 1900],
  ['AT', '1980-01-01', 2000],
  ['FR', '1999-12-31', null],
  ['US', '2026-01-01', null],
] as const

for (const [country, on, rate] of changes) {
  test(`the standard rate of ${country} on ${on} is ${rate ?? 'unknown'}`, () => {
    assert.equal(standardRateOn(country, day(on)), rate)
  })
}

const territories = [
  ['FR', '75001', 'FR', true],
  ['MC', '98000', 'FR', true],
  ['ES', '28001', 'ES', true],
  ['ES', '35001', 'ES', false],
  ['ES', '38 001', 'ES', false],
  ['IC', null, 'ES', false],
  ['FI', 'AX-22100', 'FI', false],
  ['AX', '22100', 'FI', false],
  ['DE', '78266', 'DE', false],
  ['FR', '97400', 'FR', false],
  ['FR', '98800', 'FR', false],
  ['GB', 'SW1A 1AA', 'GB', false],
  ['XI', 'BT1 1AA', 'GB', false],
  ['IM', null, 'GB', false],
  ['US', '35001', 'US', false],
] as const

for (const [country, postcode, lawOf, inEuVat] of territories) {
  const where = inEuVat ? 'inside' : 'outside'
  test(`${country} ${postcode ?? ''} is ${where} EU VAT and goes with ${lawOf}`, () => {
    const territory = territoryOf({ country, postcode })
    assert.equal(territory.country, lawOf)
    assert.equal(territory.inEuVat, inEuVat)
  })
}

test('Madeira, the Azores and two Austrian valleys have rates of their own', () => {
  assert.equal(territoryOf({ country: 'PT', postcode: '9000-018' }).rateBasisPoints, 2200)
  assert.equal(territoryOf({ country: 'PT', postcode: '9500-101' }).rateBasisPoints, 1600)
  assert.equal(territoryOf({ country: 'AT', postcode: '6691' }).rateBasisPoints, 1900)
  assert.equal(territoryOf({ country: 'PT', postcode: '1000-001' }).rateBasisPoints, null)
})

test('Saint-Martin lies among the post codes of Guadeloupe and has no VAT at all', () => {
  assert.equal(territoryOf({ country: 'FR', postcode: '97110' }).localRate?.rateBasisPoints, 850)
  assert.equal(territoryOf({ country: 'FR', postcode: '97150' }).localRate, null)
})

test('a registration in a special territory goes by its own code, not by its country', () => {
  assert.deepEqual(territoryOf({ country: 'ES', postcode: '35001' }).codes, ['IC'])
  assert.deepEqual(territoryOf({ country: 'DE', postcode: '78266' }).codes, [])
  assert.deepEqual(territoryOf({ country: 'CH', postcode: '8001' }).codes, ['CH'])
  assert.deepEqual(territoryOf({ country: 'XI', postcode: null }).codes, ['GB'])
})

test('a country that does not exist is refused, never taken for one outside the EU', () => {
  assert.throws(() => territoryOf({ country: 'ZZ', postcode: null }), {
    statusCode: 422,
    code: 'country_unknown',
  })
})

test('the known rates of a country follow each other without a gap, and the last one is open', () => {
  for (const country of EU_COUNTRIES) {
    const rates = standardRatesOf(country)
    const ends = rates.map(({ validTo }) => validTo)
    assert.deepEqual(ends, [...rates.slice(1).map(({ validFrom }) => validFrom), null], country)
  }
  assert.deepEqual(standardRatesOf('US'), [])
})
