import type { Insertable } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'

export type EventRow = Row<'billing.provider_events'>

/** Stores events that are new; returns their ids, without those of duplicates. */
export async function insertEvents(
  tx: Tx,
  rows: readonly Insertable<Tables['billing.provider_events']>[],
): Promise<string[]> {
  if (rows.length === 0) return []
  const inserted = await tx
    .insertInto('billing.provider_events')
    .values([...rows])
    .onConflict((it) => it.columns(['tenantId', 'gatewayId', 'eventKey']).doNothing())
    .returning('id')
    .execute()
  return inserted.map(({ id }) => id)
}

export function findEvent(db: Db, { tenantId, eventId }: { tenantId: string; eventId: string }) {
  return db
    .selectFrom('billing.provider_events')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', eventId)
    .executeTakeFirst()
}

/** Ends an event that is still new; undefined if another attempt has ended it. */
export function endEvent(
  tx: Tx,
  { tenantId, id, tries }: Pick<EventRow, 'tenantId' | 'id' | 'tries'>,
  { state, note }: { state: 'done' | 'ignored' | 'failed'; note: string | null },
  doneAt: Instant,
) {
  return tx
    .updateTable('billing.provider_events')
    .set({ state, note, doneAt, tries: tries + 1 })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('state', 'in', ['new', 'failed'])
    .returning('id')
    .executeTakeFirst()
}

/** Deletes the content of an event; its key is kept, so that it is not received again. */
export async function emptyEvent(
  tx: Tx,
  { tenantId, id }: Pick<EventRow, 'tenantId' | 'id'>,
): Promise<void> {
  await tx
    .updateTable('billing.provider_events')
    .set({ envelope: '{}' })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Records the result of an attempt to process an event that will be tried again. */
export async function recordRetry(
  tx: Tx,
  { tenantId, id, tries }: Pick<EventRow, 'tenantId' | 'id' | 'tries'>,
  note: string,
): Promise<void> {
  await tx
    .updateTable('billing.provider_events')
    .set({ note, tries: tries + 1 })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Deletes events of these states that came before a time, of every tenant; returns how many. */
export async function deleteOldEvents(
  tx: Tx,
  { states, before }: { states: readonly EventRow['state'][]; before: Instant },
  limit: number,
): Promise<number> {
  const rows = await tx
    .deleteFrom('billing.provider_events')
    .where('id', 'in', (it) =>
      it
        .selectFrom('billing.provider_events')
        .select('id')
        .where('receivedAt', '<', before)
        .where('state', 'in', [...states])
        .orderBy('receivedAt')
        .limit(limit),
    )
    .returning('id')
    .execute()
  return rows.length
}
