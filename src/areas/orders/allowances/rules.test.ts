import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { cents } from '#lib/money.ts'
import { Problem } from '#lib/problem.ts'
import { instant, later, MINUTE_MS } from '#lib/time.ts'
import { type OrderTerms, orderSettings } from '../settings.ts'
import {
  assertAllowed,
  type Customer,
  heldUntil,
  limitsOf,
  type Payment,
  paymentOf,
  type WantedLine,
} from './rules.ts'

const terms = Value.Default(orderSettings.schema, {}) as OrderTerms
const limits = limitsOf(terms, undefined)

const known: Customer = {
  ...{ addressConfirmed: true, hasMethod: true, creditCents: cents(0) },
  ...{ services: [], orders: [], unpaidToday: 0, limits },
}
const stranger: Customer = { ...known, addressConfirmed: false, hasMethod: false }
const cardless: Customer = { ...known, hasMethod: false }

/** 139 cents an hour: 72 hours are 10 008 cents, below the month's price. */
const METERED = { priceMicros: 1_390_000, priceCents: cents(100_000) }
const open = (interval: string, currency = 'EUR') => ({ ...METERED, interval, currency })
const opened = (count: number) => Array.from({ length: count }, () => open('hour'))
const orderOf = (number: string, ...productIds: string[]) => ({ number, productIds })

function line(payment: Payment, more: Partial<WantedLine> = {}): WantedLine {
  return { ...METERED, payment, productId: 'game', quantity: 1, ...more }
}

type Case = readonly [
  what: string,
  lines: readonly WantedLine[],
  customer: Customer,
  code: string | null,
  terms?: Partial<OrderTerms>,
]

const CASES: readonly Case[] = [
  ['a stranger pays in advance', [line('prepaid')], stranger, null],
  ['a stranger wants hours', [line('hourly')], stranger, 'address_unconfirmed'],
  ['a stranger wants a trial', [line('trial')], stranger, 'address_unconfirmed'],
  ['a stranger wants what costs nothing', [line('free')], stranger, 'address_unconfirmed'],
  ['hours among prepaid lines', [line('prepaid'), line('hourly')], stranger, 'address_unconfirmed'],
  ['a shop that does not ask', [line('free')], stranger, null, { confirmedAddress: false }],
  ['hours without a method', [line('hourly')], cardless, 'payment_method_required'],
  ['a trial without a method', [line('trial')], cardless, 'payment_method_required'],
  ['a free plan without a method', [line('free')], cardless, null],
  ['hours with a method', [line('hourly')], known, null],
  [
    'a shop that gives hours without one',
    [line('hourly')],
    cardless,
    null,
    { hourlyNeedsMethod: false },
  ],
  [
    'a shop that gives trials without one',
    [line('trial')],
    cardless,
    null,
    { trialNeedsMethod: false },
  ],
  ['credit for 72 hours', [line('hourly')], { ...cardless, creditCents: cents(10_008) }, null],
  [
    'a cent less than 72 hours',
    [line('hourly')],
    { ...cardless, creditCents: cents(10_007) },
    'payment_method_required',
  ],
  [
    'credit that open hours need too',
    [line('hourly')],
    { ...cardless, creditCents: cents(10_008), services: opened(1) },
    'payment_method_required',
  ],
  [
    'credit for both',
    [line('hourly')],
    { ...cardless, creditCents: cents(20_016), services: opened(1) },
    null,
  ],
  [
    'credit in a shop that does not count it',
    [line('hourly')],
    { ...cardless, creditCents: cents(100_000) },
    'payment_method_required',
    { hourlyCreditHours: 0 },
  ],
  [
    'credit for hours, where a trial is wanted',
    [line('trial')],
    { ...cardless, creditCents: cents(100_000) },
    'payment_method_required',
  ],
  ['the fifth service on credit', [line('hourly')], { ...known, services: opened(4) }, null],
  [
    'the sixth service on credit',
    [line('hourly')],
    { ...known, services: opened(5) },
    'open_services_limit',
  ],
  [
    'six at once',
    [line('hourly', { quantity: 4 }), line('free', { quantity: 2 })],
    known,
    'open_services_limit',
  ],
  ['a prepaid one beside five', [line('prepaid')], { ...known, services: opened(5) }, null],
  [
    'a limit that staff raised',
    [line('hourly', { quantity: 20 })],
    { ...known, limits: limitsOf(terms, { maxOpenServices: 20 }) },
    null,
  ],
  [
    'the same product unpaid',
    [line('prepaid')],
    { ...known, orders: [orderOf('ORD-1', 'game')] },
    'order_open',
  ],
  [
    'another product unpaid',
    [line('prepaid')],
    { ...known, orders: [orderOf('ORD-1', 'voice')] },
    null,
  ],
  [
    'five other orders unpaid',
    [line('prepaid')],
    { ...known, orders: ['1', '2', '3', '4', '5'].map((it) => orderOf(it, 'voice')) },
    'open_orders_limit',
  ],
  [
    'twenty orders of today that were canceled',
    [line('prepaid')],
    { ...known, unpaidToday: 20 },
    'unpaid_orders_limit',
  ],
]

for (const [what, lines, customer, code, more] of CASES) {
  test(`${what}: ${code ?? 'allowed'}`, () => {
    const totalCents = cents(lines.some(({ payment }) => payment === 'prepaid') ? 1200 : 0)
    const wanted = { lines, currency: 'EUR', totalCents }
    const decide = () => assertAllowed(wanted, customer, { ...terms, ...more })
    if (code === null) return decide()
    assert.throws(decide, (error) => error instanceof Problem && error.code === code)
  })
}

test('what is paid at once does not wait for another order', () => {
  const customer = { ...known, orders: [orderOf('ORD-1', 'game')] }
  assertAllowed({ lines: [line('free')], currency: 'EUR', totalCents: cents(0) }, customer, terms)
})

test('a refusal names the order to pay or cancel', () => {
  const customer = { ...known, orders: [orderOf('ORD-1001', 'game')] }
  const wanted = { lines: [line('prepaid')], currency: 'EUR', totalCents: cents(1200) }
  assert.throws(() => assertAllowed(wanted, customer, terms), /Pay or cancel order ORD-1001/)
})

test('a line is paid in advance, by the hour, after a trial, or never', () => {
  const cases = [
    ['month', 0, 1000, 'prepaid'],
    ['month', 7, 0, 'trial'],
    ['hour', 0, 0, 'hourly'],
    ['month', 0, 0, 'free'],
    [null, 0, 500, 'prepaid'],
  ] as const
  for (const [interval, trialDays, chargedCents, expected] of cases) {
    assert.equal(paymentOf({ interval, trialDays, chargedCents }), expected)
  }
})

const now = instant('2030-01-08T12:00:00.000Z')
const minutes = (count: number) => later(now, count * MINUTE_MS)

test('an order holds for a while, shorter without a confirmed address, and never anew', () => {
  const cases = [
    ['a known customer', 1, true, { units: 0, endsAt: null }, minutes(30)],
    ['an unconfirmed one', 1, false, { units: 0, endsAt: null }, minutes(5)],
    ['a second order', 1, true, { units: 0, endsAt: minutes(10) }, minutes(10)],
    ['an order after the hold', 1, true, { units: 0, endsAt: minutes(-10) }, minutes(-10)],
    ['an order after a longer hold', 1, false, { units: 0, endsAt: minutes(20) }, minutes(5)],
    ['as much as may be held', 3, true, { units: 2, endsAt: null }, minutes(30)],
    ['more than may be held', 3, true, { units: 3, endsAt: null }, now],
  ] as const
  for (const [what, units, addressConfirmed, held, expected] of cases) {
    const until = heldUntil({ units, addressConfirmed }, held, limits, terms, now)
    assert.equal(until, expected, what)
  }
})
