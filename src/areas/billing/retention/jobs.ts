import { DAY_MS, type Instant, instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { settingsOf } from '#tenants'
import { billingSettings } from '../settings.ts'
import { forgetDocuments } from '../work.ts'
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
 * Removes the buyer from documents of deleted people once the law no longer requires them (R8.3).
 * Runs every day; there is something to do after a year has ended.
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

/**
 * Removes the PDF and XML of documents that were anonymized at a time. A file is deleted before the
 * row that names it: if the process dies in between, the next attempt finds the row.
 */
export const forgetDocumentsJob = job(
  forgetDocuments,
  async (context: JobContext, { tenantId, anonymizedAt }) => {
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
