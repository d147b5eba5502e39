import { HOUSE_REASONS, voidInvoice } from '#billing'
import { newId } from '#lib/id.ts'
import { sameCycle } from '#lib/periods.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { findPlan } from '#store'
import { serviceUpgraded } from '../events.ts'
import { type ServiceRow, updateService } from '../queries.ts'
import { deletePriceChanges, type PeriodRow } from '../renewals/queries.ts'
import { cancelUpgrade, startUpgrade } from './actions.ts'
import { findOpenUpgrade, insertUpgrade } from './queries.ts'

/**
 * The period from which on a change was planned has begun and is paid: the service is on its new
 * plan, and another product is made on the panel. A change that was paid meanwhile goes first.
 */
export async function startPlannedChange(
  tx: Tx,
  service: ServiceRow,
  period: PeriodRow,
  now: Instant,
): Promise<void> {
  const { tenantId, id: serviceId } = service
  const { productId, planId, priceCents, valueCents } = period
  const plan = await findPlan(tx, { tenantId, id: planId })
  if (plan && !sameCycle(plan, service)) {
    const { interval, intervalCount } = plan
    await updateService(tx, service, { interval, intervalCount, anchorAt: period.startsAt })
  }
  const planned = { scheduledProductId: null, scheduledPlanId: null, nextInvoiceAt: now }
  if (productId === service.productId) {
    await deletePriceChanges(tx, service)
    await updateService(tx, service, { ...planned, planId, priceCents })
    const { userId, orderId } = service
    await emit(tx, serviceUpgraded, { tenantId, serviceId, userId, orderId })
    return
  }
  await updateService(tx, service, planned)
  const open = await findOpenUpgrade(tx, tenantId, serviceId)
  if (open?.paidAt) return
  if (open) {
    await cancelUpgrade(tx, open, now)
    const { invoiceId } = open
    if (invoiceId) await voidInvoice(tx, { tenantId, invoiceId }, HOUSE_REASONS.anotherChange, now)
  }
  const row = { tenantId, id: newId(), serviceId, productId, planId, priceCents, valueCents }
  await insertUpgrade(tx, { ...row, createdAt: now, parts: [] })
  await startUpgrade(tx, row, now)
}
