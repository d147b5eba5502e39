import {
  type Build,
  type Candidate,
  capacityOf,
  type EggRow,
  findReservedNode,
  listCandidates,
  listPlaces,
  locationIdsOn,
  type Provisioning,
  placementsFor,
  type ServerDraft,
} from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import type { ServiceRow } from '../queries.ts'

/** The server that is to be created, and its panel. */
export type Plan = {
  nodeId: string
  egg: EggRow
  /** The egg's number on that panel. */
  remoteEggId: number
  provisioning: Provisioning
}

type Placed = Pick<ServiceRow, 'tenantId' | 'id' | 'nodeId' | 'serverId' | 'locationId'>

/**
 * The panel of a service's server: the one where it was begun, else the one that was reserved if it has room, else the
 * connection with the most room. A connection that seems full is still asked, because only the panel knows. Null if no
 * connection has the egg, or none of those that have it is in the location of the service. `only` are the panel
 * locations that staff have restricted it to.
 */
export async function placeFor(
  context: JobContext,
  service: Placed,
  provisioning: Provisioning,
  only: readonly string[] | null = null,
): Promise<Plan | null> {
  const { tenantId, id, nodeId, serverId } = service
  const build = await builtAt(context.db, service, provisioning, only)
  // An existing server stays on its panel, even if its location has no place on that panel by now.
  const isMade = serverId !== null
  const candidates = await listCandidates(context.db, {
    ...{ tenantId, ...build, places: isMade ? null : (build.places ?? null) },
  })
  const begun = candidates.find(({ node }) => node.id === nodeId)
  if (nodeId) return begun ? planOn(begun, build) : null
  const places = await capacityOf(context, context.db, { tenantId, build })
  const reserved = await findReservedNode(context.db, { tenantId, id })
  const promised = candidates.find(({ node }) => node.id === reserved)
  if (promised && places.get(promised.node.id)) return planOn(promised, build)
  const [best = candidates[0]] = placementsFor(candidates, places, build.locationIds)
  return best ? planOn(best, build) : null
}

/** What a service's server is built with, in the places of the location that was chosen for it. */
async function builtAt(
  db: Db,
  { tenantId, locationId }: Pick<ServiceRow, 'tenantId' | 'locationId'>,
  provisioning: Provisioning,
  only: readonly string[] | null,
): Promise<Build> {
  if (locationId === null) return only ? { ...provisioning, locationIds: [...only] } : provisioning
  const places = await listPlaces(db, tenantId, [locationId])
  return {
    ...provisioning,
    places: only ? places.filter((it) => only.includes(it.remoteId)) : places,
  }
}

function planOn({ node, egg }: Candidate, build: Build): Plan | null {
  const { places: _, ...provisioning } = build
  const locationIds = locationIdsOn(build, node.id)
  return egg.remoteId === null
    ? null
    : {
        ...{ nodeId: node.id, egg, remoteEggId: egg.remoteId },
        provisioning: { ...provisioning, locationIds },
      }
}

/** Limits and place of a server, from its product. */
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
