import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { insertNewRows } from '#platform/database/rows.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import { LINK_KINDS } from '../texts/kinds.ts'

export type MailRow = Row<'notifications.mails'>
export type MailKey = Pick<MailRow, 'tenantId' | 'id'>

/** Writes mails; answers the ids of those that are new: one reference is mailed once. */
export function insertMails(
  tx: Tx,
  rows: readonly Omit<MailRow, 'sentAt' | 'failure'>[],
): Promise<Set<string>> {
  return insertNewRows(tx, 'notifications.mails', rows)
}

const LINKS: ReadonlySet<string> = new Set(LINK_KINDS)

export function findMail(db: Db, { tenantId, id }: MailKey) {
  return db
    .selectFrom('notifications.mails')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function listMails(db: Db, tenantId: string, page: PageQuery) {
  const query = db.selectFrom('notifications.mails').selectAll().where('tenantId', '=', tenantId)
  return pageOf(query, page)
}

/** A mail that was a key to something does not lie about once it is gone. */
export async function markSent(
  tx: Tx,
  { tenantId, id, kind }: MailKey & { kind: string },
  sentAt: Instant,
): Promise<void> {
  await tx
    .updateTable('notifications.mails')
    .set({ sentAt, failure: null, ...(LINKS.has(kind) && { body: '' }) })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function markFailed(tx: Tx, { tenantId, id }: MailKey, failure: string) {
  await tx
    .updateTable('notifications.mails')
    .set({ failure })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/**
 * When the mail of a notification went out; null while it has not. Without a mail server it is kept
 * where administrators see it, and counts from when it was written.
 */
export async function mailSentAt(
  db: Db,
  tenantId: string,
  reference: string,
  { mailServer }: { mailServer: boolean },
): Promise<Instant | null> {
  const mail = await db
    .selectFrom('notifications.mails')
    .select(['createdAt', 'sentAt'])
    .where('tenantId', '=', tenantId)
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (!mail) return null
  return mailServer ? mail.sentAt : mail.createdAt
}
