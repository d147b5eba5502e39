import { sql } from 'kysely'
import type { Db } from '#platform/database/index.ts'
import { type EggRow, findEgg } from '../eggs/queries.ts'
import { type Build, nodesOf } from '../locations/rules.ts'
import type { NodeRow } from '../nodes/queries.ts'
import { type Candidate, candidatesAmong } from './placements.ts'

type Choice = { tenantId: string } & Pick<Build, 'eggId' | 'nodeIds' | 'places'>

/**
 * The panel connections on which servers of a product can be placed, in the product's order: those
 * it names, or the egg's own; if a location was chosen, those of them with its places, or all with
 * its places. Empty if none has the egg, or if the egg is unknown.
 */
export async function listCandidates(
  db: Db,
  { tenantId, eggId, ...where }: Choice,
): Promise<Candidate[]> {
  const egg = await findEgg(db, { tenantId, id: eggId })
  if (!egg) return []
  const ids = nodesOf(where) ?? (egg.nodeId === null ? null : [egg.nodeId])
  if (ids?.length === 0) return []
  const nodes = await listNodesAmong(db, tenantId, ids)
  return candidatesAmong(nodes, await listEggsLike(db, nodes, [egg]), egg)
}

/** Connections in the order of `ids`; without `ids` all of them, oldest first. */
export async function listNodesAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[] | null,
): Promise<NodeRow[]> {
  const rows = await db
    .selectFrom('panel.nodes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('deletedAt', 'is', null)
    .$if(ids !== null, (it) => it.where('id', 'in', ids ?? []))
    .orderBy('id')
    .execute()
  if (ids === null) return rows
  const order = new Map(ids.map((id, index) => [id, index]))
  return rows.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
}

/** The eggs on these connections that may match one of the wanted ones. */
export async function listEggsLike(
  db: Db,
  nodes: readonly NodeRow[],
  wanted: readonly EggRow[],
): Promise<EggRow[]> {
  const [node] = nodes
  if (!node || wanted.length === 0) return []
  const uuids = wanted.flatMap(({ uuid }) => uuid ?? [])
  const among = (values: readonly string[]) => sql<string>`any(${values}::text[])`
  const byId = (values: readonly string[]) => sql<string>`any(${values}::uuid[])`
  return db
    .selectFrom('panel.eggs')
    .selectAll()
    .where('tenantId', '=', node.tenantId)
    .where('nodeId', '=', byId(nodes.map(({ id }) => id)))
    .where('archivedAt', 'is', null)
    .where((it) =>
      it.or([
        it('id', '=', byId(wanted.map(({ id }) => id))),
        it('uuid', '=', among(uuids)),
        it('name', '=', among(wanted.map(({ name }) => name))),
      ]),
    )
    .orderBy('remoteId')
    .execute()
}
