import { accounts, lockCredit, post, postings } from '#ledger'
import { isId, newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import { HOUSE_REASONS } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { issueCreditNote } from '../credit-notes/actions.ts'
import { adminAttention, creditAdded, refundMade } from '../events.ts'
import type { GatewayKey } from '../gateways/queries.ts'
import type { RefundSnapshot } from '../gateways/snapshots.ts'
import { reverse } from '../invoices/actions.ts'
import { type InvoiceRow, lockInvoices, updateInvoice } from '../invoices/queries.ts'
import { refundableCents } from '../invoices/rules.ts'
import { withRefund } from '../invoices/settlement.ts'
import {
  allocationsOf,
  findPaymentAtGateway,
  type PaymentRow,
  refundedOf,
} from '../payments/queries.ts'
import { insertBreak } from '../reconciliation/queries.ts'
import { reasonIn } from '../texts.ts'
import { eventOf } from './posting.ts'
import {
  findByProviderRefund,
  findRefund,
  insertRefund,
  listUnsent,
  type RefundRow,
  updateRefund,
} from './queries.ts'

const AT_PROVIDER = HOUSE_REASONS.refundedAtProvider

/**
 * Applies a provider's report about a refund: ours is updated, one that was made at the provider is
 * taken over with a credit note. Returns false if its payment is not known (yet).
 */
export async function applyRefund(
  tx: Tx,
  gateway: GatewayKey,
  snapshot: RefundSnapshot,
  now: Instant,
): Promise<boolean> {
  const { paymentId } = snapshot.payment
  const payment = paymentId && (await findPaymentAtGateway(tx, gateway, paymentId))
  if (!payment) return false
  const parts = await allocationsOf(tx, payment.tenantId, payment.id)
  const ids = parts.map(({ invoiceId }) => invoiceId)
  const invoices = ids.length > 0 ? await lockInvoices(tx, payment.tenantId, ids) : []
  const known = await refundOf(tx, gateway, payment, snapshot)
  if (known) await moveOn(tx, known, snapshot, now)
  else await adopt(tx, { payment, invoices }, snapshot, now)
  return true
}

async function refundOf(
  tx: Tx,
  gateway: GatewayKey,
  payment: PaymentRow,
  { refundId, ourRefundId, amount }: RefundSnapshot,
): Promise<RefundRow | undefined> {
  const { tenantId } = gateway
  const named = await findByProviderRefund(tx, gateway, refundId)
  if (named) return named
  if (ourRefundId && isId(ourRefundId)) {
    const ours = await findRefund(tx, tenantId, ourRefundId)
    if (ours?.paymentId === payment.id) return ours
  }
  if (amount.currency !== payment.currency) return undefined
  // A person made at the provider the refund that we were about to send.
  const unsent = await listUnsent(tx, tenantId, payment.id)
  return unsent.find(({ amountCents }) => amountCents === amount.amountCents)
}

async function moveOn(
  tx: Tx,
  refund: RefundRow,
  { refundId, state, failureCode }: RefundSnapshot,
  now: Instant,
): Promise<void> {
  if (refund.state === 'failed' || refund.state === 'canceled') return
  const known = await updateRefund(tx, refund, { providerRefundId: refundId })
  if (state === 'failed' || state === 'canceled') {
    return failRefund(tx, known, { state, code: failureCode ?? state }, now)
  }
  // A refund reported as done changes only if it fails.
  if (refund.state === 'succeeded' || refund.state === state) return
  await updateRefund(tx, refund, { state, ...(state === 'succeeded' && { endedAt: now }) })
}

/** A refund did not reach the customer: the money still belongs to them, as credit (R3.7). */
export async function failRefund(
  tx: Tx,
  refund: RefundRow,
  { state, code }: { state: 'failed' | 'canceled'; code: string },
  now: Instant,
): Promise<void> {
  const { tenantId, id, userId, gatewayId, amountCents, currency } = refund
  if (gatewayId === null || refund.state === 'failed' || refund.state === 'canceled') return
  await updateRefund(tx, refund, { state, failureCode: code, endedAt: now })
  const back = postings.creditToppedUp({ customerId: userId, gatewayId, amountCents })
  const event = { kind: 'refund_failed', postings: back }
  await post(tx, { tenantId, event, eventId: id, key: `refund-failed:${id}`, currency }, now)
  await emit(tx, creditAdded, { tenantId, userId, amountCents, currency, why: 'refund_failed' })
  const data = { refundId: id, userId, amountCents, currency, code }
  await emit(tx, adminAttention, { tenantId, kind: 'refund_failed', data })
}

type Whole = { payment: PaymentRow; invoices: readonly InvoiceRow[] }

/** Takes over a refund made at the provider: credit notes and books follow the money. */
async function adopt(
  tx: Tx,
  { payment, invoices }: Whole,
  snapshot: RefundSnapshot,
  now: Instant,
): Promise<void> {
  const { tenantId, id: paymentId, gatewayId, userId, currency } = payment
  const { refundId, state, amount } = snapshot
  if (state === 'failed' || state === 'canceled') return
  const left = payment.receivedCents - (await refundedOf(tx, tenantId, paymentId))
  if (amount.currency !== currency || amount.amountCents > left) {
    return noteBreak(tx, payment, snapshot, now)
  }
  const id = newId()
  const taken = await takeFromInvoices(tx, invoices, amount.amountCents, now)
  const only = taken.length === 1 ? taken[0] : undefined
  const locale = String(invoices[0]?.buyer.locale ?? 'en')
  const { text: reason } = reasonIn(locale, AT_PROVIDER)
  const refund = await insertRefund(tx, {
    ...{ tenantId, id, userId, paymentId, gatewayId, providerRefundId: refundId },
    ...{ invoiceId: only?.invoiceId ?? null, creditNoteId: only?.creditNoteId ?? null },
    ...{ amountCents: amount.amountCents, currency, state, origin: 'provider' },
    ...{ reason, createdAt: now, endedAt: state === 'succeeded' ? now : null },
  })
  const fromInvoices = taken.reduce((sum, it) => sum + it.amountCents, 0)
  await postAdopted(tx, refund, cents(amount.amountCents - fromInvoices), now)
  await emit(tx, refundMade, eventOf(refund, 'payment'))
}

type Taken = { invoiceId: string; creditNoteId: string | null; amountCents: Cents }

async function takeFromInvoices(
  tx: Tx,
  invoices: readonly InvoiceRow[],
  amountCents: Cents,
  now: Instant,
): Promise<Taken[]> {
  let left: number = amountCents
  const taken: Taken[] = []
  for (const invoice of invoices) {
    const part = cents(Math.min(left, refundableCents(invoice)))
    if (part === 0 || invoice.kind === 'top_up') continue
    const creditNoteId = await takeBack(tx, invoice, part, now)
    taken.push({ invoiceId: invoice.id, creditNoteId, amountCents: part })
    left -= part
  }
  return taken
}

/** A paid invoice is credited; on an unpaid invoice the refunded money is due again. */
async function takeBack(
  tx: Tx,
  invoice: InvoiceRow,
  amountCents: Cents,
  now: Instant,
): Promise<string | null> {
  if (invoice.status !== 'paid') {
    await reverse(tx, invoice, amountCents, now)
    return null
  }
  const { refundedCents, creditedCents } = withRefund(invoice, amountCents)
  const note = await issueCreditNote(tx, invoice, { amountCents, reason: AT_PROVIDER }, now)
  await updateInvoice(tx, invoice, { refundedCents, creditedCents }, now)
  return note.id
}

/** Refunded money of no invoice is taken from the customer's credit, then it is our loss. */
async function postAdopted(
  tx: Tx,
  refund: RefundRow,
  beyondCents: Cents,
  now: Instant,
): Promise<void> {
  const { tenantId, id, userId, gatewayId, amountCents, currency } = refund
  if (gatewayId === null) return
  const balance = beyondCents > 0 ? await lockCredit(tx, { tenantId, userId, currency }) : cents(0)
  const fromCredit = cents(Math.min(balance, beyondCents))
  const lost = cents(beyondCents - fromCredit)
  const money = { customerId: userId, gatewayId }
  const event = {
    kind: 'refund',
    postings: [
      ...postings.refundedToGateway({ ...money, amountCents: cents(amountCents - beyondCents) }),
      ...postings.creditPaidOut({ ...money, amountCents: fromCredit }),
      ...postings.transfer(accounts.goodwill, accounts.cash(gatewayId), lost),
    ],
  }
  await post(tx, { tenantId, event, eventId: id, key: `refund:${id}`, currency }, now)
  if (lost === 0) return
  const data = { refundId: id, userId, amountCents: lost, currency }
  await emit(tx, adminAttention, { tenantId, kind: 'refund_beyond_credit', data })
}

async function noteBreak(
  tx: Tx,
  { tenantId, gatewayId, id: paymentId, receivedCents, currency }: PaymentRow,
  { refundId, amount }: RefundSnapshot,
  now: Instant,
): Promise<void> {
  const kind = 'refund_mismatch'
  const details = {
    ...{ paymentId, receivedCents, currency, refundId },
    ...{ refundCents: amount.amountCents, refundCurrency: amount.currency },
  }
  const row = { tenantId, id: newId(), gatewayId, kind, objectId: refundId, attemptId: null }
  const isNew = await insertBreak(tx, { ...row, details, createdAt: now })
  if (isNew) await emit(tx, adminAttention, { tenantId, kind, data: details })
}
