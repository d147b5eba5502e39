import type { Instant } from '#lib/time.ts'
import type { Pages, Requote } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { documentOfDraft } from '../invoices/drafts.ts'
import { findInvoice, type InvoiceKey } from '../invoices/queries.ts'
import { lockExpired, replaceQuote } from './actions.ts'

/** An administrator's invoice keeps its prices; tax rates and the customer may have changed (R2.7). */
export const requoteManual: Requote = async (
  tx: Tx,
  key: InvoiceKey & { readonly pages: Pages },
  now: Instant,
) => {
  const found = await findInvoice(tx, key)
  if (!found?.draftLines) return null
  const document = await documentOfDraft(tx, found, now)
  const expired = await lockExpired(tx, key, document)
  if (!expired) return null
  const { id } = await replaceQuote(tx, expired, { document, dueAt: expired.dueAt ?? now }, now)
  return { invoiceId: id }
}
