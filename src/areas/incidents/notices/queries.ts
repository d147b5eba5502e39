import { type SqlBool, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { Affects } from '../incidents/queries.ts'
import type { UpdateKey } from '../updates/queries.ts'

/** Whether a service, active or suspended, is affected by an incident. The table has the alias `service`. */
function isAffected({ nodeIds, locationIds, productIds }: Affects) {
  return sql<SqlBool>`service.activated_at is not null and service.ended_at is null and (
    service.node_id = any(${[...nodeIds]}::uuid[])
    or service.location_id = any(${[...locationIds]}::uuid[])
    or service.product_id = any(${[...productIds]}::uuid[]))`
}

/** The owners of affected services in the order of their ids, after one of them; each once, at most `limit`. */
export async function listAffectedCustomers(
  db: Db,
  tenantId: string,
  affects: Affects,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('services.services as service')
    .select('service.userId')
    .distinct()
    .where('service.tenantId', '=', tenantId)
    .where(isAffected(affects))
    .$if(after !== null, (it) => it.where('service.userId', '>', after ?? ''))
    .orderBy('service.userId')
    .limit(limit)
    .execute()
  return rows.map(({ userId }) => userId)
}

/** How many people own an affected service. */
export async function countAffectedCustomers(
  db: Db,
  tenantId: string,
  affects: Affects,
): Promise<number> {
  const { count } = await db
    .selectFrom('services.services as service')
    .select(sql<number>`count(distinct service.user_id)::integer`.as('count'))
    .where('service.tenantId', '=', tenantId)
    .where(isAffected(affects))
    .executeTakeFirstOrThrow()
  return count
}

/** Records that people are notified of an update; returns those who were not before. */
export async function insertNotified(
  tx: Tx,
  { tenantId, id: updateId }: UpdateKey,
  userIds: readonly string[],
  now: Instant,
): Promise<string[]> {
  if (userIds.length === 0) return []
  const rows = await tx
    .insertInto('incidents.notified')
    .values(userIds.map((userId) => ({ tenantId, updateId, userId, createdAt: now })))
    .onConflict((it) => it.doNothing())
    .returning('userId')
    .execute()
  return rows.map(({ userId }) => userId)
}

/** The updates that a person was notified of, in their order, after one of them. */
export function listNotified(
  db: Db,
  { tenantId, userId }: UserKey,
  { after, limit }: { after: string | null; limit: number },
) {
  return db
    .selectFrom('incidents.notified as notified')
    .innerJoin('incidents.updates as update', (join) =>
      join
        .onRef('update.tenantId', '=', 'notified.tenantId')
        .onRef('update.id', '=', 'notified.updateId'),
    )
    .innerJoin('incidents.incidents as incident', (join) =>
      join
        .onRef('incident.tenantId', '=', 'update.tenantId')
        .onRef('incident.id', '=', 'update.incidentId'),
    )
    .select(['update.id', 'incident.titles', 'update.state', 'notified.createdAt as notifiedAt'])
    .where('notified.tenantId', '=', tenantId)
    .where('notified.userId', '=', userId)
    .$if(after !== null, (it) => it.where('update.id', '>', after ?? ''))
    .orderBy('update.id')
    .limit(limit)
    .execute()
}

export async function deleteNotified(
  tx: Tx,
  { tenantId, userId }: Pick<Leaving, 'tenantId' | 'userId'>,
): Promise<void> {
  await tx
    .deleteFrom('incidents.notified')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}
