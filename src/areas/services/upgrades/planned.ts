import { HOUSE_REASONS, voidInvoice } from '#billing'
import { newId } from '#lib/id.ts'
import { sameCycle } from '#lib/periods.ts'
import { conflict } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { findPlan } from '#store'
import { changesBetween, withoutFees, withValues } from '../components/rules.ts'
import { serviceUpgraded } from '../events.ts'
import { lockService, type ServiceKey, type ServiceRow, updateService } from '../queries.ts'
import {
  deletePriceChanges,
  findPeriodAt,
  type PeriodRow,
  updatePeriod,
} from '../renewals/queries.ts'
import { cancelUpgrade, startUpgrade } from './payment.ts'
import { findOpenUpgrade, hasPlannedFailed, insertUpgrade } from './queries.ts'

/**
 * The period that a change was planned for has begun and is paid: the service is on its new plan, and another product
 * is made on the panel. A change that was paid meanwhile goes first.
 */
export async function startPlannedChange(
  tx: Tx,
  service: ServiceRow,
  period: PeriodRow,
  now: Instant,
): Promise<void> {
  const { tenantId, id: serviceId } = service
  const { productId, planId, priceCents, valueCents } = period
  const components = withoutFees(period.components)
  const plan = await findPlan(tx, { tenantId, id: planId })
  if (plan && !sameCycle(plan, service)) {
    const { interval, intervalCount } = plan
    await updateService(tx, service, { interval, intervalCount, anchorAt: period.startsAt })
  }
  const planned = { scheduledProductId: null, scheduledPlanId: null, nextInvoiceAt: now }
  const { scheduledOptions, components: componentsBefore } = service
  if (productId === service.productId && !scheduledOptions) {
    await deletePriceChanges(tx, service)
    await updateService(tx, service, { ...planned, planId, priceCents, components })
    const { userId, orderId } = service
    await emit(tx, serviceUpgraded, { tenantId, serviceId, userId, orderId })
    return
  }
  if (!(await makeWay(tx, service, now))) return
  await updateService(tx, service, { ...planned, scheduledOptions: null })
  // Units of values were taken under this id when the change was planned.
  const id = scheduledOptions?.id ?? newId()
  const row = { tenantId, id, serviceId, productId, planId, priceCents, valueCents }
  await insertUpgrade(tx, { ...row, createdAt: now, parts: [], components, componentsBefore })
  await startUpgrade(tx, row, now)
}

/**
 * Throws 409 if a change that was planned for this service failed within a year. The period that it was planned for
 * was paid at the lower price all the same, so only staff plan another one (decision 226).
 */
export async function assertMayPlan(db: Db, service: ServiceRow, now: Instant): Promise<void> {
  if (!(await hasPlannedFailed(db, service, later(now, -365 * DAY_MS)))) return
  throw conflict(
    'The last change that was planned for this service could not be made. Ask the shop to plan this one.',
    'planned_change_failed',
  )
}

/** Gives up a change that is not paid; returns false while a paid one is under way. */
async function makeWay(tx: Tx, { tenantId, id }: ServiceKey, now: Instant): Promise<boolean> {
  const open = await findOpenUpgrade(tx, tenantId, id)
  if (open?.paidAt) return false
  if (!open) return true
  await cancelUpgrade(tx, open, now)
  const { invoiceId } = open
  if (invoiceId) await voidInvoice(tx, { tenantId, invoiceId }, HOUSE_REASONS.anotherChange, now)
  return true
}

/**
 * The period with which options were to be given up or lowered has begun and is paid: the server is changed. A change
 * that was paid meanwhile goes first.
 */
export async function startPlannedOptions(
  tx: Tx,
  service: ServiceRow,
  { priceCents, valueCents, components }: PeriodRow,
  now: Instant,
): Promise<void> {
  const { tenantId, id: serviceId, productId, planId, scheduledOptions } = service
  if (!scheduledOptions || !(await makeWay(tx, service, now))) return
  await updateService(tx, service, { scheduledOptions: null, nextInvoiceAt: now })
  const row = {
    tenantId,
    id: scheduledOptions.id,
    serviceId,
    productId,
    planId,
    priceCents,
    valueCents,
  }
  await insertUpgrade(tx, {
    ...{ ...row, kind: 'options', createdAt: now, parts: [] },
    ...{ components: withoutFees(components), componentsBefore: service.components },
  })
  await startUpgrade(tx, row, now)
}

/** After a change is done or given up: starts what was planned for the current period and waited for it. */
export async function resumePlanned(tx: Tx, key: ServiceKey, now: Instant): Promise<void> {
  const service = await lockService(tx, key)
  const { scheduledPlanId, scheduledOptions, currentPeriodStart } = service ?? {}
  if (!service || service.endedAt || !currentPeriodStart) return
  if (!scheduledPlanId && !scheduledOptions) return
  const period = await findPeriodAt(tx, key, currentPeriodStart)
  if (!period?.paidAt) return
  if (scheduledPlanId === period.planId && period.planId !== service.planId) {
    return startPlannedChange(tx, service, period, now)
  }
  if (scheduledPlanId) return
  const planned = new Set(scheduledOptions?.options.map((it) => it.key))
  const changes = changesBetween(service.components, period.components)
  if (changes.some((it) => planned.has(it.key))) await startPlannedOptions(tx, service, period, now)
}

/**
 * Options that were to change with the current period could not be changed, so the service keeps what it has. This is
 * stored in its period, or the next schedule would be taken for one to be made in this period.
 */
export async function keepOptions(tx: Tx, service: ServiceRow): Promise<void> {
  if (!service.currentPeriodStart) return
  const period = await findPeriodAt(tx, service, service.currentPeriodStart)
  if (!period) return
  const values = Object.fromEntries(period.components.map((it) => [it.key, it.valueCents]))
  await updatePeriod(tx, period, { components: withValues(service.components, values) })
}
