import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import { instant } from '#lib/time.ts'
import {
  assertIssuable,
  displayStatusOf,
  dueCents,
  type InvoiceEvent,
  type InvoiceFacts,
  type InvoiceStatus,
  refundableCents,
  statusAfter,
} from './rules.ts'

const dueAt = instant('2026-05-04T12:00:00Z')
const before = instant('2026-05-04T11:00:00Z')
const after = instant('2026-05-04T12:00:01Z')

type Changes = Partial<Record<'total' | 'credited' | 'paid' | 'refunded' | 'reversed', number>>

function invoice(status: InvoiceStatus, changes: Changes = {}) {
  const { total = 1200, credited = 0, paid = 0, refunded = 0, reversed = 0 } = changes
  return {
    status,
    totalCents: cents(total),
    creditedCents: cents(credited),
    paidCents: cents(paid),
    refundedCents: cents(refunded),
    reversedCents: cents(reversed),
    number: 'R-2026-1' as string | null,
    dueAt,
  }
}

const shown = [
  ['draft', invoice('draft'), after],
  ['void', invoice('void', { credited: 1200 }), after],
  ['uncollectible', invoice('uncollectible'), after],
  ['refunded', invoice('paid', { paid: 1200, refunded: 1200, credited: 1200 }), after],
  ['partially_refunded', invoice('paid', { paid: 1200, refunded: 100, credited: 100 }), after],
  ['paid', invoice('paid', { paid: 1200 }), after],
  ['overdue', invoice('open', { paid: 500 }), after],
  ['partially_paid', invoice('open', { paid: 500 }), before],
  ['partially_paid', invoice('open', { paid: 500 }), dueAt],
  ['open', invoice('open'), before],
  ['open', { ...invoice('open'), number: null }, after],
] as const

for (const [status, facts, now] of shown) {
  const what = facts.number === null ? 'a pro forma' : 'an invoice'
  test(`${what} is shown ${status} at ${now} with ${facts.paidCents} paid`, () => {
    assert.equal(displayStatusOf(facts, now), status)
  })
}

const events: InvoiceEvent[] = [
  'issue',
  'pay',
  'settle',
  'void',
  'credit_in_full',
  'write_off',
  'reopen',
  'refund',
]
const settledFacts: Record<InvoiceStatus, InvoiceFacts> = {
  draft: invoice('draft'),
  open: invoice('open', { total: 0 }),
  paid: invoice('paid'),
  void: invoice('void'),
  uncollectible: invoice('uncollectible', { total: 0 }),
}
const allowed: Record<InvoiceStatus, Partial<Record<InvoiceEvent, InvoiceStatus>>> = {
  draft: { issue: 'open' },
  open: {
    pay: 'open',
    settle: 'paid',
    void: 'void',
    credit_in_full: 'void',
    write_off: 'uncollectible',
  },
  paid: { pay: 'paid', reopen: 'open', refund: 'paid' },
  void: { pay: 'void' },
  uncollectible: { pay: 'uncollectible', settle: 'paid' },
}

for (const [status, facts] of Object.entries(settledFacts)) {
  test(`all moves of a ${status} invoice that are not in the table are refused with 409`, () => {
    for (const event of events) {
      const next = allowed[facts.status][event]
      if (next) assert.equal(statusAfter(facts, event), next)
      else assert.throws(() => statusAfter(facts, event), { statusCode: 409 }, event)
    }
  })
}

test('an invoice with something due is not settled, one without is not opened again', () => {
  assert.throws(() => statusAfter(invoice('open'), 'settle'), { code: 'invoice_due' })
  assert.throws(() => statusAfter(invoice('paid', { paid: 1200 }), 'reopen'), {
    code: 'invoice_settled',
  })
})

test('E34: an invoice with a partial payment is not voided', () => {
  assert.throws(() => statusAfter(invoice('open', { paid: 1 }), 'void'), {
    statusCode: 409,
    code: 'invoice_partially_paid',
  })
})

test('nothing is due on a void invoice, and a credit note lowers what is due', () => {
  assert.equal(dueCents(invoice('void')), 0)
  assert.equal(dueCents(invoice('open', { credited: 200, paid: 300 })), 700)
})

test('what was refunded, taken back or is on its way back cannot be refunded', () => {
  const facts = invoice('paid', { paid: 1200, refunded: 200, reversed: 100 })
  assert.equal(refundableCents(facts), 900)
  assert.equal(refundableCents(facts, 950), 0)
})

test('an invoice needs a line and no negative total, 0 is enough', () => {
  assert.doesNotThrow(() => assertIssuable({ lineCount: 1, totalCents: cents(0) }))
  assert.throws(() => assertIssuable({ lineCount: 0, totalCents: cents(0) }), { statusCode: 422 })
  assert.throws(() => assertIssuable({ lineCount: 1, totalCents: cents(-1) }), { statusCode: 422 })
})
