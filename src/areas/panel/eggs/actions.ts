import { newId } from '#lib/id.ts'
import { conflict } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { releaseSyncLease, type SyncLease } from '../nodes/queries.ts'
import type { Egg } from './egg.ts'
import { eggsChanged } from './events.ts'
import { readEggFile } from './files.ts'
import {
  archiveEggs,
  type EggRow,
  findFileEgg,
  insertFileEgg,
  insertPanelEggs,
  listKnownEggs,
  updateEgg,
} from './queries.ts'
import type { SyncResult } from './schema.ts'
import { planSync, storable } from './sync.ts'

/**
 * Ends a sync with everything it read. Throws 409 `sync_lost` when the connection was changed or
 * deleted meanwhile, or when it took so long that another sync has begun.
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
  const created = create.map((egg) => ({ id: newId(), egg }))
  await insertPanelEggs(tx, { tenantId, nodeId }, created, now)
  for (const { id, egg } of update) await updateEgg(tx, { tenantId, id }, egg, now)
  await archiveEggs(tx, { tenantId, ids: remove }, now)
  const eggIds = [...update.map(({ id }) => id), ...remove]
  if (eggIds.length > 0) await emit(tx, eggsChanged, { tenantId, nodeId, eggIds })
  const [updated, removed] = [update.length, remove.length]
  return { created: created.length, updated, unchanged, removed }
}

/**
 * Adds the egg of an exported file to the catalogue. The same file again is the same egg. Throws
 * 422 `egg_file_unreadable`, `egg_format_unsupported` or `egg_file_invalid`.
 */
export async function importEggFile(
  tx: Tx,
  { tenantId, file }: { tenantId: string; file: string },
  now: Instant,
): Promise<EggRow> {
  const egg = storable(readEggFile(file))
  const added = await insertFileEgg(tx, { tenantId, id: newId(), egg }, now)
  return added ?? findFileEgg(tx, { tenantId, contentHash: egg.contentHash })
}
