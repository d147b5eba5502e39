import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { DEFAULT_LIMIT, idOf, type Page, type PageQuery, pageFrom } from '#platform/page.ts'
import type { TicketKey } from '../tickets/queries.ts'

export type MessageRow = Row<'support.messages'>

export async function insertMessage(tx: Tx, row: MessageRow): Promise<void> {
  await tx.insertInto('support.messages').values(row).execute()
}

type Readable = {
  /** Whether to include notes of staff. */
  readonly notes: boolean
  /** Only messages from this instant on: an added participant may not read earlier ones. */
  readonly since: Instant | null
}

/** The messages of a ticket, oldest first. */
export async function listMessages(
  db: Db,
  { tenantId, id: ticketId }: TicketKey,
  { notes, since }: Readable,
  { limit = DEFAULT_LIMIT, cursor }: PageQuery,
): Promise<Page<MessageRow>> {
  let query = db
    .selectFrom('support.messages')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', ticketId)
    .orderBy('id')
    .limit(limit + 1)
  if (!notes) query = query.where('kind', '=', 'public')
  if (since) query = query.where('createdAt', '>=', since)
  if (cursor !== undefined) query = query.where('id', '>', idOf(cursor))
  return pageFrom(await query.execute(), limit)
}

/** The last public message of a ticket that the caller has locked. */
export async function findLastPublic(
  db: Db,
  { tenantId, id: ticketId }: TicketKey,
): Promise<string | null> {
  const row = await db
    .selectFrom('support.messages')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', ticketId)
    .where('kind', '=', 'public')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** When a person wrote to staff, newest first: on one ticket, or on any. */
export async function listWritingTimes(
  db: Db,
  { tenantId, userId }: UserKey,
  { ticketId, since, limit }: { ticketId?: string; since: Instant; limit: number },
): Promise<Instant[]> {
  const rows = await db
    .selectFrom('support.messages')
    .select('createdAt')
    .where('tenantId', '=', tenantId)
    .where('authorId', '=', userId)
    .where('author', '=', 'customer')
    .where('createdAt', '>', since)
    .$if(ticketId !== undefined, (it) => it.where('ticketId', '=', ticketId ?? ''))
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ createdAt }) => createdAt)
}

/** Deletes all messages and notes of tickets, because the account of their customer ends. */
export async function deleteMessagesOf(
  tx: Tx,
  tenantId: string,
  ticketIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('support.messages')
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', sql<string>`any(${[...ticketIds]}::uuid[])`)
    .execute()
}

/** Empties what a person wrote as a customer in tickets of others. */
export async function emptyMessagesBy(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .updateTable('support.messages')
    .set({ body: '' })
    .where('tenantId', '=', tenantId)
    .where('authorId', '=', userId)
    .where('author', '=', 'customer')
    .execute()
}

/** When a message was written; undefined for one that was deleted. */
export function findMessageAt(db: Db, { tenantId, id }: Pick<MessageRow, 'tenantId' | 'id'>) {
  return db
    .selectFrom('support.messages')
    .select('createdAt')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}
