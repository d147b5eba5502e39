import { Problem } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { findReport } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { billingProfileOf } from '#users'
import { findProvisioning } from '../provisioning/queries.ts'
import type { ServiceView } from '../queries.ts'
import { documentsFor } from '../renewals/billing.ts'
import { withdrawalEndsAt } from '../renewals/charges.ts'
import { nextPeriodsFor } from '../renewals/run.ts'
import { viewOf } from '../rules.ts'
import type { ServiceDetails } from '../schema.ts'
import { findDeliveryTask, listDetails } from '../tasks/queries.ts'
import { findOpenUpgrade } from '../upgrades/queries.ts'

/** One service as somebody sees it who looks at it alone. */
export async function detailsOf(
  db: Db,
  service: ServiceView,
  now: Instant,
): Promise<ServiceDetails> {
  const isOwner = service.role === 'owner'
  const [next, withdrawableUntil, upgrade, setup, handover] = await Promise.all([
    isOwner ? nextInvoiceOf(db, service, now) : NONE,
    isOwner ? withdrawableUntilOf(db, service, now) : null,
    findOpenUpgrade(db, service.tenantId, service.id),
    setupOf(db, service),
    handoverOf(db, service),
  ])
  return {
    ...viewOf(service),
    ...{ ...next, withdrawableUntil, setup, handover },
    upgrade: upgrade
      ? {
          ...{ id: upgrade.id, productId: upgrade.productId, planId: upgrade.planId },
          invoiceId: isOwner ? upgrade.invoiceId : null,
          ...{ createdAt: upgrade.createdAt, paidAt: upgrade.paidAt },
        }
      : null,
  }
}

/**
 * When a service is invoiced next, and what that would come to today: null where its price depends on use, or
 * where it has none any more, for which the renewal fails, too.
 */
async function nextInvoiceOf(db: Db, service: ServiceView, now: Instant): Promise<NextInvoice> {
  if (service.endedAt || !(service.autoRenew || service.interval === 'hour')) return NONE
  const { tenantId } = service
  const next = (await nextPeriodsFor(db, tenantId, [service]))(service)
  if (!next) return NONE
  const { plan, period, invoiceAt: nextInvoiceAt } = next
  if (plan.cycle.interval === 'hour') return { ...NONE, nextInvoiceAt }
  try {
    const [document] = await documentsFor(
      db,
      tenantId,
      [{ service, plan, period, dueAt: now }],
      now,
    )
    return { nextInvoiceAt, nextTotalCents: document?.totalCents ?? null }
  } catch (error) {
    if (error instanceof Problem) return { ...NONE, nextInvoiceAt }
    throw error
  }
}

type NextInvoice = Pick<ServiceDetails, 'nextInvoiceAt' | 'nextTotalCents'>
const NONE: NextInvoice = { nextInvoiceAt: null, nextTotalCents: null }

/** The first instant at which it is too late to withdraw; null for who may not (R4.8). */
async function withdrawableUntilOf(
  db: Db,
  service: ServiceView,
  now: Instant,
): Promise<Instant | null> {
  const { tenantId, userId, orderId, paidAt, startsAt, endedAt, endWantedAt, createdAt } = service
  if (orderId === null || endedAt || endWantedAt || !(paidAt || startsAt)) return null
  const until = withdrawalEndsAt(createdAt)
  if (now >= until) return null
  const profile = await billingProfileOf(db, { tenantId, userId })
  return profile && !profile.company && !profile.vatNumber ? until : null
}

/** How a delivery without a panel goes, as its customer may know it. */
async function handoverOf(db: Db, service: ServiceView): Promise<ServiceDetails['handover']> {
  const { tenantId, id, delivery, role, paidAt, activatedAt, failedAt } = service
  if (delivery !== 'manual' && delivery !== 'webhook') return null
  const task = delivery === 'manual' ? await findDeliveryTask(db, { tenantId, id }) : undefined
  if (!paidAt || (delivery === 'manual' && !task)) return null
  const details = role === 'owner' ? await listDetails(db, tenantId, [id]) : []
  const state = activatedAt ? 'done' : failedAt ? 'failed' : 'waiting'
  return { state, dueAt: task?.dueAt ?? null, doneAt: activatedAt, hasDetails: details.length > 0 }
}

/** When each step of setting up was reached, by our own books and by what the daemon said. */
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
