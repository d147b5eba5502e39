import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cents } from '#lib/money.ts'
import type { RecurringChange } from '#services'
import { movementOf, partsFrom, shareOf } from './rules.ts'

const kinds = [
  ['a customer who never was one is new', false, true, false, true, 'new'],
  ['one who comes back is reactivated', false, true, true, true, 'reactivation'],
  ['one who brings in more expands', true, true, true, true, 'expansion'],
  ['one who brings in less contracts', true, true, true, false, 'contraction'],
  ['one who brings in nothing any more has left', true, false, true, false, 'churn'],
] as const

for (const [what, before, after, ever, grew, expected] of kinds) {
  test(what, () => assert.equal(movementOf({ before, after, ever, grew }), expected))
}

test('a share is in hundredths of a percent, and of nothing there is none', () => {
  assert.equal(shareOf(1, 3), 3333)
  assert.equal(shareOf(0, 3), 0)
  assert.equal(shareOf(0, 0), null)
})

const PARTS = ['2026-01-01', '2026-02-01', '2026-03-01']
const amount = fc.integer({ min: 0, max: 5000 })
const customers = fc.array(
  fc.record({
    currency: fc.constantFrom('EUR', 'USD'),
    /** What they bring in per month before the span, and at the end of each of its parts. */
    before: amount,
    after: fc.tuple(amount, amount, amount),
  }),
  { maxLength: 12 },
)
type Customer = { currency: string; before: number; after: [number, number, number] }

/** The changes of customers, each alone; the database adds the same ones up. */
function changesOf({ currency, before, after }: Customer): RecurringChange[] {
  let [was, ever] = [before, before > 0]
  return after.flatMap((now, at) => {
    const changeCents = cents(now - was)
    const change = {
      ...{ startOn: PARTS[at] ?? '', currency, customers: 1, changeCents },
      ...{ before: was > 0, after: now > 0, ever, grew: changeCents > 0 },
    }
    was = now
    ever ||= now > 0
    return changeCents === 0 ? [] : [change]
  })
}

function sumOf(all: readonly Customer[], value: (customer: Customer) => number) {
  return all.reduce((sum, customer) => sum + value(customer), 0)
}

test('movements add up to the difference between any two instants, in every currency', () => {
  fc.assert(
    fc.property(customers, (everybody) => {
      const openings = ['EUR', 'USD'].map((currency) => {
        const own = everybody.filter((it) => it.currency === currency)
        const monthlyCents = cents(sumOf(own, ({ before }) => before))
        return { currency, monthlyCents, customers: own.filter((it) => it.before > 0).length }
      })
      const parts = partsFrom(PARTS, openings, everybody.flatMap(changesOf))
      assert.equal(parts.length, 6)
      for (const part of parts) {
        const at = PARTS.indexOf(part.startOn)
        const own = everybody.filter(({ currency }) => currency === part.currency)
        const start = ({ before, after }: Customer) => (at === 0 ? before : (after[at - 1] ?? 0))
        const end = ({ after }: Customer) => after[at] ?? 0
        assert.equal(part.openingCents, sumOf(own, start))
        assert.equal(part.closingCents, sumOf(own, end))
        const { churn, contraction, expansion, reactivation, new: won } = part.movements
        const moved = [churn, contraction, expansion, reactivation, won]
        assert.equal(
          moved.reduce((sum, cents) => sum + cents, 0),
          part.closingCents - part.openingCents,
        )
        assert.ok(churn <= 0 && contraction <= 0)
        assert.ok(expansion >= 0 && reactivation >= 0 && won >= 0)
        assert.equal(part.customersAtStart, own.filter((it) => start(it) > 0).length)
        assert.equal(part.customersAtEnd, own.filter((it) => end(it) > 0).length)
        const lost = own.filter((it) => start(it) > 0 && end(it) === 0)
        assert.equal(part.customersLost, lost.length)
      }
    }),
  )
})

test('a currency without customers at the start begins with 0, and a part without changes carries on', () => {
  const [usd] = changesOf({ currency: 'USD', before: 0, after: [0, 700, 700] })
  assert.ok(usd)
  const closings = partsFrom(PARTS, [], [usd]).map(({ closingCents }) => closingCents)
  assert.deepEqual(closings, [0, 700, 700])
})
