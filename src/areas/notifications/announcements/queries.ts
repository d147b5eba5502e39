import { type SqlBool, sql, type Updateable } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, JsonText, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type PageQuery, pageByInstant, pageOf } from '#platform/page.ts'

export type AnnouncementRow = Row<'notifications.announcements'>
export type AnnouncementKey = Pick<AnnouncementRow, 'tenantId' | 'id'>

type NewRow = Omit<AnnouncementRow, 'texts' | 'toldUpTo' | 'told' | 'finishedAt'> & {
  texts: JsonText
}

export function insertAnnouncement(tx: Tx, row: NewRow): Promise<AnnouncementRow> {
  return tx
    .insertInto('notifications.announcements')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findAnnouncement(db: Db, { tenantId, id }: AnnouncementKey) {
  return db
    .selectFrom('notifications.announcements')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockAnnouncement(tx: Tx, { tenantId, id }: AnnouncementKey) {
  return tx
    .selectFrom('notifications.announcements')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function listAnnouncements(db: Db, tenantId: string, page: PageQuery) {
  const query = db
    .selectFrom('notifications.announcements')
    .selectAll()
    .where('tenantId', '=', tenantId)
  return pageOf(query, page)
}

/** Public announcements, the last published first. */
export function listNews(db: Db, tenantId: string, page: PageQuery) {
  const query = db
    .selectFrom('notifications.announcements')
    .selectAll()
    .where('tenantId', '=', tenantId)
    // Written as in the condition of the index `published_news`: with a parameter, the index would not be used.
    .where(sql<SqlBool>`public and published_at is not null`)
  const at = ({ publishedAt }: AnnouncementRow) => publishedAt
  return pageByInstant(query, page, { column: 'publishedAt', at, id: 'id', order: 'desc' })
}

/** Changes an announcement that its caller has locked. */
export function updateAnnouncement(
  tx: Tx,
  { tenantId, id }: AnnouncementKey,
  change: Updateable<Tables['notifications.announcements']>,
): Promise<AnnouncementRow> {
  return tx
    .updateTable('notifications.announcements')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a draft that its caller has locked. */
export async function deleteAnnouncement(tx: Tx, { tenantId, id }: AnnouncementKey): Promise<void> {
  await tx
    .deleteFrom('notifications.announcements')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Locks announcements of all shops whose planned time has come, and that nobody else publishes at the moment. */
export function lockDue(tx: Tx, now: Instant, limit: number): Promise<AnnouncementRow[]> {
  return tx
    .selectFrom('notifications.announcements')
    .selectAll()
    .where('publishAt', '<=', now)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

/** Records the progress of an announcement; `finishedAt` is set if nobody is left. */
export async function markTold(
  tx: Tx,
  { tenantId, id }: AnnouncementKey,
  { upTo, told, finishedAt }: { upTo: string | null; told: number; finishedAt: Instant | null },
): Promise<void> {
  await tx
    .updateTable('notifications.announcements')
    .set((it) => ({
      finishedAt,
      told: it('told', '+', told),
      ...(upTo !== null && { toldUpTo: upTo }),
    }))
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** A page of the people of a tenant who can be notified, in the order of their ids, after one of them. */
export async function listPeople(
  db: Db,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('users.users')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('deletedAt', 'is', null)
    .where('suspendedAt', 'is', null)
    .$if(after !== null, (it) => it.where('id', '>', sql<string>`${after}::uuid`))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
