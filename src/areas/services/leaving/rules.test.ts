import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cents, sumCents } from '#lib/money.ts'
import { boundary, type Period } from '#lib/periods.ts'
import { DAY_MS, HOUR_MS, instant, later, MINUTE_MS, secondsBetween } from '#lib/time.ts'
import { hourlyCharge } from '../renewals/charges.ts'
import { type LeavingFacts, leavingOf, type PaidTime, type Way } from './rules.ts'

const july = { start: instant('2026-07-01T00:00:00Z'), end: instant('2026-08-01T00:00:00Z') }
const august = { start: july.end, end: instant('2026-09-01T00:00:00Z') }

const running = { activatedAt: july.start, suspendedAt: null, serverLostAt: null }
const nothing: LeavingFacts = {
  ...{ way: 'canceled', at: later(july.start, 4 * DAY_MS), use: running, metered: null },
  ...{ unpaid: [], paid: [], immediateStart: true, creditOnCancel: false, writeOffUnpaid: false },
}

function paidFor(period: Period, amount: number, more: Partial<PaidTime> = {}): PaidTime {
  const paidCents = cents(amount)
  return { invoiceId: 'a', period, paidCents, movedCents: cents(0), heldCents: paidCents, ...more }
}

const returned = (facts: Partial<LeavingFacts>) =>
  leavingOf({ ...nothing, ...facts }).returned.map(({ amountCents }) => Number(amountCents))

const metered = {
  anchor: july.start,
  cycle: { interval: 'hour', intervalCount: 1 } as const,
  invoicedTo: july.start,
}
const price = { priceMicros: 13_900, capCents: cents(999) }
const hoursOf = (facts: Partial<LeavingFacts>) =>
  leavingOf({ ...nothing, metered, ...facts }).hours.map(({ start, end }) =>
    Number(hourlyCharge({ seconds: secondsBetween(start, end), ...price })),
  )

test('E48: a consumer who withdraws after four days of July gets 1045 of 1200 back', () => {
  assert.deepEqual(returned({ way: 'withdrawn', paid: [paidFor(july, 1200)] }), [1045])
})

test('R4.8: without consent to an immediate start, or before the server came, everything comes back', () => {
  const paid = [paidFor(july, 1200)]
  assert.deepEqual(returned({ way: 'withdrawn', paid, immediateStart: false }), [1200])
  const use = { activatedAt: null, suspendedAt: null, serverLostAt: null }
  assert.deepEqual(returned({ way: 'withdrawn', paid, use }), [1200])
})

test('R4.8: prepaid later periods come back whole, newest first', () => {
  const paid = [paidFor(july, 1200), paidFor(august, 1200, { invoiceId: 'b' })]
  assert.deepEqual(returned({ way: 'withdrawn', paid }), [1200, 1045])
})

test('E70: hours that were used are billed when the service is canceled now: 53 and 667', () => {
  const after = (ms: number) => hoursOf({ at: later(july.start, ms) })
  assert.deepEqual(after(37 * HOUR_MS + 12 * MINUTE_MS), [53])
  assert.deepEqual(after(20 * DAY_MS), [667])
  assert.deepEqual(after(0), [])
})

test('R4.11: hours of several months are capped month by month, and stop with the suspension', () => {
  const at = later(july.end, 10 * DAY_MS)
  assert.deepEqual(hoursOf({ at }), [999, 334])
  const use = { ...running, suspendedAt: later(july.start, 20 * DAY_MS) }
  assert.deepEqual(hoursOf({ at, use }), [667])
  assert.deepEqual(hoursOf({ at, use: { ...running, activatedAt: null } }), [])
  const lost = { ...running, activatedAt: null, serverLostAt: later(july.start, 20 * DAY_MS) }
  assert.deepEqual(hoursOf({ at, use: lost, way: 'given_up' }), [667])
})

test('R4.11: a consumer who never asked for an immediate start owes no hours', () => {
  const at = later(july.start, 10 * DAY_MS)
  assert.deepEqual(hoursOf({ way: 'withdrawn', at, immediateStart: false }), [])
  assert.deepEqual(hoursOf({ way: 'withdrawn', at }), [334])
})

const june = { start: instant('2026-06-09T00:00:00Z'), end: instant('2026-06-16T00:00:00Z') }
const renewal = { id: 'r', period: june, shareCents: cents(840) }
const unpaidOf = (facts: Partial<LeavingFacts>) => {
  const use = { ...running, activatedAt: instant('2026-06-02T00:00:00Z') }
  const [end] = leavingOf({ ...nothing, use, unpaid: [renewal], ...facts }).unpaid
  return [Number(end?.keepCents), Number(end?.creditCents), end?.writeOff]
}

test('E71: an unpaid renewal stays due for the days of grace that were used: 240, or 360 until the suspension', () => {
  const at = instant('2026-06-11T00:00:00Z')
  assert.deepEqual(unpaidOf({ at }), [240, 600, false])
  const suspendedAt = instant('2026-06-12T00:00:00Z')
  const use = { ...running, activatedAt: instant('2026-06-02T00:00:00Z'), suspendedAt }
  const terminated = { way: 'unpaid', at: instant('2026-06-23T00:00:00Z'), use } as const
  assert.deepEqual(unpaidOf(terminated), [360, 480, false])
  assert.deepEqual(unpaidOf({ ...terminated, writeOffUnpaid: true }), [0, 0, true])
  assert.deepEqual(unpaidOf({ at, writeOffUnpaid: true }), [240, 600, false])
})

test('R4.6: a renewal whose period has not begun is credited in full, one that is over stays due', () => {
  assert.deepEqual(unpaidOf({ at: june.start }), [0, 840, false])
  assert.deepEqual(unpaidOf({ at: june.end }), [840, 0, false])
})

test('R4.8: only a withdrawal, a service that is given up, and by setting a cancellation return money', () => {
  const paid = [paidFor(july, 1200)]
  const by = (way: Way, more: Partial<LeavingFacts> = {}) => returned({ way, paid, ...more })
  for (const way of ['canceled', 'completed', 'terminated', 'unpaid'] as const) {
    assert.deepEqual(by(way), [], way)
  }
  assert.deepEqual(by('canceled', { creditOnCancel: true }), [1045])
  assert.deepEqual(by('given_up'), [1045])
})

test('R4.8: money that was refunded before buys no time', () => {
  assert.deepEqual(returned({ way: 'withdrawn', paid: [paidFor(july, 600)] }), [523])
  assert.deepEqual(returned({ way: 'withdrawn', paid: [paidFor(july, 0)] }), [])
})

test('R4.8: what was held before a change of cycle comes from the invoices that hold it', () => {
  const year = { start: july.start, end: instant('2027-07-01T00:00:00Z') }
  const at = later(year.start, 73 * DAY_MS)
  const first = paidFor({ start: instant('2026-06-01T00:00:00Z'), end: july.start }, 0, {
    heldCents: cents(1000),
  })
  const change = paidFor(year, 10_000, {
    ...{ invoiceId: 'b', movedCents: cents(1000), heldCents: cents(9000) },
  })
  assert.deepEqual(returned({ way: 'withdrawn', at, paid: [first, change] }), [8000])
  const early = later(year.start, DAY_MS)
  assert.deepEqual(returned({ way: 'withdrawn', at: early, paid: [first, change] }), [9000, 973])
  const refunded = { ...first, heldCents: cents(0) }
  assert.deepEqual(returned({ way: 'withdrawn', at: early, paid: [refunded, change] }), [8975])
})

test('R4.9: what a change gave back is not returned again, and lessens what older invoices return', () => {
  const rest = { start: later(july.start, 4 * DAY_MS), end: july.end }
  const first = paidFor(july, 3100, { heldCents: cents(1750) })
  const back = paidFor(rest, -1350, { invoiceId: null, heldCents: cents(0) })
  assert.deepEqual(returned({ way: 'withdrawn', paid: [first, back] }), [1350])
  const charge = paidFor(rest, 2700, { invoiceId: 'b' })
  assert.deepEqual(returned({ way: 'withdrawn', paid: [first, back, charge] }), [2700, 1350])
})

const anyWay = fc.constantFrom<Way>(
  ...(['canceled', 'completed', 'withdrawn', 'terminated', 'unpaid', 'given_up'] as const),
)
const anyAmount = fc.nat(1_000_000).map(cents)

test('however a service ends, the shop keeps what was used, and no amount is below 0', () => {
  const history = fc.record({
    ...{ way: anyWay, second: fc.nat(120 * 86_400), prices: fc.array(anyAmount, { maxLength: 3 }) },
    ...{ unpaid: anyAmount, suspended: fc.option(fc.nat(120 * 86_400)), refunded: anyAmount },
    ...{ immediateStart: fc.boolean(), creditOnCancel: fc.boolean(), write: fc.boolean() },
  })
  fc.assert(
    fc.property(history, (it) => {
      const period = (k: number): Period => ({
        start: boundary(july.start, { interval: 'month', intervalCount: 1 }, k),
        end: boundary(july.start, { interval: 'month', intervalCount: 1 }, k + 1),
      })
      const paid = it.prices.map((price, k) => {
        const heldCents = cents(k === 0 ? Math.max(0, price - it.refunded) : price)
        return paidFor(period(k), heldCents, { invoiceId: String(k) })
      })
      const at = later(july.start, it.second * 1000)
      const suspendedAt = it.suspended === null ? null : later(july.start, it.suspended * 1000)
      const unpaidPeriod = period(paid.length)
      const {
        unpaid,
        returned: back,
        usedUntil,
      } = leavingOf({
        ...{ way: it.way, at, use: { ...running, suspendedAt }, metered: null, paid },
        unpaid: [{ id: 'u', period: unpaidPeriod, shareCents: it.unpaid }],
        ...{ immediateStart: it.immediateStart, creditOnCancel: it.creditOnCancel },
        writeOffUnpaid: it.write,
      })
      const [end] = unpaid
      assert.ok(end && end.keepCents >= 0 && end.creditCents >= 0)
      if (!end.writeOff) assert.equal(end.keepCents + end.creditCents, it.unpaid)
      for (const { invoiceId, amountCents } of back) {
        const held = paid[Number(invoiceId)]?.heldCents ?? 0
        assert.ok(amountCents > 0 && amountCents <= held)
      }
      if (!usedUntil) return
      const used = paid.map(({ heldCents }, k) => heldCents * usedShare(period(k), usedUntil))
      const kept = sumCents(paid.map(({ heldCents }) => heldCents)) - sumOf(back)
      assert.ok(kept >= used.reduce((sum, each) => sum + each, 0) - paid.length)
      if (end.writeOff) return
      assert.ok(Math.abs(end.keepCents - it.unpaid * usedShare(unpaidPeriod, usedUntil)) <= 0.5)
    }),
  )
})

function usedShare({ start, end }: Period, usedUntil: string): number {
  const used = (Date.parse(usedUntil) - Date.parse(start)) / (Date.parse(end) - Date.parse(start))
  return Math.max(0, Math.min(1, used))
}

function sumOf(back: readonly { amountCents: number }[]): number {
  return back.reduce((sum, { amountCents }) => sum + amountCents, 0)
}
