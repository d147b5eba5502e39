import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { ServiceKey } from '../queries.ts'
import type { AttemptRow, DeliveryRow } from './rules.ts'

export type DeliveryKey = Pick<DeliveryRow, 'tenantId' | 'id'>

type NewDelivery = Pick<
  DeliveryRow,
  'tenantId' | 'id' | 'serviceId' | 'productId' | 'action' | 'upgradeId' | 'createdAt'
> &
  Pick<DeliveryRow, 'confirmBy' | 'nextAt'>

/** Returns whether the delivery is new: a service has one pending delivery of each action. */
export async function insertDelivery(tx: Tx, row: NewDelivery): Promise<boolean> {
  const inserted = await tx
    .insertInto('services.deliveries')
    .values(row)
    .onConflict((it) => it.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

const OPEN = sql<boolean>`done_at is null and failed_at is null and canceled_at is null`

export function findDelivery(db: Db, { tenantId, id }: DeliveryKey) {
  return db
    .selectFrom('services.deliveries')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A delivery, locked. Its service must be locked before it, everywhere. */
export function lockDelivery(tx: Tx, { tenantId, id }: DeliveryKey) {
  return tx
    .selectFrom('services.deliveries')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

const MOST_SHOWN = 50

/** The last 50 deliveries of a service, newest first. */
export function listDeliveries(db: Db, { tenantId, id }: ServiceKey): Promise<DeliveryRow[]> {
  return db
    .selectFrom('services.deliveries')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .execute()
}

/** The deliveries of a locked service whose outcome is open, oldest first. */
export function lockPendingDeliveries(tx: Tx, { tenantId, id }: ServiceKey) {
  return tx
    .selectFrom('services.deliveries')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where(OPEN)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The last delivery of a service with one of these actions that was not canceled. */
export function findLastDelivery(
  db: Db,
  { tenantId, id }: ServiceKey,
  actions: readonly DeliveryRow['action'][],
) {
  return db
    .selectFrom('services.deliveries')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where('action', 'in', actions)
    .where('canceledAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Every order of a service to its system to create it. */
export function listCreations(db: Db, { tenantId, id }: ServiceKey) {
  return db
    .selectFrom('services.deliveries')
    .select(['sentAt', 'failureCode'])
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where('action', '=', 'create')
    .execute()
}

/** The latest reference that the system of a service gave to it; null if it gave none. */
export async function findReference(db: Db, { tenantId, id }: ServiceKey): Promise<string | null> {
  const row = await db
    .selectFrom('services.deliveries')
    .select('reference')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where('reference', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.reference ?? null
}

/** Whether another delivery of a locked service is being sent right now: its system gets one after the other. */
export async function isOtherUnderWay(
  tx: Tx,
  { tenantId, id: serviceId }: ServiceKey,
  { id, now }: { id: string; now: Instant },
): Promise<boolean> {
  const row = await tx
    .selectFrom('services.deliveries')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('id', '<>', id)
    .where('leaseUntil', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateDelivery(
  tx: Tx,
  { tenantId, id }: DeliveryKey,
  change: Partial<Omit<DeliveryRow, 'tenantId' | 'id'>>,
): Promise<void> {
  await tx
    .updateTable('services.deliveries')
    .set(change)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** The delivery of a change of plan. */
export function findDeliveryOf(
  db: Db,
  { tenantId, id: upgradeId }: { tenantId: string; id: string },
) {
  return db
    .selectFrom('services.deliveries')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('upgradeId', '=', upgradeId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function insertAttempt(tx: Tx, row: AttemptRow): Promise<void> {
  await tx.insertInto('services.delivery_attempts').values(row).execute()
}

const MOST_ATTEMPTS = 20

/** The last tries of each of these deliveries, newest first. */
export async function attemptsOf(
  db: Db,
  tenantId: string,
  deliveryIds: readonly string[],
): Promise<Map<string, AttemptRow[]>> {
  if (deliveryIds.length === 0) return new Map()
  const { rows } = await sql<AttemptRow>`
    select attempt.* from unnest(${[...deliveryIds]}::uuid[]) as wanted (id)
    cross join lateral (
      select * from services.delivery_attempts
      where tenant_id = ${tenantId} and delivery_id = wanted.id
      order by id desc limit ${MOST_ATTEMPTS}) as attempt
    order by attempt.id desc`.execute(db as never)
  return Map.groupBy(rows, ({ deliveryId }) => deliveryId)
}

/** Deliveries whose sending is overdue, and that no process is sending, of every tenant. */
export function listDueDeliveries(db: Db, now: Instant, limit: number) {
  return db
    .selectFrom('services.deliveries')
    .select(['tenantId', 'id'])
    .where(OPEN)
    .where('nextAt', '<=', now)
    .where((it) => it.or([it('leaseUntil', 'is', null), it('leaseUntil', '<', now)]))
    .orderBy('nextAt')
    .limit(limit)
    .execute()
}

/** Deliveries whose confirmation is overdue, and of which staff were not notified, of every tenant. */
export function listLateDeliveries(db: Db, now: Instant, limit: number) {
  return db
    .selectFrom('services.deliveries')
    .select(['tenantId', 'id', 'serviceId'])
    .where(OPEN)
    .where('alertedAt', 'is', null)
    .where('confirmBy', '<=', now)
    .orderBy('confirmBy')
    .limit(limit)
    .execute()
}

/** The deliveries that staff were notified of and that are still open, by service. */
export async function lateDeliveriesOf(
  db: Db,
  tenantId: string,
  serviceIds: readonly string[],
): Promise<Map<string, DeliveryRow>> {
  const rows = await db
    .selectFrom('services.deliveries')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', sql<string>`any(${[...serviceIds]}::uuid[])`)
    .where('alertedAt', 'is not', null)
    .where(OPEN)
    .orderBy('id')
    .execute()
  return new Map(rows.map((row) => [row.serviceId, row]))
}
