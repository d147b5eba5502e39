import { type Detail, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import {
  type Alternative,
  type EggRow,
  environmentFor,
  findEgg,
  isLapsed,
  listReservations,
  type Provisioning,
  type RoomSurvey,
  refusedValues,
  surveyRoom,
  validateEnvironment,
} from '#panel'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { buildKey, buildsOf, type CartServer, cartServersOf, findProducts } from '#store'
import { listItems, type OrderKey } from './queries.ts'

/** What a cart held before it became an order, and the room that panels have for it. */
export type CartSurvey = {
  /** The keys of what was in it, where it was to stand. */
  readonly builds: ReadonlySet<string>
  readonly room: RoomSurvey
  /** The other locations in which something of it may be sold, by the key of its build. */
  readonly alternatives: ReadonlyMap<string, readonly Alternative[]>
}

/**
 * Looks at what the servers in a cart need before they are paid for: throws 422 `environment_invalid`
 * with what is wrong in the values of each item, and answers the room on the panels. Asks the panels:
 * not in a transaction.
 */
export async function surveyCart(deps: Deps, db: Db, user: UserKey): Promise<CartSurvey> {
  const { tenantId } = user
  const items = await cartServersOf(db, user)
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

/** The other locations of a product, by the key of what is made of it where it was wanted. */
function alternativesOf({ productId, locationId, offered }: CartServer) {
  const others = offered
    .filter(({ id }) => id !== locationId)
    .map(({ id, slug }) => ({ build: buildKey({ productId, locationId: id }), slug }))
  return [buildKey({ productId, locationId }), others] as const
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
  const blueprints = new Map(
    products.map(({ id: product, provisioning }) => [product, provisioning]),
  )
  const sold = items.map(({ productId, locationId }) => {
    return { productId, locationId, provisioning: blueprints.get(productId) ?? null }
  })
  return surveyRoom(deps, db, tenantId, await buildsOf(db, tenantId, sold))
}

async function assertValues(db: Db, tenantId: string, items: readonly CartServer[]) {
  const details: Detail[] = []
  for (const [index, { provisioning, environment }] of items.entries()) {
    if (!provisioning) continue
    const egg = await findEgg(db, { tenantId, id: provisioning.eggId })
    // An egg that is gone is on no panel, where there is no room for it.
    if (!egg) continue
    for (const fault of valueFaults(egg, provisioning, environment)) {
      details.push({ ...fault, path: `items.${index}.${fault.path}` })
    }
  }
  const [first] = details
  if (!first) return
  throw unprocessable(`${first.path}: ${first.message}`, 'environment_invalid', details)
}

/** What a panel would refuse of the values a server is to be made with. */
function valueFaults(
  { variables }: EggRow,
  { environment: plan, choices }: Provisioning,
  customer: Record<string, string>,
): Detail[] {
  const values = environmentFor({ variables }, { plan, customer })
  const refused = refusedValues(variables, customer, choices?.lockedVariables)
  return [...refused, ...validateEnvironment(variables, values)]
}
