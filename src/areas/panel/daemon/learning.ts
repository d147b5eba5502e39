import { notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { ServerKeeper } from '#platform/area.ts'
import { type Db, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { Daemon } from '../daemon-tokens/queries.ts'
import {
  recordActivity,
  recordDaemonStart,
  recordInstallEnd,
  recordInstallStart,
  recordServerState,
} from './actions.ts'
import type { Said } from './endpoints.ts'
import { activityIn, installIn, stateIn } from './rules.ts'

/** A daemon's request: relayed to its panel and accepted there, or a report to us alone. */
export type Heard = {
  daemon: Daemon
  said: Said
  /** The parsed body; undefined if it was not read. */
  body: unknown
  now: Instant
}

/** The area that knows which servers belong to services. */
export function keeperOf({ areas }: Pick<Deps, 'areas'>): ServerKeeper {
  const keeper = areas.find((area) => area.servers)?.servers
  return keeper ?? { placesOf: async () => new Map(), sftpVerdict: async () => 'welcome' }
}

type LearningDeps = Pick<Deps, 'areas'> & { db: Db; requestId: string }

/** Learns from a report the real panel has accepted: the server exists, and its owner is known. */
export async function learnRelayed(deps: LearningDeps, heard: Heard): Promise<void> {
  const { daemon, said, body, now } = heard
  const { tenantId, nodeId, machine } = daemon
  const { saying, uuid: serverUuid } = said
  if (saying === 'activity') return learnActivity(deps, heard)
  if (!serverUuid) return
  const key = { tenantId, nodeId, serverUuid }
  const within = (work: Parameters<typeof transact<void>>[1]) =>
    transact(deps.db, work, deps.requestId)
  if (saying === 'install_script') {
    return within((tx) => recordInstallStart(tx, { ...key, machine }, now))
  }
  const [install, state] = [installIn(body), stateIn(body)]
  if (saying === 'install' && install)
    return within((tx) => recordInstallEnd(tx, key, install, now))
  if (saying === 'state' && state) return within((tx) => recordServerState(tx, key, state, now))
}

/**
 * Stores a report that no panel has seen. Nothing is stored for a server without a service: this shop
 * may not sell it, or its creation may not be recorded yet. Throws 404 for a server of another
 * connection, 422 for a report without the required fields.
 */
export async function storeReport(deps: LearningDeps, heard: Heard): Promise<void> {
  const { daemon, said, body, now } = heard
  const { tenantId, nodeId } = daemon
  const { saying, uuid: serverUuid } = said
  if (saying === 'reset') {
    return transact(deps.db, (tx) => recordDaemonStart(tx, daemon, now), deps.requestId)
  }
  if (saying === 'activity') {
    if (activityIn(body) === null) throw malformed('The data field must be an array.')
    return learnActivity(deps, heard)
  }
  if (serverUuid === null || (saying !== 'install' && saying !== 'state')) return
  if (saying === 'install' && !installIn(body)) {
    throw malformed('The successful field must be true or false.')
  }
  if (saying === 'state' && !stateIn(body)) throw malformed('The new state is none that we know.')
  const places = await keeperOf(deps).placesOf(deps.db, tenantId, [serverUuid])
  const place = places.get(serverUuid)
  if (place === nodeId) return learnRelayed(deps, heard)
  if (place) throw notFound('Server')
}

function malformed(message: string) {
  return unprocessable(message, 'malformed_report')
}

async function learnActivity(deps: LearningDeps, { daemon, body, now }: Heard): Promise<void> {
  const entries = activityIn(body) ?? []
  if (entries.length === 0) return
  const { tenantId, nodeId } = daemon
  const servers = [...new Set(entries.map(({ serverUuid }) => serverUuid))]
  const places = await keeperOf(deps).placesOf(deps.db, tenantId, servers)
  const own = entries.filter(({ serverUuid }) => places.get(serverUuid) === nodeId)
  if (own.length === 0) return
  const node = { tenantId, nodeId }
  await transact(deps.db, (tx) => recordActivity(tx, node, own, now), deps.requestId)
}
