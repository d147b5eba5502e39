import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COUNTRIES } from '#lib/country.ts'
import { basisPoints, rateOf, sumCents } from '#lib/money.ts'
import { Problem } from '#lib/problem.ts'
import { day } from '#lib/time.ts'
import { EU_COUNTRIES } from '#lib/vat.ts'
import type { VatStatus } from '#lib/vat-number.ts'
import { decideTax, type TaxCustomer, type TaxFacts, type TaxRateVersion } from './decision.ts'

const frenchHost = {
  country: 'FR',
  postcode: '75001',
  taxStatus: 'registered',
  oneStopShop: true,
  distanceThresholdPassed: false,
  registrations: [],
  requireVies: false,
} as const

function customer(country: string, more: Partial<TaxCustomer> = {}): TaxCustomer {
  return { country, postcode: null, vatNumber: null, vatStatus: 'none', ...more }
}

function business(country: string, vatNumber: string, vatStatus: VatStatus = 'unchecked') {
  return customer(country, { vatNumber, vatStatus })
}

function sale(buyer: TaxCustomer, more: Partial<TaxFacts> = {}): TaxFacts {
  return {
    seller: frenchHost,
    customer: buyer,
    productRateId: null,
    rates: [],
    taxDate: day('2026-05-04'),
    ...more,
  }
}

function rate(country: string, bp: number, more: Partial<TaxRateVersion> = {}): TaxRateVersion {
  return {
    id: `${country}-${bp}`,
    country,
    class: 'standard',
    category: 'S',
    rateBasisPoints: basisPoints(bp),
    validFrom: day('2020-01-01'),
    validTo: null,
    ...more,
  }
}

/** Category, rate and the total of a price of 1000. */
function outcome(facts: TaxFacts): (string | number | null)[] {
  const { category, rateBasisPoints } = decideTax(facts)
  return [category, rateBasisPoints, sumCents([1000, rateOf(1000, rateBasisPoints ?? 0)])]
}

const consumers = [
  ['FR', 2000, 1200],
  ['DE', 1900, 1190],
  ['HU', 2700, 1270],
  ['FI', 2550, 1255],
  ['LU', 1700, 1170],
] as const

for (const [country, bp, total] of consumers) {
  test(`E16: a consumer in ${country} pays ${bp} basis points, ${total} in all`, () => {
    assert.deepEqual(outcome(sale(customer(country))), ['S', bp, total])
  })
}

test('E17: a business in another EU country is under reverse charge, at home it is not', () => {
  assert.deepEqual(outcome(sale(business('DE', 'DE136695976'))), ['AE', 0, 1000])
  assert.deepEqual(outcome(sale(business('FR', 'FR40303265045'))), ['S', 2000, 1200])
})

test('E17: a business without a number is taxed as a consumer', () => {
  assert.deepEqual(outcome(sale(customer('DE'))), ['S', 1900, 1190])
})

test('E18: outside EU VAT there is no VAT, in its special territories neither', () => {
  const outside = ['O', null, 1000]
  assert.deepEqual(outcome(sale(customer('US'))), outside)
  assert.deepEqual(outcome(sale(business('GB', 'GB123456789'))), outside)
  assert.deepEqual(outcome(sale(customer('ES', { postcode: '35001' }))), outside)
  assert.deepEqual(outcome(sale(customer('ES', { postcode: '28001' }))), ['S', 2100, 1210])
})

test('E19: the rate is that of the tax date', () => {
  const buyer = customer('EE')
  const before = outcome(sale(buyer, { taxDate: day('2025-06-30') }))
  const after = outcome(sale(buyer, { taxDate: day('2025-07-01') }))
  assert.deepEqual(before, ['S', 2200, 1220])
  assert.deepEqual(after, ['S', 2400, 1240])
})

test('E20: below the threshold and without the One Stop Shop a consumer abroad pays as at home', () => {
  const seller = { ...frenchHost, oneStopShop: false }
  assert.deepEqual(outcome(sale(customer('DE'), { seller })), ['S', 2000, 1200])
})

test('E22: a Belgian number that begins with 1 and a Greek one with EL are accepted', () => {
  assert.equal(decideTax(sale(business('BE', 'BE1000000021'))).category, 'AE')
  assert.equal(decideTax(sale(business('GR', 'EL123456783'))).category, 'AE')
})

test('E23: once the register calls a number invalid, the next invoice is taxed', () => {
  assert.deepEqual(outcome(sale(business('DE', 'DE136695976'))), ['AE', 0, 1000])
  const renewal = sale(business('DE', 'DE136695976', 'invalid'))
  assert.deepEqual(outcome(renewal), ['S', 1900, 1190])
})

test('E24: a draft decided again follows the product to its new rate', () => {
  const rates = [rate('FR', 2000), rate('FR', 1000, { class: 'reduced' })]
  const buyer = customer('FR')
  const before = outcome(sale(buyer, { rates, productRateId: 'FR-2000' }))
  const after = outcome(sale(buyer, { rates, productRateId: 'FR-1000' }))
  assert.deepEqual(before, ['S', 2000, 1200])
  assert.deepEqual(after, ['S', 1000, 1100])
})

test('a small business charges no VAT to anybody and says that it is exempt', () => {
  const seller = { ...frenchHost, taxStatus: 'small_business' as const }
  for (const buyer of [customer('FR'), customer('US'), business('DE', 'DE136695976')]) {
    const decision = decideTax(sale(buyer, { seller }))
    assert.deepEqual([decision.category, decision.rateBasisPoints], ['E', 0])
    assert.equal(decision.reason, 'small_business')
  }
})

test('a seller that is not subject to VAT charges none, and takes none off its prices', () => {
  const seller = { ...frenchHost, taxStatus: 'not_subject' as const }
  for (const buyer of [customer('FR'), customer('US'), business('DE', 'DE136695976')]) {
    const { category, rateBasisPoints, homeRateBasisPoints, reason } = decideTax(
      sale(buyer, { seller }),
    )
    assert.deepEqual([category, rateBasisPoints, homeRateBasisPoints], ['O', null, null])
    assert.equal(reason, 'not_subject')
  }
})

test('a registration outside the EU charges its own rate, and is refused without one', () => {
  const seller = { ...frenchHost, registrations: ['GB'] }
  const rates = [rate('GB', 2000)]
  const decision = decideTax(sale(customer('GB'), { seller, rates }))
  assert.equal(decision.reason, 'local_registration')
  assert.deepEqual([decision.category, decision.rateBasisPoints], ['S', 2000])
  assert.equal(decideTax(sale(customer('XI'), { seller, rates })).rateBasisPoints, 2000)
  assert.throws(() => decideTax(sale(customer('GB'), { seller })), {
    statusCode: 422,
    code: 'tax_rate_unknown',
  })
})

test('a French seller charges the local rate on Réunion, a German one none', () => {
  const buyer = customer('FR', { postcode: '97400' })
  assert.deepEqual(outcome(sale(buyer)), ['S', 850, 1085])
  assert.deepEqual(outcome(sale(customer('RE'))), ['S', 850, 1085])
  const seller = { ...frenchHost, country: 'DE', postcode: '10115' }
  assert.deepEqual(outcome(sale(buyer, { seller })), ['O', null, 1000])
})

test('a consumer in Monaco is a French one, in Madeira pays the rate of Madeira', () => {
  assert.equal(decideTax(sale(customer('MC'))).reason, 'domestic')
  assert.equal(decideTax(sale(business('MC', 'FR40303265045'))).reason, 'domestic')
  const madeira = customer('PT', { postcode: '9000-018' })
  assert.deepEqual(outcome(sale(madeira)), ['S', 2200, 1220])
})

const destinationSellers = [
  ['past the threshold', { distanceThresholdPassed: true }],
  ['registered in Germany', { registrations: ['DE'] }],
  ['established outside the EU', { country: 'CH', postcode: '8001' }],
] as const

for (const [what, profile] of destinationSellers) {
  test(`a seller ${what} charges the German rate to a German consumer`, () => {
    const seller = { ...frenchHost, oneStopShop: false, ...profile }
    assert.deepEqual(outcome(sale(customer('DE'), { seller })), ['S', 1900, 1190])
  })
}

test('a number of another country, or not confirmed where that is asked for, does not count', () => {
  assert.equal(decideTax(sale(business('AT', 'DE136695976'))).category, 'S')
  const seller = { ...frenchHost, requireVies: true }
  const decide = (status: VatStatus) =>
    decideTax(sale(business('DE', 'DE136695976', status), { seller })).category
  assert.deepEqual((['valid', 'unchecked', 'unavailable', 'invalid'] as const).map(decide), [
    'AE',
    'S',
    'S',
    'S',
  ])
})

test('a rate of the tenant comes before the built-in one, by class and by date', () => {
  const rates = [
    rate('DE', 1800, { validTo: day('2026-05-04') }),
    rate('DE', 1700, { validFrom: day('2026-05-04') }),
    rate('DE', 700, { class: 'reduced' }),
    rate('FR', 550, { class: 'reduced' }),
  ]
  assert.equal(decideTax(sale(customer('DE'), { rates })).rateBasisPoints, 1700)
  const reduced = { rates, productRateId: 'FR-550' }
  assert.equal(decideTax(sale(customer('DE'), reduced)).rateBasisPoints, 700)
  assert.equal(decideTax(sale(customer('AT'), reduced)).rateBasisPoints, 2000)
})

test('a product whose rate is archived, or is of another country, has the standard rate', () => {
  const rates = [rate('DE', 1900)]
  const buyer = customer('FR')
  assert.equal(decideTax(sale(buyer, { productRateId: 'gone' })).rateBasisPoints, 2000)
  assert.equal(decideTax(sale(buyer, { rates, productRateId: 'DE-1900' })).rateBasisPoints, 2000)
})

test('the home rate inside an inclusive price is told where no VAT is due', () => {
  const rates = [rate('FR', 1000)]
  const reduced = { rates, productRateId: 'FR-1000' }
  assert.equal(decideTax(sale(customer('US'), reduced)).homeRateBasisPoints, 1000)
  const seller = { ...frenchHost, country: 'US', postcode: null }
  assert.equal(decideTax(sale(customer('US'), { seller })).homeRateBasisPoints, null)
})

test('invariant 7: the same facts give the same decision, and no sale is untaxed by accident', () => {
  const anyFacts = fc.record({
    seller: fc.record({
      country: fc.constantFrom('FR', 'DE', 'PT', 'US', 'GB'),
      postcode: fc.constantFrom(null, '9000-018'),
      taxStatus: fc.constantFrom('registered', 'small_business', 'not_subject'),
      oneStopShop: fc.boolean(),
      distanceThresholdPassed: fc.boolean(),
      registrations: fc.subarray(['DE', 'GB', 'US']),
      requireVies: fc.boolean(),
    }),
    customer: fc.record({
      country: fc.constantFrom(...COUNTRIES),
      postcode: fc.constantFrom(null, '35001', '22100', '97400'),
      vatNumber: fc.constantFrom(null, 'DE136695976', 'FR40303265045'),
      vatStatus: fc.constantFrom<VatStatus>('none', 'valid', 'invalid', 'unavailable'),
    }),
    productRateId: fc.constantFrom(null, 'FR-550', 'GB-2000'),
    rates: fc.subarray([rate('FR', 550, { class: 'reduced' }), rate('GB', 2000)]),
    taxDate: fc.constantFrom(day('2021-03-01'), day('2026-05-04')),
  })
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const decide = () => {
        try {
          return decideTax(facts)
        } catch (problem) {
          assert.ok(problem instanceof Problem && problem.statusCode === 422)
          return problem.code
        }
      }
      const decision = decide()
      assert.deepEqual(decide(), decision)
      if (typeof decision !== 'object') return
      const { category, rateBasisPoints } = decision
      if (category === 'S') assert.ok(rateBasisPoints !== null && rateBasisPoints > 0)
      if (category === 'O') assert.equal(rateBasisPoints, null)
      if (category === 'O' && facts.seller.taxStatus !== 'not_subject')
        assert.ok(
          !EU_COUNTRIES.includes(facts.customer.country) || facts.customer.postcode !== null,
        )
      if (category === 'AE') assert.ok(facts.customer.vatNumber !== null)
      if (category === 'E') assert.equal(facts.seller.taxStatus, 'small_business')
    }),
    { numRuns: 300 },
  )
})
