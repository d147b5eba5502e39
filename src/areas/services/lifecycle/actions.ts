import { findInvoice, HOUSE_REASONS, type Reason } from '#billing'
import type { Caller } from '#lib/caller.ts'
import { assertNoLink } from '#lib/links.ts'
import { type Cents, cents } from '#lib/money.ts'
import { badRequest, conflict, notFound, type Problem, unprocessable } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import { notify } from '#notifications'
import { findLocation } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { type ChangedOption, findPlan, priceIn, priceSelections, sumOfComponents } from '#store'
import { selectedOf, withoutFees } from '../components/rules.ts'
import { replaceScheduled } from '../components/schedule.ts'
import { type Ending, leave } from '../leaving/actions.ts'
import { lockService, type ServiceRow, updateService } from '../queries.ts'
import { billPeriods } from '../renewals/billing.ts'
import { withdrawPeriods } from '../renewals/closing.ts'
import { listPeriods, listUnpaid, updatePeriod, upsertPriceChange } from '../renewals/queries.ts'
import { assertPriceNotice } from '../renewals/rules.ts'
import { settlePeriods } from '../renewals/settlement.ts'
import { tenantTermsOf } from '../renewals/tenant-terms.ts'
import { isBilled, isPlannedInvoiced, nextOf, plannedFrom } from '../renewals/terms.ts'
import { assertServer, isUndelivered, statusOf } from '../rules.ts'
import { SUSPEND_REASONS } from '../schema.ts'
import { liftReasons } from '../states/actions.ts'
import { assertNotEnding } from '../states/rules.ts'
import { deleteWarnings } from '../suspension-notices/queries.ts'
import { renameServer } from '../work.ts'
import type { AdminServiceChange, Cancellation, ServiceChange } from './schema.ts'

/** Locks a service of the caller's own. Throws 404. */
export async function lockOwn(tx: Tx, caller: Caller, id: string): Promise<ServiceRow> {
  const { tenantId, userId } = caller
  const service = await lockService(tx, { tenantId, id })
  if (service?.userId !== userId) throw notFound('Service')
  return service
}

/**
 * Changes what its owner may change: the name, whether it renews, and the plan from the next period on. Throws 409 for
 * a service that has ended, 404 or 422 for a plan it cannot have.
 */
export async function changeService(
  tx: Tx,
  service: ServiceRow,
  { name, autoRenew, planId }: Pick<ServiceChange, 'name' | 'autoRenew' | 'planId'>,
  now: Instant,
): Promise<void> {
  if (name === undefined && autoRenew === undefined && planId === undefined) return
  assertNotEnding(service)
  if (name !== undefined && name !== service.name) {
    assertNoLink('name', name)
    await rename(tx, service, name)
  }
  if (autoRenew !== undefined && autoRenew !== service.autoRenew) {
    // The next run computes when the next invoice is due.
    await updateService(tx, service, { autoRenew, nextInvoiceAt: now })
  }
  if (planId !== undefined) await planChange(tx, service, planId, now)
}

async function rename(tx: Tx, service: ServiceRow, name: string): Promise<void> {
  await updateService(tx, service, { name })
  const { tenantId, id: serviceId } = service
  if (service.serverId !== null) {
    await enqueue(tx, renameServer, { tenantId, serviceId }, { key: serviceId })
  }
}

/** Plans a change to another plan of the same product for the next period; null cancels it. */
async function planChange(
  tx: Tx,
  service: ServiceRow,
  planId: string | null,
  now: Instant,
): Promise<void> {
  const { tenantId, productId, currency } = service
  if (!isBilled(service) || service.interval === 'hour') {
    throw unprocessable('A plan of this kind cannot be changed.', 'plan_not_changeable')
  }
  if (service.cancelAtPeriodEnd) throw canceled()
  if (planId === null || planId === service.planId) {
    if (service.scheduledPlanId) await schedulePlan(tx, service, null, now)
    return
  }
  const plan = await findPlan(tx, { tenantId, id: planId })
  if (!plan || plan.archivedAt || plan.productId !== productId) throw notFound('Plan')
  const recurring = plan.interval !== 'one_time' && plan.interval !== 'hour'
  const { interval, intervalCount } = plan
  const beside = { terms: { interval, intervalCount, currency }, selected: selectedOf(service) }
  const [priced] = await priceSelections(tx, tenantId, [beside])
  if (!recurring || !priceIn(plan, currency) || !priced) {
    throw unprocessable('This service cannot change to that plan.', 'no_matching_plan')
  }
  await schedulePlan(tx, service, { productId, planId, options: [] }, now)
}

/**
 * Plans a change for the next period, with the options that change then, or cancels it. Units of their values are taken
 * now. A renewal that is invoiced and unpaid is invoiced again at the new price (R4.9). Throws 409 once the next period is paid, and while a period that has begun is unpaid: that one is not a
 * future renewal, and stays owed at its invoiced price.
 */
export async function schedulePlan(
  tx: Tx,
  service: ServiceRow,
  planned: { productId: string; planId: string; options: readonly ChangedOption[] } | null,
  now: Instant,
): Promise<void> {
  if (service.scheduledOptions && !service.scheduledPlanId) {
    const message = 'Its options change with the next period. Take that back first.'
    throw conflict(message, 'change_planned')
  }
  const reason = HOUSE_REASONS.nextPeriodOnAnotherPlan
  const invoicedTo = await reopenNext(tx, service, reason, now)
  await replaceScheduled(tx, service, planned?.options ?? [], now)
  await updateService(tx, service, {
    scheduledProductId: planned?.productId ?? null,
    scheduledPlanId: planned?.planId ?? null,
    ...{ invoicedTo, nextInvoiceAt: now },
  })
}

/**
 * Gives up the renewal that is invoiced and unpaid, so that it is invoiced again with the changes of the next period.
 * Returns when that period starts. Throws 409 as `schedulePlan`.
 */
export async function reopenNext(
  tx: Tx,
  service: ServiceRow,
  reason: Reason,
  now: Instant,
): Promise<Instant | null> {
  const periods = await listPeriods(tx, service)
  if (periods.some((it) => !it.paidAt && it.startsAt <= now)) {
    throw conflict('The current period of this service is not paid for.', 'period_unpaid')
  }
  const invoicedTo = await withdrawPeriods(tx, service, reason, now)
  const { currentPeriodEnd: end, freeUntil } = service
  const isPaidAhead = periods.some(
    (it) => it.paidAt && it.freePriceCents === null && end && it.startsAt >= end,
  )
  const next = end && plannedFrom({ currentPeriodEnd: end, freeUntil })
  if (isPaidAhead || invoicedTo !== next) {
    throw conflict('The next period is paid for already.', 'next_period_paid')
  }
  return invoicedTo
}

/**
 * Cancels a service: at the end of the paid time, or at once, which returns no money unless the tenant has chosen that
 * (R4.8). If the paid time is over already, both are the same. Throws 409 for a service that waits for its payment or
 * has ended, 422 for one without periods.
 */
export async function cancelService(
  tx: Tx,
  service: ServiceRow,
  { at, reason, reasonCode }: Cancellation,
  now: Instant,
): Promise<void> {
  assertCancelable(service, at)
  const why = { cancelReason: reason ?? null, cancelCode: reasonCode ?? null }
  const noPlan = { scheduledProductId: null, scheduledPlanId: null }
  await replaceScheduled(tx, service, [], now)
  if ((await endOfCanceled(tx, service, at, now)) <= now) {
    await updateService(tx, service, { ...why, ...noPlan })
    await leave(tx, service, canceling(service, at), now)
    return
  }
  const invoicedTo = await withdrawPeriods(tx, service, HOUSE_REASONS.canceled, now)
  // Metered hours are still invoiced at that end, once.
  const nextInvoiceAt = service.interval === 'hour' ? now : null
  const canceled = { invoicedTo, ...why, ...noPlan, cancelAtPeriodEnd: true, nextInvoiceAt }
  await updateService(tx, service, canceled)
}

/**
 * How a service ends that its owner cancels: its data is deleted at once only if it ends at once. What staff have not
 * delivered by hand is refunded in full.
 */
export function canceling(service: ServiceRow, at: Cancellation['at']): Ending {
  const keepsData = at === 'period_end'
  const ending = { endReason: 'canceled', reason: HOUSE_REASONS.canceled, keepsData } as const
  return isUndelivered(service)
    ? { ...ending, way: 'given_up', to: 'payment' }
    : { ...ending, way: 'canceled' }
}

/** Throws 409 or 422 for a service that cannot be canceled at this time. */
export function assertCancelable(service: ServiceRow, at: Cancellation['at']): void {
  assertNotEnding(service)
  if (statusOf(service) === 'pending') {
    const message = service.startsAt
      ? 'This service has not started yet. Withdraw from the contract to get your money back.'
      : 'This service is waiting for its payment. Without one it is canceled automatically.'
    throw conflict(message, 'service_pending')
  }
  if (at === 'period_end' && !isBilled(service) && !isUndelivered(service)) {
    throw unprocessable('This service has no period that ends. Cancel it now.', 'no_period')
  }
}

/**
 * When a cancellation ends a service: now, or with the last paid period. In the days of grace that period is over, so
 * the service ends now; so does one that staff have not delivered by hand.
 */
export async function endOfCanceled(
  tx: Tx,
  service: ServiceRow,
  at: Cancellation['at'],
  now: Instant,
): Promise<Instant> {
  if (at === 'now' || service.currentPeriodEnd === null || isUndelivered(service)) return now
  if (service.interval === 'hour') return service.currentPeriodEnd
  const paid = (await listPeriods(tx, service)).filter(({ paidAt }) => paidAt)
  const paidTo = paid.reduce((end, { endsAt }) => (endsAt > end ? endsAt : end), '')
  const end = paidTo > service.currentPeriodEnd ? (paidTo as Instant) : service.currentPeriodEnd
  return end > now ? end : now
}

/** Cancels a planned cancellation. Throws 409 if there is none. */
export async function resumeService(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  assertNotEnding(service)
  if (!service.cancelAtPeriodEnd) {
    throw conflict('This service is not canceled.', 'service_not_canceled')
  }
  const forgotten = { cancelReason: null, cancelCode: null }
  const resumed = { cancelAtPeriodEnd: false, ...forgotten, nextInvoiceAt: now }
  await updateService(tx, service, resumed)
}

/** How far ahead periods may be paid. */
const LONGEST_AHEAD_MS = 3 * 365 * DAY_MS

/**
 * Returns the invoice that renews a service: that of the oldest unpaid period or debt, else that of the next period,
 * which is created now (R4.4). Throws 409 for a service that ends or has no server, 422 for one that does not renew or
 * is paid for years ahead.
 */
export async function renewNow(tx: Tx, service: ServiceRow, now: Instant): Promise<string> {
  assertNotEnding(service)
  if (service.cancelAtPeriodEnd) throw canceled()
  const status = statusOf(service)
  if (status !== 'active' && status !== 'suspended') {
    throw conflict(`This service is ${status}.`, 'service_not_active')
  }
  const [unpaid] = await listUnpaid(tx, service)
  if (unpaid?.invoiceId && (await isPaid(tx, unpaid.tenantId, unpaid.invoiceId))) {
    return renewAfterNoting(tx, service, { ...unpaid, invoiceId: unpaid.invoiceId }, now)
  }
  if (unpaid?.invoiceId) return unpaid.invoiceId
  if (!isBilled(service) || service.interval === 'hour') {
    throw unprocessable('A plan of this kind is not renewed.', 'plan_not_renewable')
  }
  const { leads } = await tenantTermsOf(tx, service.tenantId)
  const { tenantId, scheduledPlanId } = service
  const planned = scheduledPlanId ? await findPlan(tx, { tenantId, id: scheduledPlanId }) : null
  const next = nextOf(service, planned ?? null, leads)
  if (!next || isPlannedInvoiced(service)) {
    throw conflict(
      'Its plan or options change with the period that is paid. The next one can be paid once that has begun.',
      'change_planned',
    )
  }
  const { plan, period } = next
  if (period.start > later(now, LONGEST_AHEAD_MS)) {
    throw unprocessable('This service is paid for years ahead.', 'paid_ahead')
  }
  const dueAt = period.start > now ? period.start : now
  const [outcome] = await billPeriods(tx, tenantId, [{ service, plan, period, dueAt }], now)
  if (outcome && 'failure' in outcome) throw outcome.failure
  if (!outcome || 'known' in outcome) {
    throw conflict('The next period has just been invoiced.', 'renewal_exists')
  }
  const invoiced = { invoicedTo: period.end, renewalFailure: null, setupFeeCents: cents(0) }
  const components = withoutFees(service.components)
  await updateService(tx, service, { ...invoiced, components, nextInvoiceAt: now })
  return outcome.invoice.id
}

async function isPaid(tx: Tx, tenantId: string, invoiceId: string): Promise<boolean> {
  return (await findInvoice(tx, { tenantId, invoiceId }))?.status === 'paid'
}

/** Records the payment of a period whose job has not run yet, and then renews the service. */
async function renewAfterNoting(
  tx: Tx,
  service: ServiceRow,
  { tenantId, id, invoiceId }: { tenantId: string; id: string; invoiceId: string },
  now: Instant,
): Promise<string> {
  await settlePeriods(tx, { tenantId, invoiceId }, now)
  const [left] = await listUnpaid(tx, service)
  const after = await lockService(tx, service)
  if (!after || left?.id === id) {
    throw conflict('A payment of this renewal is being noted. Try again.', 'payment_in_progress')
  }
  return renewNow(tx, after, now)
}

/**
 * Makes the changes of an administrator: those that its owner can make; the price from a day on, of which the owner is
 * told 30 days ahead (R4.10); and the location once they have moved its server. Throws 400 for a price without a day
 * and for a location that does not exist, 422 for too short a notice.
 */
export async function changeAsAdmin(
  tx: Tx,
  service: ServiceRow,
  { priceCents, effectiveFrom, cancelAtPeriodEnd, locationId, ...change }: AdminServiceChange,
  now: Instant,
): Promise<void> {
  if ((priceCents === undefined) !== (effectiveFrom === undefined)) {
    const path = priceCents === undefined ? 'priceCents' : 'effectiveFrom'
    throw badRequest('A new price needs the day it counts from.', [{ path, message: 'is missing' }])
  }
  await changeService(tx, service, change, now)
  if (locationId !== undefined) await moveService(tx, service, locationId)
  if (cancelAtPeriodEnd === true && !service.cancelAtPeriodEnd) {
    await cancelService(tx, service, { at: 'period_end' }, now)
  }
  if (cancelAtPeriodEnd === false && service.cancelAtPeriodEnd) {
    await resumeService(tx, service, now)
  }
  if (priceCents === undefined || effectiveFrom === undefined) return
  assertNotEnding(service)
  assertPriceNotice(effectiveFrom, now)
  assertCoversComponents(service, priceCents)
  const { tenantId, id: serviceId, userId, name, currency, delivery } = service
  await upsertPriceChange(tx, { tenantId, serviceId, effectiveFrom, priceCents, createdAt: now })
  const data = { name, amountCents: priceCents, currency, effectiveFrom, delivery }
  const link = `/servers/${serviceId}`
  await notify(tx, { tenantId, userId, kind: 'price_change', data, link }, now)
}

/** Throws 400 for a price that is less than that of the service's components, which it includes. */
function assertCoversComponents({ components }: ServiceRow, priceCents: Cents): void {
  const beside = sumOfComponents(components)
  if (priceCents >= beside.priceCents) return
  const message = `must be at least ${beside.priceCents}, which is charged beside the plan`
  throw badRequest('The price is less than what is charged beside the plan.', [
    { path: 'priceCents', message },
  ])
}

/** Records the new location of a service's server, which staff have moved. Throws 400, 409. */
async function moveService(tx: Tx, service: ServiceRow, locationId: string | null): Promise<void> {
  assertServer(service)
  const { tenantId } = service
  const location = locationId === null ? null : await findLocation(tx, { tenantId, id: locationId })
  if (location === undefined) {
    const details = [{ path: 'locationId', message: 'does not exist' }]
    throw badRequest('locationId does not exist.', details)
  }
  // Its price stays: the customer did not ask for the move.
  const components = service.components.map((it) =>
    location && it.kind === 'location'
      ? { ...it, sourceId: location.id, label: location.name }
      : it,
  )
  await updateService(tx, service, { locationId, components })
}

/** How a service ends that staff terminate. */
export function terminating(
  endReason: 'terminated' | 'fraud' | 'refunded' = 'terminated',
  keepsData = false,
): Ending {
  return { way: 'terminated', endReason, reason: HOUSE_REASONS.terminated, keepsData }
}

/**
 * Resumes a suspended server for an administrator, whatever the reason was. What is unpaid becomes due again now, so
 * that it is not suspended again at once. Throws 409 if it is not suspended.
 */
export async function unsuspend(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  assertNotEnding(service)
  if (service.suspendReasons.length === 0) {
    throw conflict('This service is not suspended.', 'service_not_suspended')
  }
  for (const period of await listUnpaid(tx, service)) {
    if (period.dueAt > now) continue
    const anew = { charges: 0, charged: 0, reminders: 0 }
    await updatePeriod(tx, period, { ...anew, dueAt: now, dunningAt: now })
    await deleteWarnings(tx, period)
  }
  await liftReasons(tx, service, SUSPEND_REASONS, now)
}

function canceled(): Problem {
  const message = 'This service ends with its period. Resume it first.'
  return conflict(message, 'service_canceled')
}
