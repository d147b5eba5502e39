import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { accounts } from '#ledger'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { Problem } from '#lib/problem.ts'
import { later } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { billingShop, documentOf } from '#test/billing-shop.ts'
import type { Person } from '#test/people.ts'
import { preparePayment } from './attempts/prepare.ts'
import { listWrongAccounts } from './checks/accounts.ts'
import { addCredit } from './credits/actions.ts'
import { applyDispute } from './disputes/apply.ts'
import { listAgedDueOfCustomers } from './figures/receivables.ts'
import type { DisputeSnapshot } from './gateways/snapshots.ts'
import { openInvoice, voidInvoice, writeOffInvoice } from './invoices/actions.ts'
import { invoiceHash } from './invoices/content.ts'
import { findInvoice, partsOf } from './invoices/queries.ts'
import { bookPayment } from './payments/booking.ts'
import { creditInvoice, refundInvoice } from './refunds/actions.ts'

const shop = await billingShop()
const { app, db, tenantId, gatewayId } = shop
const now = app.deps.clock.now()

const STEPS = [
  ...(['pay', 'pay', 'pay', 'refund', 'refundToCredit', 'creditNote', 'give'] as const),
  ...(['useCredit', 'void', 'writeOff', 'dispute', 'win', 'lose'] as const),
] as const
type Step = { what: (typeof STEPS)[number]; amount: number; which: number }

const steps = fc.array(
  fc.record({
    what: fc.constantFrom(...STEPS),
    amount: fc.integer({ min: 1, max: 900 }),
    which: fc.nat({ max: 1 }),
  }),
  { minLength: 1, maxLength: 12 },
)

const parts = fc.array(
  fc.record({ totalCents: fc.integer({ min: 1, max: 700 }), rate: fc.constantFrom(2000, 550) }),
  { minLength: 1, maxLength: 1 },
)

type World = { userId: string; invoiceIds: string[]; lastPayment: string | null; disputes: number }

function actionOf(world: World, { what, amount, which }: Step): (tx: Tx) => Promise<unknown> {
  const invoiceId = world.invoiceIds[which] ?? ''
  const key = { tenantId, invoiceId }
  const amountCents = cents(amount)
  const { userId } = world
  switch (what) {
    case 'pay': {
      const providerPaymentId = newId()
      world.lastPayment = providerPaymentId
      const method = { methodKind: null, methodBrand: null, methodLast4: null, fingerprint: null }
      const from = { tenantId, userId, gatewayId, attemptId: null, providerPaymentId, method }
      const money = { receivedCents: amountCents, currency: 'EUR', feeCents: cents(7), paidAt: now }
      return (tx) => bookPayment(tx, { ...from, ...money }, [invoiceId], now)
    }
    case 'refund':
    case 'refundToCredit': {
      const to = what === 'refund' ? ('payment' as const) : ('credit' as const)
      return (tx) =>
        refundInvoice(tx, { ...key, amountCents, to, reason: { written: 'Test' } }, now)
    }
    case 'creditNote':
      return (tx) => creditInvoice(tx, { ...key, amountCents, reason: { written: 'Test' } }, now)
    case 'give': {
      const eventId = newId()
      const change = { tenantId, userId, currency: 'EUR', amountCents, eventId, key: eventId }
      return (tx) => addCredit(tx, { ...change, description: 'A gift' }, now)
    }
    case 'useCredit':
      return (tx) =>
        preparePayment(tx, { tenantId, userId }, { invoiceId, gatewayId, useCredits: true }, now)
    case 'void':
      return (tx) => voidInvoice(tx, key, { written: 'Test' }, now)
    case 'writeOff':
      return (tx) => writeOffInvoice(tx, key, now)
    default:
      return (tx) => dispute(tx, world, what)
  }
}

/** The bank of the last payment takes it back for now, for good, or gives it back. */
async function dispute(tx: Tx, world: World, what: 'dispute' | 'win' | 'lose'): Promise<void> {
  const payment = await tx
    .selectFrom('billing.payments')
    .selectAll()
    .where('providerPaymentId', '=', world.lastPayment ?? '')
    .executeTakeFirst()
  if (!payment) return
  world.disputes += 1
  const states = { dispute: 'needs_response', win: 'won', lose: 'lost' } as const
  const snapshot: DisputeSnapshot = {
    disputeId: `dp_${payment.providerPaymentId}`,
    payment: { paymentId: payment.providerPaymentId },
    amount: { amountCents: payment.receivedCents, currency: 'EUR' },
    state: states[what],
    fundsHeldCents: what === 'win' ? cents(0) : payment.receivedCents,
    feeCents: cents(15),
    feeCurrency: 'EUR',
    observedAt: later(now, world.disputes),
  }
  await applyDispute(tx, { tenantId, gatewayId }, snapshot, now)
}

async function assertSane(invoiceId: string): Promise<void> {
  const invoice = await findInvoice(db, { tenantId, invoiceId })
  assert.ok(invoice)
  const { totalCents, creditedCents, paidCents, refundedCents, reversedCents } = invoice
  assert.ok(creditedCents <= totalCents)
  assert.ok(refundedCents + reversedCents <= paidCents)
  const balance = totalCents - creditedCents - (paidCents - refundedCents - reversedCents)
  if (invoice.status === 'paid') assert.equal(balance, 0)
  if (invoice.status === 'open') assert.ok(balance > 0)
  const { number, issuedAt } = invoice
  if (number === null || issuedAt === null) return
  const content = await partsOf(db, { tenantId, invoiceId })
  assert.deepEqual(invoiceHash({ invoice, ...content }, { number, issuedAt }), invoice.contentHash)
}

/** What is owed and what is left of credit, as the books, the reports and the customer see it. */
async function assertBooked(buyer: Person): Promise<void> {
  const { userId } = buyer
  const balanceOf = async (account: { code: string }) => {
    const row = await db
      .selectFrom('ledger.balances as balance')
      .innerJoin('ledger.accounts as account', 'account.id', 'balance.accountId')
      .select('balance.balanceCents')
      .where('account.code', '=', account.code)
      .executeTakeFirst()
    return row?.balanceCents ?? 0
  }
  const everybody = { after: null, limit: 1000 }
  const aged = await listAgedDueOfCustomers(db, { tenantId, at: now }, everybody)
  const due = aged.find((it) => it.userId === userId)?.dueCents ?? 0
  assert.equal(due, await balanceOf(accounts.receivable(userId)))
  // A refund that the provider refuses becomes credit meanwhile.
  const shown = await until('nothing was booked between the two', async () => {
    const before = await balanceOf(accounts.credit(userId))
    const { body } = await buyer.get('/v1/billing/credits')
    const isSame = before === (await balanceOf(accounts.credit(userId)))
    return isSame && { cents: body.balanceCents, bookedCents: before }
  })
  assert.equal(shown.cents + shown.bookedCents, 0)
  assert.ok(shown.cents >= 0)
}

test('invariants 20 to 22: whatever happens to invoices and money, the books balance and fit (hardening 40)', async () => {
  await fc.assert(
    fc.asyncProperty(parts, parts, steps, async (first, second, sequence) => {
      const buyer = await shop.buyer()
      const { userId } = buyer
      const about = { tenantId, userId, reference: null, dueAt: now }
      const world: World = { userId, invoiceIds: [], lastPayment: null, disputes: 0 }
      for (const [kind, lines] of [
        ['checkout', first],
        ['manual', second],
      ] as const) {
        const document = documentOf(lines)
        const { id } = await shop.inLedger((tx) =>
          openInvoice(tx, { ...about, kind, document }, now),
        )
        world.invoiceIds.push(id)
      }
      for (const step of sequence) {
        await shop.inLedger(actionOf(world, step)).catch((error) => {
          // What the rules refuse changes nothing; every other error is a fault.
          if (!(error instanceof Problem)) throw error
        })
      }
      for (const id of world.invoiceIds) await assertSane(id)
      await shop.assertSound(userId)
      await assertBooked(buyer)
      assert.deepEqual(await listWrongAccounts(db, tenantId), [])
    }),
    { numRuns: 30 },
  )
})

test('an amount in a currency without decimals is asked for as it is', async () => {
  const ada = await shop.buyer()
  const invoice = await shop.invoice(ada, { totalCents: 500, currency: 'JPY' })
  const url = `/v1/billing/invoices/${invoice.id}/pay`
  const { body } = await ada.post(url, { gatewayId })
  const { session } = await shop.complete(body.redirectUrl)
  assert.equal((session as { amount_total: number }).amount_total, 500)
  await shop.became(ada, invoice.id, 'paid')
  const { body: euros } = await ada.get('/v1/billing/credits')
  assert.equal(euros.balanceCents, 0)
})

test('an amount or currency that the provider does not take is a 422, and nothing is tried or ordered', async () => {
  const ada = await shop.buyer()
  const amount = await shop.invoice(ada, { totalCents: 1001, currency: 'KWD' })
  const misread = await ada.post(`/v1/billing/invoices/${amount.id}/pay`, { gatewayId })
  assert.deepEqual([misread.status, misread.body.code], [422, 'amount_not_allowed'])
  const currency = await shop.invoice(ada, { totalCents: 1000, currency: 'ISK' })
  for (const means of [{ gatewayId }, {}]) {
    const refused = await ada.post(`/v1/billing/invoices/${currency.id}/pay`, means)
    assert.deepEqual([refused.status, refused.body.code], [422, 'currency_unsupported'])
  }
  const { body: taken } = await ada.post(
    `/v1/billing/invoices/${(await shop.invoice(ada, { totalCents: 1010, currency: 'KWD' })).id}/pay`,
    { gatewayId },
  )
  assert.equal(taken.status, 'open')
  const attempts = await shop.db
    .selectFrom('billing.payment_attempts')
    .select('currency')
    .where('currency', 'in', ['KWD', 'ISK'])
    .execute()
  assert.deepEqual(attempts, [{ currency: 'KWD' }])
})
