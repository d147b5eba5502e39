import type { Instant } from '#lib/time.ts'
import { isLapsed, listReservations, type Provisioning, type RoomSurvey, surveyRoom } from '#panel'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import {
  type CartServer,
  environmentFaults,
  environmentInvalid,
  findProducts,
  listCartServers,
} from '#store'
import { listItems, type OrderKey } from './queries.ts'

/** What a cart held before it became an order, and the room that panels have for it. */
export type CartSurvey = { readonly productIds: ReadonlySet<string>; readonly room: RoomSurvey }

/**
 * Looks at what the servers in a cart need before they are paid for: throws 422 `environment_invalid`
 * with what is wrong in the values of each item, and answers the room on the panels. Asks the panels:
 * not in a transaction.
 */
export async function surveyCart(deps: Deps, db: Db, user: UserKey): Promise<CartSurvey> {
  const items = await listCartServers(db, user)
  await assertValues(db, user.tenantId, items)
  const room = await surveyRoom(deps, db, user.tenantId, provisioningOf(items))
  return { productIds: new Set(items.map(({ productId }) => productId)), room }
}

/**
 * The room for the servers of an order whose money comes later than their places were kept; null where
 * they still are. Asks the panels: not in a transaction.
 */
export async function surveyOrder(
  deps: Deps,
  db: Db,
  { tenantId, id }: OrderKey,
  now: Instant,
): Promise<RoomSurvey | null> {
  const reserved = await listReservations(db, { tenantId, reference: id })
  if (!reserved.some((it) => isLapsed(it, now))) return null
  const items = await listItems(db, tenantId, [id])
  const productIds = new Set(items.map(({ productId }) => productId))
  const products = await findProducts(db, tenantId, [...productIds])
  const sold = products.map((it) => ({ productId: it.id, provisioning: it.provisioning }))
  return surveyRoom(deps, db, tenantId, provisioningOf(sold))
}

type Sold = Pick<CartServer, 'productId' | 'provisioning'>

function provisioningOf(items: readonly Sold[]): Map<string, Provisioning> {
  return new Map(
    items.flatMap(({ productId, provisioning }) =>
      provisioning ? [[productId, provisioning] as const] : [],
    ),
  )
}

/** Throws 422 `environment_invalid` with what is wrong in the values of each item. */
async function assertValues(db: Db, tenantId: string, items: readonly CartServer[]) {
  const faults = await environmentFaults(db, tenantId, items)
  const details = items.flatMap(({ id }, index) =>
    (faults.get(id) ?? []).map((it) => ({ ...it, path: `items.${index}.${it.path}` })),
  )
  if (details.length > 0) throw environmentInvalid(details)
}
