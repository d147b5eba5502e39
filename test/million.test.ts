import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS } from '#lib/time.ts'
import { seededRandom } from '#sandbox/panel/state/clock.ts'
import { monthOf } from '../bench/million/life.ts'
import { busiestHour, waitingOf } from '../bench/million/queue.ts'

const FEBRUARY = { startMs: Date.UTC(2027, 1, 1), endMs: Date.UTC(2027, 2, 1) }
const MINUTES_A_DAY = 1440

const minutes = fc
  .array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 300 })
  .map((it) => Float64Array.from(it))

test('a simulated service is invoiced once a period, and is paid for, suspended and ended by the rules', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const happened = monthOf(FEBRUARY, seededRandom(seed))
      const of = (kind: string) => happened.filter(([it]) => it === kind).map(([, atMs]) => atMs)
      for (const [, atMs] of happened) {
        assert.ok(atMs >= FEBRUARY.startMs && atMs < FEBRUARY.endMs)
      }
      const invoices = of('invoice').sort((a, b) => a - b)
      for (const [index, atMs] of invoices.entries()) {
        assert.ok(
          atMs - (invoices[index - 1] ?? 0) >= 7 * DAY_MS,
          'no period is shorter than a week',
        )
      }
      assert.ok(of('end').length <= 1)
      for (const endedAtMs of of('end')) {
        // Suspended eleven days before its end, which may be the month before; its data goes a week after.
        const suspendedAtMs = endedAtMs - 11 * DAY_MS
        if (suspendedAtMs >= FEBRUARY.startMs) assert.ok(of('suspension').includes(suspendedAtMs))
        const deletedAtMs = endedAtMs + 7 * DAY_MS
        if (deletedAtMs < FEBRUARY.endMs) assert.ok(of('deletion').includes(deletedAtMs))
      }
      for (const atMs of of('return')) assert.ok(of('payment').includes(atMs))
    }),
    { numRuns: 2000 },
  )
})

test('what is sold on the 29th to the 31st is due on the last day of a February', () => {
  const random = seededRandom(1)
  const days = new Map<number, number>()
  for (let service = 0; service < 20_000; service += 1) {
    for (const [kind, atMs] of monthOf(FEBRUARY, random)) {
      if (kind !== 'charge') continue
      const day = new Date(atMs).getUTCDate()
      days.set(day, (days.get(day) ?? 0) + 1)
    }
  }
  const [last = 0, before = 0] = [days.get(28), days.get(20)]
  assert.ok(last > before * 2, `${last} charges on the 28th, ${before} on the 20th`)
})

test('nothing waits where each minute does what comes in it, and nothing is lost where it does not', () => {
  fc.assert(
    fc.property(minutes, fc.integer({ min: 1, max: 1200 }), (arriving, perMinute) => {
      const { longestMinutes, left } = waitingOf(arriving, perMinute)
      const whole = arriving.reduce((sum, it) => sum + it, 0)
      const most = Math.max(...arriving)
      if (most <= perMinute) assert.deepEqual([longestMinutes, left], [0, 0])
      else assert.ok(longestMinutes >= (most - perMinute) / perMinute)
      assert.ok(left >= whole - perMinute * arriving.length && left <= whole)
    }),
  )
})

test('an outage delays what came in it, and is caught up at the speed that is left over', () => {
  const arriving = new Float64Array(MINUTES_A_DAY).fill(10)
  const { longestMinutes, caughtUpMinutes, busiest } = waitingOf(arriving, 30, {
    from: 60,
    to: 120,
  })
  // 600 wait at its end; each minute takes 20 of them away, until not more than a minute's work waits.
  assert.equal(longestMinutes, 600 / 30)
  assert.equal(caughtUpMinutes, 28)
  // For half an hour three times of what comes is done, then what comes.
  assert.equal(busiest, (30 * 30 + 10 * 30) / (30 * 60))
  assert.equal(waitingOf(arriving, 10, { from: 60, to: 120 }).caughtUpMinutes, null)
})

test('the busiest hour is the sixty minutes after one another in which most comes', () => {
  const arriving = new Float64Array(300)
  arriving[59] = 5
  arriving[100] = 7
  arriving[118] = 4
  assert.equal(busiestHour(arriving), 16)
  assert.equal(busiestHour(arriving.subarray(0, 118)), 12)
})
