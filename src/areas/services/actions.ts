import { newId } from '#lib/id.ts'
import type { Cents } from '#lib/money.ts'
import type { Interval } from '#lib/periods.ts'
import type { Instant } from '#lib/time.ts'
import { releaseRoom } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { returnValues } from '#store'
import { activateService } from './activation.ts'
import type { KeptComponent } from './components/rules.ts'
import { replaceScheduled } from './components/schedule.ts'
import { createSystemRequest } from './deliveries/asking.ts'
import { serviceEnded } from './events.ts'
import { beginFirstPeriod } from './first-period.ts'
import { queueProvisioning } from './provisioning/actions.ts'
import {
  insertServices,
  lockServicesOfOrder,
  lockServicesToStart,
  type ServiceKey,
  type ServiceRow,
  updateService,
} from './queries.ts'
import { recordRecurringRevenue } from './recurring/actions.ts'
import type { KeptCoupon } from './renewals/terms.ts'
import { assertMayBecome, mayBecome } from './rules.ts'
import { requestDelivery } from './tasks/asking.ts'
import { deleteDetails } from './tasks/queries.ts'

/** One service to be created for an order: what it is, and what it costs from now on. */
export type NewService = {
  /** Created by the caller, so that an invoice line can refer to it. */
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
  /** The price of an hour, for a plan that is metered; null for all others. */
  priceMicros: number | null
  /** The setup fee that is still to be charged, with the first paid period (R4.3). */
  setupFeeCents: Cents
  /** The location of its server; null leaves it to the product. */
  locationId: string | null
  /** Its components, if any; `priceCents` and `valueCents` of the service include them. */
  components?: readonly KeptComponent[]
  /** The coupons of the order, with their current terms (R1.9). */
  coupons: readonly KeptCoupon[]
}

type Order = {
  tenantId: string
  userId: string
  orderId: string
  invoiceId: string
  /** Whether it begins before the time to withdraw is over (R4.8). */
  immediateStart: boolean
}

/** Stores the pending services of an order, in the transaction of the checkout. */
export async function createServices(
  tx: Tx,
  order: Order,
  services: readonly NewService[],
  now: Instant,
): Promise<void> {
  const rows = services.map((service) => ({
    ...order,
    ...service,
    components: [...(service.components ?? [])],
    externalId: `svc-${newId()}`,
    createdAt: now,
  }))
  await insertServices(tx, rows)
}

type Paid = {
  readonly tenantId: string
  readonly orderId: string
  readonly paidAt: Instant
  /** When the services begin at the earliest; null begins with the payment. */
  readonly startsAt: Instant | null
}

/**
 * Starts the pending services of an order whose invoice was paid at `paidAt`: their periods begin, and each is
 * delivered. Before `startsAt` they stay pending, and `startWaiting` starts them then. Services that are no longer
 * pending stay as they are.
 */
export async function startServices(
  tx: Tx,
  { tenantId, orderId, paidAt, startsAt }: Paid,
  now: Instant,
): Promise<void> {
  for (const service of await lockServicesOfOrder(tx, tenantId, orderId)) {
    if (service.paidAt || !mayBecome(service, 'provisioning')) continue
    if (startsAt && startsAt > now) await updateService(tx, service, { startsAt })
    else await startService(tx, service, startsAt ? now : paidAt, now)
  }
}

/**
 * Starts services that waited until the time to withdraw was over, and ends those whose money was given back meanwhile
 * (R4.8). Their periods begin now. Returns how many there were.
 */
export async function startWaiting(tx: Tx, now: Instant, limit: number): Promise<number> {
  const due = await lockServicesToStart(tx, now, limit)
  for (const { isRefunded, ...service } of due) {
    if (isRefunded) await endService(tx, service, 'refunded', now)
    else await startService(tx, service, now, now)
  }
  return due.length
}

/**
 * Delivers a pending service: its server is set up, staff or a system are asked, or it is active at once. Its first
 * period begins, unless it is to begin with the delivery.
 */
async function startService(
  tx: Tx,
  service: ServiceRow,
  paidAt: Instant,
  now: Instant,
): Promise<void> {
  await updateService(tx, service, { paidAt })
  const paid = { ...service, paidAt }
  const started =
    service.periodStarts === 'payment' ? await beginFirstPeriod(tx, paid, paidAt, now) : paid
  if (service.delivery === 'none') await activateService(tx, started, null, now)
  else if (service.delivery === 'manual') await requestDelivery(tx, started, now)
  else if (service.delivery === 'webhook')
    await createSystemRequest(tx, started, { action: 'create' }, now)
  else await queueProvisioning(tx, service, now)
}

/** The unpaid services of an order, locked. They must be locked before the invoice of the order. */
export async function lockPendingServices(
  tx: Tx,
  tenantId: string,
  orderId: string,
): Promise<ServiceRow[]> {
  const services = await lockServicesOfOrder(tx, tenantId, orderId)
  return services.filter(({ paidAt, endedAt }) => !paidAt && !endedAt)
}

/** What the services of an order item cost now. */
export type NewPrice = {
  /** What the first period of each of them costs after discounts, in cents. */
  readonly valuesCents: readonly Cents[]
  /** The components of each service. */
  readonly components: readonly (readonly KeptComponent[])[]
  /** The price of their plan and components from then on; left out if the plan no longer has a price. */
  readonly price?: {
    readonly priceCents: Cents
    readonly setupFeeCents: Cents
    readonly priceMicros: number | null
  }
}

/**
 * Moves the unpaid services of an order to another invoice, at other prices: for each order item, as many values as it
 * has services.
 */
export async function repriceServices(
  tx: Tx,
  { tenantId, orderId, invoiceId }: { tenantId: string; orderId: string; invoiceId: string },
  prices: ReadonlyMap<string, NewPrice>,
): Promise<void> {
  const pending = await lockPendingServices(tx, tenantId, orderId)
  for (const [itemId, services] of Map.groupBy(pending, ({ orderItemId }) => orderItemId)) {
    const { price, valuesCents = [], components = [] } = prices.get(itemId ?? '') ?? {}
    for (const [index, service] of services.entries()) {
      const { priceCents, priceMicros, setupFeeCents } = price ?? service
      await updateService(tx, service, {
        ...{ invoiceId, priceCents, priceMicros },
        valueCents: valuesCents[index] ?? service.valueCents,
        components: [...(components[index] ?? service.components)],
        // Only during a trial the setup fee is still to be charged.
        ...(service.trialDays > 0 && { setupFeeCents }),
      })
    }
  }
}

/** Ends the services of an order that were never started, because its invoice was not paid, or too late. */
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

/** Ends a service in our database. Its server, if it has one, must have been deleted before. Throws 409. */
export async function endService(
  tx: Tx,
  service: ServiceKey & ServiceRow,
  reason: NonNullable<ServiceRow['endReason']>,
  now: Instant,
): Promise<void> {
  assertMayBecome(service, 'ended')
  await updateService(tx, service, { endedAt: now, endReason: reason })
  // What was never paid for is returned to stock with its order.
  if (service.paidAt) {
    const valueIds = service.components.flatMap(({ valueId }) => valueId ?? [])
    const unused = service.activatedAt === null
    await returnValues(tx, { tenantId: service.tenantId, valueIds, unused })
  }
  await replaceScheduled(tx, service, [], now)
  await releaseRoom(tx, service)
  await deleteDetails(tx, service)
  await recordRecurringRevenue(tx, { ...service, endedAt: now }, service.invoiceId, now)
  const { tenantId, id, userId, orderId } = service
  await emit(tx, serviceEnded, { tenantId, serviceId: id, userId, orderId })
}
