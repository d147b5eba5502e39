import { HOUR_MS, type Instant, later, SECOND_MS } from '#lib/time.ts'
import type { PanelServer, Provisioning } from '#panel'
import { goalOf } from '../states/rules.ts'
import type { ComparedService } from './queries.ts'
import type { Kind } from './schema.ts'

/** The prefix of all our external ids. */
const OURS = 'svc-'

export type Difference = {
  kind: Kind
  serverId: number | null
  serverName: string | null
  externalId: string | null
  serviceId: string | null
  expected: Record<string, unknown> | null
  found: Record<string, unknown> | null
}

type Panel = {
  nodeId: string
  /** External ids that belong to other shops on the same panel. */
  foreign: ReadonlySet<string>
  /** Imported services without a server, by the external id that another system gave theirs. */
  former: ReadonlyMap<string, string>
}

/**
 * The differences between a server on a panel and its service, if it has one. A service in transition
 * to another state is left alone.
 */
export function differencesOf(
  server: PanelServer,
  service: ComparedService | undefined,
  { nodeId, foreign, former }: Panel,
  now: Instant,
): Difference[] {
  const about = {
    ...{ serverId: server.id, serverName: server.name, externalId: server.externalId },
    ...{ serviceId: service?.id ?? null, expected: null, found: null },
  }
  if (!service) {
    const { externalId } = server
    const imported = former.get(externalId ?? '')
    if (imported) return [{ ...about, kind: 'imported', serviceId: imported }]
    const ours = externalId?.startsWith(OURS) && !foreign.has(externalId)
    return [{ ...about, kind: ours ? 'orphan' : 'unknown' }]
  }
  if (service.endedAt) {
    const kept = service.deleteServerAt !== null && service.serverDeletedAt === null
    return kept ? [] : [{ ...about, kind: 'orphan' }]
  }
  if (!service.activatedAt) return []
  if (service.nodeId === null) return [{ ...about, kind: 'unattached' }]
  if (service.nodeId !== nodeId) {
    // Two connections may lead to one panel: then this is the same server, not a second one.
    return service.serverUuid === server.uuid ? [] : [{ ...about, kind: 'orphan' }]
  }
  if (service.endWantedAt || goalOf(service, now) !== null) return []
  return [suspension(server, service), limits(server, service), owner(server, service)].flatMap(
    (it) => (it ? [{ ...about, ...it }] : []),
  )
}

type Facts = Pick<Difference, 'kind' | 'expected' | 'found'>

function suspension(server: PanelServer, service: ComparedService): Facts | null {
  const [expected, found] = [service.suspendedAt !== null, server.status === 'suspended']
  if (expected === found) return null
  return { kind: 'suspension', expected: { suspended: expected }, found: { suspended: found } }
}

function limits(server: PanelServer, service: ComparedService): Facts | null {
  if (!service.provisioning || service.isChanging) return null
  const wanted = limitsOf(service.provisioning)
  const has = { ...server.limits, ...server.featureLimits }
  const names = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (name) => wanted[name] !== has[name],
  )
  if (names.length === 0) return null
  const only = (of: typeof wanted | typeof has) =>
    Object.fromEntries(names.map((name) => [name, of[name]]))
  return { kind: 'limits', expected: only(wanted), found: only(has) }
}

function limitsOf({ limits: it, featureLimits }: Provisioning) {
  return { ...it, ...featureLimits }
}

function owner(server: PanelServer, service: ComparedService): Facts | null {
  const { ownerId } = service
  if (ownerId === null || ownerId === server.userId) return null
  return { kind: 'owner', expected: { userId: ownerId }, found: { userId: server.userId } }
}

/** Whether a service should have a server on this panel, according to our database, and is in use. */
export function shouldBeThere(service: ComparedService, now: Instant): boolean {
  if (service.endedAt || service.endWantedAt || !service.activatedAt) return false
  return goalOf(service, now) === null
}

export function missing(service: ComparedService): Difference {
  return {
    kind: 'missing',
    ...{ serverId: service.serverId, serverName: null, externalId: service.externalId },
    ...{ serviceId: service.id, expected: null, found: null },
  }
}

const RETRY_MS = [10 * SECOND_MS, 60 * SECOND_MS, 10 * 60 * SECOND_MS]

/** When to continue a comparison that a panel interrupted. */
export function nextTry(attempt: number, now: Instant, retryAfterMs = 0): Instant {
  return later(now, Math.max(retryAfterMs, RETRY_MS[attempt - 1] ?? HOUR_MS))
}

/** Whether a comparison that has not ended by now is given up. */
export function isGivenUp(startedAt: Instant, now: Instant): boolean {
  return later(startedAt, 24 * HOUR_MS) <= now
}
