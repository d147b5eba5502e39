import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { insertNewRows } from '#platform/database/rows.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import { LINK_KINDS } from '../texts/kinds.ts'
import { fateOf, type MailFate, type MailState } from './rules.ts'

export type MailRow = Row<'notifications.mails'>
export type MailKey = Pick<MailRow, 'tenantId' | 'id'>
export type AddressKey = { tenantId: string; address: string }

type NewMail = Omit<MailRow, 'sentAt' | 'failedAt' | 'refusedAt' | 'failure' | 'edition'>

/** Inserts mails; returns the ids of those that are new: one reference is mailed once. */
export function insertMails(tx: Tx, rows: readonly NewMail[]): Promise<Set<string>> {
  return insertNewRows(tx, 'notifications.mails', rows)
}

const LINKS: ReadonlySet<string> = new Set(LINK_KINDS)

/** Whether the link of a kind of mail proves the identity of the reader. */
export function isSecretLink(kind: string): boolean {
  return LINKS.has(kind)
}

export function findMail(db: Db, { tenantId, id }: MailKey) {
  return db
    .selectFrom('notifications.mails')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The mail with a reference that was written in this transaction. */
export function findMailOf(
  tx: Tx,
  { tenantId, reference }: Pick<MailRow, 'tenantId' | 'reference'>,
): Promise<MailRow> {
  return tx
    .selectFrom('notifications.mails')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
}

export function lockMail(tx: Tx, { tenantId, id }: MailKey) {
  return tx
    .selectFrom('notifications.mails')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** A filter of mails by kind, address and state. Mails that wait are queued, or kept. */
export type MailFilter = { kind?: string; recipient?: string; state?: MailState }

export function listMails(
  db: Db,
  { tenantId, mailServer }: { tenantId: string; mailServer: boolean },
  { kind, recipient, state, ...page }: MailFilter & PageQuery,
) {
  const waiting = mailServer ? 'queued' : 'kept'
  let query = db.selectFrom('notifications.mails').selectAll().where('tenantId', '=', tenantId)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (recipient !== undefined) query = query.where('recipient', '=', recipient.toLowerCase())
  if (state === 'sent') query = query.where('sentAt', 'is not', null)
  if (state === 'failed') query = query.where('failedAt', 'is not', null)
  if (state === 'undeliverable') query = query.where('suppressedAt', 'is not', null)
  if (state === 'queued' || state === 'kept') {
    query = query
      .where('sentAt', 'is', null)
      .where('failedAt', 'is', null)
      .where('suppressedAt', 'is', null)
      .$if(state !== waiting, (it) => it.where(sql<boolean>`false`))
  }
  return pageOf(query, page)
}

/** Records that a mail was sent, and deletes the text of a mail with a secret link. */
export async function markSent(
  tx: Tx,
  { tenantId, id, kind }: MailKey & { kind: string },
  sentAt: Instant,
): Promise<void> {
  await tx
    .updateTable('notifications.mails')
    .set({ sentAt, failure: null, ...(isSecretLink(kind) && { body: '', content: null }) })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

type Failure = Pick<MailRow, 'failure'> &
  Partial<Pick<MailRow, 'failedAt' | 'refusedAt' | 'suppressedAt'>>

/** Records why a mail could not be sent and, if it is not tried again, that it has failed. */
export async function markFailed(
  tx: Tx,
  { tenantId, id }: MailKey,
  failure: Failure,
): Promise<void> {
  await tx
    .updateTable('notifications.mails')
    .set(failure)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('sentAt', 'is', null)
    .execute()
}

/** Prepares a mail to be sent again, as a new edition so that mail servers treat it as another mail. */
export function markAgain(tx: Tx, { tenantId, id }: MailKey): Promise<MailRow> {
  return tx
    .updateTable('notifications.mails')
    .set(({ eb }) => ({
      sentAt: null,
      failedAt: null,
      refusedAt: null,
      suppressedAt: null,
      failure: null,
      edition: eb('edition', '+', 1),
    }))
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Which of these addresses do not exist, according to a mail server. */
export async function listUndeliverable(
  db: Db,
  tenantId: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set()
  const rows = await db
    .selectFrom('notifications.undeliverable_addresses')
    .select('address')
    .where('tenantId', '=', tenantId)
    .where('address', '=', sql<string>`any(${[...addresses]}::text[])`)
    .execute()
  return new Set(rows.map(({ address }) => address))
}

/** Records that an address does not exist. Returns whether that is new. */
export async function markUndeliverable(
  tx: Tx,
  row: Row<'notifications.undeliverable_addresses'>,
): Promise<boolean> {
  const added = await tx
    .insertInto('notifications.undeliverable_addresses')
    .values(row)
    .onConflict((it) => it.doNothing())
    .returning('address')
    .executeTakeFirst()
  return added !== undefined
}

export async function unmarkUndeliverable(
  tx: Tx,
  { tenantId, address }: AddressKey,
): Promise<void> {
  await tx
    .deleteFrom('notifications.undeliverable_addresses')
    .where('tenantId', '=', tenantId)
    .where('address', '=', address)
    .execute()
}

/** Deletes the text of up to `most` mails whose link has ended. Returns how many there were. */
export async function emptyEndedLinks(tx: Tx, now: Instant, most: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('notifications.mails')
    .set({ body: '', content: null, usefulUntil: null })
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('tenantId', 'id'),
        'in',
        selectFrom('notifications.mails')
          .select(['tenantId', 'id'])
          .where('usefulUntil', '<=', now)
          .limit(most)
          .$asTuple('tenantId', 'id'),
      ),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Deletes up to `most` of a tenant's mails from before a time. Returns how many there were. */
export async function deleteMailsBefore(
  tx: Tx,
  { tenantId, before }: { tenantId: string; before: Instant },
  most: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('notifications.mails')
    .where('tenantId', '=', tenantId)
    .where('id', 'in', (it) =>
      it
        .selectFrom('notifications.mails')
        .select('id')
        .where('tenantId', '=', tenantId)
        .where('createdAt', '<', before)
        .limit(most),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * What became of the mail of a notification (R4.6). Without a reference no mail was written: the recipient
 * did not exist any more.
 */
export async function mailFateOf(
  db: Db,
  { tenantId, reference }: { tenantId: string; reference: string | null },
  circumstances: { now: Instant; mailServer: boolean },
): Promise<MailFate> {
  if (reference === null) return { state: 'refused' }
  const mail = await db
    .selectFrom('notifications.mails')
    .select(['createdAt', 'sentAt', 'failedAt', 'refusedAt', 'suppressedAt'])
    .where('tenantId', '=', tenantId)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return mail ? fateOf(mail, circumstances) : { state: 'lost' }
}
