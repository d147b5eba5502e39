import {
  type Candidate,
  capacityOf,
  type EggRow,
  findReservedNode,
  listCandidates,
  type Provisioning,
  placementsFor,
  type ServerDraft,
} from '#panel'
import type { JobContext } from '#platform/deps.ts'
import type { ServiceRow } from '../queries.ts'

/** What is to be made, and on which panel. */
export type Plan = {
  nodeId: string
  egg: EggRow
  /** The egg's number on that panel. */
  remoteEggId: number
  provisioning: Provisioning
}

/**
 * Where a service's server goes: where it was begun, else where it was promised a place, as long as there
 * is one, else the connection with the most room. One that seems full is still asked, for the panel knows best. Null when no connection has the egg.
 */
export async function placeFor(
  context: JobContext,
  { tenantId, id, nodeId }: Pick<ServiceRow, 'tenantId' | 'id' | 'nodeId'>,
  provisioning: Provisioning,
): Promise<Plan | null> {
  const { eggId, nodeIds, locationIds } = provisioning
  const candidates = await listCandidates(context.db, { tenantId, eggId, nodeIds })
  const begun = candidates.find(({ node }) => node.id === nodeId)
  if (nodeId) return begun ? planOn(begun, provisioning) : null
  const places = await capacityOf(context, context.db, { tenantId, provisioning })
  const reserved = await findReservedNode(context.db, { tenantId, id })
  const promised = candidates.find(({ node }) => node.id === reserved)
  if (promised && places.get(promised.node.id)) return planOn(promised, provisioning)
  const [best = candidates[0]] = placementsFor(candidates, places, locationIds)
  return best ? planOn(best, provisioning) : null
}

function planOn({ node, egg }: Candidate, provisioning: Provisioning): Plan | null {
  return egg.remoteId === null
    ? null
    : { nodeId: node.id, egg, remoteEggId: egg.remoteId, provisioning }
}

/** Limits and place of a server, as its product says. */
export function buildOf({
  limits,
  featureLimits,
  locationIds,
}: Provisioning): Pick<ServerDraft, 'limits' | 'featureLimits' | 'placement' | 'oomKiller'> {
  return {
    limits: { ...limits, threads: null },
    featureLimits,
    oomKiller: false,
    placement: { locationIds, dedicatedIp: false, portRange: [] },
  }
}
