import { candidateNodes, type EggRow, type ServerDraft } from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { Provisioning } from '#store'

/** What is to be made, and on which panel. */
export type Plan = {
  nodeId: string
  egg: EggRow
  /** The egg's number on that panel. */
  remoteEggId: number
  provisioning: Provisioning
}

/** The panel a new service goes to: one of the product's that has the egg; null without one. */
export async function chooseNode(
  db: Db,
  tenantId: string,
  { nodeIds }: Provisioning,
  egg: Pick<EggRow, 'nodeId'>,
): Promise<string | null> {
  const nodes = await candidateNodes(db, tenantId, nodeIds)
  // An egg's number belongs to the panel it was read from.
  return nodes.find((node) => node.id === egg.nodeId)?.id ?? null
}

/** Limits and place of a new server, as the product says. */
export function buildOf({
  limits,
  featureLimits,
  locationIds,
}: Provisioning): Pick<ServerDraft, 'limits' | 'featureLimits' | 'placement' | 'oomKiller'> {
  return {
    limits: { ...limits, threads: null },
    featureLimits,
    oomKiller: false,
    placement: { locationIds: locationIds.map(String), dedicatedIp: false, portRange: [] },
  }
}
