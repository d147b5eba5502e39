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

/** For how long an import is a process's own after it was last heard of. */
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

/** The newest import of a file that is still running, or ended well. */
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

function imports(db: Db, tenantId: string) {
  return db.selectFrom('imports.imports').selectAll().where('tenantId', '=', tenantId)
}

/** Imports whose process has not been heard of for longer than it may take. */
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

/** Takes an import for one process; nothing when another has it, or it has ended. */
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
 * Notes how far an import is, and keeps it for longer. Answers whether it is still this process's:
 * `tries` counts who has taken it, and `advancedInTry` which of them staged rows that none had before.
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

/** Whether an import is still this process's, and keeps it so until the transaction ends. */
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

/** Ends an import. Answers false where it is another process's by now. */
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

/** Asks for the end of an import that runs. Answers the row, if nothing of it was written yet. */
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

/** Files of imports that have ended, which are still there. */
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
 * Lets a transaction commit before it is on the disk. For rows on their way only: what a loss of power
 * takes of them is read again, as the place they reach goes with them.
 */
export async function waitForNoDisk(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx)
}

/** Has the database find out how many rows are on their way, which it would take for a handful. */
export async function lookAtStaged(tx: Tx): Promise<void> {
  await sql`select imports.look_at_staged()`.execute(tx)
}

const STAGED_TABLES = [
  ...RESOURCES.map((resource) => `imports.staged_${resource}`),
  'imports.openings',
]

/** The tables of rows on their way in two halves, for two who remove them side by side. */
export const STAGED_HALVES: readonly (readonly string[])[] = [0, 1].map((half) =>
  STAGED_TABLES.filter((_, place) => place % 2 === half),
)

/**
 * Removes the rows on their way, and how far they were; or those of some tables. They hold what people have,
 * and are needed no longer.
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

/** Lets go of everything that was read of a file, which is to be read from its beginning. */
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

/** Removes what is told of single rows. */
export async function deleteNotes(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await tx
    .deleteFrom('imports.notes')
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .execute()
}

/** Takes away what would tell whether a name and an address were somebody's, and how they were called before. */
export async function forgetHashes(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  // Named by their tables people are found by the key: there is no index by what rows became.
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

/** Notes that a file is on its way in. */
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

/** Uploads that began before an instant and never became an import. */
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

/** What is told of single rows, in the order in which it was noted. */
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
