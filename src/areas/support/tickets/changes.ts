import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { TicketKey } from './queries.ts'

export type ChangeRow = Row<'support.changes'>

const MOST_SHOWN = 200

type Noted = Pick<ChangeRow, 'kind' | 'actorId'> & Partial<Pick<ChangeRow, 'before' | 'after'>>

/** Records a change of a ticket, for the staff who read it later. */
export async function recordChange(
  tx: Tx,
  { tenantId, id: ticketId }: TicketKey,
  { kind, actorId, before = null, after = null }: Noted,
  now: Instant,
): Promise<void> {
  const row = { tenantId, id: newId(), ticketId, kind, actorId, before, after, createdAt: now }
  await tx.insertInto('support.changes').values(row).execute()
}

/** The latest changes of a ticket, oldest first. */
export async function listChanges(
  db: Db,
  { tenantId, id: ticketId }: TicketKey,
): Promise<ChangeRow[]> {
  const rows = await db
    .selectFrom('support.changes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', ticketId)
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .execute()
  return rows.reverse()
}
