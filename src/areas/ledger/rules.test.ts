import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { basisPoints, cents, sumCents } from '#lib/money.ts'
import { affiliatePending, cash, credit, mayBeInDebit, receivable, tax } from './accounts.ts'
import {
  commissionAccrued,
  commissionConverted,
  commissionMatured,
  commissionReversed,
} from './commissions.ts'
import {
  balanced,
  creditApplied,
  creditHeld,
  creditNoteIssued,
  creditPaidOut,
  creditReleased,
  creditToppedUp,
  disputeLost,
  disputeOpened,
  disputeWon,
  feeCharged,
  goodwillGranted,
  goodwillRemoved,
  invoiceIssued,
  openingCredit,
  openingReceivable,
  type Posting,
  paymentReceived,
  refundedToCredit,
  refundedToGateway,
  transfer,
  writeOffRecovered,
  writtenOff,
} from './rules.ts'

const customerId = 'ada'
const gatewayId = 'stripe'
const affiliateId = 'bob'

function money(amount: number) {
  return { customerId, gatewayId, affiliateId, amountCents: cents(amount) }
}

function document(net: number, taxCents: number) {
  const rate = { country: 'FR', rateBasisPoints: basisPoints(2000), taxCents: cents(taxCents) }
  return { customerId, netCents: cents(net), taxes: [rate] }
}

/** Balances by account code, those at 0 left out. */
function balances(...transactions: Posting[][]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const { account, amountCents } of transactions.flat()) {
    sums.set(account.code, (sums.get(account.code) ?? 0) + amountCents)
  }
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0))
}

test('E57: after an overpaid invoice is refunded only the overpayment, cash and the fee are left', () => {
  const after = balances(
    invoiceIssued(document(1000, 200)),
    paymentReceived({ ...money(1500), dueCents: cents(1200) }),
    feeCharged(money(50)),
    creditNoteIssued(document(1000, 200)),
    refundedToGateway(money(1200)),
  )
  assert.deepEqual(after, { 'cash:stripe': 250, 'credit:ada': -300, fees: 50 })
  assert.equal(sumCents(Object.values(after)), 0)
})

test('E58: a converted commission is an expense and the credit of its affiliate', () => {
  const earned = [100, 1900].flatMap((amount) => [
    commissionAccrued(money(amount)),
    commissionMatured(money(amount)),
  ])
  const after = balances(...earned, commissionConverted(money(2000), { customerId: 'bob-user' }))
  assert.deepEqual(after, { affiliateExpense: 2000, 'credit:bob-user': -2000 })
})

test('E32: a lost chargeback makes the invoice owed again, its fee is an expense', () => {
  const after = balances(
    invoiceIssued(document(1000, 200)),
    paymentReceived({ ...money(1200), dueCents: cents(1200) }),
    disputeOpened(money(1200)),
    disputeLost(money(1200)),
    feeCharged(money(1500)),
  )
  assert.deepEqual(after, {
    'receivable:ada': 1200,
    revenue: -1000,
    'tax:FR:2000': -200,
    'cash:stripe': -1500,
    fees: 1500,
  })
})

test('an invoice debits the customer and credits revenue and every tax', () => {
  const taxes = [
    { country: 'FR', rateBasisPoints: basisPoints(2000), taxCents: cents(200) },
    { country: 'FR', rateBasisPoints: basisPoints(550), taxCents: cents(28) },
  ]
  assert.deepEqual(balances(invoiceIssued({ customerId, netCents: cents(1500), taxes })), {
    'receivable:ada': 1728,
    revenue: -1500,
    'tax:FR:2000': -200,
    'tax:FR:550': -28,
  })
})

test('an invoice outside the scope of VAT has no tax to post', () => {
  const taxes = [{ country: 'US', rateBasisPoints: null, taxCents: cents(0) }]
  const postings = invoiceIssued({ customerId, netCents: cents(1000), taxes })
  assert.deepEqual(balances(postings), { 'receivable:ada': 1000, revenue: -1000 })
})

const pairs = [
  ['credit held and released', [creditHeld(money(450)), creditReleased(money(450))]],
  ['a dispute won', [disputeOpened(money(450)), disputeWon(money(450))]],
  ['goodwill given and removed', [goodwillGranted(money(450)), goodwillRemoved(money(450))]],
  ['a write-off recovered', [writtenOff(money(450)), writeOffRecovered(money(450))]],
  ['a top-up paid out', [creditToppedUp(money(450)), creditPaidOut(money(450))]],
  [
    'a commission reversed while it waits',
    [commissionAccrued(money(450)), commissionReversed(money(450), 'pending')],
  ],
] as const

for (const [what, transactions] of pairs) {
  test(`${what} leaves every account as it was`, () => {
    assert.deepEqual(balances(...transactions), {})
  })
}

test('credit set aside for a pro forma pays it from there', () => {
  const after = balances(
    creditToppedUp(money(450)),
    creditHeld(money(450)),
    invoiceIssued(document(1000, 200)),
    creditApplied(money(450), 'held'),
  )
  assert.equal(after['receivable:ada'], 750)
  assert.equal(after['credit:ada'], undefined)
  assert.equal(after['heldCredit:ada'], undefined)
})

test('a commission reversed after its conversion leaves the available balance below 0', () => {
  const after = balances(
    commissionAccrued(money(40)),
    commissionMatured(money(40)),
    commissionConverted(money(40), { customerId }),
    commissionReversed(money(40), 'matured'),
  )
  assert.deepEqual(after, { 'affiliateAvailable:bob': 40, 'credit:ada': -40 })
})

test('invariant 20: every event of any amount sums to zero and posts nothing over 0', () => {
  const amount = fc.integer({ min: 0, max: 100_000_000 })
  const events = [
    feeCharged,
    creditToppedUp,
    creditApplied,
    creditHeld,
    creditReleased,
    refundedToGateway,
    refundedToCredit,
    creditPaidOut,
    goodwillGranted,
    goodwillRemoved,
    disputeOpened,
    disputeWon,
    disputeLost,
    writtenOff,
    writeOffRecovered,
    openingReceivable,
    openingCredit,
    commissionAccrued,
    commissionMatured,
  ]
  fc.assert(
    fc.property(amount, amount, (first, second) => {
      const single = events.map((event) => event(money(first)))
      const documents = [invoiceIssued, creditNoteIssued].map((it) => it(document(first, second)))
      const paid = paymentReceived({ ...money(first), dueCents: cents(second) })
      for (const postings of [...single, ...documents, paid]) {
        assert.equal(sumCents(postings.map(({ amountCents }) => amountCents)), 0)
        assert.ok(postings.every(({ amountCents }) => amountCents !== 0))
      }
    }),
  )
})

test('postings out of balance and negative transfers are refused', () => {
  const half: Posting = { account: cash(gatewayId), amountCents: cents(1) }
  assert.throws(() => balanced([half]), RangeError)
  assert.throws(() => transfer(cash(gatewayId), receivable(customerId), cents(-1)), RangeError)
})

test('accounts say what they are and whose', () => {
  assert.deepEqual(cash('g'), { code: 'cash:g', type: 'asset', ownerId: 'g' })
  const taxed = { code: 'tax:DE:1900', type: 'liability', ownerId: null }
  assert.deepEqual(tax('DE', basisPoints(1900)), taxed)
  assert.equal(affiliatePending('a').type, 'liability')
  assert.ok(!mayBeInDebit(credit('c')))
  assert.ok(mayBeInDebit(receivable('c')))
})
