import fs from 'node:fs'
import path from 'node:path'
import { isMissing } from './files/folder.ts'

/** The rights of everybody but the owner. */
const OTHERS = 0o077

/** What Moorage itself keeps in its data folder; a backup or a note that lies beside it is not its own. */
const OWN = /^(database(\..*)?|files|secret\.key(\..*)?|control\.sock)$/

/**
 * Takes every right on what Moorage keeps in its data folder from other users, whatever the umask was when
 * it was made. The folder itself too, unless it holds something else as well. What belongs to another user is
 * left as it is; `moorage doctor` reports it.
 */
export function makeDataPrivate(dataDir: string): void {
  const entries = entriesOf(dataDir)
  const own = entries.filter((name) => OWN.test(name))
  if (own.length > 0 && own.length === entries.length) restrict(dataDir)
  for (const name of own) makePrivate(path.join(dataDir, name))
}

/** Takes every right on a file, or a folder and all that is in it, from other users. */
export function makePrivate(place: string): void {
  for (const { path: open } of openToOthers(place)) restrict(open)
}

/** A file or folder on which users other than its owner have rights. */
export type OpenPlace = { readonly path: string; readonly mode: number }

/** What other users may read or write of a file, or of a folder and all that is in it. */
export function* openToOthers(place: string): Iterable<OpenPlace> {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false })
  if (!stat || stat.isSymbolicLink()) return
  if (stat.mode & OTHERS) yield { path: place, mode: stat.mode & 0o777 }
  if (!stat.isDirectory()) return
  for (const name of entriesOf(place)) yield* openToOthers(path.join(place, name))
}

/** What other users may read or write of the things that Moorage keeps in its data folder. */
export function* openDataOf(dataDir: string): Iterable<OpenPlace> {
  const stat = fs.statSync(dataDir, { throwIfNoEntry: false })
  if (!stat) return
  // Others may not look at what is inside, but who may write here can replace all of it.
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

/** Changes the mode by name: the lock of the database would be released by opening and closing its file. */
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
 * Makes a folder and those above it, for this user alone. Throws what the system says. Node's own recursive
 * way tries for ever where a file system makes no folders, such as that of processes.
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
