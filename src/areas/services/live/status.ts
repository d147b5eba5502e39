import { setTimeout as sleep } from 'node:timers/promises'
import { clientOf, type PanelDeps, PanelError } from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { Outbound } from '#platform/outbound.ts'
import type { ServiceRow } from '../queries.ts'
import type { LiveStatus } from './schema.ts'

/** An answer is believed for so long; panels keep theirs longer. */
const FRESH_MS = 3000
/** Somebody waits for the answer: a panel that takes longer counts as away. */
const WAIT_MS = 4000
const MAX_REMEMBERED = 5000

const AWAY: LiveStatus = { available: false }

type Known = { untilMs: number; status: Promise<LiveStatus> }

const remembered = new WeakMap<Outbound, Map<string, Known>>()

type LiveDeps = PanelDeps & Pick<Deps, 'clock'>

/**
 * What the server of a service does right now. However many ask, the panel is asked once at a time
 * for each server; a panel that is away is no error.
 */
export async function statusOnPanel(
  deps: LiveDeps,
  db: Db,
  service: ServiceRow,
): Promise<LiveStatus> {
  const { nodeId, serverUuid } = service
  if (!nodeId || !serverUuid || service.endedAt) return AWAY
  const late = new AbortController()
  const waited = sleep(WAIT_MS, AWAY, { signal: late.signal }).catch(() => AWAY)
  const status = await Promise.race([known(deps, db, service, { nodeId, serverUuid }), waited])
  late.abort()
  return status
}

type Place = { nodeId: string; serverUuid: string }

function known(deps: LiveDeps, db: Db, service: ServiceRow, place: Place): Promise<LiveStatus> {
  const all = remembered.get(deps.outbound) ?? new Map<string, Known>()
  remembered.set(deps.outbound, all)
  const key = `${service.tenantId} ${service.id}`
  const last = all.get(key)
  if (last && last.untilMs > performance.now()) return last.status
  // Until it is answered it is fresh: nobody else asks.
  const fresh: Known = { untilMs: Number.POSITIVE_INFINITY, status: Promise.resolve(AWAY) }
  fresh.status = ask(deps, db, service, place).finally(() => {
    fresh.untilMs = performance.now() + FRESH_MS
  })
  all.delete(key)
  all.set(key, fresh)
  const [oldest] = all.keys()
  if (all.size > MAX_REMEMBERED && oldest) all.delete(oldest)
  return fresh.status
}

async function ask(
  deps: LiveDeps,
  db: Db,
  { tenantId }: ServiceRow,
  { nodeId, serverUuid }: Place,
): Promise<LiveStatus> {
  try {
    const client = await clientOf(deps, db, { tenantId, nodeId })
    const seen = await client.resources(serverUuid)
    return { available: true, ...seen, observedAt: deps.clock.now() }
  } catch (error) {
    if (!(error instanceof PanelError)) deps.log.warn({ err: error }, 'live status of a server')
    return AWAY
  }
}

/** What was seen of a server is old: something was just done to it. */
export function forgetStatus({ outbound }: LiveDeps, { tenantId, id }: ServiceRow): void {
  remembered.get(outbound)?.delete(`${tenantId} ${id}`)
}
