import type { Config } from '#platform/config.ts'
import { reasonOf } from '#platform/start-error.ts'
import { ConfigError, readConfig } from './config.ts'

/** The configuration from the environment; ends the process with every fault named when it is wrong. */
export function configured(
  overrides: Record<string, string> = {},
  options: { makesKey?: boolean } = {},
): Config {
  try {
    readEnvFile()
    return readConfig({ ...process.env, ...overrides }, options)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

/** Variables of `.env` in the folder where we are started; those of the environment come first. */
function readEnvFile(): void {
  try {
    process.loadEnvFile()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw new ConfigError(`The file .env cannot be read: ${reasonOf(error)}.`)
  }
}
