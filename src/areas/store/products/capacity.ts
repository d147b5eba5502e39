import { capacityOf, listCandidates, type PanelDeps } from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { ProductRow } from './queries.ts'

/**
 * How many more servers of a product its panels have room for, together and each; null where a panel does not
 * answer. A product without servers has no panels. Asks the panels: not in a transaction.
 */
export async function capacityOfProduct(
  deps: PanelDeps,
  db: Db,
  { tenantId, provisioning }: Pick<ProductRow, 'tenantId' | 'provisioning'>,
) {
  if (!provisioning) return { places: 0, panels: [] }
  const { eggId, nodeIds } = provisioning
  const candidates = await listCandidates(db, { tenantId, eggId, nodeIds })
  const found = await capacityOf(deps, db, { tenantId, provisioning })
  const panels = candidates.map(({ node: { id, name } }) => {
    return { nodeId: id, name, places: found.get(id) ?? null }
  })
  const isKnown = panels.every(({ places }) => places !== null)
  const places = panels.reduce((sum, it) => sum + (it.places ?? 0), 0)
  return { places: isKnown ? places : null, panels }
}
