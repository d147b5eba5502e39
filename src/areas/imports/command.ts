import type { Readable } from 'node:stream'
import { newId } from '#lib/id.ts'
import { conflict } from '#lib/problem.ts'
import { transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { findImport, findRunning, insertImport, type NewImport } from './queries.ts'
import { importView } from './rules.ts'
import { runImport } from './run.ts'
import type { ImportView } from './schema.ts'

/** A file of this machine: it is read where it is. */
export type LocalFile = Pick<NewImport, 'tenantId' | 'fileName' | 'sizeBytes' | 'sha256'> & {
  readonly content: () => Readable
}

type Wanted = {
  readonly dryRun: boolean
  /** What it is a dump of; null: found out. */
  readonly system?: NewImport['wantedSystem']
}

type Watch = { readonly everyMs: number; readonly onProgress: (view: ImportView) => void }

/**
 * Imports a dump in this process and to its end, or only reports on it (`dryRun`), and tells how far it
 * is meanwhile. 409 while another import of the shop runs.
 */
export async function importFile(
  { database, clock, secrets }: Pick<Deps, 'database' | 'clock' | 'secrets'>,
  { content, ...file }: LocalFile,
  { dryRun, system = null }: Wanted,
  { everyMs, onProgress }: Watch,
): Promise<ImportView> {
  const { tenantId } = file
  const db = database.of(tenantId)
  const id = newId()
  const key = { tenantId, id }
  const now = clock.now()
  await transact(db, async (tx) => {
    if (await findRunning(tx, tenantId)) throw conflict('Another import is running.')
    // Nothing is stored: there is no file to delete.
    const place = { fileKey: `${tenantId}/imports/${id}`, fileGoneAt: now }
    const row = { ...file, ...key, ...place, userId: null, dryRun, wantedSystem: system }
    await insertImport(tx, { ...row, createdAt: now })
  })
  const view = async () => {
    const row = await findImport(db, key)
    return row ? importView(row, clock.now()) : null
  }
  const watch = setInterval(async () => {
    const shown = await view().catch(() => null)
    if (shown) onProgress(shown)
  }, everyMs)
  try {
    const { signal } = new AbortController()
    const files = { get: async () => content() }
    await runImport(
      { db, clock, secrets, files, signal, transact: (work) => transact(db, work) },
      key,
    )
  } finally {
    clearInterval(watch)
  }
  const ended = await view()
  if (!ended) throw new Error('The import is gone')
  onProgress(ended)
  return ended
}
