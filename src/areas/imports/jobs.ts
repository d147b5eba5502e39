import { DAY_MS, later, MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { type Tx, transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { listDueReconciliations } from './cutover/queries.ts'
import { reconcile } from './cutover/reconcile.ts'
import {
  deleteUpload,
  listAbandoned,
  listFilesToDelete,
  listLostUploads,
  markFileGone,
} from './queries.ts'
import { runImport } from './run.ts'
import type { ImportKey } from './staging/writer.ts'
import { tryUndo } from './undoing/actions.ts'
import { listUndoing } from './undoing/queries.ts'
import { finishUndoing, importDump } from './work.ts'

const TIMEOUT_SECONDS = 6 * 3600
const BATCH = 100

/** Reads an uploaded dump to its end. One that stops half-way is continued by `resumeImports`. */
export const importDumpJob = job(
  importDump,
  (context: JobContext, key) => runImport(context, key),
  { retries: 5, retrySeconds: 5, timeoutSeconds: TIMEOUT_SECONDS },
)

/** Undoes an import completely or not at all. */
export const finishUndoingJob = job(
  finishUndoing,
  (context: JobContext, key) => tryUndo(context, key),
  { retries: 5, retrySeconds: 5, timeoutSeconds: TIMEOUT_SECONDS },
)

/** Schedules an import to be undone, once. */
export function undoLater(tx: Tx, key: ImportKey): Promise<void> {
  return enqueue(tx, finishUndoing, { ...key }, { key: `undo ${key.id}` })
}

/** Finds imports whose process is gone, and files that are no longer needed. */
export const resumeImports = schedule(
  'imports.resume-imports',
  30 * SECOND_MS,
  async ({ db, now, files }: JobContext) => {
    const abandoned = await listAbandoned(db, now, BATCH)
    await transact(db, async (tx) => {
      for (const key of abandoned) await enqueue(tx, importDump, key, { key: `resume ${key.id}` })
    })
    const undoing = await listUndoing(db, BATCH)
    await transact(db, async (tx) => {
      for (const key of undoing) await undoLater(tx, key)
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

/** Compares the invoices after an import with its preview, once each comparison is due. */
export const reconcileImports = schedule(
  'imports.reconcile-imports',
  10 * MINUTE_MS,
  async ({ db, now }: JobContext) => {
    for (const { tenantId, importId: id, days } of await listDueReconciliations(db, now, BATCH)) {
      await transact(db, (tx) => reconcile(tx, { tenantId, id, days }, now))
    }
  },
)
