import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cents, sumCents } from '#lib/money.ts'
import { Problem } from '#lib/problem.ts'
import { instant } from '#lib/time.ts'
import { displayStatusOf, dueCents, type InvoiceFacts, refundableCents } from './rules.ts'
import {
  creditToUse,
  type PayableInvoice,
  sharePayment,
  voided,
  withCreditNote,
  withPayment,
  withRefund,
  withReversal,
} from './settlement.ts'

const dueAt = instant('2026-05-04T12:00:00Z')

function open(total: number): InvoiceFacts {
  const nothing = cents(0)
  return {
    status: 'open',
    totalCents: cents(total),
    creditedCents: nothing,
    paidCents: nothing,
    refundedCents: nothing,
    reversedCents: nothing,
  }
}

function paid(total: number): InvoiceFacts {
  return withPayment(open(total), cents(total)).invoice
}

test('E11: an invoice over 0 is paid without any money', () => {
  const { invoice, settled } = withPayment(open(0), cents(0))
  assert.equal(invoice.status, 'paid')
  assert.ok(settled)
})

test('E29: a payment of 2000 on 1943 pays it and leaves 57 as credit', () => {
  const { invoice, appliedCents, creditCents, settled } = withPayment(open(1943), cents(2000))
  assert.deepEqual([invoice.status, appliedCents, creditCents, settled], ['paid', 1943, 57, true])
  assert.equal(dueCents(invoice), 0)
})

test('E30: one payment pays the oldest due invoice first, then by number', () => {
  const payable = (id: string, total: number, due: string, number: string): PayableInvoice => ({
    ...open(total),
    id,
    number,
    dueAt: instant(due),
  })
  const invoices = [
    payable('a-C', 500, '2026-01-10T00:00:00Z', 'INV-2026-000003'),
    payable('b-B', 800, '2026-01-10T00:00:00Z', 'INV-2026-000002'),
    payable('c-A', 1200, '2026-01-05T00:00:00Z', 'INV-2026-000009'),
  ]
  const { parts, creditCents } = sharePayment(cents(2100), invoices)
  assert.deepEqual(parts, [
    { invoiceId: 'c-A', appliedCents: 1200 },
    { invoiceId: 'b-B', appliedCents: 800 },
    { invoiceId: 'a-C', appliedCents: 100 },
  ])
  assert.equal(creditCents, 0)
  const third = withPayment(open(500), cents(100)).invoice
  assert.deepEqual([third.status, dueCents(third)], ['open', 400])
  assert.equal(sharePayment(cents(2600), invoices).creditCents, 100)
})

test('E31: credit of 450 is used first, the card is asked for 750', () => {
  const use = creditToUse(cents(450), cents(1200))
  assert.deepEqual(use, { usedCents: 450, balanceCents: 0, toChargeCents: 750 })
  const more = creditToUse(cents(2000), cents(1200))
  assert.deepEqual(more, { usedCents: 1200, balanceCents: 800, toChargeCents: 0 })
})

test('E32: after a lost chargeback of 1200 the invoice is open, 1200 is due, nothing is credited', () => {
  const invoice = withReversal(paid(1200), cents(1200))
  assert.equal(invoice.status, 'open')
  assert.equal(dueCents(invoice), 1200)
  assert.equal(invoice.creditedCents, 0)
})

test('E33: voiding a numbered unpaid invoice credits all of it', () => {
  const invoice = voided(open(1200), { numbered: true })
  assert.deepEqual([invoice.status, invoice.creditedCents], ['void', 1200])
  assert.equal(dueCents(invoice), 0)
})

test('a pro forma is voided without a credit note', () => {
  const invoice = voided(open(1200), { numbered: false })
  assert.deepEqual([invoice.status, invoice.creditedCents, dueCents(invoice)], ['void', 0, 0])
})

test('E34: a partly paid invoice is not voided', () => {
  const partly = withPayment(open(1200), cents(1)).invoice
  assert.throws(() => voided(partly, { numbered: true }), { statusCode: 409 })
})

test('money for a paid or void invoice becomes credit, and settles nothing again', () => {
  for (const invoice of [paid(1200), voided(open(1200), { numbered: false })]) {
    const late = withPayment(invoice, cents(1200))
    assert.deepEqual([late.appliedCents, late.creditCents, late.settled], [0, 1200, false])
    assert.deepEqual(late.invoice, invoice)
  }
})

test('a written-off invoice is paid by a later payment', () => {
  const writtenOff: InvoiceFacts = { ...open(1200), status: 'uncollectible' }
  const partly = withPayment(writtenOff, cents(200))
  assert.deepEqual([partly.invoice.status, partly.settled], ['uncollectible', false])
  const rest = withPayment(partly.invoice, cents(1000))
  assert.deepEqual([rest.invoice.status, rest.settled], ['paid', true])
})

test('a refund makes nothing due, and a second one cannot exceed what is left', () => {
  const once = withRefund(paid(1200), cents(500))
  assert.deepEqual([once.status, once.creditedCents, dueCents(once)], ['paid', 500, 0])
  assert.equal(displayStatusOf({ ...once, number: 'R-1', dueAt }, dueAt), 'partially_refunded')
  assert.throws(() => withRefund(once, cents(701)), { statusCode: 422, code: 'refund_too_large' })
  assert.throws(() => withRefund(once, cents(700), 1), { code: 'refund_too_large' })
  const twice = withRefund(once, cents(700))
  assert.equal(displayStatusOf({ ...twice, number: 'R-1', dueAt }, dueAt), 'refunded')
})

test('a credit note on a partly paid invoice can settle it, and frees what it holds too much', () => {
  const partly = withPayment(open(1200), cents(900)).invoice
  const { invoice, creditCents, settled } = withCreditNote(partly, cents(400))
  assert.deepEqual([invoice.status, creditCents, settled], ['paid', 100, true])
  assert.deepEqual([dueCents(invoice), invoice.refundedCents], [0, 100])
})

test('a credit note over all of an open invoice makes it void, never paid', () => {
  const partly = withPayment(open(1200), cents(900)).invoice
  const { invoice, creditCents, settled } = withCreditNote(partly, cents(1200))
  assert.deepEqual([invoice.status, creditCents, settled], ['void', 900, false])
})

test('a credit note above what is left is refused with 422', () => {
  assert.throws(() => withCreditNote(open(1200), cents(1201)), {
    statusCode: 422,
    code: 'credit_note_too_large',
  })
})

test('invariants 10 and 12: whatever happens, amounts and status fit and no money is lost', () => {
  const anyStep = fc.record({
    what: fc.constantFrom('pay', 'refund', 'credit', 'reverse', 'void', 'write_off'),
    amount: fc.integer({ min: 1, max: 1500 }).map((value) => cents(value)),
  })
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 15 }), (steps) => {
      let invoice = open(1200)
      let [received, credit, gone, settlements, reopened] = [0, 0, 0, 0, 0]
      for (const { what, amount } of steps) {
        const last = invoice
        try {
          if (what === 'pay' || what === 'credit') {
            const move = what === 'pay' ? withPayment : withCreditNote
            const result = move(invoice, amount)
            invoice = result.invoice
            credit += result.creditCents
            if (what === 'pay') received += amount
            if (result.settled) settlements += 1
          } else if (what === 'refund') {
            invoice = withRefund(invoice, amount)
            gone += amount
          } else if (what === 'reverse') {
            invoice = withReversal(invoice, amount)
            gone += amount
            if (last.status === 'paid' && invoice.status === 'open') reopened += 1
          } else if (what === 'void') invoice = voided(invoice, { numbered: true })
          else if (invoice.status === 'open') invoice = { ...invoice, status: 'uncollectible' }
        } catch (problem) {
          assert.ok(problem instanceof Problem)
          assert.equal(invoice, last)
        }
        const { totalCents, creditedCents, paidCents, refundedCents, reversedCents } = invoice
        const held = paidCents - refundedCents - reversedCents
        assert.ok(held >= 0 && creditedCents <= totalCents && refundedCents <= paidCents)
        assert.equal(received, sumCents([held, credit, gone]))
        if (invoice.status !== 'void')
          assert.equal(dueCents(invoice), totalCents - creditedCents - held)
        assert.equal(invoice.status === 'paid', settlements > reopened)
        assert.ok(settlements - reopened <= 1)
        assert.ok(refundableCents(invoice) <= paidCents)
      }
    }),
    { numRuns: 300 },
  )
})
