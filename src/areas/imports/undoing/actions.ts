import { type RawBuilder, sql } from 'kysely'
import { lockImportedAffiliates, removeImportedAffiliation } from '#affiliation'
import { lockImportedInvoices, removeImportedDocuments } from '#billing'
import { removeOpenings } from '#ledger'
import { conflict, notFound, type Problem } from '#lib/problem.ts'
import { removeRecipients } from '#notifications'
import { removeImportedOrders } from '#orders'
import { type Db, type Tx, transact } from '#platform/database/index.ts'
import { lockImportedServices, removeImportedServices } from '#services'
import { removeImportedCatalogue } from '#store'
import { lockImportedUsers, removeImportedUsers } from '#users'
import { planForBulk } from '../outcomes/judge.ts'
import { deleteNotes, type ImportRow } from '../queries.ts'
import { nothingImported, statusOf, systemOf } from '../rules.ts'
import type { ImportView, UndoneImport } from '../schema.ts'
import type { ImportKey } from '../staging/writer.ts'
import { changedBy, restoreBefore } from './changes.ts'
import { type Created, createdBy } from './created.ts'
import { type Obstacle, obstaclesTo } from './obstacles.ts'
import { deleteOrigins, lockImport, updateStatus } from './queries.ts'

type Undo = {
  readonly dryRun: boolean
  /** Does the work later, as a job. */
  readonly later: (tx: Tx, key: ImportKey) => Promise<void>
}

/**
 * Begins to undo an import, or with `dryRun` only says what stands in the way. An import that is undone already stays so.
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

/** Undoes an import at once, or with `dryRun` only says what stands in the way. Throws as `beginUndo` does. */
export async function undoImport(
  db: Db,
  key: ImportKey,
  dryRun: boolean,
): Promise<Pick<UndoneImport, 'status'> & { readonly obstacles: readonly Obstacle[] }> {
  const begun = await transact(db, (tx) => beginUndo(tx, key, { dryRun, later: async () => {} }))
  if (begun.status !== 'undoing') return begun
  const obstacles = await transact(db, (tx) => finishUndo(tx, key))
  return { status: obstacles.length > 0 ? begun.status : 'undone', obstacles }
}

/**
 * Removes everything that an import has written, in one transaction: a process that ends in between leaves it as it was,
 * to be undone by the next. Does nothing for an import that is not to be undone. What has come to be in use meanwhile
 * keeps the import: then the answer says what.
 */
export async function finishUndo(tx: Tx, key: ImportKey): Promise<readonly Obstacle[]> {
  const row = await lockImport(tx, key)
  if (row?.status !== 'undoing') return []
  await planForBulk(tx)
  const created = createdBy(key, systemOf(row))
  await lockCreated(tx, key, created)
  const obstacles = await obstaclesTo(tx, key, systemOf(row), created)
  if (obstacles.length > 0) {
    await updateStatus(tx, key, statusOf(reportOf(row)))
    return obstacles
  }
  await remove(tx, key, created)
  await deleteOrigins(tx, key, systemOf(row))
  await deleteNotes(tx, key)
  await updateStatus(tx, key, 'undone')
  return []
}

/** Locks what the import has made and changed, in the order in which everybody locks them. */
async function lockCreated(tx: Tx, key: ImportKey, created: Created): Promise<void> {
  const { tenantId } = key
  const both = (made: RawBuilder<{ id: string }>, table: string) =>
    sql<{ id: string }>`${made} union all ${changedBy(key, table)}`
  await lockImportedUsers(tx, tenantId, both(created.people, 'users.users'))
  await lockImportedServices(tx, tenantId, both(created.services, 'services.services'))
  await lockImportedInvoices(tx, tenantId, both(created.invoices, 'billing.invoices'))
  await lockImportedAffiliates(tx, tenantId, created.affiliates)
}

/** Those first that name others; what was changed names again what it did before. */
async function remove(tx: Tx, key: ImportKey, created: Created): Promise<void> {
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
  await removeImportedUsers(tx, tenantId, created.people)
}

function reportOf({ report }: ImportRow): NonNullable<ImportView['report']> {
  if (!report) throw nothingImported()
  return report as NonNullable<ImportView['report']>
}

/** The 409 for an import whose records are in use, with what uses them. */
export function inUse(obstacles: readonly Obstacle[]): Problem {
  const named = obstacles.map(({ code, count, ids }) => {
    const more = count > ids.length ? ', …' : ''
    return `${code.replaceAll('_', ' ')}: ${count} (${ids.join(', ')}${more})`
  })
  return conflict(
    `This import cannot be undone, because its records are in use. ${named.join('; ')}.`,
    'import_in_use',
  )
}
