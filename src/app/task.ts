import type { Config } from '#platform/config.ts'
import { FolderInUse } from '#platform/database/folder-lock.ts'
import { type Database, NOBODY_LISTENS } from '#platform/database/index.ts'
import { migrate } from '#platform/database/migrate.ts'
import { openDatabaseOf, unusableDatabase } from '#platform/start.ts'
import { configured, installed } from './configured.ts'
import { askService } from './control.ts'

/** The context of a task: configuration, database and output. */
export type Place = {
  readonly config: Config
  readonly database: Database
  print(text: string): void
  complain(text: string): void
  /** Whether progress can be shown on the terminal of this process. */
  readonly isTerminal: boolean
}

/**
 * The part of a command that uses the database: in the command's own process, or in the running service if
 * that has the embedded database open.
 */
export type Task<Args> = {
  readonly name: string
  /** Whether the database is migrated to this version first. A running service has done so. */
  readonly migrates: boolean
  /** Whether it may create the embedded database if there is none; other tasks are refused then. */
  readonly makesDatabase?: boolean
  /** Returns the exit code. `args` are JSON. */
  run(place: Place, args: Args): Promise<number>
}

/** Runs a task to its end and sets the exit code of the process. */
export async function runTask<Args>(task: Task<Args>, args: Args): Promise<void> {
  const config = task.makesDatabase ? configured() : installed()
  const words = {
    print: (text: string) => console.log(text),
    complain: (text: string) => console.error(text),
    isTerminal: process.stderr.isTTY === true,
  }
  let database: Database
  try {
    database = await openDatabaseOf(config, NOBODY_LISTENS)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    const code = await askService(config, { task: task.name, args }, words)
    if (code === null) throw error
    process.exitCode = code
    return
  }
  try {
    if (task.migrates) {
      await migrate(database).catch((error) => {
        throw unusableDatabase(error, config) ?? error
      })
    }
    process.exitCode = await task.run({ config, database, ...words }, args)
  } finally {
    await database.close()
  }
}
