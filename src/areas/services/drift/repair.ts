import type { Instant } from '#lib/time.ts'
import { clientOf, type PanelClient, PanelError, type PanelFailure, type PanelServer } from '#panel'
import type { JobContext } from '#platform/deps.ts'
import { blueprintOf } from '../components/builds.ts'
import { whileLeased } from '../leases/hold.ts'
import { attachService } from '../operators/actions.ts'
import { panelUserFor } from '../provisioning/accounts.ts'
import { remakeServer } from '../provisioning/actions.ts'
import { buildOf } from '../provisioning/placement.ts'
import { findService, findServiceByExternalId, lockService, type ServiceRow } from '../queries.ts'
import { statusOf } from '../rules.ts'
import { goalOf } from '../states/rules.ts'
import { makeSuspension } from '../states/suspension.ts'
import { findOpenUpgrade } from '../upgrades/queries.ts'
import { linkImported } from './linking.ts'
import { type FindingRow, updateFinding } from './queries.ts'
import type { Kind } from './schema.ts'

type Work = { context: JobContext; finding: FindingRow; client: PanelClient }
type Repair = (work: Work, service: ServiceRow) => Promise<PanelFailure | null>

/**
 * Repairs one finding: looks at the panel and the service again first, and does nothing if they agree
 * by now. The reason that prevents a repair is recorded in the finding; if the panel is unavailable,
 * throws.
 */
export async function repairOne(context: JobContext, finding: FindingRow): Promise<void> {
  const { db, transact, clock } = context
  const { tenantId, nodeId } = finding
  const failure = await failureIn(async () => {
    const client = await clientOf(context, db, { tenantId, nodeId })
    return repair({ context, finding, client })
  })
  const now = clock.now()
  const outcome = failure ? { repairError: failure } : { repairedAt: now }
  await transact((tx) => updateFinding(tx, finding, outcome))

  async function failureIn(work: () => Promise<PanelFailure | null>): Promise<PanelFailure | null> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PanelError)) throw error
      // A temporary failure is tried again by the job.
      if (error.kind === 'rate_limited' || error.kind === 'unavailable') throw error
      const { code, detail } = error.failure
      return { code, detail, at: clock.now() }
    }
  }
}

async function repair(work: Work): Promise<PanelFailure | null> {
  const { context, finding } = work
  const { tenantId, serviceId, kind } = finding
  if (kind === 'orphan') return deleteOrphan(work)
  const at = context.clock.now()
  if (kind === 'unknown') return refused('not_repairable', 'It can be adopted.', at)
  const service = serviceId && (await findService(context.db, { tenantId, id: serviceId }))
  if (!service || service.endedAt || service.endWantedAt) return null
  return alone(work, service, REPAIRS[kind])
}

/**
 * Repairs while the server is leased. If other work is under way on it, the repair comes after that, if
 * it is still needed.
 */
async function alone(work: Work, service: ServiceRow, makeGood: Repair) {
  const { db, clock } = work.context
  const { tenantId, id: serviceId } = service
  const at = clock.now()
  const repaired = await whileLeased(work.context, { tenantId, serviceId }, async () => {
    const upgrade = await findOpenUpgrade(db, tenantId, serviceId)
    if (upgrade?.paidAt) {
      return refused('upgrade_in_progress', 'It is being moved to another product.', at)
    }
    // What was read about the service before the lease may be outdated.
    const now = await findService(db, service)
    return now ? makeGood(work, now) : null
  })
  if (repaired) return repaired.done
  return refused('server_busy', 'Its server is being changed. Try again shortly.', at)
}

const REPAIRS: Readonly<Record<Exclude<Kind, 'orphan' | 'unknown'>, Repair>> = {
  /** The server is created again; its data is lost. */
  async missing({ context, client }, service) {
    if (await client.findServerByExternalId(service.externalId)) return null
    return context.transact(async (tx) => {
      const now = context.clock.now()
      const locked = await lockService(tx, service)
      if (locked?.suspendedAt) {
        return refused('suspended', 'It is suspended: it gets a server once it is paid.', now)
      }
      const isInUse = locked && statusOf(locked) === 'active' && goalOf(locked, now) === null
      if (isInUse) await remakeServer(tx, locked, now)
      return null
    })
  },

  async limits({ context, client }, service) {
    const blueprint = await blueprintOf(context.db, service)
    const server = await client.findServerByExternalId(service.externalId)
    if (!blueprint || !server) return null
    const { limits, featureLimits } = buildOf(blueprint.provisioning)
    await client.updateBuild(server.id, {
      // Pinned cores are the host's own choice for a server.
      limits: { ...limits, threads: server.limits.threads },
      featureLimits,
    })
    return null
  },

  async suspension({ context, client }, service) {
    await makeSuspension(context, client, service)
    return null
  },

  async owner({ context, finding: { nodeId }, client }, service) {
    const server = await client.findServerByExternalId(service.externalId)
    const userId = await panelUserFor(context, { service, nodeId, client })
    if (userId instanceof PanelError) throw userId
    if (typeof userId !== 'number') return userId
    const { externalId } = service
    if (server && server.userId !== userId) {
      await client.updateDetails(server.id, { externalId, userId })
    }
    return null
  },

  async unattached({ context, finding: { nodeId }, client }, service) {
    const server = await client.findServerByExternalId(service.externalId)
    if (!server) return refused('server_gone', 'It is not on this panel.', context.clock.now())
    await context.transact(async (tx) => {
      const locked = await lockService(tx, service)
      if (locked && locked.nodeId === null) await attachService(tx, locked, { nodeId, server })
    })
    return null
  },

  imported: ({ context, finding, client }, service) =>
    linkImported(context, { finding, client, service }),
}

/** Deletes a server that no service needs; never one that a service uses by now. */
async function deleteOrphan({ context, finding, client }: Work): Promise<PanelFailure | null> {
  const { serverId, externalId, tenantId, nodeId } = finding
  if (serverId === null || externalId === null) return null
  const server = await serverWith(client, serverId, externalId)
  if (!server) return null
  const service = await findServiceByExternalId(context.database.everywhere, externalId)
  const used = service && service.tenantId === tenantId ? isUsed(service, server, nodeId) : service
  if (used) return refused('in_use', 'Another service has this server.', context.clock.now())
  await client.deleteServer(server.id)
  return null
}

async function serverWith(
  client: PanelClient,
  id: number,
  externalId: string,
): Promise<PanelServer | undefined> {
  const server = await client.findServerByExternalId(externalId)
  return server?.id === id ? server : undefined
}

/**
 * Whether a service uses this very server, is being given one on this panel, or keeps its data on the
 * server.
 */
function isUsed(service: ServiceRow, { uuid }: PanelServer, nodeId: string): boolean {
  if (service.endedAt) return service.deleteServerAt !== null && service.serverDeletedAt === null
  if (service.nodeId === null || service.nodeId === nodeId) return true
  return !service.activatedAt || service.serverUuid === uuid
}

function refused(code: string, detail: string, at: Instant): PanelFailure {
  return { code, detail, at }
}
