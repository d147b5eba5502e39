import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import type { Cycle } from '#lib/periods.ts'
import { day, instant } from '#lib/time.ts'
import { assertPriceNotice, invoiceAtOf, priceOf } from './rules.ts'

const weekly: Cycle = { interval: 'week', intervalCount: 1 }
const monthly: Cycle = { interval: 'month', intervalCount: 1 }
const annual: Cycle = { interval: 'year', intervalCount: 1 }
const hourly: Cycle = { interval: 'hour', intervalCount: 1 }
const oneTime: Cycle = { interval: 'one_time', intervalCount: 1 }

const weeks = { anchor: instant('2026-06-02T00:00:00Z'), cycle: weekly }

test('E43: the invoice for a month from 30 April 10:15 is made on 23 April 10:15', () => {
  const terms = { anchor: instant('2026-03-30T10:15:00Z'), cycle: monthly }
  assert.equal(invoiceAtOf(terms, 1), '2026-04-23T10:15:00.000Z')
})

test('the lead is a setting', () => {
  const leads = { weekDays: 1, monthDays: 10, longerDays: 30 }
  const terms = { ...weeks, leads }
  assert.equal(invoiceAtOf(terms, 1), '2026-06-08T00:00:00.000Z')
  assert.equal(invoiceAtOf({ ...terms, cycle: annual }, 1), '2027-05-03T00:00:00.000Z')
})

test('metered hours are invoiced at the end of their month, a one-time plan never', () => {
  assert.equal(invoiceAtOf({ ...weeks, cycle: hourly }, 0), '2026-07-02T00:00:00.000Z')
  assert.equal(invoiceAtOf({ ...weeks, cycle: oneTime }, 1), null)
})

const changes = [{ effectiveFrom: day('2026-09-01'), priceCents: cents(1200) }]

function from(start: string) {
  return { start: instant(`${start}T00:00:00Z`), end: instant('2030-01-01T00:00:00Z') }
}

test('E46: a price from 1 September counts for the period from 15 September on', () => {
  assert.equal(priceOf(from('2026-08-15'), cents(1000), changes), 1000)
  assert.equal(priceOf(from('2026-09-15'), cents(1000), changes), 1200)
  assert.equal(priceOf(from('2026-09-01'), cents(1000), changes), 1200)
})

test('the latest of several price changes counts, in whatever order they stand', () => {
  const more = [{ effectiveFrom: day('2026-10-01'), priceCents: cents(900) }, ...changes]
  assert.equal(priceOf(from('2026-09-15'), cents(1000), more), 1200)
  assert.equal(priceOf(from('2026-11-15'), cents(1000), more), 900)
  assert.equal(priceOf(from('2026-11-15'), cents(1000), more.toReversed()), 900)
})

test('a new price needs 30 days of notice', () => {
  const now = instant('2026-08-02T15:00:00Z')
  assert.doesNotThrow(() => assertPriceNotice(day('2026-09-01'), now))
  assert.throws(() => assertPriceNotice(day('2026-08-31'), now), { statusCode: 422 })
})
