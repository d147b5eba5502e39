import fs from 'node:fs'
import path from 'node:path'
import type { Config } from '#platform/config.ts'
import { reasonOf, StartError } from '#platform/start-error.ts'
import { ConfigError, readConfig } from './config.ts'
import { type Environment, withFiles } from './variables.ts'

/** The configuration from the environment; if it is wrong, prints every fault and ends the process. */
export function configured(
  overrides: Record<string, string> = {},
  options: { makesKey?: boolean } = {},
): Config {
  return orEnd(() => {
    readEnvFile()
    return readConfig({ ...process.env, ...overrides }, options)
  })
}

/**
 * The configuration of an existing installation, for commands that create none: a misspelt `MOORAGE_DATA_DIR` must
 * not lead to an empty database with a new key. Throws a `StartError` if the data folder has no database.
 */
export function installed(): Config {
  const { databaseUrl, dataDir } = configured({}, { makesKey: false })
  if (databaseUrl === null && isAbsent(path.join(dataDir, 'database'))) {
    throw new StartError(
      `MOORAGE_DATA_DIR: there is no installation in ${dataDir}. Correct the variable, or start the service there once.`,
    )
  }
  return configured()
}

/** Whether there is nothing at a path. A folder that this user may not read counts as existing. */
function isAbsent(place: string): boolean {
  try {
    return fs.statSync(place, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/** The environment with `.env` and with the secrets from files; ends the process if one cannot be read. */
export function environment(): Environment {
  return orEnd(() => {
    readEnvFile()
    const faults: string[] = []
    const read = withFiles(process.env, faults)
    if (faults.length > 0) throw new ConfigError(faults.join('\n'))
    return read
  })
}

function orEnd<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

/** Loads the variables of `.env` in the current folder; those of the environment take precedence. */
function readEnvFile(): void {
  try {
    process.loadEnvFile()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw new ConfigError(`The file .env cannot be read: ${reasonOf(error)}.`)
  }
}
