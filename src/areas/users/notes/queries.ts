import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type NoteRow = Row<'users.notes'>

export async function insertNote(tx: Tx, row: NoteRow): Promise<void> {
  await tx.insertInto('users.notes').values(row).execute()
}

/** The notes of staff about a person, newest first. */
export function listNotes(db: Db, { tenantId, userId }: UserKey, page: PageQuery) {
  const query = db
    .selectFrom('users.notes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  return pageOf(query, page)
}

/** All notes, for the person's data export. */
export function listNotesAbout(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('users.notes')
    .select(['text', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
}

/** Undefined if there is no such note about this person. */
export function deleteNote(tx: Tx, { tenantId, userId, id }: UserKey & { id: string }) {
  return tx
    .deleteFrom('users.notes')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}

export async function deleteNotes(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.notes')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}
