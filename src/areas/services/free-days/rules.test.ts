import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import { instant } from '#lib/time.ts'
import { freeAfter, priceOfFree } from './rules.ts'

const monthly = { interval: 'month', intervalCount: 1 } as const
const yearly = { interval: 'year', intervalCount: 1 } as const
const start = instant('2026-06-01T00:00:00Z')
const end = instant('2026-06-11T00:00:00Z')
const free = { start, end, basePriceCents: cents(1000) }

const priced = [
  ['the plan on which they were given', 1000, 1000, 0],
  ['a cheaper plan', 500, 500, 0],
  ['a costlier plan, by the difference', 4000, 4000, 1000],
  ['a costlier plan at half its price', 4000, 2000, 500],
] as const

for (const [title, priceCents, chargedCents, costs] of priced) {
  test(`ten free days before a period of thirty cost ${costs} on ${title}`, () => {
    const plan = { priceCents: cents(priceCents), chargedCents: cents(chargedCents) }
    assert.equal(priceOfFree(free, { ...plan, cycle: monthly }), costs)
  })
}

const place = { at: instant('2026-06-06T00:00:00Z'), start: instant('2027-06-06T00:00:00Z') }
const kept = (priceCents: number) =>
  freeAfter(free, place, { from: monthly, to: yearly, priceCents: cents(priceCents) })

test('free days that are left follow a cheaper or equal period of another cycle as they were', () => {
  const after = kept(12_000)
  assert.deepEqual([after?.start, after?.end], [place.start, '2027-06-11T00:00:00.000Z'])
})

test('on a costlier plan of another cycle, free days last as long as what they were worth', () => {
  const after = kept(24_400)
  assert.equal(after?.end, '2027-06-08T12:00:00.000Z')
  assert.equal(after?.basePriceCents, 24_400)
})

test('free days that are over are not kept', () => {
  const late = { ...place, at: end }
  assert.equal(freeAfter(free, late, { from: monthly, to: yearly, priceCents: cents(1) }), null)
})
