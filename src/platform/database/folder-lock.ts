import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../private-files.ts'
import { reasonOf, StartError } from '../start-error.ts'

/** The process that has a database folder open, as it recorded itself beside the folder. */
export type Holder = {
  readonly pid: number
  readonly hostName: string
  readonly command: string
  readonly since: string
  /** Distinguishes this process from a later one with the same pid; null if the system does not provide it. */
  readonly process: ProcessIdentity | null
  /** Distinguishes the folder from a copy of it; absent in files of earlier versions. */
  readonly folder?: string
}

type ProcessIdentity = {
  readonly boot: string
  readonly namespace: string
  readonly started: string
}

/** Another process has the database folder open. */
export class FolderInUse extends StartError {
  readonly holder: Holder | null

  constructor(folder: string, holder: Holder | null) {
    super(
      holder
        ? `Process ${holder.pid} on ${holder.hostName} (moorage ${holder.command}, since ${holder.since}) has the database in ${folder} open, and only one process may. Stop that process, then start this one again.`
        : `Another process has the database in ${folder} open, and only one process may. Stop that process, then start this one again.`,
    )
    this.holder = holder
  }
}

export type FolderLock = { release(): void }

/** How long two processes that start at the same time wait for each other. */
const WAIT_MS = 500
const BUSY = 5

/**
 * Locks the database folder for this process, before anything in it is opened. The lock is a POSIX lock that SQLite
 * takes on an empty file beside the folder: the kernel releases it when the process ends, however it ends, and it
 * works between containers and users of one machine. Throws a `FolderInUse`, and a `StartError` for a folder of
 * another user: that user could not read what this process writes into it.
 *
 * Nothing in this process may open the lock file itself: closing it again would release the lock.
 */
export function lockFolder(folder: string): FolderLock {
  makeFolder(path.dirname(folder))
  const place = realPlaceOf(folder)
  const lock = lockFileOf(place)
  // If there is a lock file, first report which process has the folder open.
  if (!fs.existsSync(lock)) assertOwn(place)
  create(lock)
  const connection = lockedConnection(place, lock)
  try {
    // The lock was free. It would also be free if its file had been deleted while another process runs.
    const holder = holderOf(place)
    if (holder && isRunning(holder) && isOf(place, holder)) throw new FolderInUse(place, holder)
    assertOwn(place)
    writeHolder(place)
  } catch (error) {
    connection.close()
    throw error
  }
  return {
    release() {
      fs.rmSync(holderFileOf(place), { force: true })
      connection.close()
    },
  }
}

/** The process that has a database folder open, or had it open when it was killed; null if none is recorded. */
export function holderOf(folder: string): Holder | null {
  try {
    return JSON.parse(fs.readFileSync(holderFileOf(realPlaceOf(folder)), 'utf8')) as Holder
  } catch {
    return null
  }
}

/**
 * Another process that is recorded for a database folder which this process has locked: the files of the lock were
 * deleted, or the folder is on two machines that do not see each other's locks. Null if this process is the only one.
 */
export function secondHolderOf(folder: string): Holder | null {
  const holder = holderOf(folder)
  if (!holder) return null
  const isOwn = holder.pid === process.pid && holder.hostName === os.hostname()
  const started = identityOf('self')?.started
  return isOwn && holder.process?.started === started ? null : holder
}

function lockFileOf(folder: string): string {
  return `${folder}.lock`
}

function holderFileOf(folder: string): string {
  return `${folder}.holder.json`
}

/** Two names of one folder, through a symbolic link, have one lock. */
function realPlaceOf(folder: string): string {
  try {
    return fs.realpathSync(folder)
  } catch {
    return path.join(fs.realpathSync(path.dirname(folder)), path.basename(folder))
  }
}

function create(file: string): void {
  try {
    fs.writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK)
}

/** Throws for a database of another user, whose files only root could open at all. */
function assertOwn(folder: string): void {
  const owner = fs.statSync(folder, { throwIfNoEntry: false })?.uid
  const user = process.geteuid?.()
  if (owner === undefined || user === undefined || owner === user) return
  // A network share may show one owner for all files, regardless of who writes them.
  if (owner === writerIn(path.dirname(folder))) return
  throw new StartError(
    `The database in ${folder} belongs to user ${owner}, who could not read what user ${user} writes into it. Run this as user ${owner}, or give the whole data folder to user ${user} (chown -R) if Moorage is to run as that user.`,
  )
}

/** The owner of the files that this process creates in a folder; null if it cannot create any. */
function writerIn(folder: string): number | null {
  const file = path.join(folder, `database.${process.pid}.owner`)
  try {
    fs.writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
    return fs.statSync(file).uid
  } catch {
    return null
  } finally {
    fs.rmSync(file, { force: true })
  }
}

function lockedConnection(folder: string, file: string): DatabaseSync {
  let connection: DatabaseSync | null = null
  try {
    connection = new DatabaseSync(file, { timeout: WAIT_MS })
    connection.exec('begin exclusive')
    return connection
  } catch (error) {
    connection?.close()
    if ((error as { errcode?: number }).errcode === BUSY) {
      throw new FolderInUse(folder, holderOf(folder))
    }
    throw new StartError(
      `The file ${file} cannot be locked (${reasonOf(error)}). MOORAGE_DATA_DIR must be on a file system that has POSIX locks.`,
      { cause: error },
    )
  }
}

function writeHolder(folder: string): void {
  const holder: Holder = {
    pid: process.pid,
    hostName: os.hostname(),
    command:
      process.argv
        .slice(2, 4)
        .filter((it) => /^[a-z][a-z-]*$/.test(it))
        .join(' ') || 'serve',
    since: new Date().toISOString(),
    process: identityOf('self'),
    folder: placeOf(folder),
  }
  const file = holderFileOf(folder)
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 })
  fs.renameSync(draft, file)
}

/** The device and inode of the data folder, which a copy of it does not share. */
function placeOf(folder: string): string {
  const { dev, ino } = fs.statSync(path.dirname(folder), { bigint: true })
  return `${dev}:${ino}`
}

function isOf(place: string, { folder }: Holder): boolean {
  return folder === undefined || folder === placeOf(place)
}

/** Whether the very process that is recorded still runs; false if that cannot be known. */
function isRunning({ pid, process: written }: Holder): boolean {
  const own = identityOf('self')
  if (!written || !own || pid === process.pid) return false
  if (written.boot !== own.boot || written.namespace !== own.namespace) return false
  return identityOf(pid)?.started === written.started
}

/** Linux only: the boot, the pid namespace, and when the process started, in ticks since the boot. */
function identityOf(pid: number | 'self'): ProcessIdentity | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in brackets, may contain anything; the start time is the 20th field after it.
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    if (!started) return null
    return {
      boot: fs.readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(),
      // The namespace of this process: that of another user's process cannot be read.
      namespace: fs.readlinkSync('/proc/self/ns/pid'),
      started,
    }
  } catch {
    return null
  }
}
