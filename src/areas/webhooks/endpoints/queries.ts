import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { EndpointRow } from './rules.ts'

export type EndpointKey = Pick<EndpointRow, 'tenantId' | 'id'>

type NewRow = Pick<EndpointRow, 'tenantId' | 'id' | 'url' | 'description' | 'types' | 'ordered'> &
  Pick<EndpointRow, 'sealedSecret' | 'secretEnd' | 'createdAt'>

export function findEndpoint(db: Db, { tenantId, id }: EndpointKey) {
  return db
    .selectFrom('webhooks.endpoints')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}

export function lockEndpoint(tx: Tx, { tenantId, id }: EndpointKey) {
  return tx
    .selectFrom('webhooks.endpoints')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function listEndpoints(db: Db, tenantId: string, page: PageQuery) {
  const query = db
    .selectFrom('webhooks.endpoints')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('deletedAt', 'is', null)
  return pageOf(query, page)
}

/** Whether a tenant has any endpoint at all. */
export async function hasEndpoints(db: Db, tenantId: string): Promise<boolean> {
  const row = await db
    .selectFrom('webhooks.endpoints')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('deletedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The endpoints that subscribe to a type, including those that are off. */
export function listHearing(db: Db, tenantId: string, type: string) {
  return db
    .selectFrom('webhooks.endpoints')
    .select(['id', 'ordered', 'disabledAt'])
    .where('tenantId', '=', tenantId)
    .where('deletedAt', 'is', null)
    .where((it) => it.or([it('types', 'is', null), sql<boolean>`${type} = any(types)`]))
    .orderBy('id')
    .execute()
}

/** Locks the order of deliveries to these endpoints until the transaction ends. */
export async function lockLines(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  await tx
    .selectFrom('webhooks.endpoints')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export function insertEndpoint(tx: Tx, row: NewRow): Promise<EndpointRow> {
  return tx.insertInto('webhooks.endpoints').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateEndpoint(
  tx: Tx,
  { tenantId, id }: EndpointKey,
  change: Partial<Omit<EndpointRow, 'tenantId'>>,
): Promise<EndpointRow> {
  return tx
    .updateTable('webhooks.endpoints')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Records that a delivery arrived at an endpoint that was failing; changes nothing else. */
export async function markReached(tx: Tx, { tenantId, id }: EndpointKey): Promise<void> {
  await tx
    .updateTable('webhooks.endpoints')
    .set({ failingSince: null, pausedUntil: null })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where((it) => it.or([it('failingSince', 'is not', null), it('pausedUntil', 'is not', null)]))
    .execute()
}

/** Removes the rows of deleted endpoints that have no deliveries left. */
export async function purgeDeleted(tx: Tx, before: Instant): Promise<void> {
  await sql`
    delete from webhooks.endpoints e where e.deleted_at <= ${before} and not exists (
      select from webhooks.deliveries d
      where d.tenant_id = e.tenant_id and d.endpoint_id = e.id)`.execute(tx)
}
