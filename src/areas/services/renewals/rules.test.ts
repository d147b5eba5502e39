import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cents } from '#lib/money.ts'
import { type Cycle, printedPeriod } from '#lib/periods.ts'
import { DAY_MS, day, instant, later } from '#lib/time.ts'
import { assertPriceNotice, invoiceAtOf, periodsToInvoice, priceOf } from './rules.ts'

const weekly: Cycle = { interval: 'week', intervalCount: 1 }
const monthly: Cycle = { interval: 'month', intervalCount: 1 }
const annual: Cycle = { interval: 'year', intervalCount: 1 }
const hourly: Cycle = { interval: 'hour', intervalCount: 1 }
const oneTime: Cycle = { interval: 'one_time', intervalCount: 1 }

const weeks = { anchor: instant('2026-06-02T00:00:00Z'), cycle: weekly }

function summary(now: string, next = 1) {
  const due = periodsToInvoice(weeks, next, instant(now))
  return due.map(({ period, dueAt }) => [printedPeriod(period), dueAt])
}

test('E43: the invoice for a month from 30 April 10:15 is made on 23 April 10:15', () => {
  const terms = { anchor: instant('2026-03-30T10:15:00Z'), cycle: monthly }
  assert.equal(invoiceAtOf(terms, 1), '2026-04-23T10:15:00.000Z')
})

test('E44: after half a day too late one invoice is made, due now; a second run adds nothing', () => {
  const now = '2026-06-09T12:00:00Z'
  assert.deepEqual(summary(now), [['2026-06-09 – 2026-06-15', instant(now)]])
  assert.deepEqual(summary(now, 2), [])
})

test('E45: after a week two invoices are made, the second before its period', () => {
  assert.deepEqual(summary('2026-06-15T12:00:00Z'), [
    ['2026-06-09 – 2026-06-15', '2026-06-15T12:00:00.000Z'],
    ['2026-06-16 – 2026-06-22', '2026-06-16T00:00:00.000Z'],
  ])
})

test('an invoice is made at its lead and not a millisecond before', () => {
  const invoiceAt = instant('2026-06-07T00:00:00Z')
  assert.equal(periodsToInvoice(weeks, 1, invoiceAt).length, 1)
  assert.equal(periodsToInvoice(weeks, 1, later(invoiceAt, -1)).length, 0)
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
  assert.deepEqual(periodsToInvoice({ ...weeks, cycle: oneTime }, 0, weeks.anchor), [])
})

test('invariant 17: however late and however often it runs, each period is invoiced once', () => {
  const anyRuns = fc.array(fc.nat(120), { minLength: 1, maxLength: 20 })
  const anyCycle = fc.constantFrom(weekly, monthly, hourly)
  fc.assert(
    fc.property(anyRuns, anyCycle, fc.integer({ min: 1, max: 4 }), (jumps, cycle, limit) => {
      const terms = { anchor: weeks.anchor, cycle }
      let [now, next] = [weeks.anchor, 0]
      const numbers: number[] = []
      const run = () => {
        const due = periodsToInvoice(terms, next, now, limit)
        numbers.push(...due.map(({ number }) => number))
        next += due.length
        for (const { period, dueAt } of due) assert.ok(dueAt >= period.start && dueAt >= now)
        return due.length
      }
      for (const jump of jumps) {
        now = later(now, jump * DAY_MS)
        run()
      }
      while (run() > 0);
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index),
      )
      const [last, coming] = [invoiceAtOf(terms, next - 1), invoiceAtOf(terms, next)]
      assert.ok(coming !== null && coming > now)
      assert.ok(next === 0 || (last !== null && last <= now))
    }),
  )
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
