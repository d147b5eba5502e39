import { newId } from '#lib/id.ts'
import type { Cents } from '#lib/money.ts'
import { anchorOf, type Cycle, type Interval, periodOf, recurs } from '#lib/periods.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { serviceEnded } from './events.ts'
import { queueProvisioning } from './provisioning/actions.ts'
import {
  insertServices,
  lockServicesOfOrder,
  type ServiceKey,
  type ServiceRow,
  updateService,
} from './queries.ts'
import { assertMayBecome, mayBecome } from './rules.ts'

/** One service to be made of an order: what it is, and what it costs from now on. */
export type NewService = {
  /** Made by the caller, so that an invoice line can name it. */
  id: string
  orderItemId: string
  productId: string
  planId: string
  name: string
  environment: Record<string, string>
  /** The price of a period from now on, in cents of `currency`. */
  priceCents: Cents
  /** What the first period costs after discounts: the value an upgrade gives back (R4.9). */
  valueCents: Cents
  currency: string
  interval: Interval
  intervalCount: number
  trialDays: number
}

type Order = { tenantId: string; userId: string; orderId: string; invoiceId: string }

/** Writes the pending services of an order, in the transaction of the checkout. */
export async function createServices(
  tx: Tx,
  order: Order,
  services: readonly NewService[],
  now: Instant,
): Promise<void> {
  const rows = services.map((service) => ({
    ...order,
    ...service,
    externalId: `svc-${newId()}`,
    createdAt: now,
  }))
  await insertServices(tx, rows)
}

/**
 * Starts the pending services of an order whose invoice was paid at `paidAt`: their periods begin,
 * and each gets its server. Services that are not pending any more stay as they are.
 */
export async function startServices(
  tx: Tx,
  { tenantId, orderId, paidAt }: { tenantId: string; orderId: string; paidAt: Instant },
  now: Instant,
): Promise<void> {
  for (const service of await lockServicesOfOrder(tx, tenantId, orderId)) {
    if (service.paidAt || !mayBecome(service, 'provisioning')) continue
    await updateService(tx, service, { paidAt, ...firstPeriodOf(service, paidAt) })
    await queueProvisioning(tx, service, now)
  }
}

/** The first period: from the payment, or the trial that comes before it (R4.1, R4.3). */
function firstPeriodOf(service: Cycle & Pick<ServiceRow, 'trialDays'>, paidAt: Instant) {
  if (!recurs(service)) return {}
  const anchorAt = anchorOf(paidAt, service.trialDays)
  if (service.trialDays > 0) {
    const start = anchorOf(paidAt)
    return { anchorAt, currentPeriodStart: start, currentPeriodEnd: anchorAt }
  }
  const { start, end } = periodOf(anchorAt, service, 0)
  return { anchorAt, currentPeriodStart: start, currentPeriodEnd: end }
}

/** Ends the services of an order that were never started: its invoice was not paid, or too late. */
export async function endPendingServices(
  tx: Tx,
  {
    tenantId,
    orderId,
    reason,
  }: { tenantId: string; orderId: string; reason: NonNullable<ServiceRow['endReason']> },
  now: Instant,
): Promise<void> {
  for (const service of await lockServicesOfOrder(tx, tenantId, orderId)) {
    if (!service.paidAt && !service.endedAt) await endService(tx, service, reason, now)
  }
}

/** Ends a service here. Its server, if it has one, has been deleted before. Throws 409. */
export async function endService(
  tx: Tx,
  service: ServiceKey & ServiceRow,
  reason: NonNullable<ServiceRow['endReason']>,
  now: Instant,
): Promise<void> {
  assertMayBecome(service, 'ended')
  await updateService(tx, service, { endedAt: now, endReason: reason })
  const { tenantId, id, userId, orderId } = service
  await emit(tx, serviceEnded, { tenantId, serviceId: id, userId, orderId })
}
