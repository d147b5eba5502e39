import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { convertPrices, lockNotBegun, planRenewals } from '#services'
import { sellerOf } from '#tenants'
import { importDump } from './jobs.ts'
import {
  deleteUpload,
  findImport,
  findImportOf,
  findRunning,
  type ImportRow,
  insertImport,
  markCancelWanted,
  markFinished,
  type NewImport,
} from './queries.ts'
import { hasWritten, nothingImported, priceModeOf, priceModeUndecided } from './rules.ts'
import type { Decisions } from './schema.ts'
import type { ImportKey } from './staging/writer.ts'
import { isUndoing } from './undoing/queries.ts'

/**
 * Begins to import a file that is stored. The same file again is the import there is already, and its
 * own copy is not needed (`known`). 409 while another one runs.
 */
export async function beginImport(
  tx: Tx,
  upload: NewImport,
): Promise<{ row: ImportRow; known: boolean }> {
  const known = await findImportOf(tx, upload)
  if (known) return { row: known, known: true }
  if (await findRunning(tx, upload.tenantId)) {
    throw conflict('Another import is running. Wait for it, or cancel it.', 'import_running')
  }
  await assertNotUndoing(tx, upload.tenantId)
  const row = await insertImport(tx, upload)
  await deleteUpload(tx, upload)
  await enqueue(tx, importDump, { tenantId: upload.tenantId, id: upload.id })
  return { row, known: false }
}

/** Throws 409 while an import is undone: what is read of it would be gone when another is written. */
export async function assertNotUndoing(tx: Tx, tenantId: string): Promise<void> {
  if (!(await isUndoing(tx, tenantId))) return
  throw conflict('An import is being undone. Wait until it is.', 'import_running')
}

/**
 * Starts renewals of the services of an import; a second call starts none. Past periods are not invoiced. Throws
 * 404, and 409 for an import that failed or was a dry run, and if only one of the two systems has prices with tax
 * and there is no decision.
 */
export async function beginRenewals(
  tx: Tx,
  key: ImportKey,
  { runningPeriods = 'leave', price }: Decisions,
  now: Instant,
) {
  const row = await findImport(tx, key)
  if (!row) throw notFound('Import')
  if (!hasWritten(row)) throw nothingImported()
  const what = { tenantId: key.tenantId, importId: key.id }
  const { priceMode: to } = await sellerOf(tx, key.tenantId)
  const isOther = priceModeOf(row) !== to
  if (isOther && price === undefined) throw priceModeUndecided(to)
  await lockNotBegun(tx, what)
  const converted =
    isOther && price === 'keep_total' ? await convertPrices(tx, { ...what, to }, now) : 0
  return { ...(await planRenewals(tx, { ...what, runningPeriods }, now)), converted }
}

/**
 * Cancels an import: immediately if it has not started. Throws 404, and 409 if it has ended or is already being
 * written: then it is completed.
 */
export async function cancelImport(tx: Tx, key: ImportKey, now: Instant): Promise<ImportRow> {
  const row = await markCancelWanted(tx, key, now)
  if (!row) throw whyNotCanceled(await findImport(tx, key))
  if (row.status !== 'uploaded') return row
  await markFinished(tx, row, { status: 'canceled' }, now)
  return { ...row, status: 'canceled', finishedAt: now, phase: 'done' }
}

function whyNotCanceled(row: ImportRow | undefined): Error {
  if (!row) return notFound('Import')
  if (row.finishedAt) return conflict('This import has ended.', 'import_ended')
  return conflict('This import is being written, and ends soon.', 'import_writing')
}
