import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'

export type DocumentRow = Row<'billing.documents'>
export type DocumentFileRow = Row<'billing.document_files'>

/** What a document states beside the frozen content of its invoice or credit note. */
export type DocumentFacts = NonNullable<DocumentRow['facts']>

export type DocumentFormat = DocumentFileRow['format']

/** Which document: that of an invoice, of a pro forma, or of a credit note. */
export type DocumentKey = Pick<DocumentRow, 'tenantId' | 'kind'> & { readonly sourceId: string }

function sourceOf({ kind, sourceId }: DocumentKey) {
  return kind === 'credit_note'
    ? { invoiceId: null, creditNoteId: sourceId }
    : { invoiceId: sourceId, creditNoteId: null }
}

/** Records that a document is requested; the time of the latest request counts. */
export async function upsertDocument(
  tx: Tx,
  key: DocumentKey,
  { id, requestedAt }: Pick<DocumentRow, 'id' | 'requestedAt'>,
): Promise<void> {
  const { tenantId, kind } = key
  const inserted = await tx
    .insertInto('billing.documents')
    .values({ tenantId, id, kind, ...sourceOf(key), requestedAt, facts: null, madeAt: null })
    .onConflict((it) => it.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) return
  await tx
    .updateTable('billing.documents')
    .set({ requestedAt })
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where(columnOf(kind), '=', key.sourceId)
    .execute()
}

/** Records documents that were not requested before. */
export async function insertDocuments(
  tx: Tx,
  documents: readonly (DocumentKey & Pick<DocumentRow, 'id' | 'requestedAt'>)[],
): Promise<void> {
  const rows = documents.map((it) => {
    const { tenantId, id, kind, requestedAt } = it
    return { tenantId, id, kind, ...sourceOf(it), requestedAt }
  })
  await insertRows(tx, 'billing.documents', rows)
}

function columnOf(kind: DocumentRow['kind']) {
  return kind === 'credit_note' ? 'creditNoteId' : 'invoiceId'
}

export function findDocument(db: Db, { tenantId, kind, sourceId }: DocumentKey) {
  return db
    .selectFrom('billing.documents')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where(columnOf(kind), '=', sourceId)
    .executeTakeFirst()
}

export function lockDocument(tx: Tx, { tenantId, kind, sourceId }: DocumentKey) {
  return tx
    .selectFrom('billing.documents')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where(columnOf(kind), '=', sourceId)
    .forUpdate()
    .executeTakeFirst()
}

type Id = Pick<DocumentRow, 'tenantId' | 'id'>

export async function settleFacts(tx: Tx, { tenantId, id }: Id, facts: DocumentFacts) {
  await tx
    .updateTable('billing.documents')
    .set({ facts: json(facts) })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Stores the files of a locked document that is not made yet. */
export async function markMade(
  tx: Tx,
  { tenantId, id }: Id,
  { files, madeAt }: { files: readonly DocumentFileRow[]; madeAt: Instant },
): Promise<void> {
  await tx
    .insertInto('billing.document_files')
    .values([...files])
    .execute()
  await tx
    .updateTable('billing.documents')
    .set({ madeAt })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export function listFiles(db: Db, { tenantId, id }: Id) {
  return db
    .selectFrom('billing.document_files')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('documentId', '=', id)
    .execute()
}

/** A file of a made document; undefined if it has no file of this format. */
export function findFile(db: Db, { tenantId, id }: Id, format: DocumentFormat) {
  return db
    .selectFrom('billing.document_files')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('documentId', '=', id)
    .where('format', '=', format)
    .executeTakeFirst()
}

/** A file of a made document, and the number of its invoice or credit note. */
export type MadeFile = Pick<DocumentFileRow, 'documentId' | 'format' | 'fileKey'> & {
  readonly number: string | null
}

/** Files that must exist, after the one in `after`; without those of anonymized documents. */
export function listMadeFiles(
  db: Db,
  { tenantId, after }: { tenantId: string; after: MadeFile | null },
  limit: number,
): Promise<MadeFile[]> {
  let query = db
    .selectFrom('billing.document_files as file')
    .innerJoin('billing.documents as document', (join) =>
      join
        .onRef('document.tenantId', '=', 'file.tenantId')
        .onRef('document.id', '=', 'file.documentId'),
    )
    .leftJoin('billing.invoices as invoice', (join) =>
      join
        .onRef('invoice.tenantId', '=', 'document.tenantId')
        .onRef('invoice.id', '=', 'document.invoiceId'),
    )
    .leftJoin('billing.credit_notes as note', (join) =>
      join
        .onRef('note.tenantId', '=', 'document.tenantId')
        .onRef('note.id', '=', 'document.creditNoteId'),
    )
    .select(['file.documentId', 'file.format', 'file.fileKey'])
    .select((it) => it.fn.coalesce('note.number', 'invoice.number').as('number'))
    .where('file.tenantId', '=', tenantId)
    .where('invoice.anonymizedAt', 'is', null)
    .where('note.anonymizedAt', 'is', null)
  if (after) {
    const { documentId, format } = after
    query = query.where(sql<boolean>`(file.document_id, file.format) > (${documentId}, ${format})`)
  }
  return query.orderBy('file.documentId').orderBy('file.format').limit(limit).execute()
}

/** Deletes a pro forma's document and its files; the documents of issued invoices stay. */
export async function deleteProForma(tx: Tx, { tenantId, id }: Id): Promise<void> {
  await tx
    .deleteFrom('billing.documents')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('kind', '=', sql.lit('pro_forma'))
    .execute()
}
