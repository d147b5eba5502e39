import type { Instant } from '#lib/time.ts'
import { type Alternative, isLapsed, listReservations, type RoomSurvey, surveyRoom } from '#panel'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import {
  buildKey,
  buildsOf,
  type CartServer,
  cartServersOf,
  environmentFaults,
  environmentInvalid,
  findProducts,
  withBuilds,
} from '#store'
import { listItems, type OrderKey } from './queries.ts'

/** The contents of a cart before it became an order, and the room that panels have for it. */
export type CartSurvey = {
  /** The keys of the servers in it, with their locations. */
  readonly builds: ReadonlySet<string>
  readonly room: RoomSurvey
  /** The other locations in which some of it can be sold, by the key of the build. */
  readonly alternatives: ReadonlyMap<string, readonly Alternative[]>
}

/**
 * Checks the servers in a cart before they are paid for: throws 422 `environment_invalid`
 * with what is wrong in the values of each item, and returns the room on the panels. Asks the panels, so
 * not in a transaction.
 */
export async function surveyCart(deps: Deps, db: Db, user: UserKey): Promise<CartSurvey> {
  return surveyServers(deps, db, user.tenantId, await cartServersOf(db, user))
}

/** Checks servers before they are ordered, as `surveyCart` does. Asks the panels, so not in a transaction. */
export async function surveyServers(
  deps: Deps,
  db: Db,
  tenantId: string,
  items: readonly CartServer[],
): Promise<CartSurvey> {
  await assertValues(db, tenantId, items)
  const elsewhere = items.flatMap(({ offered, ...it }) =>
    offered.map(({ id }) => ({ ...it, locationId: id })),
  )
  const builds = await buildsOf(db, tenantId, [...items, ...elsewhere])
  const keys = new Set(items.map(buildKey))
  const wanted = [...keys].filter((key) => builds.has(key))
  const room = await surveyRoom(deps, db, tenantId, builds, wanted)
  return { builds: keys, room, alternatives: new Map(items.map(alternativesOf)) }
}

/** The other locations of a product, by the key of its build in the wanted location. */
function alternativesOf({ productId, locationId, components, offered }: CartServer) {
  const others = offered
    .filter(({ id }) => id !== locationId)
    .map(({ id, slug }) => ({ build: buildKey({ productId, locationId: id, components }), slug }))
  return [buildKey({ productId, locationId, components }), others] as const
}

/**
 * The room for the servers of an order, if it was paid after the reservations of their places lapsed; null if
 * they are still valid. Asks the panels, so not in a transaction.
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
  const blueprints = new Map(
    products.map(({ id: product, provisioning }) => [product, provisioning]),
  )
  const sold = items.map(({ productId, locationId, components }) => {
    return { productId, locationId, components, provisioning: blueprints.get(productId) ?? null }
  })
  const builds = await buildsOf(db, tenantId, await withBuilds(db, tenantId, sold))
  return surveyRoom(deps, db, tenantId, builds)
}

/** Throws 422 `environment_invalid` with what is wrong in the values of each item. */
async function assertValues(db: Db, tenantId: string, items: readonly CartServer[]) {
  const faults = await environmentFaults(db, tenantId, items)
  const details = items.flatMap(({ id }, index) =>
    (faults.get(id) ?? []).map((it) => ({ ...it, path: `items.${index}.${it.path}` })),
  )
  if (details.length > 0) throw environmentInvalid(details)
}
