import { isCountry } from '#lib/country.ts'
import { newId } from '#lib/id.ts'
import { badRequest, conflict, detail, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { isUniqueViolation, type Tx } from '#platform/database/index.ts'
import { listNodesAmong } from '../provisioning/queries.ts'
import {
  archiveLocationRow,
  insertLocation,
  isSlugTaken,
  type LocationKey,
  type LocationRow,
  lockLocation,
  replacePlaces,
  updateLocation,
} from './queries.ts'
import type { LocationChange, NewLocation } from './schema.ts'

/**
 * Adds a location; without a slug it gets one from its name. Throws 400 for a country or a panel connection
 * that does not exist, 409 `slug_taken`.
 */
export async function createLocation(
  tx: Tx,
  { tenantId }: { tenantId: string },
  { places = [], ...location }: NewLocation,
  now: Instant,
): Promise<LocationRow> {
  assertCountry(location.country)
  await assertPlaces(tx, tenantId, places)
  const id = newId()
  const slug = location.slug ?? (await freeSlug(tx, { tenantId, id }, location.name))
  const row = { ...location, tenantId, id, slug, createdAt: now }
  const made = await refusingDouble(insertLocation(tx, row))
  await replacePlaces(tx, made, places)
  return made
}

/** Changes a location that is not archived. Throws 404, 400 as `createLocation` does, 409 `slug_taken`. */
export async function changeLocation(
  tx: Tx,
  key: LocationKey,
  { places, ...change }: LocationChange,
): Promise<LocationRow> {
  const before = await lockLocation(tx, key)
  if (!before || before.archivedAt) throw notFound('Location')
  if (change.country !== undefined) assertCountry(change.country)
  if (places) {
    await assertPlaces(tx, key.tenantId, places)
    await replacePlaces(tx, key, places)
  }
  return refusingDouble(updateLocation(tx, key, change))
}

/** Ends the sale of a location; services in it keep it. Throws 404. */
export async function archiveLocation(tx: Tx, key: LocationKey, now: Instant) {
  if (!(await archiveLocationRow(tx, key, now))) throw notFound('Location')
  return { id: key.id, deleted: true }
}

/**
 * Takes a location out of the archive; one that is not archived stays as it is. Throws 404, 409 `slug_taken`.
 */
export async function restoreLocation(tx: Tx, key: LocationKey): Promise<LocationRow> {
  if (!(await lockLocation(tx, key))) throw notFound('Location')
  return refusingDouble(updateLocation(tx, key, { archivedAt: null }))
}

function assertCountry(country: string): void {
  if (isCountry(country)) return
  throw badRequest('country is not a country.', [detail('country', { kind: 'no_country' })])
}

/** Throws 400 that names each place whose panel connection does not belong to the tenant. */
async function assertPlaces(
  tx: Tx,
  tenantId: string,
  places: readonly { nodeId: string }[],
): Promise<void> {
  if (places.length === 0) return
  const ids = [...new Set(places.map(({ nodeId }) => nodeId))]
  const known = new Set((await listNodesAmong(tx, tenantId, ids)).map(({ id }) => id))
  const details = places.flatMap(({ nodeId }, index) =>
    known.has(nodeId) ? [] : [{ path: `places.${index}.nodeId`, message: 'does not exist' }],
  )
  if (details.length > 0) throw badRequest('A panel connection does not exist.', details)
}

async function freeSlug(tx: Tx, { tenantId, id }: LocationKey, name: string): Promise<string> {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const slug = (words ?? ['location']).join('-').slice(0, 80)
  return (await isSlugTaken(tx, { tenantId, slug })) ? `${slug}-${id.slice(-6)}` : slug
}

async function refusingDouble<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (!isUniqueViolation(error, 'locations_slug')) throw error
    throw conflict('Another location has this slug.', 'slug_taken')
  }
}
