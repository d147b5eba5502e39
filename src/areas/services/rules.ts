import { conflict } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Provisioning } from '#panel'
import type { KeptComponent } from './components/rules.ts'
import type { ServiceView } from './queries.ts'
import { freeDaysEnd, plannedFrom } from './renewals/terms.ts'
import type {
  MemberPermission,
  Service,
  ServicePrices,
  ServiceStatus,
  SuspendReason,
} from './schema.ts'

export type ServiceFacts = {
  paidAt: Instant | null
  activatedAt: Instant | null
  failedAt: Instant | null
  suspendedAt: Instant | null
  endedAt: Instant | null
}

/** The status is never stored: it is derived from what happened. */
export function statusOf(service: ServiceFacts): ServiceStatus {
  if (service.endedAt) return 'ended'
  if (service.suspendedAt) return 'suspended'
  if (service.activatedAt) return 'active'
  if (service.failedAt) return 'failed'
  return service.paidAt ? 'provisioning' : 'pending'
}

/** Which states may follow each state; each change of state is made by one function only. */
const MOVES: Readonly<Record<ServiceStatus, readonly ServiceStatus[]>> = {
  pending: ['provisioning', 'ended'],
  provisioning: ['active', 'failed', 'ended'],
  // Back to the start if its server no longer exists on the panel.
  active: ['provisioning', 'suspended', 'ended'],
  suspended: ['active', 'ended'],
  failed: ['provisioning', 'ended'],
  ended: [],
}

/** Whether a service may go to a state now. */
export function mayBecome(service: ServiceFacts, next: ServiceStatus): boolean {
  return MOVES[statusOf(service)].includes(next)
}

/** Throws 409 when a service may not go to a state now. */
export function assertMayBecome(service: ServiceFacts, next: ServiceStatus): void {
  if (!mayBecome(service, next)) {
    throw conflict(
      `A service with the status ${statusOf(service)} cannot become ${next}.`,
      'wrong_state',
    )
  }
}

/** Throws 409 unless the service is active. */
export function assertActive(service: ServiceFacts): void {
  const status = statusOf(service)
  if (status !== 'active') throw conflict(`This service is ${status}.`, 'service_not_active')
}

/** Throws 409 for a service that is delivered without a server. */
export function assertServer({ delivery }: Pick<ServiceView, 'delivery'>): void {
  if (delivery !== 'server') {
    throw conflict('This service is delivered without a server.', 'service_without_server')
  }
}

/** Whether staff, or a system of the host, still have to deliver a service. */
export function isUndelivered({
  delivery,
  activatedAt,
}: Pick<ServiceView, 'delivery' | 'activatedAt'>): boolean {
  return (delivery === 'manual' || delivery === 'webhook') && activatedAt === null
}

/** A service as its owner and members see it; only its owner sees what is about money. */
export function viewOf(row: ServiceView, prices: ServicePrices | null = null): Service {
  const { scheduledProductId, scheduledPlanId, currentPeriodEnd, provisioning } = row
  const isOwner = row.role === 'owner'
  return {
    id: row.id,
    name: row.name,
    status: statusOf(row),
    delivery: row.delivery,
    product: { id: row.productId, slug: row.productSlug, name: row.productName },
    plan: {
      id: row.planId,
      name: row.planName,
      interval: row.interval,
      intervalCount: row.intervalCount,
      priceCents: row.priceCents,
      currency: row.currency,
    },
    currentPeriodStart: row.currentPeriodStart,
    currentPeriodEnd,
    autoRenew: row.autoRenew,
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    scheduledChange:
      scheduledProductId && scheduledPlanId && currentPeriodEnd
        ? {
            productId: scheduledProductId,
            planId: scheduledPlanId,
            at: plannedFrom({ currentPeriodEnd, freeUntil: row.freeUntil }),
          }
        : null,
    managed: row.serverId === null || row.nodeUrl !== null,
    panel: panelOf(row),
    role: row.role,
    permissions: row.permissions as MemberPermission[],
    failure:
      row.failureCode === null
        ? null
        : { code: row.failureCode, message: row.failureMessage ?? 'It could not be set up.' },
    currency: row.currency,
    createdAt: row.createdAt,
    startsAt: statusOf(row) === 'pending' ? row.startsAt : null,
    activatedAt: row.activatedAt,
    suspendedAt: row.suspendedAt,
    endedAt: row.endedAt,
    endReason: row.endReason,
    limits: provisioning && limitsOf(provisioning),
    featureLimits: provisioning && featureLimitsOf(provisioning),
    game: row.eggName,
    location: row.location,
    components: row.components.map(componentView),
    suspendReasons: isOwner ? (row.suspendReasons as SuspendReason[]) : [],
    openInvoiceId: isOwner ? row.openInvoiceId : null,
    dueCents: isOwner ? row.openDueCents : null,
    freeUntil: freeDaysEnd(row),
    trialEndsAt: row.trialDays > 0 ? row.anchorAt : null,
    deleteServerAt: row.serverDeletedAt === null ? row.deleteServerAt : null,
    prices,
  }
}

function componentView({ key, kind, name, label, quantity, ...it }: KeptComponent) {
  const { priceCents, feeCents, priceMicros } = it
  return { key, kind, name, label, quantity, priceCents, feeCents, priceMicros }
}

function limitsOf({ limits: { memoryMb, diskMb, cpuPercent, swapMb } }: Provisioning) {
  return { memoryMb, diskMb, cpuPercent, swapMb }
}

function featureLimitsOf({ featureLimits: { databases, backups, allocations } }: Provisioning) {
  return { databases, backups, allocations }
}

function panelOf(row: ServiceView): Service['panel'] {
  const { serverId, identifier, address, nodeUrl, signOnUrl } = row
  if (serverId === null || identifier === null || nodeUrl === null) return null
  const signOn = signOnUrl === null ? 'link' : 'oidc'
  const url = `${nodeUrl}/server/${identifier}`
  return { serverId, identifier, address, url, signOn, signOnUrl }
}
