import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dayOf, instant } from '#lib/time.ts'
import { keptThrough } from '../invoices/numbering.ts'
import { keptFrom } from './rules.ts'

const CASES = [
  // Issued in 2026, kept for 10 years: until 31 December 2036.
  ['2036-12-31T23:59:59.999Z', 10, '2026-01-01T00:00:00.000Z'],
  ['2037-01-01T00:00:00.000Z', 10, '2027-01-01T00:00:00.000Z'],
  ['2037-06-15T12:00:00.000Z', 8, '2029-01-01T00:00:00.000Z'],
] as const

for (const [now, years, expected] of CASES) {
  test(`at ${now} what is kept ${years} years begins with ${expected} (R3.12)`, () => {
    assert.equal(keptFrom(instant(now), years), expected)
  })
}

test('a document is given up when the last day it had to be kept is over, and not before', () => {
  const moment = fc.date({
    min: new Date('2020-01-01'),
    max: new Date('2060-12-31'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(moment, moment, fc.integer({ min: 6, max: 30 }), (issued, at, years) => {
      const [issuedAt, now] = [instant(issued), instant(at)]
      const over = dayOf(now) > keptThrough(issuedAt, years)
      assert.equal(issuedAt < keptFrom(now, years), over)
    }),
  )
})
