import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { contextOf, type Db, type Row, type Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import { traceparent } from '#platform/tracing/index.ts'

export type MessageRow = Row<'webhooks.messages'>

/** A message without its cause, which comes from the context of the transaction. */
export type NewMessage = Omit<MessageRow, 'requestId' | 'purchaseId' | 'trace'>

/** Writes a message with the request, the purchase and the trace that caused it. An existing one stays as it was first written. */
export async function insertMessage(tx: Tx, row: NewMessage): Promise<void> {
  const { requestId, purchaseId } = contextOf(tx)
  await tx
    .insertInto('webhooks.messages')
    .values({ ...row, requestId, purchaseId, trace: traceparent() })
    .onConflict((it) => it.doNothing())
    .execute()
}

/** The messages about a person, newest first. */
export function listMessagesOf(db: Db, { tenantId, userId }: UserKey, page: PageQuery) {
  const query = db
    .selectFrom('webhooks.messages')
    .select(['id', 'type', 'body', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  return pageOf(query, page)
}

type Old = { tenantId: string; before: Instant; limit: number }

/** Removes the oldest messages with their deliveries; returns how many. */
export async function purgeMessages(tx: Tx, { tenantId, before, limit }: Old): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhooks.messages where tenant_id = ${tenantId} and id in (
      select id from webhooks.messages where tenant_id = ${tenantId} and created_at < ${before}
      order by created_at limit ${limit})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
