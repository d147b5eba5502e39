import { type Db, json, type Tx } from '#platform/database/index.ts'
import type { ImportRow } from '../queries.ts'
import type { ImportKey } from '../staging/writer.ts'

/** Locks an import: one process at a time undoes it. */
export function lockImport(tx: Tx, { tenantId, id }: ImportKey): Promise<ImportRow | undefined> {
  return tx
    .selectFrom('imports.imports')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Whether an import of a tenant is being undone. */
export async function isUndoing(db: Db, tenantId: string): Promise<boolean> {
  const row = await db
    .selectFrom('imports.imports')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('status', '=', 'undoing')
    .executeTakeFirst()
  return row !== undefined
}

/** Imports that are being undone, of every tenant. */
export function listUndoing(db: Db, limit: number): Promise<ImportKey[]> {
  return db
    .selectFrom('imports.imports')
    .select(['tenantId', 'id'])
    .where('status', '=', 'undoing')
    .limit(limit)
    .execute()
}

/** Counts another attempt to undo an import; undefined if it is no longer to be undone. */
export function countUndoTry(
  tx: Tx,
  { tenantId, id }: ImportKey,
): Promise<Pick<ImportRow, 'undoTries'> | undefined> {
  return tx
    .updateTable('imports.imports')
    .set((it) => ({ undoTries: it('undoTries', '+', 1) }))
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('status', '=', 'undoing')
    .returning('undoTries')
    .executeTakeFirst()
}

/** Changes the status of an import that has ended, with the failure to undo it if there was one. */
export async function updateStatus(
  tx: Tx,
  { tenantId, id }: ImportKey,
  status: ImportRow['status'],
  failure: ImportRow['undoFailure'] = null,
): Promise<void> {
  await tx
    .updateTable('imports.imports')
    .set({ status, undoTries: 0, undoFailure: failure && json(failure) })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Deletes the origins of an import: rows that are imported again later count as new. */
export async function deleteOrigins(
  tx: Tx,
  { tenantId, id }: ImportKey,
  system: string,
): Promise<void> {
  await tx
    .deleteFrom('imports.origins')
    .where('tenantId', '=', tenantId)
    .where('system', '=', system)
    .where('importId', '=', id)
    .execute()
}
