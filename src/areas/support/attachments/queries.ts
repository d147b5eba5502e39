import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { AttachmentKey, AttachmentRow, Uploaded } from './rules.ts'

const ERASED = { ticketId: null, messageId: null, name: '' }

const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`

export async function insertAttachment(tx: Tx, row: AttachmentRow): Promise<void> {
  await tx.insertInto('support.attachments').values(row).execute()
}

type Stored = Pick<AttachmentRow, 'name' | 'mediaType' | 'sizeBytes' | 'sha256' | 'storedAt'>

/** Undefined if the upload was removed while it arrived. */
export function markStored(tx: Tx, { tenantId, id }: AttachmentKey, stored: Stored) {
  return tx
    .updateTable('support.attachments')
    .set(stored)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('erasedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** An upload that failed: a job deletes what is left of it. */
export async function eraseUpload(tx: Tx, { tenantId, id }: AttachmentKey, now: Instant) {
  await tx
    .updateTable('support.attachments')
    .set({ ...ERASED, sizeBytes: 0, erasedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('messageId', 'is', null)
    .execute()
}

export async function deleteAttachment(tx: Tx, { tenantId, id }: AttachmentKey): Promise<void> {
  await tx
    .deleteFrom('support.attachments')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** What a person has uploaded since then, newest first. */
export function listUploads(
  db: Db,
  { tenantId, userId }: UserKey,
  { since, limit }: { since: Instant; limit: number },
): Promise<Uploaded[]> {
  return db
    .selectFrom('support.attachments')
    .select(['createdAt', 'sizeBytes'])
    .where('tenantId', '=', tenantId)
    .where('uploadedBy', '=', userId)
    .where('createdAt', '>', since)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute()
}

/** Those of these uploads that a person can attach, locked. */
export function lockUsable(
  tx: Tx,
  { tenantId, userId }: UserKey,
  { ids, since }: { ids: readonly string[]; since: Instant },
): Promise<AttachmentRow[]> {
  return tx
    .selectFrom('support.attachments')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', anyOf(ids))
    .where('uploadedBy', '=', userId)
    .where('messageId', 'is', null)
    .where('storedAt', 'is not', null)
    .where('erasedAt', 'is', null)
    .where('createdAt', '>', since)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function attach(
  tx: Tx,
  tenantId: string,
  { ids, ...message }: { ids: readonly string[]; ticketId: string; messageId: string },
): Promise<void> {
  await tx
    .updateTable('support.attachments')
    .set(message)
    .where('tenantId', '=', tenantId)
    .where('id', '=', anyOf(ids))
    .execute()
}

/** The files of messages, in the order of their uploads. */
export function listAttachmentsOf(
  db: Db,
  tenantId: string,
  messageIds: readonly string[],
): Promise<AttachmentRow[]> {
  return db
    .selectFrom('support.attachments')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('messageId', '=', anyOf(messageIds))
    .orderBy('id')
    .execute()
}

export async function countAttachmentsOf(
  db: Db,
  tenantId: string,
  messageId: string,
): Promise<number> {
  return (await listAttachmentsOf(db, tenantId, [messageId])).length
}

/** A file of a message, with the kind and time of the message. */
export function findAttached(db: Db, { tenantId, id }: AttachmentKey) {
  return db
    .selectFrom('support.attachments as attachment')
    .innerJoin('support.messages as message', (join) =>
      join
        .onRef('message.tenantId', '=', 'attachment.tenantId')
        .onRef('message.id', '=', 'attachment.messageId'),
    )
    .selectAll('attachment')
    .select(['message.ticketId', 'message.kind', 'message.createdAt as writtenAt'])
    .where('attachment.tenantId', '=', tenantId)
    .where('attachment.id', '=', id)
    .executeTakeFirst()
}

/** Erases the files of tickets. */
export async function eraseFilesOf(
  tx: Tx,
  tenantId: string,
  ticketIds: readonly string[],
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('support.attachments')
    .set({ ...ERASED, erasedAt: now })
    .where('tenantId', '=', tenantId)
    .where('ticketId', '=', anyOf(ticketIds))
    .execute()
}

/** Erases what a person uploaded and has not used, or wrote with their messages as a customer. */
export async function eraseFilesBy(
  tx: Tx,
  { tenantId, userId }: UserKey,
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('support.attachments')
    .set({ ...ERASED, erasedAt: now })
    .where('tenantId', '=', tenantId)
    .where('uploadedBy', '=', userId)
    .where('erasedAt', 'is', null)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('messageId', 'is', null),
        exists(
          selectFrom('support.messages as message')
            .select('message.id')
            .whereRef('message.tenantId', '=', 'support.attachments.tenantId')
            .whereRef('message.id', '=', 'support.attachments.messageId')
            .where('message.author', '=', 'customer'),
        ),
      ]),
    )
    .execute()
}

/** Erases uploads that no message names, of all tenants. */
export async function eraseUnused(tx: Tx, before: Instant, now: Instant): Promise<void> {
  await tx
    .updateTable('support.attachments')
    .set({ ...ERASED, erasedAt: now })
    .where('messageId', 'is', null)
    .where('erasedAt', 'is', null)
    .where('createdAt', '<', before)
    .execute()
}

/** Erases files of tickets of a tenant that were closed before an instant. Returns how many, `limit` at most. */
export async function eraseOld(
  tx: Tx,
  { tenantId, before, limit }: { tenantId: string; before: Instant; limit: number },
  now: Instant,
): Promise<number> {
  const old = tx
    .selectFrom('support.attachments as attachment')
    .innerJoin('support.tickets as ticket', (join) =>
      join
        .onRef('ticket.tenantId', '=', 'attachment.tenantId')
        .onRef('ticket.id', '=', 'attachment.ticketId'),
    )
    .select('attachment.id')
    .where('attachment.tenantId', '=', tenantId)
    .where('attachment.messageId', 'is not', null)
    .where('attachment.createdAt', '<', before)
    .where('ticket.closedAt', '<', before)
    .orderBy('attachment.createdAt')
    .orderBy('attachment.id')
    .limit(limit)
  const erased = await tx
    .updateTable('support.attachments')
    .set({ ...ERASED, erasedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', 'in', old)
    .returning('id')
    .execute()
  return erased.length
}

/** Erased files, of all tenants: the file and then the row remain to be deleted. */
export function listErased(db: Db, limit: number): Promise<AttachmentKey[]> {
  return db
    .selectFrom('support.attachments')
    .select(['tenantId', 'id'])
    .where('erasedAt', 'is not', null)
    .orderBy('tenantId')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Files that should be stored, of messages, by their ids. */
export function listStored(
  db: Db,
  { tenantId, after }: { tenantId: string; after: string | null },
  limit: number,
) {
  return db
    .selectFrom('support.attachments as attachment')
    .innerJoin('support.tickets as ticket', (join) =>
      join
        .onRef('ticket.tenantId', '=', 'attachment.tenantId')
        .onRef('ticket.id', '=', 'attachment.ticketId'),
    )
    .select(['attachment.tenantId', 'attachment.id', 'ticket.number'])
    .where('attachment.tenantId', '=', tenantId)
    .where('attachment.messageId', 'is not', null)
    .$if(after !== null, (it) => it.where('attachment.id', '>', after ?? ''))
    .orderBy('attachment.id')
    .limit(limit)
    .execute()
}
