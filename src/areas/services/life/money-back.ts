import { findInvoice, HOUSE_REASONS, type InvoiceRow, refundInvoice } from '#billing'
import { type Cents, cents, portion, sumCents } from '#lib/money.ts'
import type { Period } from '#lib/periods.ts'
import { conflict, unprocessable } from '#lib/problem.ts'
import { type Instant, secondsBetween } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { billingProfileOf } from '#users'
import { type ServiceRow, updateService } from '../queries.ts'
import { assertWithdrawable, withdrawalRefund } from '../renewals/charges.ts'
import { withdrawPeriods } from '../renewals/closing.ts'
import { listPaidGivenUp, listPeriods } from '../renewals/queries.ts'
import { statusOf } from '../rules.ts'
import { serviceSettings } from '../settings.ts'
import { linesFor } from '../shares.ts'
import { wantEnd } from '../states/actions.ts'
import { assertNotEnding } from '../states/rules.ts'
import { listPaidUpgrades } from '../upgrades/queries.ts'

/** By setting, the time that is left of what was paid becomes credit, to the second (R4.8). */
export async function creditUnused(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  const { creditOnCancel } = await settingsOf(tx, service.tenantId, serviceSettings)
  if (!creditOnCancel) return
  const back = { to: 'credit' as const, reason: HOUSE_REASONS.canceled }
  const unused = ({ paidCents, period }: Paid): Cents => {
    if (!period || period.end <= now) return cents(0)
    const from = period.start > now ? period.start : now
    const whole = secondsBetween(period.start, period.end)
    return portion(paidCents, secondsBetween(from, period.end), whole)
  }
  await giveBackEach(tx, service, { ...back, shareOf: unused }, now)
}

/**
 * A consumer withdraws from their order: what they paid goes back the way it came, less what they
 * used if they had asked for an immediate start, and the service ends (R4.8). Answers the refund in
 * cents. Throws 409 for a service that is not paid or has ended, 422 for a business, for one that was not
 * ordered here, and once the 14 days are over.
 */
export async function withdrawFrom(tx: Tx, service: ServiceRow, now: Instant): Promise<Cents> {
  assertNotEnding(service)
  if (statusOf(service) === 'pending') {
    throw conflict('This service is not paid for, and goes by itself.', 'service_pending')
  }
  const { tenantId, userId, createdAt, immediateStart, orderId } = service
  if (orderId === null) {
    throw unprocessable('This service was taken over: it was not ordered here.', 'not_ordered')
  }
  const profile = await billingProfileOf(tx, { tenantId, userId })
  if (!profile || profile.company || profile.vatNumber) {
    throw unprocessable('Only consumers may withdraw from an order.', 'not_a_consumer')
  }
  assertWithdrawable(createdAt, now)
  const back = { to: 'payment' as const, reason: HOUSE_REASONS.withdrawal }
  const unused = ({ paidCents, period }: Paid): Cents =>
    period ? withdrawalRefund({ paidCents, period, at: now, immediateStart }) : paidCents
  const refundCents = await giveBackEach(tx, service, { ...back, shareOf: unused }, now)
  const invoicedTo = await withdrawPeriods(tx, service, 'Withdrawal from the contract', now)
  await updateService(tx, service, { invoicedTo, cancelReason: 'withdrawal' })
  await wantEnd(tx, service, { reason: 'refunded', keepsData: false }, now)
  return refundCents
}

type Paid = {
  invoice: InvoiceRow
  period: Period | null
  /** What it was sold for, tax included, in cents. */
  paidCents: Cents
  /** How much of that was the worth of what was held before, which older invoices hold. */
  movedCents: Cents
}

/**
 * The invoices that were paid for a service, and for which time, oldest first; null where it is for good.
 */
async function paymentsFor(tx: Tx, service: ServiceRow): Promise<Paid[]> {
  const periods = await listPeriods(tx, service)
  const wanted: { invoiceId: string | null; period: Period | null }[] = periods.flatMap(
    ({ invoiceId, paidAt, startsAt: start, endsAt: end }) =>
      paidAt ? { invoiceId, period: { start, end } } : [],
  )
  if (wanted.length === 0) wanted.push({ invoiceId: service.invoiceId, period: null })
  const known = new Set(wanted.map(({ invoiceId }) => invoiceId))
  for (const { invoiceId, paidAt } of await listPaidUpgrades(tx, service)) {
    // A change to another cycle was paid with the first of its periods.
    if (known.has(invoiceId) || !paidAt) continue
    wanted.push({ invoiceId, period: { start: paidAt, end: changedUntil(periods, paidAt) } })
  }
  wanted.sort((a, b) => ((a.period?.start ?? '') < (b.period?.start ?? '') ? -1 : 1))
  const paid: Paid[] = []
  const seen = new Set(wanted.map(({ invoiceId }) => invoiceId))
  for (const { invoiceId, startsAt: start, endsAt: end } of await listPaidGivenUp(tx, service)) {
    const invoice = seen.has(invoiceId) ? undefined : await paidInvoice(tx, service, invoiceId)
    seen.add(invoiceId)
    if (!invoice) continue
    // What the period was worth is part of a change and only held here; a setup fee was not.
    const [, ...fees] = await linesFor(tx, service, invoice)
    const paidCents = sumCents(fees)
    paid.push({ invoice, period: { start, end }, paidCents, movedCents: cents(0) })
  }
  for (const { invoiceId, period } of wanted) {
    const invoice = await paidInvoice(tx, service, invoiceId)
    if (!invoice) continue
    const lines = await linesFor(tx, service, invoice)
    const isMove = invoice.kind === 'upgrade' && known.has(invoiceId)
    const before = isMove ? sumCents(lines.map((it) => Math.min(0, it))) : cents(0)
    const paidCents = cents(sumCents(lines) - before)
    paid.push({ invoice, period, paidCents, movedCents: cents(-before) })
  }
  return paid
}

async function paidInvoice(
  tx: Tx,
  { tenantId }: ServiceRow,
  invoiceId: string | null,
): Promise<InvoiceRow | undefined> {
  const invoice = invoiceId ? await findInvoice(tx, { tenantId, invoiceId }) : undefined
  return invoice?.status === 'paid' ? invoice : undefined
}

/** The end of what a change was paid for: of the period it came in, or of those paid for ahead. */
function changedUntil(
  periods: Awaited<ReturnType<typeof listPeriods>>,
  changedAt: Instant,
): Instant {
  return periods
    .filter(({ startsAt, paidAt }) => startsAt <= changedAt || (paidAt && paidAt <= changedAt))
    .reduce((last, { endsAt }) => (endsAt > last ? endsAt : last), changedAt)
}

/** Gives back everything that was paid for a service; answers how much that was, in cents. */
export function refundAll(
  tx: Tx,
  service: ServiceRow,
  back: Pick<Back, 'to' | 'reason'>,
  now: Instant,
): Promise<Cents> {
  return giveBackEach(tx, service, { ...back, shareOf: ({ paidCents }) => paidCents }, now)
}

type Each = Pick<Back, 'to' | 'reason'> & { shareOf(paid: Paid): Cents }

/**
 * Gives a share of what was paid for a service back, newest first: what one invoice was not paid itself,
 * because what was held before counted for it, comes from the ones before. Answers the sum in cents.
 */
async function giveBackEach(
  tx: Tx,
  service: ServiceRow,
  { to, reason, shareOf: share }: Each,
  now: Instant,
): Promise<Cents> {
  const given: Cents[] = []
  let carried = 0
  for (const paid of (await paymentsFor(tx, service)).reverse()) {
    const amountCents = cents(share(paid) + carried)
    const back = await giveBack(tx, paid.invoice, { amountCents, to, reason }, now)
    carried = Math.min(carried + paid.movedCents, amountCents - back)
    given.push(back)
  }
  return sumCents(given)
}

type Back = { amountCents: Cents; to: 'payment' | 'credit'; reason: string }

/** Refunds a part of an invoice, at most what it still holds; answers how much that was. */
export async function giveBack(
  tx: Tx,
  invoice: InvoiceRow,
  back: Back,
  now: Instant,
): Promise<Cents> {
  const held = invoice.paidCents - invoice.refundedCents - invoice.reversedCents
  const amountCents = cents(Math.min(back.amountCents, held))
  if (amountCents <= 0) return cents(0)
  const { tenantId, id: invoiceId } = invoice
  await refundInvoice(tx, { tenantId, invoiceId, ...back, amountCents }, now)
  return amountCents
}
