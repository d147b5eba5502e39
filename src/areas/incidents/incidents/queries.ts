import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { IncidentRow } from './rules.ts'

export type IncidentKey = Pick<IncidentRow, 'tenantId' | 'id'>

function selectIncidents(db: Db, tenantId: string) {
  return db.selectFrom('incidents.incidents').selectAll().where('tenantId', '=', tenantId)
}

export function findIncident(
  db: Db,
  { tenantId, id }: IncidentKey,
): Promise<IncidentRow | undefined> {
  return selectIncidents(db, tenantId).where('id', '=', id).executeTakeFirst()
}

/** Locks an incident: everything that changes it or its updates waits for each other. */
export function lockIncident(
  tx: Tx,
  { tenantId, id }: IncidentKey,
): Promise<IncidentRow | undefined> {
  return selectIncidents(tx, tenantId).where('id', '=', id).forUpdate().executeTakeFirst()
}

export type IncidentFilter = {
  readonly tenantId: string
  readonly kind?: IncidentRow['kind'] | undefined
  readonly show?: 'draft' | 'open' | 'over' | undefined
}

/** The incidents of a shop, the last created first. */
export function listIncidents(
  db: Db,
  { tenantId, kind, show, ...page }: IncidentFilter & PageQuery,
  now: Instant,
) {
  const query = selectIncidents(db, tenantId)
    .$if(kind !== undefined, (it) => it.where('kind', '=', kind ?? 'incident'))
    .$if(show === 'draft', (it) => it.where('publishedAt', 'is', null))
    .$if(show === 'open', (it) => it.where(isOpenAt(now)))
    .$if(show === 'over', (it) =>
      it.where('publishedAt', 'is not', null).where(sql<SqlBool>`not (${isOpenAt(now)})`),
    )
  return pageOf(query, page)
}

/** Whether a published incident goes on, or is planned. */
export function isOpenAt(now: Instant) {
  return sql<SqlBool>`published_at is not null and resolved_at is null and canceled_at is null
    and (ends_at is null or ends_at > ${now}::timestamptz)`
}

export function insertIncident(
  tx: Tx,
  row: Insertable<Tables['incidents.incidents']>,
): Promise<IncidentRow> {
  return tx.insertInto('incidents.incidents').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Changes an incident that its caller has locked. */
export function updateIncident(
  tx: Tx,
  { tenantId, id }: IncidentKey,
  change: Updateable<Tables['incidents.incidents']>,
): Promise<IncidentRow> {
  return tx
    .updateTable('incidents.incidents')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes an incident without updates that its caller has locked. */
export async function deleteIncident(tx: Tx, { tenantId, id }: IncidentKey): Promise<void> {
  await tx
    .deleteFrom('incidents.incidents')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Sets the end of maintenance of all shops whose planned end has come; at most `limit`, which are returned. */
export function endMaintenance(
  tx: Tx,
  now: Instant,
  limit: number,
): Promise<Pick<IncidentRow, 'tenantId' | 'id'>[]> {
  return tx
    .updateTable('incidents.incidents')
    .set((it) => ({ resolvedAt: it.ref('endsAt') }))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('tenantId', 'id'),
        'in',
        selectFrom('incidents.incidents')
          .select(['tenantId', 'id'])
          .where('kind', '=', 'maintenance')
          .where('publishedAt', 'is not', null)
          .where('resolvedAt', 'is', null)
          .where('canceledAt', 'is', null)
          .where('endsAt', '<=', now)
          .orderBy('endsAt')
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .$asTuple('tenantId', 'id'),
      ),
    )
    .returning(['tenantId', 'id'])
    .execute()
}

export type Affects = Pick<IncidentRow, 'nodeIds' | 'locationIds' | 'productIds'>

/** Those of the affected things that exist: panel connections, locations and products, archived or not. */
export async function listKnown(
  db: Db,
  tenantId: string,
  { nodeIds, locationIds, productIds }: Affects,
): Promise<ReadonlySet<string>> {
  const among = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`
  const rows = await db
    .selectFrom('panel.nodes')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('id', '=', among(nodeIds))
    .where('deletedAt', 'is', null)
    .unionAll(
      db
        .selectFrom('panel.locations')
        .select('id')
        .where('tenantId', '=', tenantId)
        .where('id', '=', among(locationIds)),
    )
    .unionAll(
      db
        .selectFrom('store.products')
        .select('id')
        .where('tenantId', '=', tenantId)
        .where('id', '=', among(productIds)),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}
