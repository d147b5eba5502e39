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
 * The import of the same file that broke off with its process, to go on with. One of another file is ended:
 * nobody else has that file. 409 while one runs, or may be running still.
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
 * Imports a dump in this process and to its end, or only reports on it (`dryRun`), and tells how far it
 * is meanwhile. One of the same file that broke off with its process goes on. 409 while another runs.
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
    // Nothing is stored: there is no file to delete.
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
