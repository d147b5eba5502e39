import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { ServiceKey } from '../queries.ts'

export type NoteRow = Row<'services.notes'>

export async function insertNote(tx: Tx, row: NoteRow): Promise<void> {
  await tx.insertInto('services.notes').values(row).execute()
}

/** The notes of staff about a service, newest first. */
export function listNotes(db: Db, { tenantId, id }: ServiceKey, page: PageQuery) {
  const query = db
    .selectFrom('services.notes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
  return pageOf(query, page)
}

/** All notes about the services of a person, for the export of their data. */
export function listNotesOf(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('services.notes as note')
    .innerJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'note.tenantId')
        .onRef('service.id', '=', 'note.serviceId'),
    )
    .select(['note.serviceId', 'note.text', 'note.createdAt'])
    .where('service.tenantId', '=', tenantId)
    .where('service.userId', '=', userId)
    .orderBy('note.id')
    .execute()
}

/** Deletes a note; undefined if there is no such note about this service. */
export function deleteNote(
  tx: Tx,
  { tenantId, serviceId, id }: Pick<NoteRow, 'tenantId' | 'serviceId' | 'id'>,
) {
  return tx
    .deleteFrom('services.notes')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}

/** Deletes all notes about the services of a person. */
export async function deleteNotesOf(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('services.notes as note')
    .where('note.tenantId', '=', tenantId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('services.services as service')
          .select('service.id')
          .whereRef('service.tenantId', '=', 'note.tenantId')
          .whereRef('service.id', '=', 'note.serviceId')
          .where('service.userId', '=', userId),
      ),
    )
    .execute()
}
