import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { basisPoints, cents, rateOf } from '#lib/money.ts'
import { type Instant, instant, later as laterBy, secondsBetween } from '#lib/time.ts'
import { change, figures, march, span } from '#test/proration.ts'
import {
  heldValue,
  type PaidLine,
  refundedParts,
  refundedShares,
  wasRefunded,
} from '../held/rules.ts'
import {
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

const thirtyDays = span('2026-06-01T00:00:00Z', '2026-07-01T00:00:00Z')
const half = instant('2026-06-16T00:00:00Z')

/** So many later periods that each cost and cost now so much. */
const later = (count: number, creditCents: number, chargeCents: number) =>
  Array.from({ length: count }, () => {
    return { creditCents: cents(creditCents), chargeCents: cents(chargeCents) }
  })

test('E65: prepaid periods are credited at what each cost, not at the value of the current one', () => {
  const free = change(thirtyDays, thirtyDays.start, { from: 0, to: 2500 })
  assert.deepEqual(figures({ ...free, later: later(5, 1000, 2500) }), [5000, 15_000, 10_000])
})

test('E66: after a fixed coupon for the first month a downgrade credits prepaid periods in full', () => {
  const cheaper = change(thirtyDays, thirtyDays.start, { from: 500, to: 500 })
  assert.deepEqual(figures({ ...cheaper, later: later(3, 1000, 500) }), [3500, 2000, -1500])
})

const line = (netCents: number, refundedCents: number, start = thirtyDays.start): PaidLine => {
  const amounts = { netCents: cents(netCents), refundedCents: cents(refundedCents) }
  return { ...amounts, span: { start, end: thirtyDays.end } }
}

test('E67: a refunded upgrade is not credited again: held are 500 of the first price', () => {
  const lines = [line(1000, 0), line(1000, 1000, half)]
  assert.ok(wasRefunded(lines))
  const heldCents = heldValue(lines, half)
  assert.equal(heldCents, 500)
  const back = { ...change(thirtyDays, half, { from: 3000, to: 1000 }), heldCents }
  assert.deepEqual(figures(back), [500, 500, 0])
})

test('E68: a first invoice that was refunded in full is worth nothing in a change', () => {
  const heldCents = heldValue([line(1000, 1000)], half)
  const dearer = { ...change(thirtyDays, half, { from: 1000, to: 2500 }), heldCents }
  assert.deepEqual(figures(dearer), [0, 1250, 1250])
})

test('E69: a spent coupon lowers the credit and not the charge', () => {
  const dearer = change(thirtyDays, half, { from: 1500, to: 3000 })
  assert.deepEqual(figures(dearer), [750, 1500, 750])
  assert.equal(rateOf(prorate(dearer).netCents, 2000), 150)
})

test('a refund of a change counts on the periods that cost more, and a refund of an order on its lines', () => {
  const parts = [
    { creditCents: cents(500), chargeCents: cents(300) },
    { creditCents: cents(1000), chargeCents: cents(2000) },
    { creditCents: cents(1000), chargeCents: cents(4000) },
  ]
  assert.deepEqual(refundedParts(cents(800), parts, { creditedApart: false }), [0, 200, 600])
  assert.deepEqual(refundedParts(cents(630), parts, { creditedApart: true }), [30, 200, 400])
  const lines = [
    { netCents: cents(1000), totalCents: cents(1200) },
    { netCents: cents(500), totalCents: cents(600) },
    { netCents: cents(-100), totalCents: cents(-120) },
  ]
  const shares = refundedShares(cents(900), lines)
  assert.deepEqual(
    shares.map(({ netCents, totalCents }) => [netCents, totalCents]),
    [
      [500, 600],
      [250, 300],
      [0, 0],
    ],
  )
})

test('another cycle is charged in full and starts anew at the change', () => {
  const at = instant('2026-03-16T12:00:00.500Z')
  const yearly = change(march, at, { from: 1000, to: 20_000 })
  const result = prorateNewCycle(yearly, { interval: 'year', intervalCount: 1 })
  assert.deepEqual([result.creditCents, result.chargeCents, result.netCents], [500, 20_000, 19_500])
  assert.equal(result.anchor, '2026-03-16T12:00:00.000Z')
  assert.deepEqual(result.period, span('2026-03-16T12:00:00Z', '2027-03-16T12:00:00Z'))
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
  for (const at of [laterBy(march.start, -1), march.end]) {
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
      const at = laterBy(march.start, second * 1000)
      const [credit = 0, charge = 0, net = 0] = figures(change(march, at, { from, to }, mode))
      assert.ok(credit >= 0 && credit <= from && charge >= 0 && charge <= to)
      assert.equal(figures(change(march, at, { from, to: from }, mode))[2], 0)
      const heldCents = cents(Math.floor(credit / 2))
      const [capped = 0] = figures({ ...change(march, at, { from, to }, mode), heldCents })
      assert.equal(capped, heldCents)
      assert.equal(figures(change(march, march.start, { from, to }, mode))[2], to - from)
      if (mode === 'day') return
      const off = BigInt(net) * BigInt(whole) - BigInt(to - from) * BigInt(whole - second)
      assert.ok((off < 0n ? -off : off) <= BigInt(whole))
    }),
  )
})

const instantAt = (second: number) => laterBy(march.start, second * 1000)
const anyLine = fc
  .tuple(fc.integer({ min: -50_000, max: 1_000_000 }), fc.nat({ max: 10_000 }), anySecond)
  .map(([net, refunded, second]): PaidLine => {
    const amounts = {
      netCents: cents(net),
      refundedCents: cents(((Math.max(0, net) * refunded) / 10_000) | 0),
    }
    return { ...amounts, span: { start: instantAt(second), end: march.end } }
  })

test('invariant 15: what is held is never below 0, never rises by a refund or with time, and is rounded once', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 8 }), anySecond, anySecond, (lines, a, b) => {
      const [early, late] = [Math.min(a, b), Math.max(a, b)].map(instantAt) as [Instant, Instant]
      const held = heldValue(lines, early)
      assert.ok(held >= 0)
      assert.equal(heldValue(lines, march.end), 0)
      const positive = lines.filter(({ netCents }) => netCents >= 0)
      assert.ok(heldValue(positive, late) <= heldValue(positive, early))
      const unrefunded = lines.map((it) => ({ ...it, refundedCents: cents(0) }))
      assert.ok(held <= heldValue(unrefunded, early))
      const exact = lines.reduce((sum, { netCents, refundedCents, span: { start, end } }) => {
        const unused = secondsBetween(early > start ? early : start, end)
        return sum + ((netCents - refundedCents) * unused) / secondsBetween(start, end)
      }, 0)
      assert.ok(Math.abs(held - Math.max(0, exact)) <= 0.5 + 1e-6)
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
          change(march, laterBy(march.start, second * 1000), { from: held, to }),
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
