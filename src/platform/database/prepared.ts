import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import packageFile from '../../../package.json' with { type: 'json' }
import { makePrivate } from '../private-files.ts'
import { ROOT } from '../root.ts'
import { migrations } from './migrate.ts'

/** Where builds place prepared databases: embedded databases that are migrated and empty. */
export const PREPARED = path.join(ROOT, 'prepared')

/** The folder of the database that was prepared for exactly these migrations, by the version of the embedded database in use. */
export function preparedFolder(folder = PREPARED): string {
  const hash = createHash('sha256').update(packageFile.dependencies['@electric-sql/pglite'])
  for (const migration of migrations()) hash.update(`\n${migration.name} ${migration.hash}`)
  return path.join(folder, hash.digest('hex').slice(0, 16))
}

/**
 * Copies the prepared database into an empty folder, whole or not at all: creating and migrating one takes seconds.
 * Without a prepared database, or if the folder is a mount of its own, the folder stays empty. Throws errors of the disk.
 */
export async function copyPrepared(folder: string, prepared = preparedFolder()): Promise<void> {
  const draft = `${folder}.new`
  fs.rmSync(draft, { recursive: true, force: true })
  if (!fs.existsSync(prepared)) return
  try {
    fs.cpSync(prepared, draft, { recursive: true })
    makePrivate(draft)
    await syncAll(draft)
    fs.renameSync(draft, folder)
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true })
    if (!isMount(error)) throw error
  }
  await sync(path.dirname(folder))
}

/** Waits until a folder and everything in it is on the disk. */
async function syncAll(folder: string): Promise<void> {
  const entries = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  await Promise.all([folder, ...entries.map((it) => path.join(folder, it))].map(sync))
}

async function sync(place: string): Promise<void> {
  const handle = await open(place, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Whether a folder cannot be replaced because it, or what contains it, is on a file system of its own. */
function isMount(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return ['EBUSY', 'EXDEV'].includes(code)
}
