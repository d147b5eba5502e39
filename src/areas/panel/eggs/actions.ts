import { newId } from '#lib/id.ts'
import { conflict } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { releaseSyncLease, type SyncLease } from '../nodes/queries.ts'
import { changesBetween } from './changes.ts'
import type { Egg } from './egg.ts'
import { eggsChanged } from './events.ts'
import { readEggFile } from './files.ts'
import {
  archiveEggs,
  type EggRow,
  findFileEgg,
  insertChanges,
  insertFileEgg,
  insertPanelEggs,
  listEggsByIds,
  listKnownEggs,
  lockFileEgg,
  updateEgg,
} from './queries.ts'
import type { SyncResult } from './schema.ts'
import { planSync, storable } from './sync.ts'

/**
 * Ends a sync with everything it read. Throws 409 `sync_lost` if the connection was changed or deleted meanwhile, or if
 * the sync took so long that another one has begun.
 */
export async function applySync(
  tx: Tx,
  lease: SyncLease,
  eggs: readonly Egg[],
  now: Instant,
): Promise<SyncResult> {
  const { tenantId, id: nodeId } = lease
  if (!(await releaseSyncLease(tx, lease))) {
    throw conflict('The panel connection changed meanwhile; no egg was changed.', 'sync_lost')
  }
  const known = await listKnownEggs(tx, { tenantId, nodeId })
  const { create, update, unchanged, remove } = planSync(known, eggs.map(storable))
  const before = await listEggsByIds(tx, tenantId, idsOf(update))
  const created = create.map((egg) => ({ id: newId(), egg }))
  await insertPanelEggs(tx, { tenantId, nodeId }, created, now)
  for (const { id, egg } of update) await updateEgg(tx, { tenantId, id }, egg, now)
  await archiveEggs(tx, { tenantId, ids: remove }, now)
  await noteChanges(tx, { tenantId, before, update }, now)
  const eggIds = [...idsOf(update), ...remove]
  if (eggIds.length > 0) await emit(tx, eggsChanged, { tenantId, nodeId, eggIds })
  const [updated, removed] = [update.length, remove.length]
  return { created: created.length, updated, unchanged, removed }
}

type Updates = { id: string; egg: Egg }[]

const idsOf = (updates: Updates) => updates.map(({ id }) => id)

type Updated = { tenantId: string; before: readonly EggRow[]; update: Updates }

/** Stores the changes of eggs that were updated. */
async function noteChanges(
  tx: Tx,
  { tenantId, before, update }: Updated,
  now: Instant,
): Promise<void> {
  const earlier = new Map(before.map((egg) => [egg.id, egg]))
  const entries = update.flatMap(({ id, egg }) => {
    const known = earlier.get(id)
    const changes = known && changesBetween(known, egg)
    return changes ? [{ eggId: id, changes }] : []
  })
  await insertChanges(tx, tenantId, entries, now)
}

/**
 * Adds the egg of an exported file to the catalogue. The same file again is the same egg; so is a file with the same
 * uuid, which updates that egg. Throws 422 `egg_file_unreadable`, `egg_format_unsupported` or `egg_file_invalid`.
 */
export async function importEggFile(
  tx: Tx,
  { tenantId, file }: { tenantId: string; file: string },
  now: Instant,
): Promise<EggRow> {
  const egg = storable(readEggFile(file))
  const added = await insertFileEgg(tx, { tenantId, id: newId(), egg }, now)
  if (added) return added
  const known = egg.uuid === null ? undefined : await lockFileEgg(tx, { tenantId, uuid: egg.uuid })
  if (!known || known.contentHash === egg.contentHash) {
    return findFileEgg(tx, { tenantId, contentHash: egg.contentHash })
  }
  const { id } = known
  await updateEgg(tx, { tenantId, id }, egg, now)
  await noteChanges(tx, { tenantId, before: [known], update: [{ id, egg }] }, now)
  await emit(tx, eggsChanged, { tenantId, nodeId: null, eggIds: [id] })
  return findFileEgg(tx, { tenantId, contentHash: egg.contentHash })
}
