import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { DAY_MS, later, SECOND_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import {
  deleteUpload,
  listAbandoned,
  listFilesToDelete,
  listLostUploads,
  markFileGone,
} from './queries.ts'
import { runImport } from './run.ts'

const ImportPayload = Type.Object({ tenantId: Id, id: Id })
const TIMEOUT_SECONDS = 6 * 3600
const BATCH = 100

/** Reads an uploaded dump to its end. One that stops half-way is taken up by `resumeImports`. */
export const importDump = job(
  'imports.import-dump',
  ImportPayload,
  (context: JobContext, key) => runImport(context, key),
  { retries: 5, retrySeconds: 5, timeoutSeconds: TIMEOUT_SECONDS },
)

/** Finds imports whose process is gone, and files that are needed no longer. */
export const resumeImports = schedule(
  'imports.resume-imports',
  30 * SECOND_MS,
  async ({ db, now, files }: JobContext) => {
    const abandoned = await listAbandoned(db, now, BATCH)
    await transact(db, async (tx) => {
      for (const key of abandoned) await enqueue(tx, importDump, key, { key: `resume ${key.id}` })
    })
    for (const { fileKey, ...key } of await listFilesToDelete(db, BATCH)) {
      await files.delete(fileKey)
      await transact(db, (tx) => markFileGone(tx, key, now))
    }
    for (const { fileKey, ...key } of await listLostUploads(db, later(now, -DAY_MS), BATCH)) {
      await files.delete(fileKey)
      await transact(db, (tx) => deleteUpload(tx, key))
    }
  },
)
