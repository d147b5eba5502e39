import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { basisPoints, cents, rateOf, sumCents } from '#lib/money.ts'
import { type CreditableGroup, type CreditedGroup, creditGroups } from './rules.ts'

function group(rate: number, net: number, creditedCents = 0): CreditableGroup {
  return {
    category: 'S',
    rateBasisPoints: basisPoints(rate),
    country: 'FR',
    netCents: cents(net),
    taxCents: rateOf(net, rate),
    creditedCents: cents(creditedCents),
  }
}

function amounts(credited: CreditedGroup[]): number[][] {
  return credited.map(({ totalCents, taxCents, netCents }) => [totalCents, taxCents, netCents])
}

test('E27: a refund of 500 is spread over both rates by what each holds', () => {
  const credited = creditGroups(cents(500), [group(2000, 1000), group(550, 500)])
  assert.deepEqual(amounts(credited), [
    [347, 58, 289],
    [153, 8, 145],
  ])
})

test('E28: the rest of 1228 completes the taxes of the invoice, 200 and 28', () => {
  const credited = creditGroups(cents(1228), [group(2000, 1000, 347), group(550, 500, 153)])
  assert.deepEqual(amounts(credited), [
    [853, 142, 711],
    [375, 20, 355],
  ])
  assert.deepEqual(
    credited.map(({ taxCents }, index) => taxCents + ([58, 8][index] ?? 0)),
    [200, 28],
  )
})

test('E33: a full credit note holds exactly the amounts of its invoice', () => {
  assert.deepEqual(amounts(creditGroups(cents(1200), [group(2000, 1000)])), [[1200, 200, 1000]])
})

test('a group that is credited already is left out', () => {
  const credited = creditGroups(cents(100), [group(2000, 1000, 1200), group(550, 500)])
  assert.deepEqual(
    credited.map(({ rateBasisPoints }) => rateBasisPoints),
    [550],
  )
})

test('more than is left to credit, and nothing, are refused with 422', () => {
  const groups = [group(2000, 1000, 347), group(550, 500, 153)]
  const tooLarge = { statusCode: 422, code: 'credit_note_too_large' }
  assert.throws(() => creditGroups(cents(1229), groups), tooLarge)
  const empty = { statusCode: 422, code: 'credit_note_empty' }
  assert.throws(() => creditGroups(cents(0), groups), empty)
  assert.throws(() => creditGroups(cents(-5), groups), empty)
})

test('invariant 11: any split of refunds adds up to the invoice and no part is negative', () => {
  const anyGroups = fc
    .uniqueArray(
      fc.tuple(fc.constantFrom(0, 550, 1900, 2000, 2700), fc.integer({ min: 0, max: 100_000 })),
      { minLength: 1, maxLength: 4, selector: ([rate]) => rate },
    )
    .map((pairs) => pairs.map(([rate, net]) => group(rate, net)))
  const anyParts = fc.array(fc.integer({ min: 1, max: 30_000 }), { maxLength: 8 })
  fc.assert(
    fc.property(anyGroups, anyParts, (invoice, parts) => {
      let groups = invoice
      const taxes = new Map<number | null, number>()
      const left = () => sumCents(groups.map((it) => it.netCents + it.taxCents - it.creditedCents))
      const credit = (amount: number) => {
        const credited = creditGroups(cents(amount), groups)
        assert.equal(sumCents(credited.map(({ totalCents }) => totalCents)), amount)
        for (const { rateBasisPoints, netCents, taxCents, totalCents } of credited) {
          assert.ok(netCents >= 0 && taxCents >= 0)
          taxes.set(rateBasisPoints, (taxes.get(rateBasisPoints) ?? 0) + taxCents)
          groups = groups.map((it) =>
            it.rateBasisPoints === rateBasisPoints
              ? { ...it, creditedCents: cents(it.creditedCents + totalCents) }
              : it,
          )
        }
        for (const it of groups) assert.ok((taxes.get(it.rateBasisPoints) ?? 0) <= it.taxCents)
      }
      for (const part of parts) if (part <= left()) credit(part)
      if (left() > 0) credit(left())
      for (const it of groups) assert.equal(taxes.get(it.rateBasisPoints) ?? 0, it.taxCents)
    }),
  )
})
