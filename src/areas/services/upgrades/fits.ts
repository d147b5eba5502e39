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
import type { ProductRow } from '#store'
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

/** Why a server cannot be made what a product says; null when it can, as far as anybody can tell. */
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

/** Whether what is too much stays on a panel as it is when its limit becomes smaller. */
export function isKept(misfit: Misfit): boolean {
  return misfit === 'databases_in_use' || misfit === 'backups_in_use'
}

/** Panels check no capacity when a server grows, so this does. */
async function hasRoom(
  client: PanelClient,
  server: PanelServer,
  { limits }: Provisioning,
): Promise<boolean> {
  const machine = (await client.listNodes()).find((node) => node.id === server.nodeId)
  return !machine || canGrow(machine, { from: server.limits, to: limits })
}

const MIB = 1024 * 1024

/** Whether a server uses more disk than it would have. What nobody can say is no reason to refuse. */
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

/** Whether a server has more ports than it would have: somebody plays there. */
function hasMorePorts({ allocations }: PanelServer, { featureLimits }: Provisioning): boolean {
  return allocations.length > Math.max(1, featureLimits.allocations)
}

/**
 * Whether a server has more of something than it would be allowed. Counted only where less is allowed
 * than now; what nobody can say is no reason to refuse.
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
 * Asks the panel whether a change can be made: null when it can, the reason when not, and undefined when
 * the panel does not answer or there is none.
 */
export async function lookWhetherFits(
  deps: PanelDeps,
  db: Db,
  service: ServiceRow,
  { provisioning }: Pick<ProductRow, 'provisioning'>,
): Promise<Misfit | null | undefined> {
  const { tenantId, nodeId, externalId } = service
  if (!nodeId || !provisioning) return undefined
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
