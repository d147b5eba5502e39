import { type LedgerEvent, post, postings } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, cents, sumCents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { adminAttention, creditAdded } from '../events.ts'
import { creditPaidElsewhere } from '../imported/top-ups.ts'
import { numberInvoice, postWriteOff, settle } from '../invoices/actions.ts'
import { type InvoiceRow, lockInvoices } from '../invoices/queries.ts'
import { sharePayment } from '../invoices/settlement.ts'
import { payReplacements } from '../quotes/actions.ts'
import { applyHeld } from './credit.ts'
import { insertAllocations, insertPayment, type PaymentRow } from './queries.ts'

/** Money that came in, as its provider or an administrator reports it. */
export type IncomingPayment = {
  readonly tenantId: string
  readonly userId: string
  readonly gatewayId: string
  readonly attemptId: string | null
  /** The provider's id of the payment: the same money is booked once. */
  readonly providerPaymentId: string
  readonly receivedCents: Cents
  readonly currency: string
  readonly feeCents: Cents
  readonly paidAt: Instant
  readonly method: Pick<PaymentRow, 'methodKind' | 'methodBrand' | 'methodLast4' | 'fingerprint'> &
    Partial<Pick<PaymentRow, 'methodCountry'>>
}

/**
 * Books money in one transaction: its invoices are locked and, if they had none, get their numbers;
 * what is due is paid oldest first, the rest becomes the customer's credit (R3.8). From that credit,
 * pro formas that replaced the paid ones meanwhile are paid (R3.4). Null if this payment was booked
 * before.
 */
export async function bookPayment(
  tx: Tx,
  payment: IncomingPayment,
  invoiceIds: readonly string[],
  now: Instant,
): Promise<PaymentRow | null> {
  const { tenantId, method, ...rest } = payment
  const locked = await lockInvoices(tx, tenantId, invoiceIds)
  const { receivedCents } = payment
  const id = newId()
  const parts = sharePayment(receivedCents, locked.map(withoutHeld))
  const row = { tenantId, id, ...rest, ...method, creditCents: parts.creditCents, createdAt: now }
  const booked = await insertPayment(tx, row)
  if (!booked) return null
  const paid = new Map(parts.parts.map((part) => [part.invoiceId, part.appliedCents]))
  const numbered: { invoice: InvoiceRow; amountCents: Cents }[] = []
  for (const invoice of locked) {
    const amountCents = paid.get(invoice.id)
    if (amountCents === undefined) continue
    if (invoice.status === 'uncollectible') {
      await postWriteOff(tx, invoice, { amountCents, recovered: true }, now)
    }
    numbered.push({ invoice: await numberInvoice(tx, invoice, now), amountCents })
  }
  await postMoney(tx, booked, numbered, now)
  for (const { invoice, amountCents } of numbered) {
    await settle(tx, await applyHeld(tx, invoice, now), amountCents, now)
  }
  const allocations = numbered.map(({ invoice, amountCents }) => ({
    ...{ tenantId, paymentId: id, invoiceId: invoice.id, amountCents },
  }))
  await insertAllocations(tx, allocations)
  for (const { invoice } of numbered) {
    if (invoice.imported) await creditPaidElsewhere(tx, { tenantId, invoiceId: invoice.id }, now)
  }
  const usedCents = await payReplacements(tx, locked, booked.creditCents, now)
  await tellOfExcess(tx, booked, { invoices: locked, usedCents })
  return booked
}

/** What is due on an invoice from outside: credit that was set aside for it counts as paid. */
function withoutHeld(invoice: InvoiceRow): InvoiceRow {
  return { ...invoice, paidCents: cents(invoice.paidCents + invoice.heldCreditCents) }
}

async function postMoney(
  tx: Tx,
  { tenantId, id, gatewayId, userId, currency, receivedCents, feeCents }: PaymentRow,
  parts: readonly { invoice: InvoiceRow; amountCents: Cents }[],
  now: Instant,
): Promise<void> {
  const onSales = parts.filter(({ invoice }) => invoice.kind !== 'top_up')
  const money = { customerId: userId, gatewayId, amountCents: receivedCents }
  const onlyTopUp = parts.length > 0 && onSales.length === 0
  const events: { key: string; event: LedgerEvent }[] = [
    {
      key: `payment:${id}`,
      event: {
        kind: onlyTopUp ? 'top_up' : 'payment_received',
        postings: postings.paymentReceived({
          ...money,
          dueCents: sumCents(onSales.map(({ amountCents }) => amountCents)),
        }),
      },
    },
    {
      key: `fee:${id}`,
      event: {
        kind: 'gateway_fee',
        postings: postings.feeCharged({ gatewayId, amountCents: feeCents }),
      },
    },
  ]
  for (const { key, event } of events) {
    await post(tx, { tenantId, event, eventId: id, key, currency }, now)
  }
}

async function tellOfExcess(
  tx: Tx,
  { tenantId, id, userId, currency, ...payment }: PaymentRow,
  { invoices, usedCents }: { invoices: readonly InvoiceRow[]; usedCents: Cents },
): Promise<void> {
  const creditCents = cents(payment.creditCents - usedCents)
  if (creditCents === 0) return
  const wasOpen = invoices.some(({ status }) => status === 'open' || status === 'uncollectible')
  const why = wasOpen ? 'overpaid' : 'late_payment'
  await emit(tx, creditAdded, { tenantId, userId, amountCents: creditCents, currency, why })
  if (wasOpen) return
  const data = { paymentId: id, userId, amountCents: creditCents, currency }
  await emit(tx, adminAttention, { tenantId, kind: 'late_payment', data })
}
