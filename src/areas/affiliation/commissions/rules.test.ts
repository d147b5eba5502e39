import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { basisPoints, cents, sumCents } from '#lib/money.ts'
import { instant } from '#lib/time.ts'
import { cashOf, commissionOn, mayEarn, reversedOf, type Sale, statusOf } from './rules.ts'

const none = { paidCents: cents(0), refundedCents: cents(0) }

function credit(paid: number, refunded = 0) {
  return { paidCents: cents(paid), refundedCents: cents(refunded) }
}

type Amounts = { paid?: number; refunded?: number; reversed?: number }

function money(
  { paid = 1200, refunded = 0, reversed = 0 }: Amounts = {},
  status = 'paid' as const,
) {
  const amounts = { refundedCents: cents(refunded), reversedCents: cents(reversed) }
  return { status, paidCents: cents(paid), ...amounts }
}

type Line = { product?: string; net: number; quantity?: number }

function sale(lines: readonly Line[], rates: Sale['rates'] = [], totalCents = 0): Sale {
  const netCents = sumCents(lines.map(({ net }) => net))
  const total = totalCents || (netCents * 12) / 10
  return {
    invoice: { netCents, totalCents: cents(Math.round(total)), currency: 'EUR' },
    lines: lines.map(({ product = null, net, quantity = 1 }) => ({
      ...{ productId: product, netCents: cents(net), quantity },
    })),
    rates,
    usualBasisPoints: 1000,
  }
}

function percent(productId: string, rate: number) {
  const fixed = { amountCents: null, currency: null }
  return { productId, type: 'percent' as const, percentBasisPoints: basisPoints(rate), ...fixed }
}

function fixed(productId: string, amount: number, currency = 'EUR') {
  const amounts = { amountCents: cents(amount), percentBasisPoints: null }
  return { productId, type: 'fixed' as const, ...amounts, currency }
}

test('E59: net 1000 of 1200, all of it by card, earns 100', () => {
  const cash = cashOf(money(), none)
  assert.deepEqual(commissionOn(sale([{ net: 1000 }]), cash), { baseCents: 1000, amountCents: 100 })
})

test('E60: with 300 of it by credit the base is 750 and the commission 75', () => {
  const cash = cashOf(money(), credit(300))
  assert.equal(cash, 900)
  assert.deepEqual(commissionOn(sale([{ net: 1000 }]), cash), { baseCents: 750, amountCents: 75 })
})

test('E61: of 125 on 1200, refunds of 400 and then 800 reverse 42 and then 83', () => {
  const commission = { amountCents: cents(125), cashCents: cents(1200) }
  const first = reversedOf(commission, money({ refunded: 400 }), none)
  const second = reversedOf(commission, money({ refunded: 1200 }), none)
  assert.deepEqual([first, second - first, 125 - second], [42, 83, 0])
})

const RATED: [string, Sale, number, number][] = [
  ['a rate of its own', sale([{ product: 'a', net: 1000 }], [percent('a', 2500)]), 1200, 250],
  ['a rate of nothing', sale([{ product: 'a', net: 1000 }], [percent('a', 0)]), 1200, 0],
  [
    'rates that differ, each rounded once',
    sale(
      [
        { product: 'a', net: 333 },
        { product: 'b', net: 333 },
        { product: 'c', net: 334 },
      ],
      [percent('a', 550), percent('b', 550)],
    ),
    1200,
    37 + 33,
  ],
  [
    'a fixed amount for each unit',
    sale([{ product: 'a', net: 1000, quantity: 2 }], [fixed('a', 150)]),
    1200,
    300,
  ],
  [
    'a fixed amount, as far as it was paid in cash',
    sale([{ product: 'a', net: 1000 }], [fixed('a', 200)]),
    600,
    100,
  ],
  [
    'a fixed amount above what came in',
    sale([{ product: 'a', net: 300 }], [fixed('a', 500)]),
    360,
    300,
  ],
  [
    'a fixed amount in another currency',
    sale([{ product: 'a', net: 1000 }], [fixed('a', 500, 'USD')]),
    1200,
    100,
  ],
  [
    'an upgrade, whose old product is taken off',
    sale(
      [
        { product: 'a', net: -500, quantity: -1 },
        { product: 'b', net: 1500 },
      ],
      [percent('b', 2000)],
    ),
    1200,
    250,
  ],
  ['nothing paid in cash', sale([{ net: 1000 }]), 0, 0],
]

for (const [what, sold, cash, expected] of RATED) {
  test(`${what} earns ${expected}`, () => {
    assert.equal(commissionOn(sold, cents(cash)).amountCents, expected)
  })
}

test('an invoice over nothing earns nothing', () => {
  const free = {
    ...sale([{ net: 0 }]),
    invoice: { ...sale([{ net: 0 }]).invoice, totalCents: cents(0) },
  }
  assert.deepEqual(commissionOn(free, cents(0)), { baseCents: 0, amountCents: 0 })
})

const REVERSALS: [string, ReturnType<typeof money>, ReturnType<typeof credit>, number][] = [
  ['nothing went back', money(), none, 0],
  [
    'a lost chargeback leaves it unpaid',
    { ...money({ reversed: 100 }), status: 'open' as never },
    none,
    100,
  ],
  ['a lost chargeback was paid again', money({ paid: 2400, reversed: 1200 }), none, 0],
  [
    'a lost chargeback was paid again with credit',
    money({ paid: 2400, reversed: 1200 }),
    credit(1200),
    100,
  ],
  ['all went to credit', money({ refunded: 1200 }), credit(0, 1200), 100],
]

for (const [what, invoice, share, expected] of REVERSALS) {
  test(`of 100, ${expected} are reversed where ${what}`, () => {
    const commission = { amountCents: cents(100), cashCents: cents(1200) }
    assert.equal(reversedOf(commission, invoice, share), expected)
  })
}

test('what credit had paid goes back to credit first, and takes no commission along', () => {
  const commission = { amountCents: cents(75), cashCents: cents(900) }
  assert.equal(reversedOf(commission, money({ refunded: 300 }), credit(300, 300)), 0)
  assert.equal(reversedOf(commission, money({ refunded: 300 }), credit(300, 0)), 25)
  assert.equal(reversedOf(commission, money({ refunded: 1200 }), credit(300, 300)), 75)
})

test('invariant 23: reversals add up to at most the commission, and to all of it with all cash back', () => {
  const cash = fc.integer({ min: 1, max: 1_000_000 })
  const parts = fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 6 })
  fc.assert(
    fc.property(cash, fc.integer({ min: 1, max: 500_000 }), parts, (cashCents, amount, refunds) => {
      const commission = { amountCents: cents(amount), cashCents: cents(cashCents) }
      let refunded = 0
      let before = 0
      for (const part of [...refunds, cashCents]) {
        refunded = Math.min(cashCents, refunded + part)
        const reversed = reversedOf(commission, money({ paid: cashCents, refunded }), none)
        assert.ok(reversed >= before && reversed <= amount)
        before = reversed
      }
      assert.equal(before, amount)
    }),
  )
})

test('invariant 23: a share paid by credit earns nothing, and no share earns more than the whole', () => {
  const net = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(net, fc.integer({ min: 0, max: 10_000 }), (netCents, cashShare) => {
      const sold = sale([{ net: netCents }])
      const { totalCents } = sold.invoice
      const cash = cents(Math.floor((totalCents * cashShare) / 10_000))
      const part = commissionOn(sold, cash)
      const whole = commissionOn(sold, totalCents)
      assert.ok(part.amountCents <= whole.amountCents && part.baseCents <= netCents)
      if (cash === 0) assert.equal(part.amountCents, 0)
    }),
  )
})

const at = (day: string) => instant(`${day}T12:00:00Z`)
const PAYMENTS: [string, Parameters<typeof mayEarn>, boolean][] = [
  ['the first one', [{ payments: 'first', recurringMonths: 0 }, null, at('2030-01-31')], true],
  [
    'the second one',
    [{ payments: 'first', recurringMonths: 0 }, at('2030-01-31'), at('2030-02-01')],
    false,
  ],
  [
    'a later one, without end',
    [{ payments: 'recurring', recurringMonths: 0 }, at('2030-01-31'), at('2039-01-31')],
    true,
  ],
  [
    'one in the last month',
    [{ payments: 'recurring', recurringMonths: 1 }, at('2030-01-31'), at('2030-02-27')],
    true,
  ],
  [
    'one after it',
    [{ payments: 'recurring', recurringMonths: 1 }, at('2030-01-31'), at('2030-02-28')],
    false,
  ],
]

for (const [what, args, expected] of PAYMENTS) {
  test(`with ${JSON.stringify(args[0])} a payment earns${expected ? '' : ' nothing'}: ${what}`, () => {
    assert.equal(mayEarn(...args), expected)
  })
}

test('a commission is pending, then available, and reversed once nothing is left of it', () => {
  const amountCents = cents(100)
  const maturedAt = at('2030-01-31')
  const [left, gone] = [cents(40), cents(100)]
  assert.equal(statusOf({ amountCents, reversedCents: left, maturedAt: null }), 'pending')
  assert.equal(statusOf({ amountCents, reversedCents: left, maturedAt }), 'available')
  assert.equal(statusOf({ amountCents, reversedCents: gone, maturedAt }), 'reversed')
})
