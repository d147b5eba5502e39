import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { lockCredit } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { billingShop, documentOf } from '#test/billing-shop.ts'
import { asOwner } from '#test/owner.ts'
import { listWrongAccounts } from '../checks/accounts.ts'
import { listWrongDues, listWrongReceivables } from '../checks/queries.ts'
import { addCredit } from '../credits/actions.ts'
import { applyDispute } from '../disputes/apply.ts'
import { openInvoice, voidInvoice, writeOffInvoice } from '../invoices/actions.ts'
import { lockInvoice } from '../invoices/queries.ts'
import { bookPayment } from '../payments/booking.ts'
import { useCredit } from '../payments/credit.ts'
import { creditInvoice, refundInvoice } from '../refunds/actions.ts'
import { applyRefund } from '../refunds/apply.ts'
import { listAgedDueOfCustomers } from './receivables.ts'

const FILE = new URL('../../../../migrations/0053-dues.sql', import.meta.url)

const shop = await billingShop()
const { app, db, tenantId, gatewayId } = shop
const gateway = { tenantId, gatewayId }
const { userId } = await shop.buyer()
const start = later(app.deps.clock.now(), -60 * DAY_MS)
let days = 0

/** Does something on the next day. */
function onNextDay<T>(work: (tx: Tx, now: Instant) => Promise<T>): Promise<T> {
  days += 1
  const now = later(start, days * DAY_MS)
  return shop.inLedger((tx) => work(tx, now))
}

function invoiced(totalCents: number, kind: 'manual' | 'checkout' = 'manual'): Promise<string> {
  return onNextDay(async (tx, now) => {
    const document = documentOf([{ totalCents, rate: 2000 }])
    const about = { tenantId, userId, kind, reference: null, document, dueAt: now }
    return (await openInvoice(tx, about, now)).id
  })
}

function paid(invoiceIds: readonly string[], amount: number): Promise<string> {
  const providerPaymentId = newId()
  const method = { methodKind: null, methodBrand: null, methodLast4: null, fingerprint: null }
  const from = { tenantId, userId, gatewayId, attemptId: null, providerPaymentId, method }
  return onNextDay(async (tx, paidAt) => {
    const money = { receivedCents: cents(amount), currency: 'EUR', feeCents: cents(7), paidAt }
    await bookPayment(tx, { ...from, ...money }, invoiceIds, paidAt)
    return providerPaymentId
  })
}

function told(paymentId: string, state: 'needs_response' | 'lost' | 'won', held: number) {
  return onNextDay((tx, observedAt) => {
    const snapshot = {
      ...{ disputeId: `dp_${paymentId}`, payment: { paymentId }, state, observedAt },
      ...{ amount: { amountCents: cents(held), currency: 'EUR' }, fundsHeldCents: cents(held) },
      ...{ feeCents: cents(15), feeCurrency: 'EUR' },
    }
    return applyDispute(tx, gateway, snapshot, observedAt)
  })
}

function refundedThere(paymentId: string, amount: number) {
  return onNextDay((tx, now) => {
    const amountOf = { amountCents: cents(amount), currency: 'EUR' }
    const about = { refundId: newId(), payment: { paymentId }, amount: amountOf }
    return applyRefund(tx, gateway, { ...about, state: 'succeeded', observedAt: now }, now)
  })
}

const refunded = (invoiceId: string, amount: Cents, to: 'payment' | 'credit') =>
  onNextDay((tx, now) => {
    const wanted = { tenantId, invoiceId, amountCents: amount, to, reason: { written: 'Test' } }
    return refundInvoice(tx, wanted, now)
  })

/** What was owed at the end of each day, by the report. */
async function owedEachDay(): Promise<number[]> {
  const owed: number[] = []
  for (let day = 0; day <= days; day++) {
    const at = later(start, day * DAY_MS + DAY_MS / 2)
    const rows = await listAgedDueOfCustomers(db, { tenantId, at }, { after: null, limit: 10 })
    owed.push(rows.find((row) => row.userId === userId)?.dueCents ?? 0)
  }
  return owed
}

test('what was owed on days before it was noted is found in the books', async () => {
  const [plain, parts, noted] = [await invoiced(1200), await invoiced(999), await invoiced(5000)]
  await paid([plain], 2000)
  await paid([parts], 400)
  await onNextDay((tx, now) =>
    creditInvoice(
      tx,
      { tenantId, invoiceId: noted, amountCents: cents(800), reason: { written: 'x' } },
      now,
    ),
  )
  await refunded(plain, cents(300), 'credit')
  await refunded(plain, cents(300), 'payment')
  const withCredit = await invoiced(700)
  await onNextDay(async (tx, now) => {
    const invoice = await lockInvoice(tx, { tenantId, invoiceId: withCredit })
    assert.ok(invoice)
    await useCredit(tx, invoice, await lockCredit(tx, { tenantId, userId, currency: 'EUR' }), now)
  })
  const [one, two] = [await invoiced(1100), await invoiced(2300)]
  const joint = await paid([one, two], 3400)
  await refundedThere(joint, 1500)
  const given = await invoiced(640)
  await onNextDay((tx, now) => writeOffInvoice(tx, { tenantId, invoiceId: given }, now))
  await paid([given], 240)
  const voided = await invoiced(310)
  await onNextDay((tx, now) =>
    voidInvoice(tx, { tenantId, invoiceId: voided }, { written: 'Test' }, now),
  )
  const order = await invoiced(450, 'checkout')
  await paid([order], 450)
  const lost = await invoiced(1700)
  const taken = await paid([lost], 1700)
  await told(taken, 'needs_response', 1700)
  await told(taken, 'lost', 1700)
  await paid([lost], 1000)
  await paid([lost], 700)
  await refunded(lost, cents(500), 'payment')
  const again = await invoiced(800)
  const [half, rest] = [await paid([again], 300), await paid([again], 500)]
  await told(half, 'lost', 300)
  await told(rest, 'lost', 500)
  await told(half, 'won', 0)
  const won = await invoiced(900)
  const held = await paid([won], 900)
  await told(held, 'needs_response', 900)
  await told(held, 'won', 0)
  await onNextDay(async (tx, now) => {
    const [eventId, amountCents] = [newId(), cents(50)]
    const gift = { tenantId, userId, currency: 'EUR', amountCents, eventId, key: eventId }
    await addCredit(tx, { ...gift, description: 'A gift' }, now)
  })

  assert.deepEqual(await listWrongDues(db, tenantId), [])
  assert.deepEqual(await listWrongAccounts(db, tenantId), [])
  const asNoted = await owedEachDay()
  await asOwner(app.deps.database, 'drop table billing.dues')
  await asOwner(app.deps.database, fs.readFileSync(FILE, 'utf8'))
  assert.deepEqual(await listWrongDues(db, tenantId), [])
  assert.deepEqual(await listWrongReceivables(db, tenantId), [])
  assert.deepEqual(await owedEachDay(), asNoted)
  assert.ok(new Set(asNoted).size > 12, String(asNoted))
})
