import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cents } from '#lib/money.ts'
import { catalogue, MONTHLY, option, row, tiered, value } from '#test/options.ts'
import { hasTierCliff, priceOfChoice } from './prices.ts'
import type { Chosen, OptionTerms, Sold } from './terms.ts'

function quantityOf(of: OptionTerms, quantity: number): Chosen {
  return { option: of, value: null, quantity, text: null }
}

function centsOf(of: OptionTerms, quantity: number, sold: Sold = MONTHLY) {
  return priceOfChoice(quantityOf(of, quantity), sold)?.priceCents
}

function choiceOf(of: OptionTerms, key: string): Chosen {
  const chosen = of.values.find((it) => it.key === key) ?? null
  return { option: of, value: chosen, quantity: null, text: null }
}

const { memory, slots, disk, backups, ip } = catalogue

test('X1: 4 GB of memory at 150 each cost 600 a month', () => {
  assert.equal(centsOf(memory, 4), 600)
})

test('X2: of 70 slots, each costs the price of its tier: 540 together', () => {
  assert.equal(centsOf(slots, 70), 540)
})

test('X3: all units of disk space cost the price of the tier that holds them', () => {
  const prices = [50, 51, 60, 200, 201].map((gigabytes) => centsOf(disk, gigabytes))
  assert.deepEqual(prices, [200, 153, 180, 600, 402])
})

test('X3: a larger quantity that costs less is a cliff; one whose tiers only add up is none', () => {
  assert.equal(hasTierCliff(disk), true)
  assert.equal(hasTierCliff(slots), false)
  assert.equal(hasTierCliff(memory), false)
})

test('a cliff that no step lands on is none', () => {
  const tiers = [[50, 4] as const, [null, 3] as const]
  const steps = { min: 0, max: 200, step: 50 }
  assert.equal(hasTierCliff(tiered('disk', 'volume', tiers, steps)), false)
  assert.equal(hasTierCliff(tiered('disk', 'volume', tiers, { ...steps, step: 10 })), true)
  assert.equal(hasTierCliff(tiered('disk', 'volume', tiers, { ...steps, max: 50 })), false)
})

test('X4: at the ends of tiers, 20, 21, 50 and 51 slots cost 200, 208, 440 and 445', () => {
  assert.deepEqual(
    [20, 21, 50, 51].map((count) => centsOf(slots, count)),
    [200, 208, 440, 445],
  )
})

test('X14: a yearly plan has its own row; without one an option is not offered', () => {
  assert.equal(centsOf(memory, 4, { ...MONTHLY, interval: 'year' }), 6000)
  assert.equal(priceOfChoice(quantityOf(memory, 4), { ...MONTHLY, interval: 'week' }), null)
  assert.equal(priceOfChoice(quantityOf(memory, 4), { ...MONTHLY, currency: 'USD' }), null)
  assert.equal(priceOfChoice(quantityOf(memory, 4), { ...MONTHLY, intervalCount: 3 }), null)
})

test('X15: the first 10 are free, and 25 cost 180', () => {
  const free = tiered('players', 'graduated', [
    [10, 0],
    [null, 12],
  ])
  assert.deepEqual([centsOf(free, 10), centsOf(free, 25)], [0, 180])
})

test('X16: by the hour, micros and the cap of a month count per unit', () => {
  const hourly = { ...MONTHLY, interval: 'hour' } as const
  const price = priceOfChoice(quantityOf(memory, 4), hourly)
  assert.deepEqual(price, { priceCents: 600, feeCents: 0, priceMicros: 8000 })
})

test('a fee is charged once, whatever the quantity, and not at all for a quantity of 0', () => {
  const fee = { ...memory, prices: [row(150, { tier: 0 }, 900)] }
  assert.deepEqual(
    [1, 8, 0].map((quantity) => priceOfChoice(quantityOf(fee, quantity), MONTHLY)?.feeCents),
    [900, 900, 0],
  )
})

test('the fee of tiers is that of the tier which holds the quantity', () => {
  const fees = slots.prices.map((it, tier) => ({ ...it, feeCents: cents(tier * 100) }))
  const priced = { ...slots, prices: fees }
  assert.deepEqual(
    [20, 21, 70].map((quantity) => priceOfChoice(quantityOf(priced, quantity), MONTHLY)?.feeCents),
    [0, 100, 200],
  )
})

test('a value costs its row; free is an explicit 0, and no row is not offered', () => {
  assert.equal(priceOfChoice(choiceOf(backups, 'daily'), MONTHLY)?.priceCents, 200)
  assert.equal(priceOfChoice(choiceOf(backups, 'none'), MONTHLY)?.priceCents, 0)
  const unpriced = option('backups', { values: [value('none')] })
  assert.equal(priceOfChoice(choiceOf(unpriced, 'none'), MONTHLY), null)
})

test('a toggle that is on costs its price and its fee, and nothing while it is off', () => {
  const [on, off] = [choiceOf(ip, 'on'), choiceOf(ip, 'off')]
  assert.deepEqual(priceOfChoice(on, MONTHLY), {
    priceCents: 300,
    feeCents: 500,
    priceMicros: null,
  })
  assert.deepEqual(priceOfChoice(off, MONTHLY), { priceCents: 0, feeCents: 0, priceMicros: null })
})

test('a quantity that reaches into a tier without a row is not offered', () => {
  const gap = { ...slots, prices: slots.prices.filter(({ tier }) => tier !== 1) }
  assert.equal(centsOf(gap, 20), 200)
  assert.equal(centsOf(gap, 21), undefined)
  assert.equal(centsOf(gap, 60), undefined)
})

const price = fc.integer({ min: 0, max: 100_000 })
const tierEnds = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 6 })
const anyTiers = tierEnds.chain((ends) => {
  const upTo = [...ends.toSorted((a, b) => a - b), null]
  return fc.tuple(...upTo.map((end) => fc.tuple(fc.constant(end), price)))
})

test('a graduated price grows by the price of the tier that holds the next unit', () => {
  fc.assert(
    fc.property(anyTiers, fc.integer({ min: 1, max: 600 }), (tiers, quantity) => {
      const graduated = tiered('any', 'graduated', tiers)
      const [, added = 0] = tiers.find(([upTo]) => upTo === null || quantity <= upTo) ?? []
      const [less = 0, more = 0] = [centsOf(graduated, quantity - 1), centsOf(graduated, quantity)]
      assert.equal(more, less + added)
    }),
  )
})

test('a price per unit and a graduated price never fall, and with one tier they are the same', () => {
  fc.assert(
    fc.property(price, fc.integer({ min: 0, max: 600 }), (each, quantity) => {
      const [plain = 0, graduated, volume] = (['per_unit', 'graduated', 'volume'] as const).map(
        (mode) => centsOf(tiered('any', mode, [[null, each]]), quantity),
      )
      assert.deepEqual([plain, graduated, volume], [each * quantity, plain, plain])
      assert.ok((centsOf(tiered('any', 'per_unit', [[null, each]]), quantity + 1) ?? 0) >= plain)
    }),
  )
})

test('a cliff is found exactly where some allowed quantity costs less than the one before', () => {
  const steps = fc.record({
    min: fc.integer({ min: 0, max: 20 }),
    step: fc.integer({ min: 1, max: 40 }),
    count: fc.integer({ min: 1, max: 30 }),
  })
  fc.assert(
    fc.property(anyTiers, steps, (tiers, { min, step, count }) => {
      const volume = tiered('any', 'volume', tiers, { min, step, max: min + count * step })
      const prices = Array.from(
        { length: count + 1 },
        (_, index) => centsOf(volume, min + index * step) ?? 0,
      )
      const falls = prices.some((it, index) => index > 0 && it < (prices[index - 1] ?? 0))
      assert.equal(hasTierCliff(volume), falls)
    }),
  )
})
