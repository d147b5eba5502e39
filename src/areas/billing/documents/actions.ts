import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue, enqueueAll } from '#platform/jobs.ts'
import { makeDocument } from '../work.ts'
import { type DocumentKey, insertDocuments, upsertDocument } from './queries.ts'

/**
 * Has a document made once this transaction is committed, only once even if it is requested again;
 * a failure never affects the invoice or credit note.
 */
export async function requestDocument(tx: Tx, key: DocumentKey, now: Instant): Promise<void> {
  await upsertDocument(tx, key, { id: newId(), requestedAt: now })
  const { tenantId, kind, sourceId } = key
  await enqueue(tx, makeDocument, { tenantId, kind, sourceId }, { key: `${kind}:${sourceId}` })
}

/** Likewise for invoices of this transaction, whose documents were not requested before. */
export async function requestDocuments(
  tx: Tx,
  tenantId: string,
  invoiceIds: readonly string[],
  now: Instant,
): Promise<void> {
  const keys = invoiceIds.map((sourceId) => ({ tenantId, kind: 'invoice' as const, sourceId }))
  const rows = keys.map((key) => ({ ...key, id: newId(), requestedAt: now }))
  await insertDocuments(tx, rows)
  const jobs = keys.map((payload) => ({ payload, key: `${payload.kind}:${payload.sourceId}` }))
  await enqueueAll(tx, makeDocument, jobs)
}
