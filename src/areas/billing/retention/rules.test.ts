import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant } from '#lib/time.ts'
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
