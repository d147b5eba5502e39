import type { Placement } from '../clients/contract.ts'
import type { EggRow } from '../eggs/queries.ts'
import type { NodeRow } from '../nodes/queries.ts'

/** A panel connection on which a server could be created, and the egg to use there. */
export type Candidate = { node: NodeRow; egg: EggRow }

type WantedEgg = Pick<EggRow, 'id' | 'uuid' | 'name' | 'author'>

/**
 * The matching egg of each connection: the wanted egg itself, otherwise one with its uuid,
 * otherwise one with its name and author, because the same egg has another id on every panel.
 * Connections keep their order; those without the egg are left out.
 */
export function candidatesAmong(
  nodes: readonly NodeRow[],
  eggs: readonly EggRow[],
  wanted: WantedEgg,
): Candidate[] {
  const byNode = Map.groupBy(eggs, ({ nodeId }) => nodeId)
  return nodes.flatMap((node) => {
    const own = byNode.get(node.id) ?? []
    const egg =
      own.find(({ id }) => id === wanted.id) ??
      own.find(({ uuid }) => uuid !== null && uuid === wanted.uuid) ??
      own.find(({ name, author }) => name === wanted.name && author === wanted.author)
    return egg ? [{ node, egg }] : []
  })
}

/** How many such servers still fit on a connection; null if that is not known. */
export type Places = ReadonlyMap<string, number | null>

/**
 * Where to try to create a server, best first: the most room, then unknown room, then connections
 * whose key was refused. Those known to be full are left out; the panel chooses the machine.
 */
export function placementsFor(
  candidates: readonly Candidate[],
  places: Places,
  locationIds: readonly string[],
): (Candidate & { placement: Placement })[] {
  const placement = { locationIds: [...locationIds], dedicatedIp: false, portRange: [] }
  const rank = ({ node }: Candidate) =>
    node.status === 'unauthorized' ? -1 : (places.get(node.id) ?? 0)
  return candidates
    .filter(({ node }) => places.get(node.id) !== 0)
    .map((candidate) => ({ ...candidate, placement }))
    .sort((a, b) => rank(b) - rank(a))
}
