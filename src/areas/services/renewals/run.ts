import { cents } from '#lib/money.ts'
import { boundary } from '#lib/periods.ts'
import { Problem } from '#lib/problem.ts'
import { HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { Failure } from '#notifications'
import type { Db, Tx } from '#platform/database/index.ts'
import { findPlans } from '#store'
import { withoutFees } from '../components/rules.ts'
import { lockService, type ServiceKey, type ServiceRow } from '../queries.ts'
import { billPeriods, type Outcome } from './billing.ts'
import { notifyOfEnds, notifyOfFailures, notifyOfInvoices, type RenewalFailure } from './notices.ts'
import { lockServiceToInvoice, type RenewalChange, updateRenewals } from './queries.ts'
import type { ToBill } from './sale.ts'
import { tenantTermsOf } from './tenant-terms.ts'
import { type NextPeriod, nextOf } from './terms.ts'

/** What could not be invoiced, for example because a tax rate is missing, is tried again after this time. */
const RETRY_MS = 6 * HOUR_MS
/** The message for a failure that has no rule; the details are in the log. */
const UNEXPECTED: Failure = {
  code: 'unexpected',
  detail: 'Its invoice could not be written. The log says why.',
}

/** Records that a service could not be renewed for an unexpected reason; it is tried again later. */
export async function recordUnexpectedFailure(
  tx: Tx,
  key: ServiceKey,
  now: Instant,
): Promise<void> {
  const service = await lockServiceToInvoice(tx, key, now)
  if (!service) return
  await updateRenewals(tx, [failed(service, UNEXPECTED, now)])
  await notifyOfFailures(tx, key.tenantId, [{ service, failure: UNEXPECTED }], now)
}

/** A service that is due, with the period to invoice; without one if none is due after all. */
type Due = { service: ServiceRow; next: NextPeriod | undefined }

/** A service whose last hours are invoiced, and the end of these hours: it is to end then. */
export type UsedUp = { readonly service: ServiceRow; readonly at: Instant }

/**
 * Invoices the oldest due period of each of some locked services of a tenant, and stores when their next one is due
 * (R4.4, R4.5). Returns those that are to end with it.
 */
export async function renewServices(
  tx: Tx,
  tenantId: string,
  services: readonly ServiceRow[],
  now: Instant,
): Promise<readonly UsedUp[]> {
  const nextOfService = await nextPeriodsFor(tx, tenantId, services)
  const due = services.map((service): Due => ({ service, next: nextOfService(service) }))
  const ending = due.filter((it) => isTime(it, now) && !isRenewed(it))
  const toBill = due
    .filter((it) => isTime(it, now) && isRenewed(it))
    .flatMap(({ service, next }) => {
      if (!next) return []
      const { plan, period } = next
      return { service, plan, period, next, dueAt: period.start > now ? period.start : now }
    })
  const outcomes = await billPeriods(tx, tenantId, toBill, now)
  const billed = toBill.map((it, index) => ({ ...it, outcome: outcomes[index] }))
  const waiting = due.filter((it) => !isTime(it, now))
  await updateRenewals(tx, [
    ...waiting.map(({ service, next }) =>
      changed(service, { nextInvoiceAt: next?.invoiceAt ?? null }),
    ),
    ...ending.map(({ service }) => changed(service, { nextInvoiceAt: null })),
    ...billed.map((it) => changeAfter(it, nextOfService, now)),
  ])
  await notifyOfEnds(
    tx,
    tenantId,
    ending.map(({ service }) => service),
    now,
  )
  await notifyOfFailures(tx, tenantId, billed.flatMap(failureOf), now)
  const made = billed.flatMap(({ service, period, outcome }) =>
    outcome && 'invoice' in outcome ? { service, period, invoice: outcome.invoice } : [],
  )
  await notifyOfInvoices(tx, tenantId, made, now)
  return billed
    .filter(({ outcome, service }) => isDone(outcome) && isLastHour(service))
    .map(({ service, period }) => ({ service, at: period.end }))
}

/** Reads what decides on the next periods of services, and returns the next one of each. */
export async function nextPeriodsFor(
  db: Db,
  tenantId: string,
  services: readonly ServiceRow[],
): Promise<(service: ServiceRow) => NextPeriod | undefined> {
  const { leads } = await tenantTermsOf(db, tenantId)
  const ids = new Set(services.flatMap(({ scheduledPlanId }) => scheduledPlanId ?? []))
  const found = ids.size > 0 ? await findPlans(db, tenantId, [...ids]) : []
  const plans = new Map(found.map((it) => [it.id, it]))
  return (service) => nextOf(service, plans.get(service.scheduledPlanId ?? '') ?? null, leads)
}

function isTime({ next }: Due, now: Instant): boolean {
  return next !== undefined && next.invoiceAt !== null && next.invoiceAt <= now
}

/** Whether a service is renewed. Hours that were used are invoiced even if its owner wants no renewal. */
function isRenewed({ service, next }: Due): boolean {
  return service.autoRenew || next?.plan.cycle.interval === 'hour'
}

function isLastHour(service: ServiceRow): boolean {
  const { interval, cancelAtPeriodEnd, autoRenew, endWantedAt } = service
  return interval === 'hour' && !endWantedAt && (cancelAtPeriodEnd || !autoRenew)
}

/**
 * Invoices the metered hours that a locked service has used and that are not invoiced yet, as it ends. What cannot be
 * invoiced now, for example because a tax rate is missing, is left to the next runs.
 */
export async function invoiceLastHours(tx: Tx, key: ServiceKey, now: Instant): Promise<void> {
  for (let due = true; due; ) {
    const service = await lockService(tx, key)
    if (!service) return
    await renewServices(tx, key.tenantId, [{ ...service, nextInvoiceAt: now }], now)
    const after = await lockService(tx, key)
    due = after?.nextInvoiceAt != null && after.nextInvoiceAt <= now
  }
}

type Billed = ToBill & { next: NextPeriod; outcome: Outcome | undefined }

function isDone(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && !('failure' in outcome)
}

/** What changes about a service whose period was invoiced, or could not be. */
function changeAfter(
  { service, period, next, outcome }: Billed,
  nextOfService: (service: ServiceRow) => NextPeriod | undefined,
  now: Instant,
): RenewalChange {
  if (!outcome) return changed(service, {})
  if ('failure' in outcome) return failed(service, reasonOf(outcome.failure), now)
  const { anchor, cycle } = next.plan
  const after = {
    ...{ ...service, invoicedTo: period.end, renewalFailure: null },
    ...('invoice' in outcome && {
      setupFeeCents: cents(0),
      components: withoutFees(service.components),
    }),
    ...(cycle.interval === 'hour' &&
      !service.endWantedAt && {
        currentPeriodStart: period.end,
        currentPeriodEnd: boundary(anchor, cycle, next.number + 2),
      }),
  }
  return changed(after, { nextInvoiceAt: nextOfService(after)?.invoiceAt ?? null })
}

function failed(service: ServiceRow, { detail }: Failure, now: Instant): RenewalChange {
  return changed(service, { renewalFailure: detail, nextInvoiceAt: later(now, RETRY_MS) })
}

function failureOf({ service, outcome }: Billed): RenewalFailure[] {
  if (!outcome || !('failure' in outcome)) return []
  return [{ service, failure: reasonOf(outcome.failure) }]
}

function reasonOf(failure: unknown): Failure {
  if (!(failure instanceof Problem)) return UNEXPECTED
  return { code: failure.code ?? 'refused', detail: failure.message }
}

function changed(
  service: ServiceRow,
  change: Partial<Omit<RenewalChange, 'tenantId' | 'id'>>,
): RenewalChange {
  const { tenantId, id, currentPeriodStart, currentPeriodEnd, invoicedTo } = service
  const { nextInvoiceAt, renewalFailure, setupFeeCents, components } = service
  return {
    ...{ tenantId, id, currentPeriodStart, currentPeriodEnd, invoicedTo },
    ...{ nextInvoiceAt, renewalFailure, setupFeeCents, components, ...change },
  }
}
