import { type RawBuilder, sql } from 'kysely'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { convertPrices, lockNotBegun, type PreviewTerms, planRenewals } from '#services'
import { convertImportedPrices } from '#store'
import { assertDecided, decide, findWritten } from './cutover/decisions.ts'
import { assertOlderBegun } from './cutover/order.ts'
import { planReconciliations } from './cutover/queries.ts'
import { storeExpectedInvoices } from './cutover/reconcile.ts'
import { termsOf } from './preview.ts'
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
import { catalogModeOf, systemOf } from './rules.ts'
import type { Decisions } from './schema.ts'
import type { ImportKey } from './staging/writer.ts'
import { createdBy } from './undoing/created.ts'
import { isUndoing } from './undoing/queries.ts'
import { importDump } from './work.ts'

/**
 * Starts the import of a stored file. If the same file was imported before, that import is returned and this copy of
 * the file is not needed (`known`). Throws 409 while another import runs.
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

/** Throws 409 while an import is being undone: rows that a new import relies on would then be removed. */
export async function assertNotUndoing(tx: Tx, tenantId: string): Promise<void> {
  if (!(await isUndoing(tx, tenantId))) return
  throw conflict('An import is being undone. Wait until it is.', 'import_running')
}

/**
 * Starts renewals of the services of an import with the decisions that are stored and those in `made`, which are stored
 * too. A second call starts none. Past periods are not invoiced. The invoices of the first 60 days are kept to be
 * compared with those that will be issued. Throws 404, and 409 for an import that failed or was a dry run, while
 * services of an older import of the same system do not renew here, and while a needed decision is missing.
 */
export async function beginRenewals(
  tx: Tx,
  key: ImportKey,
  { made, userId }: { readonly made: Decisions; readonly userId: string | null },
  now: Instant,
) {
  const row = await findWritten(tx, key)
  await assertOlderBegun(tx, row)
  const decided = await decide(tx, key, { made, userId }, now)
  await assertDecided(tx, key, { row, made: decided }, now)
  const what = { tenantId: key.tenantId, importId: key.id }
  const terms = await termsOf(tx, key, decided)
  await lockNotBegun(tx, what)
  await storeExpectedInvoices(tx, key, terms, now)
  const isFirst = await planReconciliations(tx, key, now)
  const { keepTotal, runningPeriods } = terms
  const converted = await convertPrices(tx, { ...what, terms }, now)
  const catalogConverted =
    keepTotal && isFirst ? await convertCatalog(tx, key, { row, terms }, now) : 0
  const begun = await planRenewals(tx, { ...what, runningPeriods }, now)
  return { ...begun, converted, catalogConverted }
}

type Catalog = { readonly row: ImportRow; readonly terms: PreviewTerms }

/**
 * Converts the prices of plans, options and coupons that an import has created to the mode of this shop, unless staff has changed
 * them since. Coupons were deducted from what customers paid. Returns the number of plans.
 */
async function convertCatalog(tx: Tx, key: ImportKey, { row, terms }: Catalog, now: Instant) {
  const { from, to } = terms
  const created = createdBy(key, systemOf(row))
  const none = sql<{ id: string }>`select null::uuid as id where false`
  const isSame = catalogModeOf(row) === to
  const [plans, options] = isSame ? [none, none] : [created.plans, created.options]
  const coupons = from === to ? none : created.coupons
  const untouched = (ids: RawBuilder<{ id: string }>) => sql`
    select made.id from (${ids}) as made
    where not exists (select from audit.entries as entry
        where entry.tenant_id = ${key.tenantId} and entry.changed and entry.object_id = made.id)
      and not exists (select from audit.pending as entry
        where entry.tenant_id = ${key.tenantId} and entry.changed and entry.object_id = made.id)`
  const prices = {
    ...{ plans: untouched(plans), options: untouched(options), coupons: untouched(coupons) },
    to,
  }
  return convertImportedPrices(tx, key.tenantId, prices, now)
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
