import { ciiOf } from './cii.ts'
import { hasElectronicForm, type PrintedDocument } from './content.ts'
import { electronicInvoice } from './electronic.ts'
import type { DocumentFormat } from './queries.ts'
import { ublOf } from './ubl.ts'

/** One file of a document. */
export type MadeFile = { readonly format: DocumentFormat; readonly content: Buffer }

/** All files of a document; the same document and logo always make the same bytes (R7.1). */
export async function filesOf(
  document: PrintedDocument,
  logo: Buffer | null = null,
): Promise<MadeFile[]> {
  // The library reads fonts and tables, which would slow down the start: documents are made by
  // jobs.
  const { pdfOf } = await import('./pdf.ts')
  if (!hasElectronicForm(document.kind, document.currency)) {
    return [{ format: 'pdf', content: await pdfOf(document, { xml: null, logo }) }]
  }
  const invoice = electronicInvoice(document)
  const cii = ciiOf(invoice)
  return [
    { format: 'pdf', content: await pdfOf(document, { xml: cii, logo }) },
    { format: 'cii', content: Buffer.from(cii) },
    { format: 'ubl', content: Buffer.from(ublOf(invoice)) },
  ]
}
