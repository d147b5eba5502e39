import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { namesOf } from '#users'
import { type ProvisioningRow, provisioningOf } from './provisioning/queries.ts'
import { findServiceView, type ServiceKey, type ServiceView } from './queries.ts'
import { viewOf } from './rules.ts'
import type { AdminService } from './schema.ts'
import { type TransitionRow, transitionsOf } from './states/queries.ts'
import { goalOf } from './states/rules.ts'
import { type UpgradeRow, upgradesUnderWay } from './upgrades/queries.ts'

/** One service as administrators see it. Throws 404. */
export async function adminServiceOf(db: Db, key: ServiceKey, now: Instant): Promise<AdminService> {
  const service = await findServiceView(db, key)
  if (!service) throw notFound('Service')
  const [view] = await adminViewsOf(db, key.tenantId, [service], now)
  if (!view) throw notFound('Service')
  return view
}

/** Services as administrators see them: with the progress of their setup, changes and ending. */
export async function adminViewsOf(
  db: Db,
  tenantId: string,
  services: readonly ServiceView[],
  now: Instant,
): Promise<AdminService[]> {
  const ids = services.map(({ id }) => id)
  const [customers, provisioning, transitions, upgrades] = await Promise.all([
    namesOf(
      db,
      tenantId,
      services.map(({ userId }) => userId),
    ),
    provisioningOf(db, tenantId, ids),
    transitionsOf(db, tenantId, ids),
    upgradesUnderWay(db, tenantId, ids),
  ])
  return services.map((service) => {
    const { userId, orderId, nodeId, locationId, externalId, suspendReasons } = service
    const { cancelReason, cancelCode } = service
    const { nextInvoiceAt, renewalFailure, deleteServerAt } = service
    return {
      ...viewOf(service),
      customerName: customers.get(userId)?.name ?? '',
      customerEmail: customers.get(userId)?.email ?? '',
      ...{ userId, orderId, nodeId, locationId, externalId, suspendReasons },
      ...{ cancelReason, cancelCode },
      ...{ nextInvoiceAt, renewalFailure, deleteServerAt },
      provisioning: wayOf(provisioning.get(service.id)),
      transition: transitionOf(service, transitions.get(service.id), now),
      upgrade: upgradeOf(upgrades.get(service.id)),
    }
  })
}

function wayOf(row: Pick<ProvisioningRow, 'attempt' | 'nextAt' | 'lastError'> | undefined) {
  return row ? { attempt: row.attempt, nextAt: row.nextAt, lastError: row.lastError } : null
}

function transitionOf(service: ServiceView, row: TransitionRow | undefined, now: Instant) {
  const to = goalOf(service, now)
  const way = wayOf(row)
  return to && way ? { to, ...way } : null
}

function upgradeOf(row: UpgradeRow | undefined) {
  const way = wayOf(row)
  if (!row || !way) return null
  const { id, productId, planId, invoiceId, paidAt } = row
  return { id, productId, planId, invoiceId, paidAt, ...way }
}
