import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { anchorOf, type Cycle, periodOf, recurs } from '#lib/periods.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { type ServiceRow, updateService } from './queries.ts'
import { recordRecurringRevenue } from './recurring/actions.ts'
import { insertPeriod } from './renewals/queries.ts'

/** Begins the first period of a paid service at a given time, and returns the service with it. */
export async function beginFirstPeriod(
  tx: Tx,
  service: ServiceRow,
  at: Instant,
  now: Instant,
): Promise<ServiceRow> {
  const period = firstPeriodOf(service, at)
  const started = { ...service, ...period }
  if (period) {
    await updateService(tx, service, period)
    await notePeriod(tx, service, period, now)
  }
  await recordRecurringRevenue(tx, started, service.invoiceId, now)
  return started
}

type FirstPeriod = {
  anchorAt: Instant
  currentPeriodStart: Instant
  currentPeriodEnd: Instant
  invoicedTo: Instant
  nextInvoiceAt: Instant
}

/**
 * The first period: from its start, or the trial before it (R4.1, R4.3). Metered hours are invoiced
 * afterwards. The next run computes when the next invoice is due.
 */
function firstPeriodOf(
  service: Cycle & Pick<ServiceRow, 'trialDays'>,
  at: Instant,
): FirstPeriod | null {
  if (!recurs(service)) return null
  const anchorAt = anchorOf(at, service.trialDays)
  const { start, end } =
    service.trialDays > 0 ? { start: anchorOf(at), end: anchorAt } : periodOf(anchorAt, service, 0)
  const invoicedTo = service.interval === 'hour' ? start : end
  const current = { currentPeriodStart: start, currentPeriodEnd: end }
  return { anchorAt, ...current, invoicedTo, nextInvoiceAt: at }
}

/** Stores the period that the order paid for; a trial is one without an invoice. */
async function notePeriod(
  tx: Tx,
  service: ServiceRow,
  { currentPeriodStart: startsAt, currentPeriodEnd: endsAt }: FirstPeriod,
  now: Instant,
): Promise<void> {
  const { tenantId, id: serviceId, productId, planId, trialDays } = service
  if (service.interval === 'hour') return
  const invoiceId = trialDays > 0 ? null : service.invoiceId
  const { priceCents, valueCents, components } = trialDays > 0 ? FREE : service
  const row = { tenantId, id: newId(), serviceId, productId, planId, invoiceId }
  const times = { startsAt, endsAt, dueAt: startsAt, createdAt: now, paidAt: now, dunningAt: null }
  await insertPeriod(tx, { ...row, ...times, priceCents, valueCents, components })
}

const FREE = { priceCents: cents(0), valueCents: cents(0), components: [] }
