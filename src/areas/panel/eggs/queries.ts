import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import { compiledFirst } from '#platform/database/compiled.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { pageOf } from '#platform/page.ts'
import type { EggChanges } from './changes.ts'
import type { Egg } from './egg.ts'
import type { EggQuery } from './schema.ts'
import type { KnownEgg } from './sync.ts'

export type EggRow = Row<'panel.eggs'>
export type EggKey = Pick<EggRow, 'tenantId' | 'id'>
type NodeEggs = { tenantId: string; nodeId: string }

/** An egg of the catalogue; archived ones too, for what still refers to them. */
export const findEgg = compiledFirst((db, { tenantId, id }: EggKey) =>
  db.selectFrom('panel.eggs').selectAll().where('tenantId', '=', tenantId).where('id', '=', id),
)

export function listEggs(db: Db, tenantId: string, { nodeId, archived, ...page }: EggQuery) {
  const query = db
    .selectFrom('panel.eggs')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .$if(nodeId !== undefined, (it) => it.where('nodeId', '=', nodeId ?? null))
    .$if(!archived, (it) => it.where('archivedAt', 'is', null))
  return pageOf(query, page)
}

/** The stored eggs of a panel, for a comparison. */
export function listKnownEggs(db: Db, { tenantId, nodeId }: NodeEggs): Promise<KnownEgg[]> {
  return db
    .selectFrom('panel.eggs')
    .select(['id', 'remoteId', 'uuid', 'contentHash', 'archivedAt'])
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .orderBy('id')
    .execute()
}

/** Eggs by their ids, archived ones too. */
export function listEggsByIds(db: Db, tenantId: string, ids: readonly string[]): Promise<EggRow[]> {
  return db
    .selectFrom('panel.eggs')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .execute()
}

export type EggChangeRow = Row<'panel.egg_changes'>

const SHOWN_CHANGES = 20

/** The latest changes of an egg, newest first. */
export function listChanges(db: Db, { tenantId, id }: EggKey): Promise<EggChangeRow[]> {
  return db
    .selectFrom('panel.egg_changes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('eggId', '=', id)
    .orderBy('id', 'desc')
    .limit(SHOWN_CHANGES)
    .execute()
}

type NewChange = { eggId: string; changes: EggChanges }

export async function insertChanges(
  tx: Tx,
  tenantId: string,
  entries: readonly NewChange[],
  now: Instant,
): Promise<void> {
  const rows = entries.map(({ eggId, changes }) => {
    return { tenantId, id: newId(), eggId, changes: json(changes), createdAt: now }
  })
  for (let start = 0; start < rows.length; start += CHUNK) {
    await tx
      .insertInto('panel.egg_changes')
      .values(rows.slice(start, start + CHUNK))
      .execute()
  }
}

/** The columns that contain an egg's content. */
function contentOf({ remoteId, uuid, name, author, description, ...egg }: Egg) {
  return {
    ...{ remoteId, uuid, name, author, description },
    tags: json(egg.tags),
    features: json(egg.features),
    dockerImages: json(egg.dockerImages),
    startupCommands: json(egg.startupCommands),
    stop: egg.stop,
    doneMarkers: json(egg.doneMarkers),
    variables: json(egg.variables),
    updateUrl: egg.updateUrl,
    contentHash: egg.contentHash,
  }
}

type NewEgg = { id: string; egg: Egg }

/** Few enough rows for the maximum number of parameters of one statement. */
const CHUNK = 500

export async function insertPanelEggs(
  tx: Tx,
  { tenantId, nodeId }: NodeEggs,
  eggs: readonly NewEgg[],
  now: Instant,
): Promise<void> {
  const rows = eggs.map(({ id, egg }) => ({
    ...{ tenantId, id, nodeId, source: 'panel' as const },
    ...contentOf(egg),
    ...{ createdAt: now, updatedAt: now },
  }))
  for (let start = 0; start < rows.length; start += CHUNK) {
    await tx
      .insertInto('panel.eggs')
      .values(rows.slice(start, start + CHUNK))
      .execute()
  }
}

/** Updates an egg to its current content, and takes it out of the archive. */
export async function updateEgg(
  tx: Tx,
  { tenantId, id }: EggKey,
  egg: Egg,
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('panel.eggs')
    .set({ ...contentOf(egg), updatedAt: now, archivedAt: null })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export async function archiveEggs(
  tx: Tx,
  { tenantId, ids }: { tenantId: string; ids: readonly string[] },
  now: Instant,
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('panel.eggs')
    .set({ archivedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
}

/** Archives every egg of a connection. */
export async function archiveEggsOf(
  tx: Tx,
  { tenantId, nodeId }: NodeEggs,
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('panel.eggs')
    .set({ archivedAt: now })
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('archivedAt', 'is', null)
    .execute()
}

/** Locks and returns the egg from files with this uuid. */
export function lockFileEgg(
  tx: Tx,
  { tenantId, uuid }: { tenantId: string; uuid: string },
): Promise<EggRow | undefined> {
  return tx
    .selectFrom('panel.eggs')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('uuid', '=', uuid)
    .where('source', '=', 'file')
    .forUpdate()
    .executeTakeFirst()
}

/** Stores an egg from a file. Undefined if the same file, or the same egg, already exists. */
export function insertFileEgg(
  tx: Tx,
  { tenantId, id, egg }: EggKey & { egg: Egg },
  now: Instant,
): Promise<EggRow | undefined> {
  return tx
    .insertInto('panel.eggs')
    .values({
      ...{ tenantId, id, nodeId: null, source: 'file' as const },
      ...contentOf(egg),
      ...{ createdAt: now, updatedAt: now },
    })
    .onConflict((it) => it.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function findFileEgg(
  db: Db,
  { tenantId, contentHash }: { tenantId: string; contentHash: string },
): Promise<EggRow> {
  return db
    .selectFrom('panel.eggs')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('contentHash', '=', contentHash)
    .where('source', '=', 'file')
    .executeTakeFirstOrThrow()
}
