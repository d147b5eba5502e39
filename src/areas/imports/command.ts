import type { Readable } from 'node:stream'
import { newId } from '#lib/id.ts'
import { conflict } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { type Tx, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { assertNotUndoing } from './actions.ts'
import {
  deleteStaged,
  findImport,
  findRunning,
  type ImportRow,
  insertImport,
  markFinished,
  type NewImport,
} from './queries.ts'
import { importView } from './rules.ts'
import { runImport } from './run.ts'
import type { ImportView } from './schema.ts'

/** A file on this machine. It is read in place. */
export type LocalFile = Pick<NewImport, 'tenantId' | 'fileName' | 'sizeBytes' | 'sha256'> & {
  readonly content: () => Readable
}

type Wanted = {
  readonly dryRun: boolean
  /** Which system the dump is from; null: detected. */
  readonly system?: NewImport['wantedSystem']
}

type Watch = { readonly everyMs: number; readonly onProgress: (view: ImportView) => void }

/**
 * The import of the same file that was interrupted when its process ended, to be continued. An interrupted
 * import of another file is canceled, because only that process had the file. Throws 409 while an import
 * runs or may still be running.
 */
async function brokenOff(tx: Tx, wanted: NewImport, now: Instant): Promise<ImportRow | null> {
  await assertNotUndoing(tx, wanted.tenantId)
  const running = await findRunning(tx, wanted.tenantId)
  if (!running) return null
  const { fileGoneAt, leaseUntil, sha256, dryRun, wantedSystem } = running
  if (fileGoneAt === null || (leaseUntil !== null && leaseUntil >= now)) {
    throw conflict(
      'Another import is running, or broke off less than a minute ago. Try again then.',
    )
  }
  const same = dryRun === wanted.dryRun && wantedSystem === wanted.wantedSystem
  if (same && wanted.sha256.equals(sha256)) return running
  if (running.status === 'importing') {
    throw conflict(
      `The import of ${running.fileName} broke off while it wrote. Go on with that first.`,
    )
  }
  await markFinished(tx, running, { status: 'canceled' }, now)
  await deleteStaged(tx, running)
  return null
}

/**
 * Imports a dump in this process until it ends, or only reports on it (`dryRun`), and reports progress
 * meanwhile. Continues an interrupted import of the same file. Throws 409 while another import runs.
 */
export async function importFile(
  { database, clock, secrets }: Pick<Deps, 'database' | 'clock' | 'secrets'>,
  { content, ...file }: LocalFile,
  { dryRun, system = null }: Wanted,
  { everyMs, onProgress }: Watch,
): Promise<ImportView> {
  const { tenantId } = file
  const db = database.of(tenantId)
  const now = clock.now()
  const key = await transact(db, async (tx) => {
    const id = newId()
    // The file is not stored, so there is none to delete.
    const place = { fileKey: `${tenantId}/imports/${id}`, fileGoneAt: now }
    const row = { ...file, ...place, id, userId: null, dryRun, wantedSystem: system }
    const given = { ...row, createdAt: now }
    return (await brokenOff(tx, given, now)) ?? (await insertImport(tx, given))
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
