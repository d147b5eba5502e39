import { clientOf, type PanelDeps, PanelError } from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { ServiceRow } from '../queries.ts'
import { remembered } from './remembered.ts'
import type { LiveStatus } from './schema.ts'

/** Panels cache theirs longer. */
const FRESH_MS = 3000

const AWAY: LiveStatus = { available: false }

const statuses = remembered<LiveStatus>(FRESH_MS, AWAY)

/**
 * The current status of the server of a service. However many callers ask, only one request to the
 * panel runs at a time for each server; an unavailable panel is not an error.
 */
export async function statusOnPanel(
  deps: PanelDeps,
  db: Db,
  service: ServiceRow,
): Promise<LiveStatus> {
  const { nodeId, serverUuid } = service
  if (!nodeId || !serverUuid || service.endedAt) return AWAY
  return statuses.of(deps, keyOf(service), () => ask(deps, db, service, { nodeId, serverUuid }))
}

async function ask(
  deps: PanelDeps,
  db: Db,
  { tenantId }: ServiceRow,
  { nodeId, serverUuid }: { nodeId: string; serverUuid: string },
): Promise<LiveStatus> {
  try {
    const client = await clientOf(deps, db, { tenantId, nodeId })
    const seen = await client.resources(serverUuid)
    return { available: true, ...seen, observedAt: deps.clock.now() }
  } catch (error) {
    if (!(error instanceof PanelError))
      deps.log.warn({ err: error }, 'the live status of a server could not be read')
    return AWAY
  }
}

/** Drops the cached status of a server, after the server was changed. */
export function forgetStatus(deps: PanelDeps, service: ServiceRow): void {
  statuses.forget(deps, keyOf(service))
}

function keyOf({ tenantId, id }: ServiceRow): string {
  return `${tenantId} ${id}`
}
