import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { basisPoints, cents, rateOf } from '#lib/money.ts'
import { instant, later, secondsBetween } from '#lib/time.ts'
import { change, figures, march, span } from '#test/proration.ts'
import {
  discountedPrice,
  effectOf,
  keptValues,
  needsCreditNote,
  nextRoomLook,
  type ProrationMode,
  prorate,
  prorateNewCycle,
} from './rules.ts'

test('E49, E55: 750 more or less bears 150 of tax', () => {
  const at = instant('2026-03-16T12:00:00Z')
  const dearer = prorate(change(march, at, { from: 1000, to: 2500 }))
  const cheaper = prorate(change(march, at, { from: 2500, to: 1000 }))
  assert.deepEqual(
    [dearer, cheaper].map(({ netCents }) => [netCents, rateOf(netCents, 2000)]),
    [
      [750, 150],
      [-750, -150],
    ],
  )
})

test('E51: a change that costs nothing happens at once', () => {
  const free = change(march, instant('2026-03-31T23:59:59Z'), { from: 1000, to: 2500 })
  assert.equal(effectOf(prorate(free).netCents, { immediateCredit: false }), 'at_once')
})

test('E55: a downgrade of 750 waits for the next period, or is a credit note (hardening 39)', () => {
  const cheaper = change(march, instant('2026-03-16T12:00:00Z'), { from: 2500, to: 1000 })
  assert.deepEqual(figures(cheaper), [1250, 500, -750])
  assert.equal(effectOf(cents(-750), { immediateCredit: false }), 'next_period')
  assert.equal(effectOf(cents(-750), { immediateCredit: true }), 'credit_note')
  assert.equal(effectOf(cents(750), { immediateCredit: true }), 'on_payment')
})

test('E56: two upgrades in one period cost 2125 in all with the first price (hardening 39)', () => {
  const period = span('2026-06-01T00:00:00Z', '2026-07-01T00:00:00Z')
  const first = change(period, instant('2026-06-16T00:00:00Z'), { from: 1000, to: 2500 })
  assert.deepEqual(figures(first), [500, 1250, 750])
  const second = change(period, instant('2026-06-23T12:00:00Z'), { from: 2500, to: 4000 })
  assert.deepEqual(figures(second), [625, 1000, 375])
  assert.equal(1000 + prorate(first).netCents + prorate(second).netCents, 2125)
})

test('a change has a line of quantity -1 and one of 1, no price is negative', () => {
  const { lines } = prorate(
    change(march, instant('2026-03-16T12:00:00Z'), { from: 1000, to: 2500 }),
  )
  assert.deepEqual(lines, [
    { description: 'Small', quantity: -1, unitPriceCents: 500, netCents: -500 },
    { description: 'Large', quantity: 1, unitPriceCents: 1250, netCents: 1250 },
  ])
})

test('later periods that are paid count in full on both sides', () => {
  const at = instant('2026-03-16T12:00:00Z')
  const paidAhead = { ...change(march, at, { from: 1000, to: 2500 }), laterPaidPeriods: 2 }
  assert.deepEqual(figures(paidAhead), [2500, 6250, 3750])
})

test('another cycle is charged in full and starts anew at the change', () => {
  const at = instant('2026-03-16T12:00:00.500Z')
  const yearly = change(march, at, { from: 1000, to: 20_000 })
  const result = prorateNewCycle(yearly, { interval: 'year', intervalCount: 1 })
  assert.deepEqual([result.creditCents, result.chargeCents, result.netCents], [500, 20_000, 19_500])
  assert.equal(result.anchor, '2026-03-16T12:00:00.000Z')
  assert.deepEqual(result.period, span('2026-03-16T12:00:00Z', '2027-03-16T12:00:00Z'))
})

test('a coupon that still covers the service lowers the new price', () => {
  assert.equal(discountedPrice(cents(2500), basisPoints(1000)), 2250)
  assert.equal(discountedPrice(cents(2500), basisPoints(0)), 2500)
})

test('a credit of another tax than the charge is a credit note on the old invoice', () => {
  const rate = basisPoints(2000)
  const french = {
    category: 'S',
    rateBasisPoints: rate,
    country: 'FR',
    homeRateBasisPoints: rate,
  } as const
  assert.ok(!needsCreditNote(french, { ...french, homeRateBasisPoints: null }))
  assert.ok(needsCreditNote(french, { ...french, category: 'AE', rateBasisPoints: basisPoints(0) }))
  assert.ok(needsCreditNote(french, { ...french, rateBasisPoints: basisPoints(1000) }))
  assert.ok(needsCreditNote(french, { ...french, country: 'MT' }))
})

test('what people set is kept; what the old plan or the egg set is not', () => {
  const variables = ['SLOTS', 'WORLD', 'MOTD', 'SEED'].map((env) => ({ env, default: 'preset' }))
  const server = { SLOTS: '20', WORLD: 'mine', MOTD: 'preset', OTHER: 'x' }
  assert.deepEqual(keptValues(variables, { server, plan: { SLOTS: '20', WORLD: 'plain' } }), {
    WORLD: 'mine',
  })
})

test('a change outside its period is refused', () => {
  for (const at of [later(march.start, -1), march.end]) {
    assert.throws(() => prorate(change(march, at, { from: 1, to: 2 })), RangeError)
  }
})

const anyPrice = fc.integer({ min: 0, max: 1_000_000 })
const anySecond = fc.integer({ min: 0, max: secondsBetween(march.start, march.end) - 1 })
const anyMode = fc.constantFrom<ProrationMode>('second', 'day')

test('invariant 15: credit and charge are parts of their prices, the net is exact to a cent', () => {
  const whole = secondsBetween(march.start, march.end)
  fc.assert(
    fc.property(anyPrice, anyPrice, anySecond, anyMode, (from, to, second, mode) => {
      const at = later(march.start, second * 1000)
      const [credit = 0, charge = 0, net = 0] = figures(change(march, at, { from, to }, mode))
      assert.ok(credit >= 0 && credit <= from && charge >= 0 && charge <= to)
      assert.equal(figures(change(march, at, { from, to: from }, mode))[2], 0)
      assert.equal(figures(change(march, march.start, { from, to }, mode))[2], to - from)
      if (mode === 'day') return
      const off = BigInt(net) * BigInt(whole) - BigInt(to - from) * BigInt(whole - second)
      assert.ok((off < 0n ? -off : off) <= BigInt(whole))
    }),
  )
})

test('invariant 16: after k changes what was paid is the price of each share, to k cents (hardening 39)', () => {
  const whole = secondsBetween(march.start, march.end)
  const anySteps = fc.array(fc.tuple(anySecond, anyPrice), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(anyPrice, anySteps, (price, steps) => {
      const changes = steps.toSorted(([a], [b]) => a - b)
      let paid = price
      let [held, since, exact] = [price, 0, 0n]
      for (const [second, to] of changes) {
        paid += prorate(
          change(march, later(march.start, second * 1000), { from: held, to }),
        ).netCents
        exact += BigInt(held) * BigInt(second - since)
        held = to
        since = second
      }
      exact += BigInt(held) * BigInt(whole - since)
      const off = BigInt(paid) * BigInt(whole) - exact
      assert.ok((off < 0n ? -off : off) <= BigInt(whole) * BigInt(changes.length))
    }),
  )
})

test('room for a planned change is looked for during a quarter of the period, a week at most', () => {
  const start = instant('2026-05-01T00:00:00Z')
  const week = { start, end: instant('2026-05-08T00:00:00Z') }
  const year = { start, end: instant('2027-05-01T00:00:00Z') }
  assert.deepEqual(nextRoomLook(week, start), {
    at: '2026-05-01T06:00:00.000Z',
    until: '2026-05-02T18:00:00.000Z',
  })
  assert.equal(nextRoomLook(year, start)?.until, '2026-05-08T00:00:00.000Z')
  assert.equal(nextRoomLook(year, instant('2026-05-07T18:00:00Z'))?.at, '2026-05-08T00:00:00.000Z')
  assert.equal(nextRoomLook(year, instant('2026-05-07T18:00:01Z')), undefined)
})
