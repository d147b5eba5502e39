import { unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
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
import { placesFound, type RoomSurvey, type Wanted } from './rules.ts'

type Servers = OrderOfServers & {
  readonly servers: readonly Wanted[]
  readonly survey: RoomSurvey
}

/**
 * Promises the servers of an order their places until `heldUntil`: one order after the other counts what
 * a panel has left, so the last place is promised once. Throws 422 `no_capacity`, and then nothing is
 * promised. What makes no server takes no place.
 */
export async function reserveRoom(
  tx: Tx,
  { heldUntil, ...order }: Servers & { heldUntil: Instant },
  now: Instant,
): Promise<void> {
  const { tenantId, reference, servers, survey } = order
  const found = await findPlaces(tx, order, now)
  if (!found) throw noCapacity()
  const rows = servers.flatMap(({ id, productId }) => {
    const need = survey.offers.get(productId)?.need
    const nodeId = found.get(id)
    return need && nodeId ? [{ tenantId, id, reference, nodeId, ...need, heldUntil }] : []
  })
  await insertReservations(tx, rows)
}

/**
 * The money of an order has come: its places are kept until its servers stand there. Where it came
 * after they could be relied on, they are looked for again in `survey`. False when they are known to be
 * gone, and then nothing has changed; safe to repeat.
 */
export async function keepRoom(
  tx: Tx,
  order: OrderOfServers & { readonly survey: RoomSurvey | null },
  productOf: ReadonlyMap<string, string>,
  now: Instant,
): Promise<boolean> {
  const rows = await listReservations(tx, order)
  const waiting = rows.filter(({ heldUntil }) => heldUntil !== null)
  const { survey } = order
  const lapsed = waiting.filter((row) => isLapsed(row, now))
  const servers = lapsed.map(({ id }) => ({ id, productId: productOf.get(id) ?? '' }))
  const found = survey
    ? await findPlaces(tx, { ...order, servers, survey }, now)
    : new Map<string, string>()
  if (!found) return false
  const kept = waiting.map(({ tenantId, id, nodeId }) => {
    return { tenantId, id, nodeId: found.get(id) ?? nodeId, heldUntil: null }
  })
  await updateReservations(tx, kept)
  return true
}

/** Whether a place waited for money for so long that another order may have it. */
export function isLapsed({ heldUntil }: Pick<ReservationRow, 'heldUntil'>, now: Instant): boolean {
  return heldUntil !== null && heldUntil <= now
}

/** Gives back what a server was promised: it is not to be made any more. Safe to repeat. */
export function releaseRoom(tx: Tx, key: ReservationKey): Promise<void> {
  return deleteReservation(tx, key)
}

/** A server stands on its panel, which counts it from now on. */
export function markPlaced(tx: Tx, key: ReservationKey, now: Instant): Promise<void> {
  return updateReservation(tx, key, { placedAt: now })
}

/** A server is made on another connection than it was promised. */
export function moveReservation(
  tx: Tx,
  key: ReservationKey & Pick<ReservationRow, 'nodeId'>,
): Promise<void> {
  return updateReservation(tx, key, { nodeId: key.nodeId })
}

/** Places for servers of an order, with their connections locked; undefined when there are none. */
async function findPlaces(
  tx: Tx,
  { survey, servers, ...order }: Servers,
  now: Instant,
): Promise<Map<string, string> | undefined> {
  const { takenAt, panels } = survey
  if (servers.length === 0 || survey.offers.size === 0) return new Map()
  // What was promised on another connection to the same panel takes room on the same machines.
  const nodeIds = [...panels.keys()]
  await lockRoomOf(tx, order.tenantId, nodeIds)
  await deletePlaced(tx, order.tenantId, nodeIds, now)
  const rows = await listPromised(tx, order, { nodeIds, takenAt }, now)
  const promised = rows.map(({ nodeId, ...need }) => ({ nodeId, need }))
  return placesFound(survey, promised, servers)
}

function noCapacity() {
  return unprocessable('There is no room for this server at the moment.', 'no_capacity')
}
