import {
  findInvoice,
  HOUSE_REASONS,
  type InvoiceParts,
  type InvoiceRow,
  partsOf,
  refundInvoice,
} from '#billing'
import { allocate, type Cents, cents, portion, sumCents } from '#lib/money.ts'
import type { Period } from '#lib/periods.ts'
import { conflict, unprocessable } from '#lib/problem.ts'
import { type Instant, secondsBetween } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { billingProfileOf } from '#users'
import { lockServicesOfOrder, type ServiceRow, updateService } from '../queries.ts'
import { assertWithdrawable, withdrawalRefund } from '../renewals/charges.ts'
import { withdrawPeriods } from '../renewals/closing.ts'
import { listPeriods } from '../renewals/queries.ts'
import { statusOf } from '../rules.ts'
import { serviceSettings } from '../settings.ts'
import { wantEnd } from '../states/actions.ts'
import { assertNotEnding } from '../states/rules.ts'
import { listPaidUpgrades } from '../upgrades/queries.ts'

/** By setting, the time that is left of what was paid becomes credit, to the second (R4.8). */
export async function creditUnused(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  const { creditOnCancel } = await settingsOf(tx, service.tenantId, serviceSettings)
  if (!creditOnCancel) return
  for (const { invoice, period } of await paymentsFor(tx, service)) {
    if (!period || period.end <= now) continue
    const from = period.start > now ? period.start : now
    const whole = secondsBetween(period.start, period.end)
    const left = portion(
      await paidFor(tx, service, invoice),
      secondsBetween(from, period.end),
      whole,
    )
    await giveBack(
      tx,
      invoice,
      { amountCents: left, to: 'credit', reason: HOUSE_REASONS.canceled },
      now,
    )
  }
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
  const refunds: Cents[] = []
  for (const { invoice, period } of await paymentsFor(tx, service)) {
    const paidCents = await paidFor(tx, service, invoice)
    const amountCents = period
      ? withdrawalRefund({ paidCents, period, at: now, immediateStart })
      : paidCents
    const reason = HOUSE_REASONS.withdrawal
    refunds.push(await giveBack(tx, invoice, { amountCents, to: 'payment', reason }, now))
  }
  const invoicedTo = await withdrawPeriods(tx, service, 'Withdrawal from the contract', now)
  await updateService(tx, service, { invoicedTo, cancelReason: 'withdrawal' })
  await wantEnd(tx, service, { reason: 'refunded', keepsData: false }, now)
  return sumCents(refunds)
}

type Paid = { invoice: InvoiceRow; period: Period | null }

/** The invoices that were paid for a service, and for which time; null where it is for good. */
async function paymentsFor(tx: Tx, service: ServiceRow): Promise<Paid[]> {
  const { tenantId, currentPeriodEnd } = service
  const wanted: { invoiceId: string | null; period: Period | null }[] = []
  for (const { invoiceId, paidAt, startsAt, endsAt } of await listPeriods(tx, service)) {
    if (paidAt) wanted.push({ invoiceId, period: { start: startsAt, end: endsAt } })
  }
  if (wanted.length === 0) wanted.push({ invoiceId: service.invoiceId, period: null })
  for (const { invoiceId, paidAt } of await listPaidUpgrades(tx, service)) {
    const period = paidAt && currentPeriodEnd ? { start: paidAt, end: currentPeriodEnd } : null
    wanted.push({ invoiceId, period })
  }
  const paid: Paid[] = []
  for (const { invoiceId, period } of wanted) {
    const invoice = invoiceId ? await findInvoice(tx, { tenantId, invoiceId }) : undefined
    if (invoice?.status === 'paid') paid.push({ invoice, period })
  }
  return paid
}

/**
 * What of an invoice was paid for one service, in cents, tax included. A line for several services
 * of an order is shared out evenly.
 */
async function paidFor(tx: Tx, service: ServiceRow, { tenantId, id }: InvoiceRow): Promise<Cents> {
  const { lines } = await partsOf(tx, { tenantId, invoiceId: id })
  const { orderId } = service
  const ordered = orderId ? await lockServicesOfOrder(tx, tenantId, orderId) : []
  return shareOf(service, lines, ordered)
}

type Unit = Pick<ServiceRow, 'id' | 'orderItemId'>

/** What the lines of an invoice say of one service, in cents; `ordered` are the services of its order. */
export function shareOf(
  service: Unit & Pick<ServiceRow, 'productId'>,
  lines: InvoiceParts['lines'],
  ordered: readonly Unit[],
): Cents {
  const own = lines.filter(({ serviceId }) => serviceId === service.id)
  if (own.length > 0) return sumCents(own.map(({ totalCents }) => totalCents))
  const units = ordered.filter(({ orderItemId }) => orderItemId === service.orderItemId)
  const place = units.findIndex((it) => it.id === service.id)
  const shares = lines
    .filter((line) => line.serviceId === null && line.quantity === units.length)
    .filter(({ productId }) => productId === service.productId)
    .map(({ totalCents }) => allocate(totalCents, new Array<number>(units.length).fill(1))[place])
  return sumCents(shares.map((share) => share ?? 0))
}

/** Gives back everything that was paid for a service; answers how much that was, in cents. */
export async function refundAll(
  tx: Tx,
  service: ServiceRow,
  { to, reason }: Pick<Back, 'to' | 'reason'>,
  now: Instant,
): Promise<Cents> {
  const refunds: Cents[] = []
  for (const { invoice } of await paymentsFor(tx, service)) {
    const amountCents = await paidFor(tx, service, invoice)
    refunds.push(await giveBack(tx, invoice, { amountCents, to, reason }, now))
  }
  return sumCents(refunds)
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
