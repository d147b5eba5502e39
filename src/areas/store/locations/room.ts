import type { Instant } from '#lib/time.ts'
import {
  type Build,
  listPlaces,
  type PanelDeps,
  type Provisioning,
  placesNow,
  type RoomWord,
  roomWord,
  surveyRoom,
} from '#panel'
import type { Db } from '#platform/database/index.ts'

/** A product somewhere: what is made of it, and the location; null where none was chosen. */
export type Somewhere = {
  readonly productId: string
  readonly provisioning: Provisioning | null
  readonly locationId: string | null
}

/** The key of what is made of a product in a location: what a survey of room is asked by. */
export function buildKey({
  productId,
  locationId,
}: Pick<Somewhere, 'productId' | 'locationId'>): string {
  return `${productId} ${locationId ?? ''}`
}

/** What is made of products in locations, by its key; what makes no server is left out. */
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

/**
 * How much room there is for what is made of products in locations, by `buildKey`, from what the panels said at
 * most 15 seconds ago. Asks the panels: not in a transaction.
 */
export async function roomFor(
  deps: PanelDeps,
  db: Db,
  { tenantId, wanted }: { tenantId: string; wanted: readonly Somewhere[] },
  now: Instant,
): Promise<ReadonlyMap<string, RoomWord>> {
  const builds = await buildsOf(db, tenantId, wanted)
  if (builds.size === 0) return new Map()
  const survey = await surveyRoom(deps, db, tenantId, builds, [])
  const keys = [...builds.keys()]
  const places = await placesNow(db, { tenantId, survey, builds: keys }, now)
  return new Map([...places].map(([key, counted]) => [key, roomWord(counted)]))
}
