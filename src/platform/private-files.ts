import fs from 'node:fs'
import path from 'node:path'

/** The permissions of all users but the owner. */
const OTHERS = 0o077

/** The files that Moorage itself creates in its data folder; a backup or a note beside them is not its own. */
const OWN = /^(database(\..*)?|files|secret\.key(\..*)?|control\.sock)$/

/**
 * Removes all permissions of other users from the files of Moorage in its data folder, whatever the umask was
 * when they were created, and from the folder itself, unless it contains other files as well. Files that
 * belong to another user are left as they are; `moorage doctor` reports them.
 */
export function makeDataPrivate(dataDir: string): void {
  const entries = entriesOf(dataDir)
  const own = entries.filter((name) => OWN.test(name))
  if (own.length > 0 && own.length === entries.length) restrict(dataDir)
  for (const name of own) makePrivate(path.join(dataDir, name))
}

/** Removes all permissions of other users from a file, or from a folder and everything in it. */
export function makePrivate(place: string): void {
  for (const { path: open } of openToOthers(place)) restrict(open)
}

/** A file or folder to which users other than its owner have access. */
export type OpenPlace = { readonly path: string; readonly mode: number }

/** The parts of a file, or of a folder and everything in it, that other users may read or write. */
function* openToOthers(place: string): Iterable<OpenPlace> {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false })
  if (!stat || stat.isSymbolicLink()) return
  if (stat.mode & OTHERS) yield { path: place, mode: stat.mode & 0o777 }
  if (!stat.isDirectory()) return
  for (const name of entriesOf(place)) yield* openToOthers(path.join(place, name))
}

/** The files of Moorage in its data folder that other users may read or write. */
export function* openDataOf(dataDir: string): Iterable<OpenPlace> {
  const stat = fs.statSync(dataDir, { throwIfNoEntry: false })
  if (!stat) return
  // A user who may write to this folder can replace its content, even without access to the files.
  if (stat.mode & 0o022) yield { path: dataDir, mode: stat.mode & 0o777 }
  for (const name of entriesOf(dataDir).filter((it) => OWN.test(it))) {
    yield* openToOthers(path.join(dataDir, name))
  }
}

function entriesOf(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}

/** Changes the mode by path: opening and closing the file of the database's lock would release the lock. */
function restrict(place: string): void {
  try {
    const { mode } = fs.lstatSync(place)
    fs.chmodSync(place, mode & 0o700)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EPERM' && code !== 'EROFS' && !isMissing(error)) throw error
  }
}

/**
 * Creates a folder and its parents, for this user only. Throws the error of the system. Node's own recursive
 * option retries forever on file systems without folder creation, such as /proc.
 */
export function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const parent = path.dirname(folder)
    if (code === 'EEXIST' && fs.statSync(folder).isDirectory()) return
    if (code !== 'ENOENT' || parent === folder) throw error
    makeFolder(parent)
    fs.mkdirSync(folder, { mode: 0o700 })
  }
}

/** Whether an error means that there is no such file. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
