import type { Instant } from '#lib/time.ts'
import { findReport } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { billingProfileOf } from '#users'
import { findProvisioning } from '../provisioning/queries.ts'
import type { ServiceView } from '../queries.ts'
import { withdrawableUntil } from '../renewals/charges.ts'
import { viewOf } from '../rules.ts'
import type { ServiceDetails } from '../schema.ts'
import { findDeliveryTask, listDetails } from '../tasks/queries.ts'
import { findOpenUpgrade } from '../upgrades/queries.ts'
import { pricesOf } from './prices.ts'

/** One service, as a user sees it on its own page. */
export async function detailsOf(
  db: Db,
  service: ServiceView,
  now: Instant,
): Promise<ServiceDetails> {
  const isOwner = service.role === 'owner'
  const [priceOf, withdrawableUntil, upgrade, setup, handover] = await Promise.all([
    pricesOf(db, service.tenantId, [service], now),
    isOwner ? withdrawableUntilOf(db, service, now) : null,
    findOpenUpgrade(db, service.tenantId, service.id),
    setupOf(db, service),
    handoverOf(db, service),
  ])
  const { prices, nextInvoiceAt } = priceOf(service)
  return {
    ...viewOf(service, prices),
    ...{ nextInvoiceAt, nextTotalCents: prices?.nextTotalCents ?? null },
    ...{ withdrawableUntil, setup, handover },
    upgrade: upgrade
      ? {
          ...{ id: upgrade.id, productId: upgrade.productId, planId: upgrade.planId },
          invoiceId: isOwner ? upgrade.invoiceId : null,
          ...{ createdAt: upgrade.createdAt, paidAt: upgrade.paidAt },
        }
      : null,
  }
}

/** The first time at which it is too late to withdraw; null for a user who may not withdraw (R4.8). */
async function withdrawableUntilOf(
  db: Db,
  service: ServiceView,
  now: Instant,
): Promise<Instant | null> {
  const { tenantId, userId, orderId, paidAt, startsAt, endedAt, endWantedAt } = service
  if (orderId === null || endedAt || endWantedAt || !(paidAt || startsAt)) return null
  const until = withdrawableUntil(service)
  if (now >= until) return null
  const profile = await billingProfileOf(db, { tenantId, userId })
  return profile && !profile.company && !profile.vatNumber ? until : null
}

/** The progress of a delivery without a panel, as its customer may see it. */
async function handoverOf(db: Db, service: ServiceView): Promise<ServiceDetails['handover']> {
  const { tenantId, id, delivery, role, paidAt, activatedAt, failedAt } = service
  if (delivery !== 'manual' && delivery !== 'webhook') return null
  const task = delivery === 'manual' ? await findDeliveryTask(db, { tenantId, id }) : undefined
  if (!paidAt || (delivery === 'manual' && !task)) return null
  const details = role === 'owner' ? await listDetails(db, tenantId, [id]) : []
  const state = activatedAt ? 'done' : failedAt ? 'failed' : 'waiting'
  return { state, dueAt: task?.dueAt ?? null, doneAt: activatedAt, hasDetails: details.length > 0 }
}

/** When each step of setting up was reached, from our database and the daemon's reports. */
async function setupOf(db: Db, service: ServiceView): Promise<ServiceDetails['setup']> {
  const { tenantId, id: serviceId, nodeId, serverUuid, paidAt, activatedAt } = service
  const [row, report] = await Promise.all([
    findProvisioning(db, { tenantId, serviceId }),
    nodeId && serverUuid ? findReport(db, { tenantId, nodeId, serverUuid }) : undefined,
  ])
  return {
    ...{ paidAt, startedAt: row?.startedAt ?? null, serverCreatedAt: row?.watchedSince ?? null },
    installStartedAt: report?.installStartedAt ?? null,
    installEndedAt: report?.installEndedAt ?? null,
    activatedAt,
  }
}
