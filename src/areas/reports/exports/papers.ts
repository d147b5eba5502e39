import {
  type IssuedDocument,
  listIssuedCreditNotes,
  listIssuedFiles,
  listIssuedInvoices,
} from '#billing'
import { csvLine } from '#lib/csv.ts'
import type { Db } from '#platform/database/index.ts'
import type { Files } from '#platform/files/index.ts'
import type { ArchivedFile } from '#platform/http/archive.ts'
import { inBatches } from '#platform/http/table.ts'
import type { Period } from './tables.ts'

const BATCH = 200

/**
 * The files of all invoices and credit notes of a period, named by their numbers; and, if files are
 * missing, a list of their numbers.
 */
export async function* papersOf(
  { db, files }: { db: Db; files: Files },
  period: Period,
  format: 'pdf' | 'cii',
): AsyncGenerator<ArchivedFile> {
  const missing: string[] = []
  for (const [folder, list] of [
    ['invoices', listIssuedInvoices],
    ['credit-notes', listIssuedCreditNotes],
  ] as const) {
    const batches = inBatches<IssuedDocument>(BATCH, (after) => list(db, period, after, BATCH))
    for await (const documents of batches) {
      const ids = documents.map(({ id }) => id)
      const found = await listIssuedFiles(db, period.tenantId, { ids, format })
      const keys = new Map(found.map(({ documentId, fileKey }) => [documentId, fileKey]))
      for (const { id, number } of documents) {
        const key = keys.get(id)
        const content = key === undefined ? null : await files.get(key)
        if (content) yield { path: `${folder}/${fileName(number)}.${EXTENSION[format]}`, content }
        else missing.push(number)
      }
    }
  }
  if (missing.length > 0) yield { path: 'missing.csv', content: listOf(missing) }
}

const EXTENSION = { pdf: 'pdf', cii: 'xml' } as const

async function* listOf(numbers: readonly string[]) {
  yield csvLine(['number'])
  yield numbers.map((number) => csvLine([number])).join('')
}

/** A document's number as a file name: other characters, such as slashes, become hyphens. */
function fileName(number: string): string {
  return number.replace(/[^A-Za-z0-9_-]/g, '-')
}
