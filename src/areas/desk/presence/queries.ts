import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { findStaffTicket, staffOf } from '#support'
import type { OpenObject } from './schema.ts'

export type PresenceRow = Row<'desk.presence'>
export type PresenceKey = UserKey & OpenObject

/** The tables of the kinds that all staff with the permission see. */
const TABLES = {
  ...{ user: 'users.users', service: 'services.services' },
  ...{ order: 'orders.orders', invoice: 'billing.invoices' },
} as const
type Keyed = { tenantId: string; id: string }

/** Whether the object exists for a member of staff: a ticket of another group's department does not. */
export async function isSeen(db: Db, { kind, id, ...user }: PresenceKey): Promise<boolean> {
  if (kind === 'ticket') {
    return (await findStaffTicket(db, await staffOf(db, user), id)) !== undefined
  }
  const row = await db
    .selectFrom(sql<Keyed>`${sql.table(TABLES[kind])}`.as('object'))
    .select('id')
    .where('tenantId', '=', user.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The lock for the people of one object: of two who open it at the same time, the second sees the first. It ends with
 * the transaction.
 */
export async function lockObject(tx: Tx, { tenantId, kind, id }: PresenceKey): Promise<void> {
  const name = `presence ${tenantId} ${kind} ${id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** The valid heartbeats of an object, including that of the caller. */
export function listPresent(
  db: Db,
  { tenantId, kind, id }: PresenceKey,
  after: Instant,
): Promise<Pick<PresenceRow, 'userId' | 'writing'>[]> {
  return db
    .selectFrom('desk.presence')
    .select(['userId', 'writing'])
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where('objectId', '=', id)
    .where('seenAt', '>', after)
    .orderBy('userId')
    .execute()
}

export async function upsertPresence(tx: Tx, row: PresenceRow): Promise<void> {
  const { writing, seenAt } = row
  await tx
    .insertInto('desk.presence')
    .values(row)
    .onConflict((it) =>
      it.columns(['tenantId', 'kind', 'objectId', 'userId']).doUpdateSet({ writing, seenAt }),
    )
    .execute()
}

/** Undefined if the person was not present. */
export function deletePresence(tx: Tx, { tenantId, userId, kind, id }: PresenceKey) {
  return tx
    .deleteFrom('desk.presence')
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where('objectId', '=', id)
    .where('userId', '=', userId)
    .returning('objectId')
    .executeTakeFirst()
}

/** Where a person was seen last: the entries that are not deleted yet. */
export function listPresenceOf(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('desk.presence')
    .select(['kind', 'objectId', 'writing', 'seenAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('seenAt')
    .execute()
}

export async function deletePresenceOf(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('desk.presence')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** Deletes expired heartbeats of all tenants. Returns how many. */
export async function deleteExpired(tx: Tx, upTo: Instant, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from desk.presence where (tenant_id, kind, object_id, user_id) in (
      select tenant_id, kind, object_id, user_id from desk.presence where seen_at <= ${upTo}
      limit ${limit} for update skip locked)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
