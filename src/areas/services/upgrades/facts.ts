import { hasOpenDispute, type LineTexts, lineTextsFor } from '#billing'
import type { Cents } from '#lib/money.ts'
import { type Period, recurs } from '#lib/periods.ts'
import { conflict, type Problem, unprocessable } from '#lib/problem.ts'
import { dayOf, type Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import type { Component, ProductRow } from '#store'
import { settingsOf } from '#tenants'
import { type Costs, costsOf, type SoldTax } from '../held/costs.ts'
import { paidLinesOf } from '../held/paid-lines.ts'
import { heldValue, keptOf, type PaidLine, wasRefunded } from '../held/rules.ts'
import type { ServiceRow } from '../queries.ts'
import { listPeriods, listUnpaid, type PeriodRow, startsWithCoupon } from '../renewals/queries.ts'
import { assertActive } from '../rules.ts'
import { serviceSettings } from '../settings.ts'
import { listMadeChanges, type MadeChange } from './queries.ts'
import type { ProrationMode } from './rules.ts'

/** Throws 409 or 422 for a service that cannot be changed now. */
export async function assertChangeable(db: Db, service: ServiceRow, now: Instant): Promise<void> {
  assertActive(service)
  assertProratable(service)
  // Money that a bank took back is owed for the time that would be credited, even if that does not
  // suspend the service.
  if ((await listUnpaid(db, service)).some(({ dueAt }) => dueAt <= now)) throw unpaid()
}

/** What every change of a service depends on, whatever it changes to. */
export type Facts = {
  service: ServiceRow
  since: Instant
  current: ProductRow
  period: Period
  /** The row of that period; undefined if it was not sold by this shop. */
  running: PeriodRow | undefined
  mode: ProrationMode
  immediateCredit: boolean
  /** The most that is credited for the period; null when nothing of it was refunded. */
  heldCents: Cents | null
  /** What was paid for it, line by line. */
  held: readonly PaidLine[]
  /** The later periods that are paid, and what each cost and was not refunded. */
  later: {
    period: PeriodRow
    creditCents: Cents
    tax: SoldTax | null
    held: readonly PaidLine[] | null
  }[]
  /** The changes of the service that were made, oldest first. */
  changes: readonly MadeChange[]
  /** The starts of the periods that coupons count. */
  counted: readonly Instant[]
  texts: LineTexts
  /** How the period that is running was taxed on its invoice. */
  oldTax: SoldTax | null
}

export async function factsOf(
  db: Db,
  service: ServiceRow,
  current: ProductRow,
  since: Instant,
): Promise<Facts> {
  const { prorationMode: mode, immediateCredit } = await settingsOf(
    db,
    service.tenantId,
    serviceSettings,
  )
  const period = paidPeriodOf(service, since)
  const periods = await listPeriods(db, service)
  const paid = periods.filter((it) => it.paidAt && it.startsAt >= period.start)
  const changes = await listMadeChanges(db, service)
  const costs = await costsOf(db, service, [...paid, ...changes, service])
  const lines = paidLinesOf(paid, changes, costs)
  const running = paid.find(({ startsAt }) => startsAt === period.start)
  const held: readonly PaidLine[] = (running && lines.get(running.id)) ?? []
  const later = paid.flatMap((it) => {
    if (it.startsAt < period.end) return []
    const own = lines.get(it.id)
    const tax = soldTaxOf(costs, it.invoiceId)
    const creditCents = own ? keptOf(own) : it.valueCents
    return { period: it, creditCents, tax, held: own ?? null }
  })
  return {
    ...{ service, since, current, period, running, mode, immediateCredit, later, held, changes },
    heldCents: wasRefunded(held) ? heldValue(held, since) : null,
    counted: await startsWithCoupon(db, service),
    texts: await lineTextsFor(db, service),
    oldTax: soldTaxOf(costs, running?.invoiceId ?? service.invoiceId),
  }
}

/** What a service has beside its plan, or had earlier in the period that is running. */
export function hadInPeriod({ service, period, changes }: Facts): Component[] {
  const earlier = changes.filter(({ appliedAt }) => appliedAt !== null && appliedAt >= period.start)
  return [...service.components, ...earlier.flatMap((it) => it.componentsBefore ?? [])]
}

/** How an invoice taxed the service. */
function soldTaxOf({ invoiceOf, ofInvoice }: Costs, invoiceId: string | null): SoldTax | null {
  const invoice = invoiceOf(invoiceId)
  return (invoice && ofInvoice(invoice)[0]?.tax) ?? null
}

/**
 * Throws 409 while a bank disputes a payment: such money cannot be given back before the bank has
 * decided.
 */
export async function assertNotDisputed(db: Db, { tenantId, userId }: ServiceRow): Promise<void> {
  if (!(await hasOpenDispute(db, { tenantId, userId }))) return
  const message = 'A bank is asking about a payment. Wait until it has decided.'
  throw conflict(message, 'invoice_disputed')
}

function assertProratable(service: ServiceRow): void {
  if (!recurs(service) || service.interval === 'hour') {
    throw unprocessable('A plan of this kind cannot be changed.', 'plan_not_upgradable')
  }
  if (service.cancelAtPeriodEnd) {
    throw conflict('This service ends with its period. Resume it first.', 'service_canceled')
  }
}

/** The period that is running and paid for. */
function paidPeriodOf(service: ServiceRow, now: Instant): Period {
  const { currentPeriodStart: start, currentPeriodEnd: end, anchorAt, trialDays } = service
  if (!start || !end) throw unprocessable('This service has no period.', 'plan_not_upgradable')
  if (anchorAt && start < anchorAt) {
    const message =
      trialDays > 0
        ? 'A trial cannot be changed.'
        : `This service was taken over; it can be changed from ${dayOf(end)} on, when it first renews.`
    throw unprocessable(message, 'plan_not_upgradable')
  }
  if (now < start || now >= end) {
    throw unpaid()
  }
  return { start, end }
}

function unpaid(): Problem {
  return conflict('The current period of this service is not paid for.', 'period_unpaid')
}
