import { creditBalance, lockCredit } from '#ledger'
import { newId } from '#lib/id.ts'
import { type Cents, cents, sumCents } from '#lib/money.ts'
import { conflict, notFound, unprocessable } from '#lib/problem.ts'
import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { assertSells } from '#tenants'
import { amountRefusal } from '../gateways/amounts.ts'
import { findGateway, type GatewayRow, listUsableGateways } from '../gateways/queries.ts'
import type { Money } from '../gateways/snapshots.ts'
import { type InvoiceRow, lockInvoices } from '../invoices/queries.ts'
import { dueCents } from '../invoices/rules.ts'
import { findOwnMethod } from '../methods/queries.ts'
import { freeHeld, useCredit } from '../payments/credit.ts'
import { checkedReturnUrl } from '../return-url.ts'
import { checkAttempt } from '../work.ts'
import { spendAttempt } from './allowance.ts'
import { type AttemptRow, insertAttempt, listUnfinished, updateAttempt } from './queries.ts'
import { isUnstarted } from './rules.ts'

/** How a customer wants to pay. */
export type HowToPay = {
  readonly gatewayId?: string | undefined
  readonly paymentMethodId?: string | undefined
  readonly savePaymentMethod?: boolean | undefined
  readonly useCredits?: boolean | undefined
  /** Where the customer comes back to; must be one of the tenant's own addresses. */
  readonly returnUrl?: string | undefined
  /** `renewal`: the customer is not present to answer the bank's questions. */
  readonly purpose?: 'checkout' | 'renewal' | undefined
}

/** A stored attempt that is to be started once the transaction is committed. */
export type PreparedPayment = { readonly tenantId: string; readonly attemptId: string }

type Payer = { readonly tenantId: string; readonly userId: string }

/** By then the process that wrote an attempt has started it, or died. */
const FIRST_CHECK_MS = 20 * SECOND_MS

/** `preparePayment` for several invoices with one payment (R3.8). */
export async function prepareTogether(
  tx: Tx,
  { tenantId, userId }: Payer,
  { invoiceIds, ...how }: HowToPay & { invoiceIds: readonly string[] },
  now: Instant,
): Promise<PreparedPayment> {
  const returnUrl = await checkedReturnUrl(tx, tenantId, {
    wanted: how.returnUrl,
    page: '/checkout/return',
  })
  const locked = await lockInvoices(tx, tenantId, invoiceIds)
  const own = locked.filter((invoice) => invoice.userId === userId && invoice.status !== 'draft')
  if (own.length < new Set(invoiceIds).size) throw notFound('Invoice')
  // The invoice would get its number with the first payment.
  if (own.some(({ number }) => number === null)) await assertSells(tx, tenantId, 'customer')
  const payer = { tenantId, userId }
  const { invoices, usedCents } = await withCredit(tx, payer, own, how, now)
  const currency = invoices[0]?.currency ?? ''
  const unpaid = invoices.filter(({ status }) => status === 'open')
  if (unpaid.length === 0) {
    const attempt = await insertPaidByCredit(
      tx,
      payer,
      { currency, usedCents, returnUrl },
      own,
      now,
    )
    return { tenantId, attemptId: attempt.id }
  }
  const amountCents = sumCents(unpaid.map((it) => dueCents(it) - it.heldCreditCents))
  const money = { amountCents, currency }
  const { gatewayId, paymentMethodId } = await chooseGateway(tx, payer, how, money)
  const wanted = {
    ...{ gatewayId, paymentMethodId, amountCents, currency, returnUrl },
    saveMethod: how.savePaymentMethod ?? false,
    purpose: how.purpose ?? ('checkout' as const),
  }
  const ids = unpaid.map(({ id }) => id)
  const reused = await reuseOrEnd(tx, tenantId, ids, wanted, now)
  const attempt = reused ?? (await insertNew(tx, payer, ids, wanted, now))
  return { tenantId, attemptId: attempt.id }
}

/**
 * Stores that a customer wants to pay what is due on an invoice, before any provider is called:
 * credit is used or set aside if they wish, and an attempt for the rest is written, or an open one
 * for the same amount and gateway is used again. Throws 404 for another customer's invoice, gateway
 * or method, 409 for an invoice that is not open or has a payment under way, 422 if there is no way
 * to pay, or the provider does not take the amount or its currency.
 */
export function preparePayment(
  tx: Tx,
  payer: Payer,
  { invoiceId, ...how }: HowToPay & { invoiceId: string },
  now: Instant,
): Promise<PreparedPayment> {
  return prepareTogether(tx, payer, { invoiceIds: [invoiceId], ...how }, now)
}

async function withCredit(
  tx: Tx,
  { tenantId, userId }: Payer,
  own: readonly InvoiceRow[],
  { useCredits = false }: HowToPay,
  now: Instant,
): Promise<{ invoices: InvoiceRow[]; usedCents: Cents }> {
  const [first] = own
  if (!first) throw notFound('Invoice')
  for (const invoice of own) assertPayable(invoice, first.currency)
  const key = { tenantId, userId, currency: first.currency }
  let balance = useCredits ? await lockCredit(tx, key) : cents(0)
  const before = sumCents([balance])
  const invoices: InvoiceRow[] = []
  for (const invoice of own) {
    const spends = useCredits && invoice.kind !== 'top_up'
    invoices.push(
      spends ? await useCredit(tx, invoice, balance, now) : await freeHeld(tx, invoice, now),
    )
    if (useCredits) balance = await creditBalance(tx, key)
  }
  return { invoices, usedCents: cents(before - balance) }
}

const NOT_PAYABLE: Readonly<Record<Exclude<InvoiceRow['status'], 'open'>, string>> = {
  draft: 'This invoice is not issued yet and cannot be paid.',
  paid: 'This invoice is already paid.',
  void: 'This invoice is void and cannot be paid.',
  uncollectible: 'This invoice is written off and cannot be paid.',
}

function assertPayable({ status, currency }: InvoiceRow, wanted: string): void {
  if (status !== 'open') throw conflict(NOT_PAYABLE[status], `invoice_${status}`)
  if (currency !== wanted) {
    throw unprocessable('Invoices in several currencies cannot be paid together.', 'currencies')
  }
}

type Chosen = { gatewayId: string; paymentMethodId: string | null }

async function chooseGateway(
  tx: Tx,
  { tenantId, userId }: Payer,
  { gatewayId, paymentMethodId, purpose }: HowToPay,
  money: Money,
): Promise<Chosen> {
  const usable = await listUsableGateways(tx, tenantId)
  if (paymentMethodId !== undefined) {
    const method = await findOwnMethod(tx, { tenantId, userId }, paymentMethodId)
    if (!method || (gatewayId !== undefined && gatewayId !== method.gatewayId)) {
      throw notFound('Payment method')
    }
    const its = usable.find(({ id }) => id === method.gatewayId)
    if (!its) throw unusable()
    // The customer is not present to choose another way: a refused charge is a failed payment.
    if (purpose !== 'renewal') assertTaken(its, money)
    return { gatewayId: its.id, paymentMethodId }
  }
  if (gatewayId === undefined) {
    const [first] = usable
    if (!first) throw unusable()
    const taking = usable.find(({ driver }) => amountRefusal(driver, money) === null)
    if (!taking) assertTaken(first, money)
    return { gatewayId: (taking ?? first).id, paymentMethodId: null }
  }
  const chosen = usable.find(({ id }) => id === gatewayId)
  if (chosen) {
    assertTaken(chosen, money)
    return { gatewayId, paymentMethodId: null }
  }
  const known = await findGateway(tx, { tenantId, gatewayId })
  throw known && known.archivedAt === null ? unusable() : notFound('Gateway')
}

/** Throws 422 for an amount that the provider would refuse, before anything is sent to it. */
function assertTaken({ name, driver }: GatewayRow, money: Money): void {
  const refusal = amountRefusal(driver, money)
  if (refusal === null) return
  const { currency } = money
  const what = refusal === 'currency_unsupported' ? currency : `this amount in ${currency}`
  throw unprocessable(`${name} does not take ${what}. Choose another way to pay.`, refusal)
}

function unusable() {
  return unprocessable('There is no way to pay right now.', 'gateway_unavailable')
}

type Wanted = Chosen & {
  amountCents: Cents
  currency: string
  returnUrl: string
  saveMethod: boolean
  purpose: 'checkout' | 'renewal'
}

/** The open attempt that fits, if there is one; ends all others. */
async function reuseOrEnd(
  tx: Tx,
  tenantId: string,
  invoiceIds: readonly string[],
  wanted: Wanted,
  now: Instant,
): Promise<AttemptRow | null> {
  const unfinished = await listUnfinished(tx, tenantId, invoiceIds)
  if (unfinished.some(({ state }) => state === 'processing')) {
    throw conflict('A payment of this invoice is under way.', 'payment_in_progress')
  }
  let reused: AttemptRow | null = null
  for (const attempt of unfinished) {
    if (!reused && fits(attempt, wanted)) {
      reused = await updateAttempt(tx, attempt, { returnUrl: wanted.returnUrl })
    } else if (attempt.cancelWantedAt === null) {
      await updateAttempt(tx, attempt, { cancelWantedAt: now, nextCheckAt: now })
      await enqueue(tx, checkAttempt, { tenantId, attemptId: attempt.id })
    }
  }
  return reused
}

function fits(attempt: AttemptRow, wanted: Wanted): boolean {
  return (
    // A page that was found after an unknown outcome has no address to which we could send the
    // customer.
    (attempt.nextStep !== null || isUnstarted(attempt)) &&
    attempt.cancelWantedAt === null &&
    attempt.gatewayId === wanted.gatewayId &&
    attempt.paymentMethodId === wanted.paymentMethodId &&
    attempt.amountCents === wanted.amountCents &&
    attempt.saveMethod === wanted.saveMethod &&
    attempt.purpose === wanted.purpose
  )
}

async function insertNew(
  tx: Tx,
  payer: Payer,
  invoiceIds: readonly string[],
  wanted: Wanted,
  now: Instant,
): Promise<AttemptRow> {
  if (wanted.purpose === 'checkout') await spendAttempt(tx, payer, now)
  const row = { ...payer, id: newId(), ...wanted, state: 'created' as const, createdAt: now }
  return insertAttempt(tx, { ...row, nextCheckAt: later(now, FIRST_CHECK_MS) }, invoiceIds)
}

function insertPaidByCredit(
  tx: Tx,
  payer: Payer,
  { currency, usedCents, returnUrl }: { currency: string; usedCents: Cents; returnUrl: string },
  invoices: readonly InvoiceRow[],
  now: Instant,
): Promise<AttemptRow> {
  const row = {
    ...{ ...payer, id: newId(), gatewayId: null, purpose: 'credit' as const },
    ...{ amountCents: usedCents, currency, returnUrl },
    ...{ state: 'paid' as const, createdAt: now, endedAt: now },
  }
  return insertAttempt(
    tx,
    row,
    invoices.map(({ id }) => id),
  )
}
