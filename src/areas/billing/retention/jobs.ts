import { type Static, Type } from 'typebox'
import { Id, Timestamp } from '#lib/schema.ts'
import { DAY_MS, type Instant, instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { settingsOf } from '#tenants'
import { billingSettings } from '../settings.ts'
import {
  anonymizeDocumentsOf,
  deleteEmptyDocument,
  deleteFile,
  listDocumentsOf,
  listTenantsLeft,
} from './queries.ts'
import { keptFrom } from './rules.ts'

const BATCH = 500

/**
 * Takes the buyer out of documents of deleted people when the law no longer wants them kept (R8.3).
 * Looks every day; there is something to do after a year has ended.
 */
export const anonymizeDocuments = schedule(
  'billing.anonymize-documents',
  DAY_MS,
  async ({ db, now, transact }) => {
    for (const tenantId of await listTenantsLeft(db)) {
      const { documentYears } = await settingsOf(db, tenantId, billingSettings)
      const wanted = { tenantId, before: keptFrom(now, documentYears) }
      let count = BATCH
      while (count >= BATCH) count = await transact((tx) => anonymize(tx, wanted, now))
    }
  },
)

async function anonymize(
  tx: Tx,
  { tenantId, before }: { tenantId: string; before: Instant },
  now: Instant,
): Promise<number> {
  const count = await anonymizeDocumentsOf(tx, { tenantId, before, limit: BATCH }, now)
  if (count > 0) await enqueue(tx, forgetDocuments, { tenantId, anonymizedAt: now }, { key: now })
  return count
}

const Forgotten = Type.Object({ tenantId: Id, anonymizedAt: Timestamp })

/**
 * Removes the PDF and XML of what was made anonymous at a moment. A file goes before the row that
 * names it: should the process die between, the next try finds the row.
 */
export const forgetDocuments = job(
  'billing.forget-documents',
  Forgotten,
  async (context: JobContext, { tenantId, anonymizedAt }: Static<typeof Forgotten>) => {
    const { db, files, transact } = context
    const wanted = { tenantId, anonymizedAt: instant(anonymizedAt) }
    for (;;) {
      const found = await listDocumentsOf(db, wanted, BATCH)
      if (found.length === 0) return
      for (const { fileKey } of found) if (fileKey) await files.delete(fileKey)
      await transact(async (tx) => {
        for (const { id, fileKey } of found) {
          if (fileKey) await deleteFile(tx, { tenantId, id, fileKey })
          await deleteEmptyDocument(tx, { tenantId, id })
        }
      })
    }
  },
)
