import { sql } from 'kysely'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { insertRows, updateRows } from '#platform/database/rows.ts'

export type ReservationRow = Row<'panel.reservations'>
export type ReservationKey = Pick<ReservationRow, 'tenantId' | 'id'>
export type OrderOfServers = Pick<ReservationRow, 'tenantId' | 'reference'>

/** A request that is about to take its payment may have read the clock a short time ago. */
const GRACE_MS = MINUTE_MS
/** A survey is never older than this: servers that were placed before it are counted by the panel. */
const PLACED_KEPT_MS = 5 * MINUTE_MS

/** Prevents others from counting and reserving the places of these connections until the transaction ends. */
export async function lockRoomOf(
  tx: Tx,
  tenantId: string,
  nodeIds: readonly string[],
): Promise<void> {
  await tx
    .selectFrom('panel.nodes')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...nodeIds]}::uuid[])`)
    .orderBy('id')
    // Servers and eggs may still insert references to the connections meanwhile.
    .forNoKeyUpdate()
    .execute()
}

/**
 * What orders other than the given one (null: all) have reserved on these connections and a survey of `takenAt` may not
 * include. A reservation that waits for payment is counted a minute longer than its order may rely on it.
 */
export function listPromised(
  db: Db,
  { tenantId, reference }: { tenantId: string; reference: string | null },
  { nodeIds, takenAt }: { nodeIds: readonly string[]; takenAt: Instant },
  now: Instant,
): Promise<ReservationRow[]> {
  return db
    .selectFrom('panel.reservations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', sql<string>`any(${[...nodeIds]}::uuid[])`)
    .$if(reference !== null, (it) => it.where('reference', '<>', reference ?? ''))
    .where((it) => it.or([it('placedAt', 'is', null), it('placedAt', '>=', takenAt)]))
    .where((it) =>
      it.or([it('heldUntil', 'is', null), it('heldUntil', '>', later(now, -GRACE_MS))]),
    )
    .orderBy('id')
    .execute()
}

/** Deletes the reservations of servers that panels have counted for a while. */
export async function deletePlaced(
  tx: Tx,
  tenantId: string,
  nodeIds: readonly string[],
  now: Instant,
): Promise<void> {
  await tx
    .deleteFrom('panel.reservations')
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', sql<string>`any(${[...nodeIds]}::uuid[])`)
    .where('placedAt', '<', later(now, -PLACED_KEPT_MS))
    .execute()
}

export function insertReservations(
  tx: Tx,
  rows: readonly Omit<ReservationRow, 'placedAt'>[],
): Promise<void> {
  return insertRows(tx, 'panel.reservations', rows)
}

export function listReservations(
  db: Db,
  { tenantId, reference }: OrderOfServers,
): Promise<ReservationRow[]> {
  return db
    .selectFrom('panel.reservations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('reference', '=', reference)
    .orderBy('id')
    .execute()
}

/** Records where servers of an order are placed, and that they no longer wait for payment. */
export function updateReservations(
  tx: Tx,
  rows: readonly (ReservationKey & Pick<ReservationRow, 'nodeId' | 'locationIds' | 'heldUntil'>)[],
): Promise<void> {
  return updateRows(tx, 'panel.reservations', ['tenantId', 'id'], rows)
}

export async function updateReservation(
  tx: Tx,
  { tenantId, id }: ReservationKey,
  change: Partial<Pick<ReservationRow, 'nodeId' | 'locationIds' | 'placedAt'>>,
): Promise<void> {
  await tx
    .updateTable('panel.reservations')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function deleteReservation(tx: Tx, { tenantId, id }: ReservationKey): Promise<void> {
  await tx
    .deleteFrom('panel.reservations')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** The connection on which a place is reserved for a server. */
export async function findReservedNode(
  db: Db,
  { tenantId, id }: ReservationKey,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('panel.reservations')
    .select('nodeId')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.nodeId
}
