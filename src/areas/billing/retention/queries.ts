import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'

type Anonymous = { tenantId: string; anonymizedAt: Instant }

/** Removes the buyer from deleted people's documents issued before a time. Returns how many. */
export async function anonymizeDocumentsOf(
  tx: Tx,
  { tenantId, before, limit }: { tenantId: string; before: Instant; limit: number },
  now: Instant,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select billing.anonymize_documents(${tenantId}::uuid, ${before}::timestamptz,
      ${limit}::integer, ${now}::timestamptz) as count`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The tenants with deleted users. */
export async function listTenantsLeft(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('users.users')
    .select('tenantId')
    .distinct()
    .where('deletedAt', 'is not', null)
    .execute()
  return rows.map(({ tenantId }) => tenantId)
}

/** The documents that were anonymized at a time, each with all its files. */
export function listDocumentsOf(db: Db, { tenantId, anonymizedAt }: Anonymous, limit: number) {
  const ofInvoices = db
    .selectFrom('billing.invoices as source')
    .innerJoin('billing.documents as document', (join) =>
      join
        .onRef('document.tenantId', '=', 'source.tenantId')
        .onRef('document.invoiceId', '=', 'source.id'),
    )
    .leftJoin('billing.document_files as file', (join) =>
      join
        .onRef('file.tenantId', '=', 'document.tenantId')
        .onRef('file.documentId', '=', 'document.id'),
    )
    .select(['document.id', 'file.fileKey'])
    .where('source.tenantId', '=', tenantId)
    .where('source.anonymizedAt', '=', anonymizedAt)
  const ofNotes = db
    .selectFrom('billing.credit_notes as source')
    .innerJoin('billing.documents as document', (join) =>
      join
        .onRef('document.tenantId', '=', 'source.tenantId')
        .onRef('document.creditNoteId', '=', 'source.id'),
    )
    .leftJoin('billing.document_files as file', (join) =>
      join
        .onRef('file.tenantId', '=', 'document.tenantId')
        .onRef('file.documentId', '=', 'document.id'),
    )
    .select(['document.id', 'file.fileKey'])
    .where('source.tenantId', '=', tenantId)
    .where('source.anonymizedAt', '=', anonymizedAt)
  return ofInvoices.unionAll(ofNotes).limit(limit).execute()
}

export async function deleteFile(
  tx: Tx,
  { tenantId, id, fileKey }: { tenantId: string; id: string; fileKey: string },
): Promise<void> {
  await tx
    .deleteFrom('billing.document_files')
    .where('tenantId', '=', tenantId)
    .where('documentId', '=', id)
    .where('fileKey', '=', fileKey)
    .execute()
}

/** Deletes a document, once its last file is gone. */
export async function deleteEmptyDocument(
  tx: Tx,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<void> {
  await tx
    .deleteFrom('billing.documents as document')
    .where('document.tenantId', '=', tenantId)
    .where('document.id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('billing.document_files as file')
            .select('file.documentId')
            .whereRef('file.tenantId', '=', 'document.tenantId')
            .whereRef('file.documentId', '=', 'document.id'),
        ),
      ),
    )
    .execute()
}
