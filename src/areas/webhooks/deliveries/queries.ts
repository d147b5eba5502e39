import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { pageOf } from '#platform/page.ts'
import type { EndpointRow } from '../endpoints/rules.ts'
import type { MessageRow } from '../messages/queries.ts'
import type { AttemptRow, DeliveryRow } from './rules.ts'
import type { BulkReplay, DeliveryQuery } from './schema.ts'

export type DeliveryKey = Pick<DeliveryRow, 'tenantId' | 'id'>
type OfEndpoint = Pick<DeliveryRow, 'tenantId' | 'endpointId'>

/** A delivery that this process is sending, with everything that is needed to send it. */
export type Claimed = Pick<DeliveryRow, 'tenantId' | 'id' | 'endpointId' | 'messageId' | 'type'> &
  Pick<DeliveryRow, 'orderingKey' | 'attempts' | 'tries'> &
  Pick<MessageRow, 'body' | 'requestId' | 'purchaseId' | 'trace'> &
  Pick<EndpointRow, 'url' | 'sealedSecret' | 'sealedPreviousSecret' | 'previousSecretEndsAt'>

const LOG_LENGTH = 50

/** Deliveries to an endpoint, newest first. */
export function listDeliveries(
  db: Db,
  { tenantId, endpointId }: OfEndpoint,
  { status, type, ...page }: DeliveryQuery,
) {
  let query = db
    .selectFrom('webhooks.deliveries')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('endpointId', '=', endpointId)
  if (status !== undefined) query = query.where('status', '=', status)
  if (type !== undefined) query = query.where('type', '=', type)
  return pageOf(query, page)
}

/** A delivery of an existing endpoint, with its message. */
export function findDelivery(db: Db, { tenantId, id }: DeliveryKey) {
  return db
    .selectFrom('webhooks.deliveries as delivery')
    .innerJoin('webhooks.messages as message', (join) =>
      join
        .onRef('message.tenantId', '=', 'delivery.tenantId')
        .onRef('message.id', '=', 'delivery.messageId'),
    )
    .innerJoin('webhooks.endpoints as endpoint', (join) =>
      join
        .onRef('endpoint.tenantId', '=', 'delivery.tenantId')
        .onRef('endpoint.id', '=', 'delivery.endpointId'),
    )
    .selectAll('delivery')
    .select('message.body')
    .where('delivery.tenantId', '=', tenantId)
    .where('delivery.id', '=', id)
    .where('endpoint.deletedAt', 'is', null)
    .executeTakeFirst()
}

/** The last attempts of a delivery, newest first. */
export function listAttempts(db: Db, { tenantId, id }: DeliveryKey): Promise<AttemptRow[]> {
  return db
    .selectFrom('webhooks.attempts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('deliveryId', '=', id)
    .orderBy('id', 'desc')
    .limit(LOG_LENGTH)
    .execute()
}

/** The given endpoints to which a message about the object has yet to be delivered. */
export async function listBusyLines(
  tx: Tx,
  {
    tenantId,
    orderingKey,
    endpointIds,
  }: {
    tenantId: string
    orderingKey: string
    endpointIds: readonly string[]
  },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('webhooks.deliveries')
    .select('endpointId')
    .distinct()
    .where('tenantId', '=', tenantId)
    .where('endpointId', '=', sql<string>`any(${[...endpointIds]}::uuid[])`)
    .where('orderingKey', '=', orderingKey)
    .where('status', '=', 'pending')
    .execute()
  return rows.map(({ endpointId }) => endpointId)
}

/** Whether a delivery is due at `now`, and no process is sending it. */
function dueAt(now: Instant) {
  return sql<boolean>`next_at <= ${now} and (lease_until is null or lease_until <= ${now})`
}

function open(now: Instant) {
  return sql<boolean>`disabled_at is null and deleted_at is null
    and (paused_until is null or paused_until <= ${now})`
}

/** The tenants with something to send now; at most `limit`. */
export async function listTenantsDue(db: Db, now: Instant, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('webhooks.endpoints as endpoint')
    .select('endpoint.tenantId')
    .distinct()
    .where(open(now))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhooks.deliveries as delivery')
          .select('delivery.id')
          .whereRef('delivery.tenantId', '=', 'endpoint.tenantId')
          .whereRef('delivery.endpointId', '=', 'endpoint.id')
          .where(dueAt(now)),
      ),
    )
    .limit(limit)
    .execute()
  return rows.map(({ tenantId }) => tenantId)
}

/** The endpoints of a tenant with something to send now. */
export function listEndpointsDue(
  db: Db,
  tenantId: string,
  now: Instant,
): Promise<{ id: string; failing: boolean }[]> {
  return db
    .selectFrom('webhooks.endpoints as endpoint')
    .select('endpoint.id')
    .select(sql<boolean>`failing_since is not null`.as('failing'))
    .where('endpoint.tenantId', '=', tenantId)
    .where(open(now))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhooks.deliveries as delivery')
          .select('delivery.id')
          .where('delivery.tenantId', '=', tenantId)
          .whereRef('delivery.endpointId', '=', 'endpoint.id')
          .where(dueAt(now)),
      ),
    )
    .execute()
}

type Claim = { tenantId: string; rooms: ReadonlyMap<string, number>; now: Instant; until: Instant }

/** Claims the deliveries that are due the longest, up to the room of each endpoint, until a time. */
export async function claimDue(tx: Tx, { tenantId, rooms, now, until }: Claim): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with due as (
      select due.id from unnest(${[...rooms.keys()]}::uuid[], ${[...rooms.values()]}::int[])
        as room (endpoint_id, size)
      cross join lateral (
        select id from webhooks.deliveries
        where tenant_id = ${tenantId} and endpoint_id = room.endpoint_id and ${dueAt(now)}
        order by next_at limit room.size for update skip locked) as due)
    update webhooks.deliveries as delivery
    set lease_until = ${until}, attempts = delivery.attempts + 1, tries = delivery.tries + 1
    from due, webhooks.messages as message, webhooks.endpoints as endpoint
    where delivery.tenant_id = ${tenantId} and delivery.id = due.id
      and message.tenant_id = ${tenantId} and message.id = delivery.message_id
      and endpoint.tenant_id = ${tenantId} and endpoint.id = delivery.endpoint_id
    returning delivery.tenant_id, delivery.id, delivery.endpoint_id, delivery.message_id,
      delivery.type, delivery.ordering_key, delivery.attempts, delivery.tries, message.body,
      message.request_id, message.purchase_id, message.trace, endpoint.url, endpoint.sealed_secret,
      endpoint.sealed_previous_secret, endpoint.previous_secret_ends_at
  `.execute(tx)
  return rows
}

export async function insertAttempt(tx: Tx, row: AttemptRow): Promise<void> {
  await tx.insertInto('webhooks.attempts').values(row).execute()
}

/** Records that a delivery has arrived, whichever process has claimed it by now. */
export async function markDelivered(
  tx: Tx,
  { tenantId, id }: DeliveryKey,
  { statusCode, deliveredAt }: { statusCode: number | null; deliveredAt: Instant },
): Promise<void> {
  await tx
    .updateTable('webhooks.deliveries')
    .set({ status: 'delivered', deliveredAt, statusCode })
    .set({ error: null, nextAt: null, leaseUntil: null })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

type Failed = Pick<DeliveryRow, 'statusCode' | 'error' | 'nextAt'>

/** Records a failed attempt, without a next one a failed delivery. Ignores an overtaken attempt. */
export async function markFailed(
  tx: Tx,
  { tenantId, id, attempts }: Pick<Claimed, 'tenantId' | 'id' | 'attempts'>,
  { statusCode, error, nextAt }: Failed,
): Promise<void> {
  await tx
    .updateTable('webhooks.deliveries')
    .set({ status: nextAt ? 'pending' : 'failed', statusCode, error, nextAt, leaseUntil: null })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'pending')
    .execute()
}

type Line = OfEndpoint & Pick<DeliveryRow, 'orderingKey'>

/** Releases the next message about an object, unless an earlier one is still being delivered. */
export async function releaseNext(
  tx: Tx,
  { tenantId, endpointId, orderingKey }: Line,
  now: Instant,
): Promise<void> {
  await sql`
    update webhooks.deliveries set next_at = ${now}
    where tenant_id = ${tenantId} and next_at is null and id = (
      select id from webhooks.deliveries
      where tenant_id = ${tenantId} and endpoint_id = ${endpointId}
        and ordering_key = ${orderingKey} and status = 'pending'
      order by message_id limit 1)`.execute(tx)
}

/** Releases every message that waits for an earlier one, for an endpoint that no longer requires order. */
export async function releaseWaiting(
  tx: Tx,
  { tenantId, id: endpointId }: Pick<EndpointRow, 'tenantId' | 'id'>,
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('webhooks.deliveries')
    .set({ nextAt: now })
    .where('tenantId', '=', tenantId)
    .where('endpointId', '=', endpointId)
    .where('status', '=', 'pending')
    .where('orderingKey', 'is not', null)
    .where('nextAt', 'is', null)
    .execute()
}

type Again = OfEndpoint & BulkReplay & { id?: string; limit: number }

/**
 * Starts ended and held deliveries of an endpoint again, the oldest first: those requested by id, or by status
 * and age. Of several about one object the first is sent and the others wait. Returns how many.
 */
export async function replayEnded(
  tx: Tx,
  { tenantId, endpointId, id, status, since, limit }: Again,
  now: Instant,
): Promise<number> {
  const wanted =
    id === undefined
      ? sql`status = any(${status ? [status] : ['failed', 'held']}::text[])
          and (${since ?? null}::timestamptz is null or created_at >= ${since ?? null})`
      : sql`id = ${id} and status <> 'pending'`
  const { numAffectedRows } = await sql`
    with wanted as (
      select id, ordering_key, message_id from webhooks.deliveries
      where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and ${wanted}
      order by id limit ${limit} for update),
    line as (
      select id, ordering_key is null or row_number()
        over (partition by ordering_key order by message_id) = 1 as first from wanted)
    update webhooks.deliveries as delivery
    set status = 'pending', tries = 0, lease_until = null, delivered_at = null,
      next_at = case when line.first and not exists (
        select from webhooks.deliveries as before
        where before.tenant_id = ${tenantId} and before.endpoint_id = ${endpointId}
          and before.ordering_key = delivery.ordering_key and before.status = 'pending')
      then ${now}::timestamptz end
    from line where delivery.tenant_id = ${tenantId} and delivery.id = line.id`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Makes the next attempt of a delivery due now, if it waits for its time and no process is sending it. */
export async function hurry(tx: Tx, { tenantId, id }: DeliveryKey, now: Instant): Promise<void> {
  await tx
    .updateTable('webhooks.deliveries')
    .set({ nextAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('nextAt', '>', now)
    .execute()
}

/** Removes deliveries to endpoints that were deleted; returns how many. */
export async function purgeOfDeleted(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhooks.deliveries where (tenant_id, id) in (
      select delivery.tenant_id, delivery.id from webhooks.endpoints as endpoint
      join webhooks.deliveries as delivery
        on delivery.tenant_id = endpoint.tenant_id and delivery.endpoint_id = endpoint.id
      where endpoint.deleted_at is not null limit ${limit})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
