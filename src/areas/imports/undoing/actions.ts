import { type RawBuilder, sql } from 'kysely'
import { lockImportedAffiliates, removeImportedAffiliation } from '#affiliation'
import { lockImportedInvoices, removeImportedDocuments } from '#billing'
import { removeOpenings } from '#ledger'
import { conflict, notFound, type Problem } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { notifyAdmins, removeRecipients } from '#notifications'
import { removeImportedOrders } from '#orders'
import { type Db, type Tx, transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { lockImportedServices, removeImportedServices } from '#services'
import { removeImportedCatalogue } from '#store'
import { lockImportedUsers, removeImportedUsers } from '#users'
import { planForBulk } from '../outcomes/judge.ts'
import { deleteNotes, type ImportRow } from '../queries.ts'
import { nothingImported, statusOf, systemOf, undoFailureMessage } from '../rules.ts'
import type { ImportView, UndoneImport } from '../schema.ts'
import type { ImportKey } from '../staging/writer.ts'
import { changedBy, restoreBefore } from './changes.ts'
import { type Created, createdBy, factsBy } from './created.ts'
import { type Obstacle, obstaclesTo } from './obstacles.ts'
import { countUndoTry, deleteOrigins, lockImport, updateStatus } from './queries.ts'

/** The attempts to undo an import. After the last one, it keeps its records and its status. */
const MAX_TRIES = 5

type Undo = {
  readonly dryRun: boolean
  /** Does the work later, as a job. */
  readonly later: (tx: Tx, key: ImportKey) => Promise<void>
}

/**
 * Begins to undo an import, or with `dryRun` only returns the obstacles. An import that is undone already stays so.
 * Throws 404, and 409 for an import that has written nothing or still runs, and if its records are in use.
 */
export async function beginUndo(
  tx: Tx,
  key: ImportKey,
  { dryRun, later }: Undo,
): Promise<UndoneImport> {
  const row = await lockImport(tx, key)
  if (!row) throw notFound('Import')
  if (!row.finishedAt) throw conflict('The import is still running.', 'import_running')
  if (row.status === 'undone') return { status: row.status, obstacles: [] }
  if (row.dryRun || row.report === null) throw nothingImported()
  await planForBulk(tx)
  const obstacles = await obstaclesTo(tx, key, systemOf(row), createdBy(key, systemOf(row)))
  if (dryRun) return { status: row.status, obstacles }
  if (obstacles.length > 0) throw inUse(obstacles)
  await updateStatus(tx, key, 'undoing')
  await later(tx, key)
  return { status: 'undoing', obstacles: [] }
}

/** Undoes an import at once, or with `dryRun` only returns the obstacles. Throws like `beginUndo`. */
export async function undoImport(
  db: Db,
  key: ImportKey,
  { dryRun, now }: { dryRun: boolean; now: Instant },
): Promise<Pick<UndoneImport, 'status'> & { readonly obstacles: readonly Obstacle[] }> {
  const begun = await transact(db, (tx) => beginUndo(tx, key, { dryRun, later: async () => {} }))
  if (begun.status !== 'undoing') return begun
  const obstacles = await transact(db, (tx) => finishUndo(tx, key, now))
  return { status: obstacles.length > 0 ? begun.status : 'undone', obstacles }
}

/**
 * Attempts to undo an import as a job. If the last attempt fails, or its process ends, the import gets its former
 * status back together with the failure, and staff are notified: an import that stays `undoing` would block all others.
 */
export async function tryUndo(
  { transact: write, now, log }: Pick<JobContext, 'transact' | 'now' | 'log'>,
  key: ImportKey,
): Promise<void> {
  const counted = await write((tx) => countUndoTry(tx, key))
  if (!counted) return
  const giveUp = () =>
    write((tx) => keepImport(tx, key, { code: 'undo_failed', detail: null }, now))
  if (counted.undoTries > MAX_TRIES) return giveUp()
  try {
    await write((tx) => finishUndo(tx, key, now))
  } catch (error) {
    if (counted.undoTries < MAX_TRIES) throw error
    log.error({ err: error, importId: key.id }, 'an import could not be undone')
    await giveUp()
  }
}

/** Gives an import that was not undone its former status, with the failure, and notifies staff. */
async function keepImport(
  tx: Tx,
  key: ImportKey,
  { code, detail }: Pick<NonNullable<ImportRow['undoFailure']>, 'code' | 'detail'>,
  now: Instant,
): Promise<void> {
  const row = await lockImport(tx, key)
  if (row?.status !== 'undoing') return
  await updateStatus(tx, key, statusOf(reportOf(row)), { code, detail, at: now })
  const { tenantId, id } = key
  const facts = { file: row.fileName, inUse: code === 'import_in_use' }
  const attention = { tenantId, topic: 'import_not_undone' as const, facts }
  await notifyAdmins(tx, { ...attention, link: `/admin/imports/${id}` }, now)
}

/**
 * Removes everything that an import has written, in one transaction: if the process ends before that, nothing is
 * removed, and the next attempt does it. Does nothing for an import that is not to be undone. If records have come into
 * use meanwhile, nothing is removed either, and the obstacles are returned.
 */
export async function finishUndo(
  tx: Tx,
  key: ImportKey,
  now: Instant,
): Promise<readonly Obstacle[]> {
  const row = await lockImport(tx, key)
  if (row?.status !== 'undoing') return []
  await planForBulk(tx)
  const created = createdBy(key, systemOf(row))
  await lockCreated(tx, key, created)
  const obstacles = await obstaclesTo(tx, key, systemOf(row), created)
  if (obstacles.length > 0) {
    await keepImport(tx, key, { code: 'import_in_use', detail: namesOf(obstacles) }, now)
    return obstacles
  }
  await remove(tx, key, { created, facts: factsBy(key, systemOf(row)) })
  await deleteOrigins(tx, key, systemOf(row))
  await deleteNotes(tx, key)
  await updateStatus(tx, key, 'undone')
  return []
}

/** Locks the records that the import has created and changed, in the order in which all transactions lock them. */
async function lockCreated(tx: Tx, key: ImportKey, created: Created): Promise<void> {
  const { tenantId } = key
  const both = (made: RawBuilder<{ id: string }>, table: string) =>
    sql<{ id: string }>`${made} union all ${changedBy(key, table)}`
  await lockImportedUsers(tx, tenantId, both(created.people, 'users.users'))
  await lockImportedServices(tx, tenantId, both(created.services, 'services.services'))
  await lockImportedInvoices(tx, tenantId, both(created.invoices, 'billing.invoices'))
  await lockImportedAffiliates(tx, tenantId, created.affiliates)
}

/**
 * Records that reference others are removed first. Changed records are restored before, so that they no longer
 * reference created ones.
 */
async function remove(
  tx: Tx,
  key: ImportKey,
  { created, facts }: { readonly created: Created; readonly facts: RawBuilder<{ id: string }> },
): Promise<void> {
  const { tenantId, id: importId } = key
  const which = { tenantId, importId }
  await restoreBefore(tx, key)
  await removeOpenings(tx, which)
  await removeImportedAffiliation(tx, { ...which, referrals: created.referrals })
  await removeImportedOrders(tx, which)
  await removeImportedServices(tx, which)
  await removeImportedDocuments(tx, which)
  await removeImportedCatalogue(tx, tenantId, created)
  await removeRecipients(tx, tenantId, created.people)
  await removeImportedUsers(tx, tenantId, { people: created.people, facts })
}

function reportOf({ report }: ImportRow): NonNullable<ImportView['report']> {
  if (!report) throw nothingImported()
  return report as NonNullable<ImportView['report']>
}

/** The 409 for an import whose records are in use, with what uses them. */
export function inUse(obstacles: readonly Obstacle[]): Problem {
  return conflict(undoFailureMessage('import_in_use', namesOf(obstacles)), 'import_in_use')
}

function namesOf(obstacles: readonly Obstacle[]): string {
  const named = obstacles.map(({ code, count, ids }) => {
    const more = count > ids.length ? ', …' : ''
    return `${code.replaceAll('_', ' ')}: ${count} (${ids.join(', ')}${more})`
  })
  return `${named.join('; ')}.`
}
