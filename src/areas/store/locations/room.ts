import type { Instant } from '#lib/time.ts'
import {
  type Build,
  bestRoom,
  listPlaces,
  type PanelDeps,
  type Provisioning,
  placesNow,
  type RoomWord,
  roomWord,
  surveyRoom,
} from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { Selected } from '../components/rules.ts'

/**
 * A product in a location with the options that were chosen: what its server is made of; the location is null if
 * none was chosen.
 */
export type Somewhere = Keyed & { readonly provisioning: Provisioning | null }

type Keyed = {
  readonly productId: string
  readonly locationId: string | null
  readonly components?: readonly Selected[]
}

/** The key of a product's server in a location with these options, for surveys of room. */
export function buildKey({ productId, locationId, components = [] }: Keyed): string {
  const options = components
    .filter(({ kind }) => kind === 'option')
    .map(({ sourceId, valueId, quantity, text }) =>
      JSON.stringify([sourceId, valueId, quantity, text]),
    )
  return [productId, locationId ?? '', ...options.sort()].join(' ')
}

/** The servers that products in locations make, by key; products that make no server are left out. */
export async function buildsOf(
  db: Db,
  tenantId: string,
  wanted: readonly Somewhere[],
): Promise<Map<string, Build>> {
  const ids = [...new Set(wanted.flatMap(({ locationId }) => locationId ?? []))]
  const rows = ids.length > 0 ? await listPlaces(db, tenantId, ids) : []
  const builds = new Map<string, Build>()
  for (const it of wanted) {
    const { provisioning, locationId } = it
    if (!provisioning) continue
    const places = locationId === null ? null : rows.filter((row) => row.locationId === locationId)
    builds.set(buildKey(it), { ...provisioning, places })
  }
  return builds
}

type Wanted = Somewhere & { readonly quantity?: number }

/**
 * How much room there is for all wanted products in locations together, by `buildKey`, from reports of the panels
 * that are at most 15 seconds old; products that make no server are left out. Asks the panels: not in a transaction.
 */
export async function roomFor(
  deps: PanelDeps,
  db: Db,
  { tenantId, wanted }: { tenantId: string; wanted: readonly Wanted[] },
  now: Instant,
): Promise<ReadonlyMap<string, RoomWord>> {
  const builds = await buildsOf(db, tenantId, wanted)
  if (builds.size === 0) return new Map()
  const survey = await surveyRoom(deps, db, tenantId, builds, [])
  const keys = [...builds.keys()]
  const places = await placesNow(db, { tenantId, survey, builds: keys }, now)
  const together = Map.groupBy(wanted, buildKey)
  return new Map(
    [...places].map(([key, counted]) => {
      const same = together.get(key) ?? []
      const quantity = same.reduce((sum, it) => sum + (it.quantity ?? 1), 0)
      return [key, roomWord(counted, quantity)]
    }),
  )
}

/** The room for one more server of a product, and for one in each of its locations. */
export type ProductRoom = {
  /** In the location with the most room; null for a product that makes no server. */
  readonly room: RoomWord | null
  readonly byLocation: ReadonlyMap<string, RoomWord>
}

type Offered = Pick<Somewhere, 'provisioning'> & {
  readonly id: string
  readonly locations: readonly { readonly id: string }[]
}

/**
 * The room for products in all locations where they are offered, by their ids. Asks the panels: not in a
 * transaction.
 */
export async function roomOfProducts(
  deps: PanelDeps,
  db: Db,
  { tenantId, products }: { tenantId: string; products: readonly Offered[] },
  now: Instant,
): Promise<ReadonlyMap<string, ProductRoom>> {
  const wanted = products.flatMap(({ id: productId, provisioning, locations }) => {
    const ids = locations.length > 0 ? locations.map(({ id }) => id) : [null]
    return ids.map((locationId) => ({ productId, provisioning, locationId }))
  })
  const rooms = await roomFor(deps, db, { tenantId, wanted }, now)
  return new Map(
    products.map(({ id: productId, locations }) => {
      const there = locations.flatMap(({ id }) => {
        const room = rooms.get(buildKey({ productId, locationId: id }))
        return room ? [[id, room] as const] : []
      })
      const anywhere = rooms.get(buildKey({ productId, locationId: null })) ?? null
      const room = locations.length > 0 ? bestRoom(there.map(([, word]) => word)) : anywhere
      return [productId, { room, byLocation: new Map(there) }]
    }),
  )
}
