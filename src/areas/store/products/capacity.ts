import { capacityOf, listCandidates, listPlaces, type PanelDeps } from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { ProductRow } from './queries.ts'

/**
 * How many more servers of a product its panels have room for in all of its locations, in total and in each;
 * null if a panel does not answer. A product without servers has no panels. Asks the panels: not in a
 * transaction.
 */
export async function capacityOfProduct(
  deps: PanelDeps,
  db: Db,
  {
    tenantId,
    provisioning,
    locationIds,
  }: Pick<ProductRow, 'tenantId' | 'provisioning' | 'locationIds'>,
) {
  if (!provisioning) return { places: 0, panels: [] }
  const where = locationIds.length > 0 ? await listPlaces(db, tenantId, locationIds) : null
  const build = { ...provisioning, places: where }
  const candidates = await listCandidates(db, { tenantId, ...build })
  const found = await capacityOf(deps, db, { tenantId, build })
  const panels = candidates.map(({ node: { id, name } }) => {
    return { nodeId: id, name, places: found.get(id) ?? null }
  })
  const isKnown = panels.every(({ places }) => places !== null)
  const places = panels.reduce((sum, it) => sum + (it.places ?? 0), 0)
  return { places: isKnown ? places : null, panels }
}
