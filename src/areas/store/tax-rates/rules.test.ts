import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type BasisPoints, basisPoints } from '#lib/money.ts'
import { type Day, day, dayOf, instant } from '#lib/time.ts'
import { type Version, versionOn, withKnownRates, withRateFrom, withSpan } from './rules.ts'

function version(bp: number, from: string, to: string | null = null): Version {
  return {
    rateBasisPoints: basisPoints(bp),
    validFrom: day(from),
    validTo: to && day(to),
  } as Version
}

const single = [version(2000, '2026-01-01')]

test('a new percentage closes the running version and opens one', () => {
  assert.deepEqual(withRateFrom(single, basisPoints(2100), day('2026-07-01')), [
    version(2000, '2026-01-01', '2026-07-01'),
    version(2100, '2026-07-01'),
  ])
})

test('a percentage that counts from the first day replaces the first version', () => {
  assert.deepEqual(withRateFrom(single, basisPoints(2100), day('2026-01-01')), [
    version(2100, '2026-01-01'),
  ])
})

test('the same percentage again changes nothing', () => {
  assert.deepEqual(withRateFrom(single, basisPoints(2000), day('2026-07-01')), single)
})

test('a percentage replaces those that were to count later', () => {
  const planned = withRateFrom(single, basisPoints(2100), day('2027-01-01'))
  assert.deepEqual(withRateFrom(planned, basisPoints(2200), day('2026-07-01')), [
    version(2000, '2026-01-01', '2026-07-01'),
    version(2200, '2026-07-01'),
  ])
  assert.deepEqual(withRateFrom(planned, basisPoints(2000), day('2026-07-01')), single)
})

const ended = [version(2000, '2026-01-01', '2026-12-31')]
const outside = ['2025-12-31', '2026-12-31']

for (const from of outside) {
  test(`a percentage from ${from} is refused where a rate is valid before 2026-12-31 only`, () => {
    assert.throws(() => withRateFrom(ended, basisPoints(2100), day(from)), { statusCode: 422 })
  })
}

const two = withRateFrom(single, basisPoints(2100), day('2026-07-01'))
const spans: [string, string | null, Version[]][] = [
  ['2025-01-01', null, [version(2000, '2025-01-01', '2026-07-01'), version(2100, '2026-07-01')]],
  ['2026-08-01', null, [version(2100, '2026-08-01')]],
  ['2026-01-01', '2026-06-01', [version(2000, '2026-01-01', '2026-06-01')]],
  [
    '2026-02-01',
    '2027-01-01',
    [version(2000, '2026-02-01', '2026-07-01'), version(2100, '2026-07-01', '2027-01-01')],
  ],
]

for (const [from, to, expected] of spans) {
  test(`a span from ${from} to ${to ?? 'ever'} cuts and grows the versions`, () => {
    const validTo = to === null ? null : day(to)
    assert.deepEqual(withSpan(two, { validFrom: day(from), validTo }), expected)
  })
}

test('a span that ends before it begins is refused', () => {
  const span = { validFrom: day('2026-02-01'), validTo: day('2026-02-01') }
  assert.throws(() => withSpan(two, span), { statusCode: 422 })
})

const someDay = fc
  .integer({ min: 0, max: 5000 })
  .map((n): Day => dayOf(instant(Date.UTC(2020, 0, 1) + n * 86_400_000)))
const someRate = fc.integer({ min: 0, max: 3000 }).map((bp): BasisPoints => basisPoints(bp))

test('after any changes the versions follow each other without gap or overlap', () => {
  const change = fc.oneof(
    fc.record({ rate: someRate, from: someDay }),
    fc.record({ validFrom: someDay, validTo: fc.option(someDay) }),
  )
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      let versions: Version[] = [version(2000, '2022-01-01')]
      for (const it of changes) versions = attempt(versions, it)
      for (const [index, { validFrom, validTo }] of versions.entries()) {
        const next = versions[index + 1]
        assert.equal(validTo, next ? next.validFrom : (versions.at(-1)?.validTo ?? null))
        assert.ok(validTo === null || validFrom < validTo)
      }
      assert.ok(versionOn(versions, day('2024-01-01')))
    }),
  )
})

type Change = { rate: BasisPoints; from: Day } | { validFrom: Day; validTo: Day | null }

/** The versions after a change; as they were when the change is refused. */
function attempt(versions: Version[], change: Change): Version[] {
  try {
    if ('rate' in change) return withRateFrom(versions, change.rate, change.from)
    return withSpan(versions, change)
  } catch (error) {
    assert.equal((error as { statusCode?: number }).statusCode, 422)
    return versions
  }
}

const known = [version(2200, '2024-01-01', '2025-07-01'), version(2400, '2025-07-01')]
const imports = [
  ['older than the newest change gets it', [version(2200, '2024-01-01')], known],
  ['that has the newest change stays', known, null],
  ['set after the newest change stays', [version(1000, '2026-01-01')], null],
  ['that has ended stays', [version(2200, '2024-01-01', '2025-01-01')], null],
  ['that has the percentage already stays', [version(2400, '2024-01-01')], null],
] as const

for (const [what, before, after] of imports) {
  test(`importing known rates: a rate ${what}`, () => {
    assert.deepEqual(withKnownRates(before, known), after)
  })
}
