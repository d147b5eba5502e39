import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { cents } from '#lib/money.ts'
import { instant, later } from '#lib/time.ts'
import { change, figures, march, span } from '#test/proration.ts'
import { prorate, prorateComponent } from './rules.ts'

const february = span('2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z')
const clamped = span('2026-01-31T10:15:00Z', '2026-02-28T10:15:00Z')
const april = span('2026-04-10T09:30:00Z', '2026-05-10T09:30:00Z')

const leap = span('2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z')
const toLeapDay = span('2028-01-31T00:00:00Z', '2028-02-29T00:00:00Z')
const leapYear = span('2028-02-29T00:00:00Z', '2029-02-28T00:00:00Z')
/** From midnight to midnight by the calendar of Paris, but for the hour that summer takes or gives. */
const parisSpring = span('2026-03-15T23:00:00Z', '2026-04-15T23:00:00Z')
const parisAutumn = span('2026-10-10T00:00:00Z', '2026-11-10T00:00:00Z')

const examples = [
  ['E49', march, '2026-03-16T12:00:00Z', [1000, 2500], [500, 1250, 750], [516, 1290, 774]],
  ['E50', march, '2026-03-01T00:00:00Z', [1000, 2500], [1000, 2500, 1500], [1000, 2500, 1500]],
  ['E51', march, '2026-03-31T23:59:59Z', [1000, 2500], [0, 0, 0], [32, 81, 49]],
  ['E52', february, '2026-02-11T08:00:00Z', [1299, 1999], [820, 1261, 441], [835, 1285, 450]],
  ['E53', clamped, '2026-02-14T10:15:00Z', [999, 1499], [500, 750, 250], [500, 750, 250]],
  ['E54', april, '2026-04-20T21:17:43Z', [1299, 2499], [845, 1625, 780], [866, 1666, 800]],
  ['leap February', leap, '2028-02-11T08:00:00Z', [1299, 1999], [836, 1287, 451], [851, 1310, 459]],
  ['its last day', leap, '2028-02-29T00:00:00Z', [2900, 5800], [100, 200, 100], [100, 200, 100]],
  [
    'to 29 February',
    toLeapDay,
    '2028-02-14T12:00:00Z',
    [999, 1499],
    [500, 750, 250],
    [517, 775, 258],
  ],
  [
    ...(['a year from 29 February', leapYear, '2028-08-29T12:00:00Z', [12_000, 24_000]] as const),
    ...([
      [6000, 12_000, 6000],
      [6016, 12_033, 6017],
    ] as const),
  ],
  [
    ...(['summer time begins', parisSpring, '2026-03-29T01:00:00Z', [1000, 2500]] as const),
    ...([
      [578, 1445, 867],
      [548, 1371, 823],
    ] as const),
  ],
  [
    ...(['an hour later', parisSpring, '2026-03-29T02:00:00Z', [1000, 2500]] as const),
    ...([
      [577, 1442, 865],
      [548, 1371, 823],
    ] as const),
  ],
  [
    ...(['summer time ends', parisAutumn, '2026-10-25T01:00:00Z', [1000, 2500]] as const),
    ...([
      [515, 1287, 772],
      [516, 1290, 774],
    ] as const),
  ],
] as const

for (const [title, period, at, [from, to], perSecond, perDay] of examples) {
  test(`${title}: from ${from} to ${to} at ${at} costs ${perSecond[2]}, per day ${perDay[2]} (hardening 39)`, () => {
    const prices = { from, to }
    assert.deepEqual(figures(change(period, instant(at), prices)), perSecond)
    assert.deepEqual(figures(change(period, instant(at), prices, 'day')), perDay)
  })
}

test('two upgrades in one day cost what each time was worth, and by days as much as one (hardening 39)', () => {
  const june = span('2026-06-01T00:00:00Z', '2026-07-01T00:00:00Z')
  const [morning, evening] = [instant('2026-06-16T06:00:00Z'), instant('2026-06-16T18:00:00Z')]
  const [first, second] = [
    { from: 1000, to: 2500 },
    { from: 2500, to: 4000 },
  ]
  assert.deepEqual(figures(change(june, morning, first)), [492, 1229, 737])
  assert.deepEqual(figures(change(june, evening, second)), [1188, 1900, 712])
  assert.deepEqual(figures(change(june, morning, first, 'day')), [500, 1250, 750])
  assert.deepEqual(figures(change(june, evening, second, 'day')), [1250, 2000, 750])
  const whole = figures(change(june, morning, { from: 1000, to: 4000 }, 'day'))
  assert.deepEqual(whole, [500, 2000, 1500])
})

test('the lines of every example add up to its net (hardening 39)', () => {
  for (const [, period, at, [from, to]] of examples) {
    for (const mode of ['second', 'day'] as const) {
      const { lines, netCents } = prorate(change(period, instant(at), { from, to }, mode))
      const sums = lines.map((line) => line.quantity * line.unitPriceCents + 0)
      assert.deepEqual(
        sums,
        lines.map((line) => line.netCents + 0),
      )
      assert.equal(
        sums.reduce((sum, it) => sum + it, 0),
        netCents,
      )
    }
  }
})

test('where the machine stands changes no amount and no boundary (hardening 39)', () => {
  const script = `
    const { prorate } = await import('./src/areas/services/upgrades/rules.ts')
    const { boundary } = await import('./src/lib/periods.ts')
    const cycles = [{ interval: 'week', intervalCount: 1 }, { interval: 'month', intervalCount: 1 }]
    const changes = ${JSON.stringify(
      examples.flatMap(([, period, at, [from, to]]) => [
        change(period, instant(at), { from, to }),
        change(period, instant(at), { from, to }, 'day'),
      ]),
    )}
    const boundaries = changes.flatMap(({ period }) =>
      cycles.flatMap((cycle) => [1, 2, 3].map((k) => boundary(period.start, cycle, k))))
    console.log(JSON.stringify([changes.map(prorate), boundaries]))`
  const cwd = path.join(import.meta.dirname, '../../../..')
  const [utc, ...others] = ['UTC', 'Europe/Paris', 'Pacific/Auckland'].map((TZ) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      ...{ cwd, env: { ...process.env, TZ } },
    }).toString(),
  )
  assert.ok(utc?.includes('"netCents":867'))
  for (const it of others) assert.equal(it, utc)
})

const one = (valueCents: number, priceCents: number) => ({
  ...{ key: 'memory', heldCents: null, later: [] },
  ...{ valueCents: cents(valueCents), priceCents: cents(priceCents) },
})
const odd = { period: april, at: instant('2026-04-20T21:17:43Z'), mode: 'second' } as const

test('X20, X25: each option is rounded by itself', () => {
  const memory = prorateComponent(one(300, 750), odd)
  assert.deepEqual([memory.creditCents, memory.chargeCents], [195, 488])
  const toggles = [one(0, 50), one(0, 50)].map((it) => prorateComponent(it, odd).chargeCents)
  assert.deepEqual(toggles, [33, 33])
})

test('an option that does not change in price costs nothing, and k changes of options cost their time to k cents', () => {
  const amount = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(amount, amount, fc.integer({ min: 0, max: 2_591_999 }), (value, price, second) => {
      const at = later(april.start, second * 1000)
      const time = { period: april, at, mode: 'second' } as const
      const { creditCents, chargeCents } = prorateComponent(one(value, price), time)
      const exact = ((price - value) * (2_592_000 - second)) / 2_592_000
      assert.ok(Math.abs(chargeCents - creditCents - exact) <= 1)
      const same = prorateComponent(one(value, value), time)
      assert.equal(same.creditCents, same.chargeCents)
    }),
  )
})
