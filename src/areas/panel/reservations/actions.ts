import { Problem } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import {
  deletePlaced,
  deleteReservation,
  insertReservations,
  listPromised,
  listReservations,
  lockRoomOf,
  type OrderOfServers,
  type ReservationKey,
  type ReservationRow,
  updateReservation,
  updateReservations,
} from './queries.ts'
import {
  type Alternative,
  alternativesFor,
  type Promised,
  placesFound,
  placesLeft,
  type RoomSurvey,
  type Wanted,
} from './rules.ts'

type Servers = OrderOfServers & {
  readonly servers: readonly Wanted[]
  readonly survey: RoomSurvey
}

type Elsewhere = {
  /** What may be created instead of a build, by the build's key. */
  readonly alternatives: ReadonlyMap<string, readonly Alternative[]>
}

/**
 * Reserves places for the servers of an order until `heldUntil`: orders count a panel's room one after the
 * other, so the last place is reserved once. Throws 422 `no_capacity` with the locations that have room
 * instead, and then reserves nothing. A build without a server takes no place.
 */
export async function reserveRoom(
  tx: Tx,
  { heldUntil, alternatives, ...order }: Servers & Elsewhere & { heldUntil: Instant },
  now: Instant,
): Promise<void> {
  const { tenantId, reference, servers, survey } = order
  const { found, promised } = await findPlaces(tx, order, now)
  if (!found) throw noCapacity(alternativesFor(survey, promised, servers, alternatives))
  const rows = servers.flatMap(({ id, build }) => {
    const nodeId = found.get(id)
    const need = nodeId && survey.offers.get(build)?.needs.get(nodeId)
    return need ? [{ tenantId, id, reference, nodeId, ...need, heldUntil }] : []
  })
  await insertReservations(tx, rows)
}

/**
 * The payment of an order has arrived: its places are kept until its servers exist. If it arrived after the
 * reservation lapsed, places are searched for again in `survey`. False if there are known to be none, and then
 * nothing has changed; safe to repeat. `buildOf` contains the keys of builds, by server.
 */
export async function confirmReservation(
  tx: Tx,
  order: OrderOfServers & { readonly survey: RoomSurvey | null },
  buildOf: ReadonlyMap<string, string>,
  now: Instant,
): Promise<boolean> {
  const rows = await listReservations(tx, order)
  const waiting = rows.filter(({ heldUntil }) => heldUntil !== null)
  const { survey } = order
  const lapsed = waiting.filter((row) => isLapsed(row, now))
  const servers = lapsed.map(({ id }) => ({ id, build: buildOf.get(id) ?? '' }))
  const found = survey
    ? (await findPlaces(tx, { ...order, servers, survey }, now)).found
    : new Map<string, string>()
  if (!found) return false
  const kept = waiting.map(({ tenantId, id, ...row }) => {
    const nodeId = found.get(id) ?? row.nodeId
    const need = survey?.offers.get(buildOf.get(id) ?? '')?.needs.get(nodeId)
    const locationIds = found.has(id) && need ? need.locationIds : row.locationIds
    return { tenantId, id, nodeId, locationIds, heldUntil: null }
  })
  await updateReservations(tx, kept)
  return true
}

/** Whether a place has waited so long for payment that another order may have it. */
export function isLapsed({ heldUntil }: Pick<ReservationRow, 'heldUntil'>, now: Instant): boolean {
  return heldUntil !== null && heldUntil <= now
}

/** Releases the place of a server that is not to be created any more. Safe to repeat. */
export function releaseRoom(tx: Tx, key: ReservationKey): Promise<void> {
  return deleteReservation(tx, key)
}

/** Records that a server exists on its panel, which counts it from now on. */
export function markPlaced(tx: Tx, key: ReservationKey, now: Instant): Promise<void> {
  return updateReservation(tx, key, { placedAt: now })
}

/** Moves a reservation to another connection, and the locations on it for the server. */
export function moveReservation(
  tx: Tx,
  { nodeId, locationIds, ...key }: ReservationKey & Pick<ReservationRow, 'nodeId' | 'locationIds'>,
): Promise<void> {
  return updateReservation(tx, key, { nodeId, locationIds })
}

type Found = {
  /** The connection of each server; undefined if there is no room for all of them. */
  readonly found: Map<string, string> | undefined
  readonly promised: Promised[]
}

/** Finds places for servers of an order, and what others have reserved; locks the connections. */
async function findPlaces(
  tx: Tx,
  { survey, servers, ...order }: Servers,
  now: Instant,
): Promise<Found> {
  const { takenAt, panels } = survey
  if (servers.length === 0 || survey.offers.size === 0) return { found: new Map(), promised: [] }
  // What is reserved on another connection to the same panel takes room on the same machines.
  const nodeIds = [...panels.keys()]
  await lockRoomOf(tx, order.tenantId, nodeIds)
  await deletePlaced(tx, order.tenantId, nodeIds, now)
  const rows = await listPromised(tx, order, { nodeIds, takenAt }, now)
  const promised = rows.map(({ nodeId, ...need }) => ({ nodeId, need }))
  return { found: placesFound(survey, promised, servers), promised }
}

/**
 * How many servers of a build fit on each panel of a survey, minus what others have reserved; null if a panel
 * is unavailable. Takes no lock: another order may have a place immediately afterwards.
 */
export async function placesNow(
  db: Db,
  { tenantId, survey, builds }: { tenantId: string; survey: RoomSurvey; builds: readonly string[] },
  now: Instant,
): Promise<Map<string, (number | null)[]>> {
  const { takenAt, panels } = survey
  const seen = { nodeIds: [...panels.keys()], takenAt }
  const rows = await listPromised(db, { tenantId, reference: null }, seen, now)
  const promised = rows.map(({ nodeId, ...need }) => ({ nodeId, need }))
  return new Map(builds.map((build) => [build, placesLeft(survey, promised, build)]))
}

function noCapacity(alternatives: readonly string[]) {
  const message = 'There is no room for this server at the moment.'
  return new Problem(422, message, {
    code: 'no_capacity',
    ...(alternatives.length > 0 && { alternatives }),
  })
}
