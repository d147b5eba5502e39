import { findInvoice, HOUSE_REASONS, refundInvoice } from '#billing'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { changesBetween, priceWith, withoutFees, withValues } from '../components/rules.ts'
import { serviceRenewed } from '../events.ts'
import { requestImportedOrder } from '../imported/ordered.ts'
import { endAt } from '../leaving/actions.ts'
import {
  findService,
  lockService,
  type ServiceKey,
  type ServiceRow,
  updateService,
} from '../queries.ts'
import { recordRecurringRevenue } from '../recurring/actions.ts'
import { mayBecome } from '../rules.ts'
import { liftReasons, suspendFor, unwantEnd } from '../states/actions.ts'
import { deleteWarnings } from '../suspension-notices/queries.ts'
import { startPlannedChange, startPlannedOptions } from '../upgrades/planned.ts'
import {
  findPeriodAt,
  findVoidReason,
  insertPeriod,
  listPaidWithoutPeriod,
  listPeriodsOfInvoice,
  listUnpaid,
  lockPeriod,
  updatePeriod,
} from './queries.ts'

type InvoiceKey = { tenantId: string; invoiceId: string }

/**
 * After an invoice is paid: its periods are paid, and a service that was suspended because of it is resumed (R4.7).
 * Money for a period that was given up becomes credit. What was ordered in another system is delivered. Runs twice
 * harmlessly.
 */
export async function settlePeriods(tx: Tx, key: InvoiceKey, now: Instant): Promise<void> {
  await requestImportedOrder(tx, key, now)
  const periods = await listPeriodsOfInvoice(tx, key)
  if (periods.length === 0) return giveBack(tx, key, now)
  for (const { tenantId, id, serviceId } of periods) {
    const service = { tenantId, id: serviceId }
    await lockService(tx, service)
    const period = await lockPeriod(tx, { tenantId, id })
    if (!period || period.voidedAt) continue
    if (!period.paidAt) await updatePeriod(tx, period, { paidAt: now, dunningAt: null })
    await rollService(tx, service, now)
    await liftNonPayment(tx, service, now)
  }
}

/** The period was given up: what was paid for it becomes credit, with the reason for which it was given up. */
async function giveBack(tx: Tx, key: InvoiceKey, now: Instant): Promise<void> {
  const invoice = await findInvoice(tx, key)
  if (invoice?.kind !== 'renewal' || invoice.status !== 'paid' || invoice.writtenOffAt) return
  if (invoice.paidCents - invoice.refundedCents - invoice.reversedCents <= 0) return
  const reason = (await findVoidReason(tx, key)) ?? HOUSE_REASONS.renewalReplaced
  await refundInvoice(tx, { ...key, to: 'credit', reason }, now)
}

/** Lifts the suspension, or the requested end, for non-payment of a service with nothing overdue (R4.7). */
export async function liftNonPayment(tx: Tx, key: ServiceKey, now: Instant): Promise<void> {
  const found = await lockService(tx, key)
  if (!found || found.endedAt) return
  if ((await listUnpaid(tx, key)).some(({ dueAt }) => dueAt <= now)) return
  const service = found.endWantedReason === 'unpaid' ? await unwantEnd(tx, found, now) : found
  if (service.endWantedAt) return
  await liftReasons(tx, service, ['unpaid', 'dispute'], now)
}

/**
 * Moves a service to the period that has begun, if it is paid for. A service whose last period is over, and which is
 * not to be renewed, is ended; its data is kept for some days.
 */
export async function rollService(tx: Tx, key: ServiceKey, now: Instant): Promise<void> {
  for (;;) {
    const service = await lockService(tx, key)
    if (!service || service.endedAt || service.endWantedAt) return
    const { currentPeriodEnd } = service
    if (!currentPeriodEnd || currentPeriodEnd > now || service.interval === 'hour') return
    const next = await findPeriodAt(tx, key, currentPeriodEnd)
    if (!next) {
      if (!service.cancelAtPeriodEnd && service.autoRenew) return
      return endAt(tx, service, currentPeriodEnd, now)
    }
    if (!next.paidAt) return
    const { startsAt, endsAt, valueCents, priceCents, planId } = next
    const values = Object.fromEntries(next.components.map((it) => [it.key, it.valueCents]))
    if (next.freePriceCents !== null) {
      // Price and worth stay those of a period that was sold.
      await updateService(tx, service, { currentPeriodStart: startsAt, currentPeriodEnd: endsAt })
      continue
    }
    const own = withValues(service.components, values)
    const isOnPlan = planId === service.planId
    // The options of a service change with its server only, even if the period was sold with others.
    const differs = isOnPlan && changesBetween(service.components, next.components).length > 0
    await updateService(tx, service, {
      ...{ currentPeriodStart: startsAt, currentPeriodEnd: endsAt, valueCents },
      ...((!isOnPlan || differs) && { components: own }),
      ...(differs && { priceCents: priceWith(next, own) }),
      ...(isOnPlan && !differs && { priceCents, components: withoutFees(next.components) }),
    })
    if (differs) await startPlannedOptions(tx, service, next, now)
    if (service.scheduledPlanId && planId === service.scheduledPlanId) {
      await startPlannedChange(tx, service, next, now)
    }
    const after = await findService(tx, key)
    if (after) await recordRecurringRevenue(tx, after, next.invoiceId ?? after.invoiceId, now)
    const { tenantId, id: serviceId, userId, orderId } = service
    await emit(tx, serviceRenewed, { tenantId, serviceId, userId, orderId })
  }
}

/**
 * The bank has taken the money of an invoice back for good: its periods are unpaid and dunned from now on, and if the
 * settings say so their servers are suspended at once (R3.10). What the invoice paid for without a period (one-time
 * sales and changes) becomes a debt and is treated likewise (decision 49).
 */
export async function reopenPeriods(
  tx: Tx,
  key: InvoiceKey,
  { suspend }: { suspend: boolean },
  now: Instant,
): Promise<void> {
  const invoice = await findInvoice(tx, key)
  if (invoice?.status !== 'open') return
  const periods = await listPeriodsOfInvoice(tx, key)
  const sold = await listPaidWithoutPeriod(tx, key)
  const known = new Set(periods.map(({ serviceId }) => serviceId))
  const serviceIds = new Set([...known, ...sold.map(({ id }) => id)])
  // In one order, so that no two transactions wait for each other.
  for (const id of [...serviceIds].sort()) {
    const service = await lockService(tx, { tenantId: key.tenantId, id })
    if (service && !service.endedAt && !known.has(id)) await noteDebt(tx, service, key, now)
  }
  for (const { tenantId, id, serviceId } of await listPeriodsOfInvoice(tx, key)) {
    const service = await lockService(tx, { tenantId, id: serviceId })
    const period = await lockPeriod(tx, { tenantId, id })
    if (!service || service.endedAt || !period?.paidAt || period.voidedAt) continue
    await updatePeriod(tx, period, {
      ...{ paidAt: null, dueAt: now, dunningAt: now },
      ...{ charges: 0, charged: 0, reminders: 0 },
    })
    await deleteWarnings(tx, period)
    if (suspend) await hold(tx, service, now)
  }
}

/**
 * Stores what an invoice paid for as a debt. It is stored as paid; the caller reopens it with the periods of the
 * invoice.
 */
async function noteDebt(
  tx: Tx,
  { tenantId, id: serviceId, productId, planId }: ServiceRow,
  { invoiceId }: InvoiceKey,
  now: Instant,
): Promise<void> {
  await insertPeriod(tx, {
    ...{ tenantId, id: newId(), serviceId, productId, planId, invoiceId, isDebt: true },
    ...{ startsAt: now, endsAt: now, priceCents: cents(0), valueCents: cents(0) },
    ...{ createdAt: now, dueAt: now, paidAt: now, dunningAt: null },
  })
}

async function hold(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  const running = service.suspendedAt !== null || mayBecome(service, 'suspended')
  if (running && !service.endWantedAt) await suspendFor(tx, service, 'dispute', now)
}
