import { type Insertable, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type LocationRow = Row<'panel.locations'>
export type LocationKey = Pick<LocationRow, 'tenantId' | 'id'>
export type PlaceRow = Row<'panel.location_places'>

/** A location, archived or not: services in it keep it. */
export function findLocation(db: Db, { tenantId, id }: LocationKey) {
  return db
    .selectFrom('panel.locations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A location that is not archived. */
export async function findOpenLocation(db: Db, key: LocationKey): Promise<LocationRow | undefined> {
  const location = await findLocation(db, key)
  return location?.archivedAt === null ? location : undefined
}

/** Several locations, archived or not, in their configured order. */
export function listLocationsAmong(db: Db, tenantId: string, ids: readonly string[]) {
  return db
    .selectFrom('panel.locations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** The locations of a tenant, newest first: the active or the archived ones. */
export function listLocations(
  db: Db,
  { tenantId, archived }: { tenantId: string; archived: boolean },
  page: PageQuery,
) {
  const query = db
    .selectFrom('panel.locations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('archivedAt', archived ? 'is not' : 'is', null)
  return pageOf(query, page)
}

export function lockLocation(tx: Tx, { tenantId, id }: LocationKey) {
  return tx
    .selectFrom('panel.locations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function insertLocation(tx: Tx, row: Insertable<Tables['panel.locations']>) {
  return tx.insertInto('panel.locations').values(row).returningAll().executeTakeFirstOrThrow()
}

type Change = Partial<
  Pick<LocationRow, 'slug' | 'name' | 'country' | 'city' | 'position' | 'hidden' | 'archivedAt'>
>

/** Changes a location that its caller has locked. */
export function updateLocation(tx: Tx, { tenantId, id }: LocationKey, change: Change) {
  return tx
    .updateTable('panel.locations')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The places of locations on existing connections, in a fixed order. */
export function listPlaces(
  db: Db,
  tenantId: string,
  locationIds: readonly string[],
): Promise<PlaceRow[]> {
  return db
    .selectFrom('panel.location_places as place')
    .innerJoin('panel.nodes as node', (join) =>
      join.onRef('node.tenantId', '=', 'place.tenantId').onRef('node.id', '=', 'place.nodeId'),
    )
    .selectAll('place')
    .where('place.tenantId', '=', tenantId)
    .where('place.locationId', '=', sql<string>`any(${[...locationIds]}::uuid[])`)
    .where('node.deletedAt', 'is', null)
    .orderBy('place.locationId')
    .orderBy('place.nodeId')
    .orderBy('place.remoteId')
    .execute()
}

/** Replaces the places of a location. */
export async function replacePlaces(
  tx: Tx,
  { tenantId, id: locationId }: LocationKey,
  places: readonly Pick<PlaceRow, 'nodeId' | 'remoteId'>[],
): Promise<void> {
  await tx
    .deleteFrom('panel.location_places')
    .where('tenantId', '=', tenantId)
    .where('locationId', '=', locationId)
    .execute()
  const rows = places.map(({ nodeId, remoteId }) => ({ tenantId, locationId, nodeId, remoteId }))
  await insertRows(tx, 'panel.location_places', rows)
}

/** Whether another location that is not archived has a slug. */
export async function isSlugTaken(
  db: Db,
  { tenantId, slug }: { tenantId: string; slug: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('panel.locations')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('slug', '=', slug)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Archives a location; undefined if it does not exist or is already archived. */
export function archiveLocationRow(tx: Tx, { tenantId, id }: LocationKey, now: Instant) {
  return tx
    .updateTable('panel.locations')
    .set({ archivedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
}
