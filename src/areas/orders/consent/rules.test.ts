import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsConsent } from './rules.ts'

const paid = { planPrice: { priceCents: 1000, setupFeeCents: 0, priceMicros: null } }
const hourly = { planPrice: { priceCents: 0, setupFeeCents: 0, priceMicros: 13_900 } }
const setup = { planPrice: { priceCents: 0, setupFeeCents: 500, priceMicros: null } }
const free = { planPrice: { priceCents: 0, setupFeeCents: 0, priceMicros: null } }

const ada = { country: 'FR', company: null, vatNumber: null }

const CASES = [
  ['a consumer in the EU', ada, [paid], [], true],
  ['a consumer in the EEA', { ...ada, country: 'NO' }, [paid], [], true],
  ['a consumer elsewhere', { ...ada, country: 'US' }, [paid], [], false],
  ['a consumer of a country that was added', { ...ada, country: 'GB' }, [paid], ['GB'], true],
  ['a company', { ...ada, company: 'Castle Ltd' }, [paid], [], false],
  ['somebody with a VAT number', { ...ada, vatNumber: 'FR40303265045' }, [paid], [], false],
  ['metered hours', ada, [hourly], [], true],
  ['a setup fee alone', ada, [setup], [], true],
  ['what never costs anything', ada, [free], [], false],
  ['a free line beside a paid one', ada, [free, paid], [], true],
] as const

for (const [what, buyer, lines, withdrawalCountries, expected] of CASES) {
  test(`${what} ${expected ? 'is' : 'is not'} asked for consent to an immediate start`, () => {
    const terms = { withdrawalCountries: [...withdrawalCountries] }
    assert.equal(needsConsent(buyer, lines, terms), expected)
  })
}
