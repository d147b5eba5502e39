import { accounts, type LedgerEvent, lockCredit, post, postedBy, postings } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { adminAttention, disputed } from '../events.ts'
import type { GatewayKey } from '../gateways/queries.ts'
import type { DisputeSnapshot } from '../gateways/snapshots.ts'
import { postWriteOff, reverse, settle } from '../invoices/actions.ts'
import { type InvoiceRow, lockInvoices, updateInvoice } from '../invoices/queries.ts'
import { dueCents, refundableCents } from '../invoices/rules.ts'
import { allocationsOf, findPaymentAtGateway, type PaymentRow } from '../payments/queries.ts'
import {
  type DisputeRow,
  disputedAmong,
  insertDispute,
  lockDispute,
  updateDispute,
} from './queries.ts'

type Whole = { payment: PaymentRow; invoices: readonly InvoiceRow[] }

/**
 * Applies a provider's report about a dispute (R3.10): books funds that left or came back and are not
 * booked yet; a lost dispute makes the invoice due again, an inquiry moves nothing. Returns false if
 * the payment is not known (yet).
 */
export async function applyDispute(
  tx: Tx,
  gateway: GatewayKey,
  snapshot: DisputeSnapshot,
  now: Instant,
): Promise<boolean> {
  const { paymentId } = snapshot.payment
  const payment = paymentId && (await findPaymentAtGateway(tx, gateway, paymentId))
  if (!payment) return false
  const parts = await allocationsOf(tx, payment.tenantId, payment.id)
  const ids = parts.map(({ invoiceId }) => invoiceId)
  const invoices = ids.length > 0 ? await lockInvoices(tx, payment.tenantId, ids) : []
  const before = await disputeOf(tx, gateway, payment, snapshot, now)
  if (snapshot.observedAt < before.observedAt) return true
  await book(tx, { payment, invoices }, before, snapshot, now)
  return true
}

async function disputeOf(
  tx: Tx,
  gateway: GatewayKey,
  { tenantId, id: paymentId }: PaymentRow,
  { disputeId, amount, observedAt }: DisputeSnapshot,
  now: Instant,
): Promise<DisputeRow> {
  const known = await lockDispute(tx, gateway, disputeId)
  if (known) return known
  return insertDispute(tx, {
    ...{ tenantId, id: newId(), paymentId, gatewayId: gateway.gatewayId },
    ...{ providerDisputeId: disputeId, amountCents: amount.amountCents, currency: amount.currency },
    ...{ state: 'inquiry', observedAt, createdAt: now },
  })
}

async function book(
  tx: Tx,
  { payment, invoices }: Whole,
  before: DisputeRow,
  snapshot: DisputeSnapshot,
  now: Instant,
): Promise<void> {
  const { state } = snapshot
  const lost = state === 'lost'
  // Locked before the other accounts, as in every action that reads credit and then posts.
  if (lost) await lockCredit(tx, payment)
  const heldNow = snapshot.fundsHeldCents
  const booked = before.heldCents + before.lostCents
  const out = cents(Math.max(0, heldNow - booked))
  const back = cents(Math.max(0, booked - heldNow))
  const backFromHeld = cents(Math.min(back, before.heldCents))
  const backFromLost = cents(back - backFromHeld)
  const money = { gatewayId: payment.gatewayId }
  const opened = { ...money, amountCents: out }
  const won = { ...money, amountCents: backFromHeld }
  await record(
    tx,
    before,
    { kind: 'dispute_opened', postings: postings.disputeOpened(opened) },
    now,
  )
  await record(tx, before, { kind: 'dispute_won', postings: postings.disputeWon(won) }, now)
  let remaining = invoices
  if (backFromLost > 0)
    remaining = await recover(tx, { payment, invoices }, before, backFromLost, now)
  const held = cents(before.heldCents + out - backFromHeld)
  if (lost && held > 0)
    remaining = await lose(tx, { payment, invoices: remaining }, before, held, now)
  await bookFee(tx, payment, before, snapshot, now)
  const over = state === 'won' || state === 'lost' || state === 'closed_without_loss'
  const isNews = before.state !== state || before.createdAt === now
  await updateDispute(tx, before, {
    ...{ state, reason: snapshot.reason ?? null, respondBy: snapshot.respondBy ?? null },
    heldCents: lost ? cents(0) : held,
    lostCents: cents(before.lostCents - backFromLost + (lost ? held : 0)),
    ...{ observedAt: snapshot.observedAt, endedAt: over ? (before.endedAt ?? now) : null },
  })
  await flag(tx, payment.tenantId, remaining, now)
  if (isNews) await tell(tx, payment, remaining, { id: before.id, state })
}

/** An invoice is disputed until the last dispute about any of its payments has ended. */
async function flag(
  tx: Tx,
  tenantId: string,
  invoices: readonly InvoiceRow[],
  now: Instant,
): Promise<void> {
  const ids = invoices.map(({ id }) => id)
  const open = await disputedAmong(tx, tenantId, ids)
  for (const invoice of invoices) {
    const disputed = open.has(invoice.id)
    if (disputed !== invoice.disputed) await updateInvoice(tx, invoice, { disputed }, now)
  }
}

/**
 * The money is gone for good: it is due again on the invoices, without a credit note. Money on no
 * invoice, such as money that became credit, is taken from the customer's credit and, if that is spent,
 * lost.
 */
async function lose(
  tx: Tx,
  { payment, invoices }: Whole,
  dispute: DisputeRow,
  amountCents: Cents,
  now: Instant,
): Promise<InvoiceRow[]> {
  let left: number = amountCents
  const after: InvoiceRow[] = []
  for (const invoice of invoices) {
    const held = invoice.kind === 'top_up' ? 0 : refundableCents(invoice)
    const part = cents(Math.min(left, held))
    left -= part
    after.push(part > 0 ? await reverse(tx, invoice, part, now) : invoice)
  }
  const customerId = payment.userId
  const dueAgain = { customerId, amountCents: cents(amountCents - left) }
  await record(tx, dispute, { kind: 'dispute_lost', postings: postings.disputeLost(dueAgain) }, now)
  const taken = { customerId, amountCents: cents(Math.min(left, await lockCredit(tx, payment))) }
  const fromCredit = postings.disputeLostToCredit(taken)
  await record(tx, dispute, { kind: 'dispute_taken_from_credit', postings: fromCredit }, now)
  const writtenOff = postings.disputeWrittenOff({ amountCents: cents(left - taken.amountCents) })
  await record(tx, dispute, { kind: 'dispute_written_off', postings: writtenOff }, now)
  return after
}

/**
 * A lost dispute was won after all: the money pays what is due, then offsets what was written off, and
 * the rest becomes the customer's credit.
 */
async function recover(
  tx: Tx,
  { payment, invoices }: Whole,
  dispute: DisputeRow,
  amountCents: Cents,
  now: Instant,
): Promise<InvoiceRow[]> {
  let left: number = amountCents
  const after: InvoiceRow[] = []
  for (const invoice of invoices) {
    const part = cents(Math.min(left, dueCents(invoice)))
    left -= part
    if (part > 0 && invoice.status === 'uncollectible') {
      await postWriteOff(tx, invoice, { amountCents: part, recovered: true }, now)
    }
    after.push(part > 0 ? await settle(tx, invoice, part, now) : invoice)
  }
  const { userId: customerId, gatewayId } = payment
  const lost = await postedBy(tx, { ...dispute, eventId: dispute.id }, accounts.badDebt)
  const madeUp = cents(Math.min(left, lost))
  const found = postings.disputeRecovered({ gatewayId, amountCents: madeUp })
  await record(tx, dispute, { kind: 'dispute_loss_recovered', postings: found }, now)
  const received = postings.paymentReceived({
    ...{ customerId, gatewayId, amountCents: cents(amountCents - madeUp) },
    dueCents: cents(amountCents - left),
  })
  await record(tx, dispute, { kind: 'dispute_recovered', postings: received }, now)
  return after
}

async function bookFee(
  tx: Tx,
  { tenantId, gatewayId, currency }: PaymentRow,
  dispute: DisputeRow,
  { feeCents, feeCurrency }: DisputeSnapshot,
  now: Instant,
): Promise<void> {
  const more = cents(feeCents - dispute.feeCents)
  if (more === 0) return
  if (feeCurrency !== currency) {
    const data = { disputeId: dispute.id, amountCents: feeCents, currency: feeCurrency }
    return emit(tx, adminAttention, { tenantId, kind: 'dispute_fee_currency', data })
  }
  const charged = postings.feeCharged({ gatewayId, amountCents: cents(Math.abs(more)) })
  const event = { kind: 'dispute_fee', postings: more > 0 ? charged : postings.reversed(charged) }
  await record(tx, dispute, event, now)
  await updateDispute(tx, dispute, { feeCents })
}

async function record(
  tx: Tx,
  { tenantId, id, currency }: DisputeRow,
  event: LedgerEvent,
  now: Instant,
): Promise<void> {
  // The dispute's row is locked and stores what is booked, so a new key is enough.
  await post(tx, { tenantId, event, eventId: id, key: `dispute:${newId()}`, currency }, now)
}

async function tell(
  tx: Tx,
  { tenantId, userId, id: paymentId }: PaymentRow,
  invoices: readonly InvoiceRow[],
  { id: disputeId, state }: Pick<DisputeRow, 'id' | 'state'>,
): Promise<void> {
  const invoiceIds = invoices.map(({ id }) => id)
  await emit(tx, disputed, { tenantId, userId, disputeId, paymentId, invoiceIds, state })
  const data = { disputeId, paymentId, userId, state }
  await emit(tx, adminAttention, { tenantId, kind: 'payment_disputed', data })
}
