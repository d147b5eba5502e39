import { type Insertable, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { IncidentKey } from '../incidents/queries.ts'

export type UpdateRow = Row<'incidents.updates'>
export type UpdateKey = Pick<UpdateRow, 'tenantId' | 'id'>

export function insertUpdate(
  tx: Tx,
  row: Insertable<Tables['incidents.updates']>,
): Promise<UpdateRow> {
  return tx.insertInto('incidents.updates').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Locks an update, so that only one job notifies of it at a time. */
export function lockUpdate(tx: Tx, { tenantId, id }: UpdateKey): Promise<UpdateRow | undefined> {
  return tx
    .selectFrom('incidents.updates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** The updates of an incident, newest first. */
export function listUpdates(db: Db, { tenantId, id }: IncidentKey, page: PageQuery) {
  const query = db
    .selectFrom('incidents.updates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('incidentId', '=', id)
  return pageOf(query, page)
}

/** The newest update of each of these incidents. */
export function listNewestUpdates(
  db: Db,
  tenantId: string,
  incidentIds: readonly string[],
): Promise<UpdateRow[]> {
  return db
    .selectFrom('incidents.updates')
    .selectAll()
    .distinctOn('incidentId')
    .where('tenantId', '=', tenantId)
    .where('incidentId', '=', sql<string>`any(${[...incidentIds]}::uuid[])`)
    .orderBy('incidentId')
    .orderBy('id', 'desc')
    .execute()
}

/** The first update of an incident: that of its publication. */
export function findFirstUpdate(
  db: Db,
  { tenantId, id }: IncidentKey,
): Promise<UpdateRow | undefined> {
  return db
    .selectFrom('incidents.updates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('incidentId', '=', id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Lets the notification of an update begin again, for customers who were not affected before. */
export async function restartNotices(tx: Tx, { tenantId, id }: UpdateKey): Promise<void> {
  await tx
    .updateTable('incidents.updates')
    .set({ notifiedUpTo: null, finishedAt: null })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Records the progress of an update; `finishedAt` is set if nobody is left. */
export async function markNotified(
  tx: Tx,
  { tenantId, id }: UpdateKey,
  { upTo, count, finishedAt }: { upTo: string | null; count: number; finishedAt: Instant | null },
): Promise<void> {
  await tx
    .updateTable('incidents.updates')
    .set((it) => ({
      finishedAt,
      notifiedCount: it('notifiedCount', '+', count),
      ...(upTo !== null && { notifiedUpTo: upTo }),
    }))
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}
