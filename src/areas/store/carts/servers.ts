import type { LocationRow } from '#panel'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { locationsOfProducts } from '../locations/queries.ts'
import { chosenOf, offeredAmong } from '../locations/rules.ts'
import { listCartServers } from './queries.ts'

/**
 * What is in a cart, oldest first, with the servers it is to become: where each is to stand (null where nothing
 * was chosen), and all locations that it may be sold in.
 */
export async function cartServersOf(db: Db, user: UserKey) {
  const items = await listCartServers(db, user)
  const known = await locationsOfProducts(db, user.tenantId, items)
  return items.map((item) => {
    const offered: readonly LocationRow[] = offeredAmong(item.locationIds, known)
    return { ...item, locationId: chosenOf(item, known).location?.id ?? null, offered }
  })
}
export type CartServer = Awaited<ReturnType<typeof cartServersOf>>[number]
