import { sql } from 'kysely'
import { type Instant, later } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import { tableOf } from './outcomes/material.ts'
import { SOURCES } from './sources/index.ts'
import { RESOURCES } from './staging/resources.ts'
import type { ImportKey } from './staging/writer.ts'

export type ImportRow = Row<'imports.imports'>
export type NewImport = Pick<
  ImportRow,
  | 'tenantId'
  | 'id'
  | 'userId'
  | 'fileName'
  | 'fileKey'
  | 'sizeBytes'
  | 'sha256'
  | 'dryRun'
  | 'wantedSystem'
  | 'createdAt'
> &
  Partial<Pick<ImportRow, 'fileGoneAt'>>

/** How far an import is. */
export type Progress = Pick<ImportRow, 'phase'> &
  Partial<
    Pick<
      ImportRow,
      'status' | 'bytesRead' | 'bytesTotal' | 'rowsRead' | 'rowsTotal' | 'stagedTo' | 'installation'
    >
  >

/** How long a process keeps an import after its last progress. */
const LEASE_MS = 60_000

export async function insertImport(tx: Tx, row: NewImport): Promise<ImportRow> {
  return tx
    .insertInto('imports.imports')
    .values({ ...row, status: 'uploaded' })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findImport(db: Db, { tenantId, id }: ImportKey): Promise<ImportRow | undefined> {
  return imports(db, tenantId).where('id', '=', id).executeTakeFirst()
}

export function listImports(db: Db, tenantId: string, page: PageQuery) {
  return pageOf(imports(db, tenantId), page)
}

/** The newest import of a file that is running or has ended successfully. */
export function findImportOf(
  db: Db,
  { tenantId, sha256, dryRun }: Pick<ImportRow, 'tenantId' | 'sha256' | 'dryRun'>,
): Promise<ImportRow | undefined> {
  return imports(db, tenantId)
    .where('sha256', '=', sha256)
    .where('dryRun', '=', dryRun)
    .where('status', 'not in', ['failed', 'rejected', 'canceled', 'undoing', 'undone'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findRunning(db: Db, tenantId: string): Promise<ImportRow | undefined> {
  return imports(db, tenantId).where('finishedAt', 'is', null).executeTakeFirst()
}

/** All imports of a tenant, oldest first. */
export function listAll(db: Db, tenantId: string): Promise<ImportRow[]> {
  return imports(db, tenantId).orderBy('id').execute()
}

function imports(db: Db, tenantId: string) {
  return db.selectFrom('imports.imports').selectAll().where('tenantId', '=', tenantId)
}

/** Imports whose process has recorded no progress for longer than its lease. */
export function listAbandoned(db: Db, now: Instant, limit: number) {
  return db
    .selectFrom('imports.imports')
    .select(['tenantId', 'id'])
    .where('finishedAt', 'is', null)
    .where((it) => it.or([it('leaseUntil', 'is', null), it('leaseUntil', '<', now)]))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Takes an import for one process; undefined if another process has it, or it has ended. */
export function leaseImport(
  tx: Tx,
  { tenantId, id }: ImportKey,
  now: Instant,
): Promise<ImportRow | undefined> {
  return tx
    .updateTable('imports.imports')
    .set((it) => ({
      status: sql<
        ImportRow['status']
      >`case status when 'importing' then status else 'analysing' end`,
      leaseUntil: later(now, LEASE_MS),
      tries: it('tries', '+', 1),
      startedAt: sql<Instant>`coalesce(started_at, ${now})`,
    }))
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('finishedAt', 'is', null)
    .where((it) => it.or([it('leaseUntil', 'is', null), it('leaseUntil', '<', now)]))
    .returningAll()
    .executeTakeFirst()
}

type Held = Pick<ImportRow, 'tenantId' | 'id' | 'tries'>

/**
 * Records the progress of an import, and extends its lease. Returns whether it still belongs to this process: `tries`
 * counts how often it was taken, and `advancedInTry` is the last try that staged rows which none had before.
 */
export async function markProgress(
  tx: Tx,
  held: Held,
  progress: Progress,
  now: Instant,
): Promise<'ours' | 'canceled' | 'lost'> {
  const row = await tx
    .updateTable('imports.imports')
    .set({
      ...progress,
      progressAt: now,
      leaseUntil: later(now, LEASE_MS),
      phaseAt: sql`case when phase = ${progress.phase} then phase_at else ${now} end`,
      ...(progress.stagedTo !== undefined && {
        advancedInTry: sql<number>`case when staged_to < ${progress.stagedTo} then tries
          else advanced_in_try end`,
      }),
    })
    .where('tenantId', '=', held.tenantId)
    .where('id', '=', held.id)
    .where('tries', '=', held.tries)
    .where('finishedAt', 'is', null)
    .returning('cancelWantedAt')
    .executeTakeFirst()
  if (!row) return 'lost'
  return row.cancelWantedAt ? 'canceled' : 'ours'
}

/** How the row of an import is locked. */
export type Hold = 'keyShare' | 'share' | 'update'

/** Whether an import still belongs to this process; locks it until the transaction ends. */
export async function isHeld(tx: Tx, held: Held, how: Hold): Promise<boolean> {
  const found = tx
    .selectFrom('imports.imports')
    .select('id')
    .where('tenantId', '=', held.tenantId)
    .where('id', '=', held.id)
    .where('tries', '=', held.tries)
    .where('finishedAt', 'is', null)
  const locked = {
    keyShare: () => found.forKeyShare(),
    share: () => found.forShare(),
    update: () => found.forUpdate(),
  }
  return (await locked[how]().executeTakeFirst()) !== undefined
}

type End = {
  readonly status: ImportRow['status']
  readonly report?: object
  readonly fault?: NonNullable<ImportRow['fault']>
}

/** Ends an import. Returns false if it belongs to another process by now. */
export async function markFinished(
  tx: Tx,
  held: Held,
  { status, report, fault }: End,
  now: Instant,
): Promise<boolean> {
  const row = await tx
    .updateTable('imports.imports')
    .set({
      ...{ status, phase: 'done', finishedAt: now, progressAt: now, leaseUntil: null },
      ...(report && { report: json(report) }),
      ...(fault && { fault: json(fault) }),
    })
    .where('tenantId', '=', held.tenantId)
    .where('id', '=', held.id)
    .where('tries', '=', held.tries)
    .where('finishedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Requests the end of a running import. Returns the row, if nothing of it was written yet. */
export function markCancelWanted(tx: Tx, { tenantId, id }: ImportKey, now: Instant) {
  return tx
    .updateTable('imports.imports')
    .set({ cancelWantedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('finishedAt', 'is', null)
    .where('status', '<>', 'importing')
    .returningAll()
    .executeTakeFirst()
}

export async function markFileGone(tx: Tx, { tenantId, id }: ImportKey, now: Instant) {
  await tx
    .updateTable('imports.imports')
    .set({ fileGoneAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Stored files of imports that have ended. */
export function listFilesToDelete(db: Db, limit: number) {
  return db
    .selectFrom('imports.imports')
    .select(['tenantId', 'id', 'fileKey'])
    .where('finishedAt', 'is not', null)
    .where('fileGoneAt', 'is', null)
    .limit(limit)
    .execute()
}

/**
 * Lets a transaction commit before it is on the disk. Only for staged rows: those lost in a power failure are
 * read again, as the position in the file is lost with them.
 */
export async function waitForNoDisk(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx)
}

/** Has the database analyse how many rows are staged; otherwise it would assume a handful. */
export async function analyzeStaged(tx: Tx): Promise<void> {
  await sql`select imports.look_at_staged()`.execute(tx)
}

const STAGED_TABLES = [
  ...RESOURCES.map((resource) => `imports.staged_${resource}`),
  'imports.openings',
]

/** The tables of staged rows in two halves, to be deleted in parallel. */
export const STAGED_HALVES: readonly (readonly string[])[] = [0, 1].map((half) =>
  STAGED_TABLES.filter((_, place) => place % 2 === half),
)

/**
 * Deletes the staged rows and the finished steps of an import; or those of some tables. They contain personal
 * data, and are no longer needed.
 */
export async function deleteStaged(
  tx: Tx,
  { tenantId, id }: ImportKey,
  tables: readonly string[] = [...STAGED_TABLES, 'imports.steps'],
): Promise<void> {
  for (const table of tables) {
    await sql`delete from ${sql.raw(table)}
      where tenant_id = ${tenantId} and import_id = ${id}`.execute(tx)
  }
}

/** Deletes everything that was read of a file, so that it is read again from its beginning. */
export async function beginAnew(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await deleteStaged(tx, { tenantId, id })
  await deleteNotes(tx, { tenantId, id })
  await tx
    .updateTable('imports.imports')
    .set({ stagedTo: 0 })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Deletes the notes about single rows. */
export async function deleteNotes(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await tx
    .deleteFrom('imports.notes')
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .execute()
}

/**
 * Deletes hashes that would reveal whether a name and an address belonged to a user, and former values of that
 * user's records.
 */
export async function forgetHashes(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  // By table, people are found with the primary key: there is no index by target.
  const people = SOURCES.map((source) => [source.system, tableOf(source, 'clients') ?? ''] as const)
  await tx
    .updateTable('imports.origins')
    .set({ sourceHash: null, targetHash: null })
    .where('tenantId', '=', tenantId)
    .where((it) =>
      it.or(
        people.map(([system, table]) =>
          it.and([it('system', '=', system), it('sourceTable', '=', table)]),
        ),
      ),
    )
    .where('targetId', '=', userId)
    .execute()
  await sql`
    delete from imports.snapshot_rows as row
    using imports.origins as origin
    where origin.tenant_id = ${tenantId} and origin.target_id = ${userId}
      and origin.source_table = any(${people.map(([, table]) => table)})
      and row.tenant_id = origin.tenant_id and row.resource = 'people'
      and row.source_id = origin.source_id`.execute(tx)
  await sql`
    delete from imports.changes
    where tenant_id = ${tenantId} and ${userId} in (record_id, before ->> 'user_id')`.execute(tx)
}

/** Records that a file is being uploaded. */
export async function insertUpload(tx: Tx, row: Row<'imports.uploads'>): Promise<void> {
  await tx.insertInto('imports.uploads').values(row).execute()
}

export async function deleteUpload(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await tx
    .deleteFrom('imports.uploads')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Uploads that began before a time and never became an import. */
export function listLostUploads(db: Db, before: Instant, limit: number) {
  return db
    .selectFrom('imports.uploads')
    .select(['tenantId', 'id', 'fileKey'])
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(limit)
    .execute()
}

const NOTES_PAGE = 1000

/** The notes about single rows, in the order in which they were stored. */
export async function* notesOf(db: Db, { tenantId, id }: ImportKey) {
  for (let after = 0; ; ) {
    const page = await db
      .selectFrom('imports.notes')
      .select(['number', 'kind', 'code', 'sourceTable', 'sourceId', 'detail'])
      .where('tenantId', '=', tenantId)
      .where('importId', '=', id)
      .where('number', '>', after)
      .orderBy('number')
      .limit(NOTES_PAGE)
      .execute()
    yield* page
    const last = page.at(-1)
    if (!last || page.length < NOTES_PAGE) return
    after = last.number
  }
}
