import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  anchorOf,
  boundary,
  type Cycle,
  daysOf,
  leadMs,
  periodNumberAt,
  periodOf,
  sameCycle,
  startedHours,
} from './periods.ts'
import { DAY_MS, dayOf, instant, later, secondsBetween } from './time.ts'

const weekly: Cycle = { interval: 'week', intervalCount: 1 }
const monthly: Cycle = { interval: 'month', intervalCount: 1 }
const quarterly: Cycle = { interval: 'month', intervalCount: 3 }
const semiannual: Cycle = { interval: 'month', intervalCount: 6 }
const annual: Cycle = { interval: 'year', intervalCount: 1 }
const hourly: Cycle = { interval: 'hour', intervalCount: 1 }
const oneTime: Cycle = { interval: 'one_time', intervalCount: 1 }

const anyAnchor = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2060-12-31'), noInvalidDate: true })
  .map((date) => instant(date))
const anyCycle = fc.constantFrom(weekly, monthly, quarterly, semiannual, annual, hourly, {
  interval: 'year',
  intervalCount: 3,
} as const)

function days(anchor: string, cycle: Cycle, numbers: number[]): string[] {
  return numbers.map((k) => dayOf(boundary(instant(anchor), cycle, k)))
}

test('E36: monthly from the 31st keeps to the last day of short months and comes back (hardening 39)', () => {
  const anchor = instant('2026-01-31T10:15:00Z')
  const at = [1, 2, 3, 4, 12].map((k) => boundary(anchor, monthly, k))
  const expected = ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2027-01-31']
  assert.deepEqual(
    at,
    expected.map((date) => `${date}T10:15:00.000Z`),
  )
})

test('E37: quarterly from 30 November has its February boundary on the 28th', () => {
  const expected = ['2026-02-28', '2026-05-30', '2026-08-30', '2026-11-30']
  assert.deepEqual(days('2025-11-30T00:00:00Z', quarterly, [1, 2, 3, 4]), expected)
})

test('E38: annual from 29 February is on the 28th until the next leap year (hardening 39)', () => {
  const expected = ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']
  assert.deepEqual(days('2028-02-29T00:00:00Z', annual, [1, 2, 3, 4]), expected)
})

test('E39: semiannual from 31 August is on 28 February and 31 August', () => {
  assert.deepEqual(days('2026-08-31T00:00:00Z', semiannual, [1, 2]), ['2027-02-28', '2027-08-31'])
})

test('E40: weekly boundaries keep their hour over the start of summer time (hardening 39, 49)', () => {
  const at = [1, 2].map((k) => boundary(instant('2026-03-25T12:00:00Z'), weekly, k))
  assert.deepEqual(at, ['2026-04-01T12:00:00.000Z', '2026-04-08T12:00:00.000Z'])
})

test('E41: monthly from the 29th meets the 28th in February only', () => {
  const expected = ['2026-11-29', '2026-12-29', '2027-01-29', '2027-02-28', '2027-03-29']
  assert.deepEqual(days('2026-10-29T00:00:00Z', monthly, [1, 2, 3, 4, 5]), expected)
})

test('E42: after a trial of 7 days the anchor is its end', () => {
  const anchor = anchorOf(instant('2026-05-28T09:00:00Z'), 7)
  assert.equal(anchor, '2026-06-04T09:00:00.000Z')
  assert.equal(periodOf(anchor, monthly, 0).end, '2026-07-04T09:00:00.000Z')
})

test('invariant 13: boundaries increase, on the anchor day or the last day of the month', () => {
  fc.assert(
    fc.property(anyAnchor, anyCycle, fc.nat(200), (anchor, cycle, k) => {
      const { start, end } = periodOf(anchor, cycle, k)
      assert.ok(start < end)
      assert.equal(end, periodOf(anchor, cycle, k + 1).start)
      if (cycle.interval === 'week') return
      const at = new Date(end)
      const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
      assert.equal(at.getUTCDate(), Math.min(new Date(anchor).getUTCDate(), lastDay))
      assert.equal(end.slice(11, 19), anchor.slice(11, 19))
    }),
  )
})

test('invariant 14: twelve months are a year, and a week is 604 800 seconds', () => {
  fc.assert(
    fc.property(anyAnchor, fc.nat(20), (anchor, n) => {
      assert.equal(boundary(anchor, monthly, 12 * n), boundary(anchor, annual, n))
      const { start, end } = periodOf(anchor, weekly, n)
      assert.equal(secondsBetween(start, end), 604_800)
    }),
  )
})

test('every instant from the anchor on falls into exactly the period that is found for it', () => {
  const offset = fc.nat(20 * 365 * 86_400)
  fc.assert(
    fc.property(anyAnchor, anyCycle, offset, (anchor, cycle, seconds) => {
      const at = later(anchorOf(anchor), seconds * 1000)
      const { start, end } = periodOf(anchor, cycle, periodNumberAt(anchor, cycle, at))
      assert.ok(start <= at && at < end)
    }),
    { numRuns: 60 },
  )
})

test('the instant at which one period ends belongs to the next', () => {
  const anchor = instant('2026-01-31T10:15:00Z')
  const end = boundary(anchor, monthly, 3)
  assert.equal(periodNumberAt(anchor, monthly, end), 3)
  assert.equal(periodNumberAt(anchor, monthly, later(end, -1)), 2)
})

test('an instant before the anchor is in no period', () => {
  const anchor = instant('2026-01-31T10:15:00Z')
  assert.throws(() => periodNumberAt(anchor, monthly, later(anchor, -1000)), RangeError)
})

test('an anchor has whole seconds', () => {
  assert.equal(anchorOf(instant('2026-01-31T10:15:00.999Z')), '2026-01-31T10:15:00.000Z')
})

test('a one-time plan and a broken cycle have no periods', () => {
  const anchor = instant('2026-01-31T10:15:00Z')
  assert.throws(() => boundary(anchor, oneTime, 1), RangeError)
  assert.throws(() => boundary(anchor, { interval: 'month', intervalCount: 0 }, 1), RangeError)
  assert.throws(() => boundary(anchor, { interval: 'week', intervalCount: 1.5 }, 1), RangeError)
  assert.throws(() => boundary(anchor, monthly, -1), RangeError)
})

test('metered hours are billed by the month', () => {
  const anchor = instant('2026-01-31T10:15:00Z')
  assert.equal(boundary(anchor, hourly, 1), boundary(anchor, monthly, 1))
})

const printed = [
  ['2026-01-31T10:15:00Z', '2026-02-28T10:15:00Z', '2026-01-31', '2026-02-27'],
  ['2026-06-09T00:00:00Z', '2026-06-16T00:00:00Z', '2026-06-09', '2026-06-15'],
  ['2026-06-09T00:00:00Z', '2026-06-10T00:00:00Z', '2026-06-09', '2026-06-09'],
  ['2026-06-09T10:00:00Z', '2026-06-09T20:00:00Z', '2026-06-09', '2026-06-09'],
] as const

for (const [start, end, first, last] of printed) {
  test(`the period from ${start} to ${end} is printed with ${first} and ${last}`, () => {
    assert.deepEqual(daysOf({ start: instant(start), end: instant(end) }), { first, last })
  })
}

const leads = [
  [weekly, 2],
  [{ interval: 'week', intervalCount: 2 }, 2],
  [{ interval: 'week', intervalCount: 4 }, 7],
  [monthly, 7],
  [{ interval: 'week', intervalCount: 8 }, 14],
  [quarterly, 14],
  [annual, 14],
  [hourly, 0],
  [oneTime, 0],
] as const

for (const [cycle, leadDays] of leads) {
  test(`an invoice for ${cycle.intervalCount} ${cycle.interval} has ${leadDays} days of lead`, () => {
    assert.equal(leadMs(cycle), leadDays * DAY_MS)
  })
}

test('a lead is shorter than the shortest period it is for', () => {
  fc.assert(
    fc.property(anyAnchor, anyCycle, fc.nat(50), (anchor, cycle, k) => {
      const { start, end } = periodOf(anchor, cycle, k)
      assert.ok(leadMs(cycle) < secondsBetween(start, end) * 1000)
    }),
  )
})

test('twelve months are the same cycle as a year, an hour is only like an hour', () => {
  assert.ok(sameCycle({ interval: 'month', intervalCount: 12 }, annual))
  assert.ok(sameCycle(weekly, { ...weekly }))
  assert.ok(!sameCycle(weekly, { interval: 'week', intervalCount: 2 }))
  assert.ok(!sameCycle(monthly, hourly))
  assert.ok(!sameCycle(oneTime, monthly))
  assert.ok(sameCycle(oneTime, { ...oneTime }))
})

test('an hour that was begun counts whole', () => {
  assert.equal(startedHours(37 * 3600 + 12 * 60), 38)
  assert.equal(startedHours(3600), 1)
  assert.equal(startedHours(3601), 2)
  assert.equal(startedHours(0), 0)
})
