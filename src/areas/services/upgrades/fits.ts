import { type Problem, unprocessable } from '#lib/problem.ts'
import {
  canGrow,
  clientOf,
  type FeatureLimits,
  outcomeOf,
  type PanelClient,
  type PanelDeps,
  PanelError,
  type PanelServer,
  type Provisioning,
} from '#panel'
import type { Db } from '#platform/database/index.ts'
import { blueprintOf } from '../components/builds.ts'
import type { ServiceRow } from '../queries.ts'

/** Why a server cannot become what a product is: its machine is full, or more is on it than would fit. */
export const MISFITS = {
  no_capacity: 'There is no room for this change at the moment.',
  disk_in_use: 'The server uses more disk than that product has.',
  ports_in_use: 'The server has more ports than that product has.',
  databases_in_use: 'The server has more databases than that product has.',
  backups_in_use: 'The server has more backups than that product has.',
} as const
export type Misfit = keyof typeof MISFITS

/** The misfit that a failure's code names; undefined for any other failure. */
export function asMisfit(code: string): Misfit | undefined {
  return Object.hasOwn(MISFITS, code) ? (code as Misfit) : undefined
}

/** Why a server cannot get the resources of a product; null if it can, as far as the panel's answers show. */
export async function misfitOf(
  client: PanelClient,
  server: PanelServer,
  to: Provisioning,
): Promise<Misfit | null> {
  if (!(await hasRoom(client, server, to))) return 'no_capacity'
  if (await isOverDisk(client, server, to)) return 'disk_in_use'
  if (hasMorePorts(server, to)) return 'ports_in_use'
  const databases = () => client.countDatabases(server.id)
  if (await hasMore(server, to, 'databases', databases)) return 'databases_in_use'
  const backups = () => client.countBackups(server.uuid)
  if (await hasMore(server, to, 'backups', backups)) return 'backups_in_use'
  return null
}

/** Whether what exceeds a smaller limit stays on the panel as it is. */
export function isKept(misfit: Misfit): boolean {
  return misfit === 'databases_in_use' || misfit === 'backups_in_use'
}

/** Whether the server's machine has room for it. Panels do not check capacity when a server grows. */
async function hasRoom(
  client: PanelClient,
  server: PanelServer,
  { limits }: Provisioning,
): Promise<boolean> {
  const machine = (await client.listNodes()).find((node) => node.id === server.nodeId)
  return !machine || canGrow(machine, { from: server.limits, to: limits })
}

const MIB = 1024 * 1024

/** Whether a server uses more disk than it would have. An unknown use is no reason to refuse. */
async function isOverDisk(
  client: PanelClient,
  { uuid, limits: from }: PanelServer,
  { limits: to }: Provisioning,
): Promise<boolean> {
  const smaller = to.diskMb > 0 && (from.diskMb === 0 || to.diskMb < from.diskMb)
  if (!smaller) return false
  const used = await outcomeOf(client.resources(uuid))
  return !(used instanceof PanelError) && used.diskBytes > to.diskMb * MIB
}

/** Whether a server has more ports than it would have: players may be connected to any of them. */
function hasMorePorts({ allocations }: PanelServer, { featureLimits }: Provisioning): boolean {
  return allocations.length > Math.max(1, featureLimits.allocations)
}

/**
 * Whether a server has more of something than it would be allowed. Counted only if less is allowed than now; an unknown
 * number is no reason to refuse.
 */
async function hasMore(
  { featureLimits: from }: PanelServer,
  { featureLimits: to }: Provisioning,
  what: Exclude<keyof FeatureLimits, 'allocations'>,
  count: () => Promise<number | null>,
): Promise<boolean> {
  if (to[what] >= (from[what] ?? Number.POSITIVE_INFINITY)) return false
  const used = await outcomeOf(count())
  return typeof used === 'number' && used > to[what]
}

/**
 * Asks the panel whether a change can be made. Returns null if it can, the reason if not, and undefined if the panel
 * does not answer or there is none.
 */
export async function checkFit(
  deps: PanelDeps,
  db: Db,
  service: ServiceRow,
  goal: Pick<ServiceRow, 'productId' | 'components'>,
): Promise<Misfit | null | undefined> {
  const { tenantId, nodeId, externalId } = service
  const blueprint = nodeId ? await blueprintOf(db, { tenantId, ...goal }) : undefined
  if (!nodeId || !blueprint) return undefined
  const { provisioning } = blueprint
  const look = async () => {
    const client = await clientOf(deps, db, { tenantId, nodeId })
    const server = await client.findServerByExternalId(externalId)
    return server ? misfitOf(client, server, provisioning) : undefined
  }
  const misfit = await outcomeOf(look())
  return misfit instanceof PanelError ? undefined : misfit
}

/** The refusal of a change that a server does not fit, with the reason as its code. */
export function doesNotFit(misfit: Misfit): Problem {
  return unprocessable(MISFITS[misfit], misfit)
}
