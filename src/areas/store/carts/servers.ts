import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { withBuilds, withSelections } from '../components/selection.ts'
import { locationsOfProducts } from '../locations/queries.ts'
import { offeredAmong } from '../locations/rules.ts'
import { listCartServers } from './queries.ts'

/**
 * What is in a cart, oldest first, with the servers that will be created from it, options included: the location of
 * each (null if none was chosen), and all locations in which it may be sold.
 */
export async function cartServersOf(db: Db, user: UserKey) {
  return serversOf(db, user.tenantId, await listCartServers(db, user))
}
export type CartServer = Awaited<ReturnType<typeof cartServersOf>>[number]

/** Items of one currency with the servers that will be created from them, as `cartServersOf` returns them. */
export async function serversOf(
  db: Db,
  tenantId: string,
  rows: Awaited<ReturnType<typeof listCartServers>>,
) {
  const [first] = rows
  if (!first) return []
  const known = await locationsOfProducts(db, tenantId, rows)
  const wanted = rows.map((row) => ({ ...row, tried: false }))
  const selected = await withSelections(db, { tenantId, currency: first.currency }, wanted)
  return withBuilds(
    db,
    tenantId,
    selected.map((item) => {
      const offered = offeredAmong(item.locationIds, known, item)
      return { ...item, locationId: item.location?.id ?? null, offered }
    }),
  )
}
