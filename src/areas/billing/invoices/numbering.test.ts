import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant } from '#lib/time.ts'
import {
  assertSeriesCode,
  erasableFrom,
  issueInstant,
  keptThrough,
  numberOf,
  seriesYearOf,
} from './numbering.ts'

test('a number is code, year and at least six digits', () => {
  assert.equal(numberOf({ code: 'INV', year: 2026, sequence: 1 }), 'INV-2026-000001')
  assert.equal(numberOf({ code: 'CN', year: 2026, sequence: 1_234_567 }), 'CN-2026-1234567')
})

test('E33: the first credit note of 2026 is CN-2026-000001', () => {
  assert.equal(numberOf({ code: 'CN', year: 2026, sequence: 1 }), 'CN-2026-000001')
})

test('a place that is none, or a number that is too long, is refused', () => {
  assert.throws(() => numberOf({ code: 'INV', year: 2026, sequence: 0 }), RangeError)
  assert.throws(() => numberOf({ code: 'X'.repeat(24), year: 2026, sequence: 1 }), RangeError)
  assert.throws(() => numberOf({ code: 'INV 1', year: 2026, sequence: 1 }), RangeError)
})

test('a series code that is accepted makes valid numbers up to the last of eight digits', () => {
  const code = `A+b_/-${'9'.repeat(15)}`
  assert.doesNotThrow(() => assertSeriesCode(code))
  assert.equal(numberOf({ code, year: 2026, sequence: 99_999_999 }).length, 35)
  for (const wrong of ['', 'INV 1', 'RÉF', 'X'.repeat(22)]) {
    assert.throws(() => assertSeriesCode(wrong), { statusCode: 422 })
  }
})

test('a document of the last second of a year is numbered in it (hardening 38)', () => {
  assert.equal(seriesYearOf(instant('2026-12-31T23:59:59.999Z')), 2026)
  assert.equal(seriesYearOf(instant('2027-01-01T00:00:00Z')), 2027)
})

test('the issue date never runs backwards in a series', () => {
  const [earlier, later] = [instant('2026-05-04T12:00:00Z'), instant('2026-05-04T12:00:01Z')]
  assert.equal(issueInstant(earlier, later), later)
  assert.equal(issueInstant(later, earlier), later)
  assert.equal(issueInstant(earlier, null), earlier)
})

test('E35: what was issued on 2026-03-05 is kept through 2036 and erasable from 2037-01-01', () => {
  const issuedAt = instant('2026-03-05T09:00:00Z')
  assert.equal(keptThrough(issuedAt), '2036-12-31')
  assert.equal(erasableFrom(issuedAt), '2037-01-01')
  assert.equal(keptThrough(issuedAt, 8), '2034-12-31')
})
