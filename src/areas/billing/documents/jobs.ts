import { hash } from 'node:crypto'
import type { Db, Tx } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { onEvent } from '#platform/events.ts'
import { job } from '#platform/jobs.ts'
import { brandOf, findLogo } from '#tenants'
import { findCreditNote, linesOfNotes } from '../credit-notes/queries.ts'
import { invoiceVoided } from '../events.ts'
import { findInvoice, partsOf } from '../invoices/queries.ts'
import { listReceived } from '../payments/queries.ts'
import { makeDocument } from '../work.ts'
import { type PrintedDocument, printedCreditNote, printedInvoice } from './content.ts'
import {
  type DocumentFacts,
  type DocumentFileRow,
  type DocumentKey,
  type DocumentRow,
  deleteProForma,
  findDocument,
  listFiles,
  lockDocument,
  markMade,
  settleFacts,
} from './queries.ts'
import { paymentsPrinted } from './received.ts'
import { filesOf, type MadeFile } from './render.ts'

/**
 * Makes the files of a document and stores them with their hashes. What is not frozen with the
 * invoice is fixed first, in a transaction of its own, so that an attempt after a crash makes the
 * same bytes. Files are stored before the rows that name them. A full disk is a failure like any
 * other: nothing is stored, and the job is tried again.
 */
export const makeDocumentJob = job(makeDocument, async (context: JobContext, key) => {
  const { transact, now } = context
  const document = await transact((tx) => settledDocument(tx, key))
  if (!document?.facts) return
  const printed = document.madeAt ? null : await printedDocument(context.db, key, document.facts)
  if (printed) {
    const logo = await logoOf(context.db, document)
    const files = await storedFiles(context, document, await filesOf(printed, logo))
    await transact(async (tx) => {
      const locked = await lockDocument(tx, key)
      if (locked && !locked.madeAt) await markMade(tx, locked, { files, madeAt: now })
    })
  }
  // Checked after the document is made: the invoice may have got its number meanwhile.
  if (!(await isProForma(context.db, key))) await dropProForma(context, key.sourceId)
})

/** Deletes the document of a pro forma that can no longer be paid. */
export const dropDocumentOfVoid = onEvent(
  invoiceVoided,
  'billing.drop-document-of-void',
  (context, { invoiceId }) => dropProForma(context, invoiceId),
)

/** The document's row with everything that determines its content; undefined for an unknown one. */
async function settledDocument(tx: Tx, key: DocumentKey): Promise<DocumentRow | undefined> {
  const document = await lockDocument(tx, key)
  if (!document || document.facts) return document
  const brand = await brandOf(tx, key.tenantId)
  const facts: DocumentFacts = {
    ...(await moneyOf(tx, key)),
    brandName: brand.name,
    color: brand.primaryColor ?? null,
    footer: brand.legalFooter ?? null,
    logo: brand.logoHash ?? null,
  }
  await settleFacts(tx, document, facts)
  return { ...document, facts }
}

/** The bytes of the logo that was chosen for a document: another logo would change the files. */
async function logoOf(db: Db, { tenantId, facts }: DocumentRow): Promise<Buffer | null> {
  if (!facts?.logo) return null
  const logo = await findLogo(db, { tenantId, sha256: Buffer.from(facts.logo, 'hex') })
  if (!logo) throw new Error('The logo of a document is not there')
  return logo.content
}

/** What a document states as paid, and how: the money on the invoice when its document is made. */
async function moneyOf(
  tx: Tx,
  { tenantId, kind, sourceId: invoiceId }: DocumentKey,
): Promise<Pick<DocumentFacts, 'paidCents' | 'payments'>> {
  const invoice = kind === 'invoice' ? await findInvoice(tx, { tenantId, invoiceId }) : undefined
  if (!invoice) return { paidCents: 0 }
  const paidCents = Math.min(invoice.totalCents, invoice.paidCents - invoice.reversedCents)
  const payments = paymentsPrinted(invoice, await listReceived(tx, tenantId, invoiceId))
  return { paidCents, payments }
}

async function printedDocument(
  db: Db,
  { tenantId, kind, sourceId }: DocumentKey,
  facts: DocumentFacts,
): Promise<PrintedDocument | null> {
  if (kind === 'credit_note') {
    const note = await findCreditNote(db, tenantId, sourceId)
    return note ? printedCreditNote(note, await linesOfNotes(db, tenantId, [note.id]), facts) : null
  }
  const key = { tenantId, invoiceId: sourceId }
  const invoice = await findInvoice(db, key)
  // Numbered since the document was requested: the invoice's own document takes its place.
  if (!invoice || (invoice.number === null) !== (kind === 'pro_forma')) return null
  return printedInvoice(invoice, await partsOf(db, key), facts)
}

/** Whether an invoice is still a pro forma that waits for its payment. */
async function isProForma(db: Db, { tenantId, sourceId }: DocumentKey): Promise<boolean> {
  const invoice = await findInvoice(db, { tenantId, invoiceId: sourceId })
  return invoice?.number === null && invoice.status === 'open'
}

const EXTENSIONS = { pdf: 'pdf', cii: 'cii.xml', ubl: 'ubl.xml' } as const

/** Stores files under the hash of their content: a file named by a row is never overwritten. */
async function storedFiles(
  { files }: JobContext,
  { tenantId, id: documentId }: DocumentRow,
  made: readonly MadeFile[],
): Promise<DocumentFileRow[]> {
  const rows: DocumentFileRow[] = []
  for (const { format, content } of made) {
    const name = `${hash('sha256', content, 'hex')}.${EXTENSIONS[format]}`
    const fileKey = `${tenantId}/documents/${documentId}/${name}`
    const stored = await files.put(fileKey, content)
    rows.push({ tenantId, documentId, format, fileKey, ...stored })
  }
  return rows
}

/** Files are deleted before the row, by which another attempt finds them if the process dies. */
async function dropProForma({ db, tenantId, files, transact }: JobContext, sourceId: string) {
  const document = await findDocument(db, { tenantId, kind: 'pro_forma', sourceId })
  if (!document) return
  for (const { fileKey } of await listFiles(db, document)) await files.delete(fileKey)
  await transact((tx) => deleteProForma(tx, document))
}
