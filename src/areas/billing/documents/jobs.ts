import { hash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Id, OneOf } from '#lib/schema.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { onEvent } from '#platform/events.ts'
import { job } from '#platform/jobs.ts'
import { brandOf, findLogo } from '#tenants'
import { findCreditNote, linesOfNotes } from '../credit-notes/queries.ts'
import { invoiceVoided } from '../events.ts'
import { findInvoice, partsOf } from '../invoices/queries.ts'
import { listReceived } from '../payments/queries.ts'
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

const Wanted = Type.Object({
  tenantId: Id,
  kind: OneOf(['invoice', 'pro_forma', 'credit_note']),
  sourceId: Id,
})

/**
 * Makes the files of a document and keeps them with their hashes. What is not frozen with the invoice
 * is settled first, in a transaction of its own: a try that follows a crash makes the same bytes.
 * Files are stored before the rows that name them. A full disk is a failure like any other: nothing
 * is kept, and it is tried again.
 */
export const makeDocument = job(
  'billing.make-document',
  Wanted,
  async (context: JobContext, key: Static<typeof Wanted>) => {
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
    // Looked at once it is made: the invoice may have got its number meanwhile.
    if (!(await isProForma(context.db, key))) await dropProForma(context, key.sourceId)
  },
)

/** A pro forma that will not be paid any more has no document either. */
export const dropDocumentOfVoid = onEvent(
  invoiceVoided,
  'billing.drop-document-of-void',
  (context, { invoiceId }) => dropProForma(context, invoiceId),
)

/** The document's row with everything that decides on its content; undefined for an unknown one. */
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

/** The bytes of the logo that was settled for a document: another one would make other files. */
async function logoOf(db: Db, { tenantId, facts }: DocumentRow): Promise<Buffer | null> {
  if (!facts?.logo) return null
  const logo = await findLogo(db, { tenantId, sha256: Buffer.from(facts.logo, 'hex') })
  if (!logo) throw new Error('The logo of a document is not there')
  return logo.content
}

/** What an invoice says is paid, and how: the money it holds when its document is made. */
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
  // Numbered since it was asked for: the invoice's own document takes its place.
  if (!invoice || (invoice.number === null) !== (kind === 'pro_forma')) return null
  return printedInvoice(invoice, await partsOf(db, key), facts)
}

/** Whether an invoice is still an order that waits for its money. */
async function isProForma(db: Db, { tenantId, sourceId }: DocumentKey): Promise<boolean> {
  const invoice = await findInvoice(db, { tenantId, invoiceId: sourceId })
  return invoice?.number === null && invoice.status === 'open'
}

const EXTENSIONS = { pdf: 'pdf', cii: 'cii.xml', ubl: 'ubl.xml' } as const

/** Stores files under the hash of their content: nothing that a row names is ever written over. */
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

/** Files go before the row: should the process die between, the next try finds them by it. */
async function dropProForma({ db, tenantId, files, transact }: JobContext, sourceId: string) {
  const document = await findDocument(db, { tenantId, kind: 'pro_forma', sourceId })
  if (!document) return
  for (const { fileKey } of await listFiles(db, document)) await files.delete(fileKey)
  await transact((tx) => deleteProForma(tx, document))
}
